"""The file of an engine's database: what other programs do to it, and what the process may do later."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import payment_journey as journey
import pytest
import xs2a
from gateway import authorisation_id, gateway, payment
from payment_journey import INSTANT
from toy_bank import KARI, ToyBank

HERE = Path(__file__).parent
TARGET = f"{INSTANT}?allowLogicalDuplicate=true"

# A gateway in a process of its own, which does something to its files after three payments and is killed.
GATEWAY = """
import os
import shutil
import signal
import sqlite3
import subprocess
import sys

from gateway import gateway, payment
from test_store_files import TARGET, look_at

path, fate = sys.argv[1], sys.argv[2]
with gateway(database=f"sqlite://{path}") as own:
    for _ in range(3):
        own.create(TARGET)
    if fate == "copied":
        shutil.copy(path, f"{path}.copy")
        look_at(path)
    elif fate == "read":
        with open(path, "rb") as file:
            file.read(16)
        look_at(path)
    elif fate == "another SQLite":
        connection = sqlite3.connect(path)
        connection.execute("SELECT count(*) FROM payment").fetchone()
        connection.close()
    elif fate == "log removed":
        os.remove(f"{path}-wal")
    elif fate == "index removed":
        os.remove(f"{path}-shm")
    elif fate == "log renamed":
        os.rename(f"{path}-wal", f"{path}-wal.moved")
    elif fate == "renamed":
        os.rename(path, f"{path}.moved")
    elif fate == "replaced":
        connection = sqlite3.connect(f"{path}.other")
        connection.execute("CREATE TABLE payment (x)")
        connection.close()
        os.rename(path, f"{path}.moved")
        os.rename(f"{path}.other", path)
    elif fate == "second name":
        os.link(path, f"{path}.second")
    elif fate == "second name of the log":
        os.link(f"{path}-wal", f"{path}.second")
    answers = [own.call("POST", TARGET, payment()) for _ in range(3)]
    print([(answer.status, answer.reason) for answer in answers], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def look_at(path: str | Path) -> None:
    """Another process that takes itself for the only user of the file."""
    program = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); "
        "connection.execute('SELECT count(*) FROM payment').fetchone(); connection.close()"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, timeout=60)


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )


def payments_in(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        count: int = connection.execute("SELECT count(*) FROM payment").fetchone()[0]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()
    return count


@pytest.mark.parametrize(
    "fate",
    [
        "copied",
        "read",
        "another SQLite",
        "log removed",
        "log renamed",
        "index removed",
        "renamed",
        "replaced",
        "second name",
        "second name of the log",
    ],
)
def test_no_payment_is_acknowledged_that_is_lost(tmp_path: Path, fate: str) -> None:
    path = tmp_path / "gateway.db"
    done = run(GATEWAY, str(path), fate)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert done.stdout == f"{[(500, 'SYS-01')] * 3}\n"
    (tmp_path / "gateway.db.second").unlink(missing_ok=True)
    # What was moved is put back by hand.
    for moved in tmp_path.glob("*.moved"):
        moved.rename(moved.with_suffix(""))
    with gateway(database=f"sqlite://{path}") as own:
        # The TPP of each gateway draws the same request ids.
        own.create(TARGET, X_Request_ID=str(uuid.uuid4()))
    assert payments_in(path) == 4


def test_a_gateway_whose_files_stay_loses_nothing_when_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "gateway.db"
    done = run(GATEWAY, str(path), "nothing")
    assert done.stdout == f"{[(201, None)] * 3}\n", done.stderr
    assert payments_in(path) == 6


def test_the_log_line_names_the_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "gateway.db"
    with gateway(database=f"sqlite://{path}") as own:
        own.create(TARGET)
        Path(f"{path}-wal").unlink()
        assert own.call("POST", TARGET, {}).status == 400
        answer = own.call("POST", TARGET, payment())
        assert (answer.status, answer.reason) == (500, "SYS-01")
    assert any(f"`{path}-wal` was removed" in record.getMessage() for record in caplog.records), caplog.text


def test_the_file_of_a_sandbox_is_guarded_in_the_same_way(tmp_path: Path) -> None:
    path, second = tmp_path / "bank.db", tmp_path / "second.db"
    with xs2a.Sandbox(path, now="2026-09-01T10:00:00Z") as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        created, _ = journey.created(sandbox, tpp)
        Path(f"{path}-wal").unlink()
        answer = journey.post(sandbox, tpp, journey.payment(sandbox), TARGET)
        assert (answer.status, answer.reason) == (500, "SYS-01")
        for change in (lambda: sandbox.register_tpp("Other"), lambda: sandbox.populate(persons=1)):
            with pytest.raises(xs2a.StoreError, match=r"bank\.db-wal` was removed"):
                change()
        assert journey.status(sandbox, tpp, created) == "RCVD"
    with xs2a.Sandbox(path) as sandbox:
        assert journey.status(sandbox, sandbox.tpp(tpp.organisation_id), created) == "RCVD"
    os.link(path, second)
    with pytest.raises(xs2a.StoreError, match="the file has several names"):
        xs2a.Sandbox(second)


def refusal(path: Path) -> str:
    with pytest.raises(xs2a.StoreError) as found, gateway(database=f"sqlite://{path}"):
        pass
    return str(found.value)


def test_a_file_with_two_names_is_not_opened(tmp_path: Path) -> None:
    path, second = tmp_path / "gateway.db", tmp_path / "second.db"
    with gateway(database=f"sqlite://{path}"):
        pass
    os.link(path, second)
    for name in (path, second):
        assert f"`{name}`: the file has several names" in refusal(name)


@pytest.mark.skipif(sys.platform != "linux", reason="no list of a process's open files here")
def test_a_file_that_another_sqlite_of_the_process_has_open_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "gateway.db"
    with gateway(database=f"sqlite://{path}"):
        pass
    connection = sqlite3.connect(path)
    connection.execute("SELECT count(*) FROM payment").fetchone()
    assert "by other means" in refusal(path)
    connection.close()
    with gateway(database=f"sqlite://{path}"):
        pass


def test_a_database_made_from_a_dump_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path, copy, text = tmp_path / "gateway.db", tmp_path / "copy.db", tmp_path / "text.db"
    with gateway(database=f"sqlite://{path}"):
        pass
    original = sqlite3.connect(path)
    dumped = "\n".join(original.iterdump())
    application, version = (original.execute(f"PRAGMA {name}").fetchone()[0] for name in HEADER)
    original.close()
    made = sqlite3.connect(copy)
    made.executescript(dumped)
    assert "`.dump`" in refusal_in_another_process(copy, made)
    made = sqlite3.connect(copy)
    made.executescript(f"PRAGMA application_id = {application}; PRAGMA user_version = {version}")
    made.close()
    with gateway(database=f"sqlite://{copy}"):
        pass
    text.write_text(f"PRAGMA foreign_keys=OFF;\n{dumped}")
    assert f"`{text}`: it is SQL text, as `.dump` writes it" in refusal(text)


HEADER = ("application_id", "user_version")


def refusal_in_another_process(path: Path, connection: sqlite3.Connection) -> str:
    connection.close()
    return refusal(path)


class Migrated(ToyBank):
    """A newer library migrates the file when the bank takes the first order."""

    path: Path

    def submit_payment(self, *, payment_id: str, **asked: Any) -> dict[str, Any]:
        set_version(self.path, 2)
        return super().submit_payment(payment_id=payment_id, **asked)


@pytest.mark.parametrize("lease", [0, 60])
def test_run_due_hands_no_order_to_the_core_once_the_file_is_newer(tmp_path: Path, lease: int) -> None:
    path = tmp_path / "gateway.db"
    bank = Migrated()
    bank.path = path
    with gateway(bank, database=f"sqlite://{path}", order_lease_seconds=lease) as own:
        for _ in range(3):
            created = own.create(TARGET)
            own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        for count in (0, 1):
            set_version(path, 2 - count)
            with pytest.raises(xs2a.StoreError, match="schema version 2"):
                own.engine.run_due()
            assert len(bank.orders) == count


DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"


@pytest.mark.parametrize("change", ["a newer library", "the log removed"])
def test_nothing_leaves_for_the_core_that_could_not_be_written(tmp_path: Path, change: str) -> None:
    path, bank = tmp_path / "gateway.db", ToyBank()
    with gateway(bank, database=f"sqlite://{path}") as own:
        delivered, waiting = own.create(DOMESTIC), own.create(f"{DOMESTIC}?allowLogicalDuplicate=true")
        own.approve(delivered)
        own.engine.complete_sca(authorisation_id(waiting), "approved", person=KARI)
        target = f"{delivered['_links']['self']['href']}/cancellation-authorisations"
        cancelling = authorisation_id(own.call("POST", target).json())
        if change == "a newer library":
            set_version(path, 2)
        else:
            Path(f"{path}-wal").unlink()
        bank.asked.clear()
        for leave in (
            own.engine.run_due,
            lambda: own.engine.complete_sca(cancelling, "approved", person=KARI),
        ):
            with pytest.raises(xs2a.StoreError):
                leave()
        assert bank.asked == []
        assert bank.orders == {delivered["paymentId"]: "PDNG"}


def set_version(path: Path, version: int) -> None:
    program = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); "
        "connection.execute(f'PRAGMA user_version = {sys.argv[2]}'); connection.close()"
    )
    subprocess.run([sys.executable, "-c", program, str(path), str(version)], check=True, timeout=60)


IN_A_CELL = """
import os
import sys
import threading

from gateway import gateway
from test_store_files import TARGET

path, cell = sys.argv[1], sys.argv[2]
with gateway(database=f"sqlite://{path}") as own:
    created = own.create(TARGET)
    href = created["_links"]["status"]["href"]
    if cell:
        os.chroot(cell)
        os.chdir("/")
    os.setgid(65534)
    os.setuid(65534)
    statuses = []

    def call():
        for _ in range(20):
            statuses.append(own.call("GET", href).status)
            statuses.append(own.create(TARGET)["transactionStatus"])

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(len(statuses), sorted(set(map(str, statuses))))
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may leave its rights")
@pytest.mark.parametrize("changes_root", [True, False])
def test_a_process_that_gave_up_its_rights_goes_on(tmp_path: Path, changes_root: bool) -> None:
    folder, cell = tmp_path / "data", tmp_path / "cell"
    folder.mkdir(mode=0o700)
    cell.mkdir()
    done = run(IN_A_CELL, str(folder / "gateway.db"), str(cell) if changes_root else "")
    assert done.stdout == "320 ['200', 'RCVD']\n", done.stderr
    assert payments_in(folder / "gateway.db") == 161


WITHOUT_RIGHTS = """
import os
import sys

import xs2a
from gateway import gateway

# What Python imports late may be in a folder that the user cannot read.
with gateway(database="sqlite::memory:"):
    pass
os.setgid(65534)
os.setuid(65534)
try:
    with gateway(database=f"sqlite://{sys.argv[1]}"):
        print("open")
except xs2a.StoreError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may leave its rights")
def test_a_folder_that_cannot_be_written_to_is_named_with_the_reason() -> None:
    # Not below tmp_path, which other users cannot look into.
    folder = Path("/tmp") / f"xs2a-read-only-{os.getpid()}"
    folder.mkdir(mode=0o755)
    try:
        path = folder / "gateway.db"
        done = run(WITHOUT_RIGHTS, str(path))
        assert done.stdout == f"cannot open `{path}`: Permission denied (os error 13)\n", done.stderr
        path.touch()
        path.chmod(0o444)
        done = run(WITHOUT_RIGHTS, str(path))
        assert done.stdout == f"cannot open `{path}`: Permission denied (os error 13)\n", done.stderr
        path.chmod(0o666)
        done = run(WITHOUT_RIGHTS, str(path))
        reason = f"the folder `{folder}` cannot be written to: Permission denied (os error 13)"
        assert done.stdout == f"cannot create `{path}-wal`: {reason}\n", done.stderr
    finally:
        shutil.rmtree(folder)


ON_A_SMALL_DISK = """
import logging
import os
import sys

from gateway import gateway, payment
from test_store_files import TARGET

logging.basicConfig(level=logging.ERROR, stream=sys.stdout, format="%(message)s")
path = sys.argv[1]
with gateway(database=f"sqlite://{path}") as own:
    created = own.create(TARGET)
    for _ in range(1000):
        answer = own.call("POST", TARGET, payment())
        if answer.status != 201:
            break
    print(answer.status, answer.reason)
    print(own.status(created))
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount a disk")
def test_a_full_disk_is_named_and_reads_go_on(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1" 2>/dev/null || exit 77; exec "$2" -c "$3" "$1/gateway.db"'
    command = ["unshare", "-m", "sh", "-c", mount, "sh", str(disk), sys.executable, ON_A_SMALL_DISK]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )
    if done.returncode == 77:
        pytest.skip("this machine mounts nothing for tests")
    logged, answered, read = done.stdout.splitlines()
    assert f"cannot write to `{disk}/gateway.db`: the disk is full" in logged
    assert (answered, read) == ("500 SYS-01", "RCVD")


def test_a_database_belongs_to_the_bank_that_opened_it_first(tmp_path: Path) -> None:
    database = f"sqlite://{tmp_path / 'gateway.db'}"
    with gateway(database=database) as own:
        own.create(TARGET)
    for _ in range(2):
        with gateway(database=database, bank_id="BANKNOKK"):
            pass
    for other, says in (
        ("BANKNOKX", "belongs to the bank `BANKNOKK`, not to `BANKNOKX`"),
        (None, "bank_id: is missing, and the database belongs to the bank `BANKNOKK`"),
        ("", "bank_id: `` is not 1 to 64 letters"),
        ("a b", "bank_id: `a b` is not 1 to 64 letters"),
        ("x" * 65, "is not 1 to 64 letters"),
    ):
        with pytest.raises(xs2a.ConfigError) as found, gateway(database=database, bank_id=other):
            pass
        assert says in str(found.value)
