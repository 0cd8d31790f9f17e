"""PostgreSQL servers for tests: the one beside `make test`, and one of a test alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NoReturn

import pytest

DATABASES = count(1)
SCRIPT = Path(__file__).parents[2] / "core/tests/postgres_server/server.sh"
POOLER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"


class Server:
    """A server by the folder of its socket."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/psql"))
        self._psql = str(newest[-1]) if newest else "psql"

    def database(self) -> str:
        """The name of a new, empty database."""
        name = f"python_{os.getpid()}_{next(DATABASES)}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        return name

    def url(self, database: str, user: str = "xs2a") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def command(self, database: str, sql: str, user: str = "xs2a") -> list[str]:
        place = ["-h", self.folder, "-U", user, "-d", database]
        return [self._psql, "-qAtX", "-v", "ON_ERROR_STOP=1", *place, "-c", sql]

    def sql(self, database: str, sql: str, user: str = "xs2a") -> str:
        """What psql prints for a statement."""
        done = subprocess.run(
            self.command(database, sql, user), capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def not_here(what: str) -> NoReturn:
    """Leaves the test out, unless `XS2A_POSTGRES` is `required`."""
    if os.environ.get("XS2A_POSTGRES") == "required":
        pytest.fail(f"XS2A_POSTGRES=required, and there is no {what} here")
    pytest.skip(f"there is no {what} here")


def shared() -> Server:
    """The server that `core/tests/postgres_server/server.sh run` started for the whole run."""
    folder = os.environ.get("XS2A_TEST_POSTGRES")
    if folder is None:
        not_here("PostgreSQL server")
    return Server(folder)


@contextmanager
def of_its_own() -> Iterator[Server]:
    """A server that nothing else uses."""
    with subprocess.Popen(
        [str(SCRIPT), "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            said = process.stdout.readline().split()
            if said[:1] != ["ready"]:
                not_here("PostgreSQL server")
            yield Server(said[1])
        finally:
            process.stdin.close()


@contextmanager
def pooler(server: Server, mode: str) -> Iterator[Server]:
    """A pgbouncer before a server; its socket is in another folder."""
    if not Path(POOLER).exists():
        not_here("pgbouncer")
    with tempfile.TemporaryDirectory(prefix="xs2a-pool-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o777)  # another user runs it, if root runs the tests
        (folder / "users").write_text('"xs2a" ""\n')
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n* = host={server.folder}\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n"
            f"unix_socket_dir = {folder}\nauth_type = trust\nauth_file = {folder}/users\n"
            f"logfile = {folder}/log\npool_mode = {mode}\n"
        )
        user = ["-u", "nobody"] if os.geteuid() == 0 else []
        with subprocess.Popen(
            [POOLER, *user, str(folder / "pgbouncer.ini")], stderr=subprocess.DEVNULL
        ) as process:
            try:
                wait_until(lambda: (folder / ".s.PGSQL.5432").exists())
                yield Server(name)
            finally:
                process.terminate()


def wait_until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.02)
