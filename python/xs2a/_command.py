"""The command ``xs2a``: a bank to try a client against, who lives there, and its interface."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import Any, Literal

from xs2a import (
    ConfigError,
    Error,
    MisuseError,
    Population,
    Sandbox,
    Tpp,
    __version__,
    openapi,
    parse_certificate,
)
from xs2a._explain_command import add_explain
from xs2a._personas_command import add_personas
from xs2a._progress import Progress
from xs2a._real_time import is_ahead

__all__ = ["main"]

_DEFAULT_PORT = 8080


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; gives its exit code: 0, 1 for a refusal that stays unexplained, or 2 for what cannot
    be done, said in one line."""
    options = _parser().parse_args(arguments)
    try:
        exit_code: int | None = options.run(options)
    except (Error, ImportError, OSError) as error:
        print(f"xs2a: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return exit_code or 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "xs2a", description="A whole bank to test an open-banking client against."
    )
    parser.add_argument("--version", action="version", version=f"xs2a {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_serve(commands.add_parser("serve", help="serve a sandbox over HTTP until it is stopped"))
    _add_populate(
        commands.add_parser("populate", help="invent customers with a history, into a file or a folder")
    )
    add_personas(commands.add_parser("personas", help="find customers of a population by criteria"))
    _add_openapi(commands.add_parser("openapi", help="print the interface as an OpenAPI document"))
    add_explain(commands.add_parser("explain", help="name the mistake that made a signed request fail"))
    return parser


def _add_openapi(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_print_openapi)
    parser.add_argument("--production", action="store_true", help="without the sandbox's own routes")
    parser.add_argument("--base-path", default="", metavar="PATH", help="the prefix of /v1 in paths")


def _add_populate(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_populate)
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="the SQLite file of a sandbox, or the folder, to be made")
    add(
        "--format",
        choices=("sqlite", "parquet"),
        default="sqlite",
        help="the file of a sandbox, or a folder with a folder of Parquet files for each table "
        "(default: %(default)s)",
    )
    add(
        "--partition",
        type=_partition,
        metavar="NUMBER/OF",
        help="one part of the population, such as 0/8, as Parquet (default: all of it)",
    )
    add("--generator", default="2026.1", metavar="VERSION", help="of the generator (default: %(default)s)")
    add("--lives-on", action="store_true", help="in a file: lives go on when the clock of its sandbox moves")
    add("--add", action="store_true", help="let more customers move into a file that is there, if it is")
    add("--persons", type=int, default=100, metavar="NUMBER", help="private customers (default: 100)")
    add("--companies", type=int, default=4, metavar="NUMBER", help="corporate customers (default: 4)")
    add("--months", type=int, default=12, metavar="NUMBER", help="how long a history (default: 12)")
    add(
        "--cases",
        type=int,
        metavar="NUMBER",
        help="so many cases of fraud for a thousand persons, at most 1000 (default: 0; with --labels 10)",
    )
    add("--events", action="store_true", help="persons change jobs, move, have children, retire and die")
    add("--labels", action="store_true", help="with the tables of labels, as Parquet")
    add("--seed", type=int, default=0, metavar="NUMBER", help="what they come from (default: 0)")
    add("--now", metavar="TIME", help="when the history ends: ISO 8601 (default: now, or the file's clock)")


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_serve)
    add = parser.add_argument
    add("--database", metavar="FILE", help="an SQLite file to keep everything in (default: memory)")
    add(
        "--host",
        default="127.0.0.1",
        help="the address to listen at (default: %(default)s); with 0.0.0.0 or ::, which are all of this "
        "machine's, name in --policy as sca_origin where links to the bank's site are to lead",
    )
    add("--port", type=_port, default=_DEFAULT_PORT, help="0: one that is free (default: %(default)s)")
    add("--base-path", default="", metavar="PATH", help="the prefix of /v1 in paths, such as /api-sandbox")
    add("--seed", type=int, default=0, metavar="NUMBER", help="what every id comes from (default: 0)")
    add(
        "--now",
        metavar="TIME",
        help="ISO 8601 with an offset: the clock stays at that time "
        "(default: it goes along with this machine's)",
    )
    add("--policy", type=Path, metavar="FILE", help="settings of the bank, a JSON object")
    add("--tls-cert", metavar="FILE", help="a certificate in PEM: HTTPS, TLS 1.2 or higher")
    add("--tls-key", metavar="FILE", help="its key in PEM, where it is not in the same file")
    add(
        "--control-port",
        type=_port,
        metavar="PORT",
        help="also serve the control interface and the console there; 0: a port that is free. Its URL is the "
        "second line of the output",
    )
    add(
        "--control-host",
        default="127.0.0.1",
        metavar="HOST",
        help="the address of the control interface (default: %(default)s)",
    )
    add("--control-token", metavar="TOKEN", help="what clients of the control interface must send")
    add("--log", choices=("text", "json"), default="text", help="the form of the log (default: %(default)s)")
    add("--quiet", action="store_true", help="write no line for each call; otherwise one on stderr")
    add(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help="write the lines of the output there too, once the bank is served; removed at the end",
    )
    add(
        "--trust",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="PEM certificates of authorities or TPPs that are trusted and count as registered; repeatable",
    )
    add(
        "--tpp",
        type=Path,
        metavar="FOLDER",
        help="register a TPP, and write its certificate.pem and private_key.pem there; one of this bank "
        "that is there already is kept",
    )
    add(
        "--tpp-name",
        metavar="NAME",
        help="what the bank's pages call the TPP of --tpp (default: the name of the folder)",
    )


def _partition(text: str) -> tuple[int, int]:
    number, slash, of = text.partition("/")
    if slash and number.isdecimal() and of.isdecimal():
        return int(number), int(of)
    raise argparse.ArgumentTypeError(f"`{text}` is no partition: two whole numbers, such as 0/8")


def _port(text: str) -> int:
    with suppress(ValueError):
        if 0 <= int(text) <= 65535:
            return int(text)
    raise argparse.ArgumentTypeError(f"`{text}` is no port: a whole number from 0 to 65535")


def _print_openapi(options: argparse.Namespace) -> None:
    environment: Literal["sandbox", "production"] = "production" if options.production else "sandbox"
    document = openapi(environment=environment, base_path=options.base_path)
    print(json.dumps(document, indent=2))  # in ASCII, for every terminal


def _populate(options: argparse.Namespace) -> None:
    write = _populate_folder if options.format == "parquet" else _populate_file
    print(json.dumps(write(options), indent=2))


def _populate_folder(options: argparse.Namespace) -> dict[str, Any]:
    if options.add:
        raise MisuseError("--add: a folder of Parquet files has no customers to add to")
    if options.lives_on:
        raise MisuseError("--lives-on: a folder of Parquet files has no clock")
    if options.partition is not None and options.now is None:
        raise MisuseError("--partition: without --now each part would be of another population")
    part, of = options.partition or (0, 1)
    population = _population(options, part, of)
    paths = {name: options.out / name / f"part-{part}-of-{of}.parquet" for name in population.tables()}
    for path in paths.values():
        _refuse_other_files(path, of)
    _refuse_another_population(options)
    progress = Progress()
    progress.announce(population)
    # Under other names at first: a reader finds all tables of a part or, but for a moment, none.
    unfinished = {name: path.with_suffix(".unfinished") for name, path in paths.items()}
    try:
        for name, path in unfinished.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with progress.cleared():
                population.table(name).write_parquet(path, progress=partial(progress.rows, name))
        for name, path in unfinished.items():
            path.rename(paths[name])
    except BaseException:  # Ctrl-C too
        for path in unfinished.values():
            path.unlink(missing_ok=True)
        raise
    return {"tables": population.tables(), "partition": part, "of": of}


def _population(options: argparse.Namespace, part: int, of: int) -> Population:
    return Population(
        persons=options.persons,
        companies=options.companies,
        months=options.months,
        now=options.now or datetime.now(timezone.utc),
        seed=options.seed,
        generator=options.generator,
        partition=part,
        of=of,
        labels=options.labels,
        cases=options.cases,
        events=options.events,
    )


def _refuse_other_files(path: Path, of: int) -> None:
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    for other in path.parent.glob("part-*-of-*.parquet"):
        if not other.stem.endswith(f"-of-{of}"):
            raise FileExistsError(f"{other} is a part of a population in another number of parts")


def _refuse_another_population(options: argparse.Namespace) -> None:
    names = ["generator", "persons", "companies", "months", "cases", "events", "labels", "seed", "now"]
    text = json.dumps({name: getattr(options, name) for name in names}, indent=2)
    path: Path = options.out / "population.json"
    if path.exists() and any(options.out.glob("*/part-*")):
        if path.read_text(encoding="utf-8") != text:
            raise FileExistsError(f"{path}: the folder has parts of a population of other arguments")
        return
    # Written whole: parts that begin at once all read a complete file.
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def _populate_file(options: argparse.Namespace) -> dict[str, Any]:
    if options.partition is not None:
        raise MisuseError("--partition: a file of a sandbox has the whole population")
    if options.labels:
        raise MisuseError("--labels: a bank has no labels; write them with --format parquet")
    path, is_new = options.out, not options.out.exists()
    if not is_new and not options.add:
        raise FileExistsError(f"{path} is there already; --add lets more customers move in")
    progress = Progress()
    progress.announce(_population(options, 0, 1))
    try:
        with Sandbox(path, now=options.now, seed=options.seed) as sandbox, progress.cleared():
            return sandbox.populate(
                persons=options.persons,
                companies=options.companies,
                months=options.months,
                generator=options.generator,
                lives_on=options.lives_on,
                cases=options.cases or 0,
                events=options.events,
                progress=progress.customers,
            )
    except BaseException:  # Ctrl-C too: an incomplete file would prevent the next attempt
        if is_new:
            path.unlink(missing_ok=True)
        raise


def _serve(options: argparse.Namespace) -> None:
    from xs2a._call_log import CallLog
    from xs2a._serve import Listener, answerer

    stop = _stop_signals()
    with ExitStack() as stack:
        # The port first: links to the bank's site name it.
        listener = Listener(options.host, options.port, options.tls_cert, options.tls_key)
        stack.callback(listener.close)
        sandbox = stack.enter_context(_sandbox(options, listener.origin))
        for path in options.trust:
            _trust(sandbox, path)
        real_time = options.now is None
        if real_time:
            _refuse_a_clock_ahead(sandbox)
        if options.tpp is None and options.tpp_name is not None:
            raise ConfigError("--tpp-name: there is no --tpp")
        if options.tpp is not None:
            _write_tpp(sandbox, options.tpp, options.tpp_name)
        log = None if options.quiet else CallLog(sys.stderr, options.log)
        if log is not None:
            stack.callback(log.close)
        listener.start(
            answerer(sandbox, real_time), lambda: sandbox.body_bytes_max, None if log is None else log.note
        )
        stack.callback(listener.close)  # before the sandbox closes: calls under way need it
        if listener.is_everywhere and sandbox.sca_origin == listener.origin:
            _warn_of_links(listener.origin)
        urls = [f"{listener.origin}{sandbox.base_path}"]
        print(urls[0], flush=True)
        if options.control_port is not None:
            urls.append(_serve_control(options, sandbox, urls[0], stack))
            print(urls[1], flush=True)
        if options.ready_file is not None:
            _write_ready(options.ready_file, urls)
            stack.callback(options.ready_file.unlink, missing_ok=True)
        stop.get()


def _serve_control(options: argparse.Namespace, sandbox: Sandbox, url: str, stack: ExitStack) -> str:
    """Serves the control interface until the stack ends; returns its URL."""
    from xs2a._control.control import Control
    from xs2a._control.server import ControlServer

    control = Control(sandbox, url, real_time=options.now is None)
    server = ControlServer(control, options.control_port, options.control_host, options.control_token)
    stack.callback(server.close)
    if server.is_open_to_others:
        _warn(f"the control interface at {server.url} has no token, and other machines may reach it: set one")
    server.start()
    return server.url


def _write_ready(path: Path, urls: Sequence[str]) -> None:
    """In one step: a process that waits for the file never sees half of it."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write("".join(f"{url}\n" for url in urls))
    Path(file.name).replace(path)


def _warn_of_links(origin: str) -> None:
    _warn(
        f"links to the bank's site begin with {origin}, which leads nowhere from another machine: name one "
        "that does as sca_origin in --policy"
    )


def _warn(text: str) -> None:
    print(f"xs2a: {text}", file=sys.stderr, flush=True)


def _stop_signals() -> SimpleQueue[int]:
    """Gets something once the user or the system asks for an end. Asked twice, it ends at once."""
    stop: SimpleQueue[int] = SimpleQueue()  # the one queue that a signal handler may put into

    def ask(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop.put(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
    return stop


def _sandbox(options: argparse.Namespace, origin: str) -> Sandbox:
    of_tests = {"explain_to_tpp": True, "scenario_header": True}
    policy = {"sca_origin": origin, **of_tests, **_policy(options.policy)}
    return Sandbox(
        options.database, now=options.now, seed=options.seed, base_path=options.base_path, policy=policy
    )


def _policy(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        policy = json.loads(path.read_bytes())
    except ValueError as error:
        raise ConfigError(f"{path} is not JSON: {error}") from error
    if not isinstance(policy, dict):
        raise ConfigError(f"{path} is not a JSON object")
    return policy


def _trust(sandbox: Sandbox, path: Path) -> None:
    try:
        sandbox.trust(path.read_bytes())
    except ConfigError as error:  # there may be several files
        raise ConfigError(f"{path}: {error}") from error


def _write_tpp(sandbox: Sandbox, folder: Path, name: str | None) -> None:
    certificate, key = folder / "certificate.pem", folder / "private_key.pem"
    found = _found(sandbox, certificate) if certificate.exists() or key.exists() else None
    _see_that_they_can_be_written(folder, (certificate, key))
    tpp = found or sandbox.register_tpp(name or folder.resolve().name or "xs2a serve")
    if name is not None and tpp.name != name:
        raise ConfigError(f"{folder} holds a TPP named `{tpp.name}`, and not `{name}`")
    certificate.write_text(tpp.certificate_pem)
    key.touch(mode=0o600)  # before the key is in it
    key.write_text(tpp.private_key_pem)


def _see_that_they_can_be_written(folder: Path, files: Iterable[Path]) -> None:
    """Before there is anything to write: a TPP that is registered cannot be taken back. ``OSError`` where one
    of them cannot; no file is made or changed."""
    folder.mkdir(parents=True, exist_ok=True)
    TemporaryFile(dir=folder).close()
    for path in files:
        if path.exists():
            path.open("r+b").close()


def _found(sandbox: Sandbox, certificate: Path) -> Tpp | None:
    """The TPP whose files are there, if this bank has it: its payments are its own. None for one of another
    sandbox, such as of a bank in memory that is gone. What no sandbox wrote is not written over."""
    try:
        text = certificate.read_text()
        found = parse_certificate(text)
    except (FileNotFoundError, UnicodeDecodeError, MisuseError):
        found = None
    if found is None or found.issuer != parse_certificate(sandbox.root_pem).subject:
        raise ConfigError(f"{certificate.parent} holds a certificate or key that no sandbox made")
    try:
        tpp = sandbox.tpp(found.organisation_id or "")
    except MisuseError:
        return None
    return tpp if tpp.certificate_pem == text else None


def _refuse_a_clock_ahead(sandbox: Sandbox) -> None:
    if is_ahead(sandbox.clock):
        shown = sandbox.clock.now().isoformat()
        raise ConfigError(f"the clock of the database is ahead, at {shown}: begin there, with --now")
