"""The archive of the test vectors: what is in it is enough to test a bank, and its format is described."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import xs2a

REPOSITORY = Path(__file__).parents[2]
VECTORS = REPOSITORY / "tests" / "vectors"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The unpacked archive."""
    made = subprocess.run(
        [REPOSITORY / "packaging" / "vectors.sh", tmp_path], capture_output=True, text=True, check=True
    )
    with tarfile.open(made.stdout.strip()) as file:
        file.extractall(tmp_path, filter="data")
    [folder] = [found for found in tmp_path.iterdir() if found.is_dir()]
    return folder


@pytest.fixture
def play(archive: Path) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    """Runs the exchanges of the archive, all or those with the ids, against a served bank."""
    with xs2a.Sandbox(now="2026-09-01T10:00:00Z") as bank:
        serving = bank.serve(control=True)
        with serving as url:

            def run(*ids: str) -> subprocess.CompletedProcess[str]:
                assert serving.control_url is not None
                command = [sys.executable, str(archive / "run_exchanges.py"), url, serving.control_url, *ids]
                return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

            yield run


def cases(path: Path) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return read


def test_every_exchange_is_answered_as_expected(
    play: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    played = play()
    assert (played.returncode, played.stderr) == (0, ""), played.stdout
    assert played.stdout == f"{len(cases(VECTORS / 'exchanges.json'))} passed, 0 failed\n"


@pytest.mark.parametrize(
    ("exchange", "step", "member", "wrong", "reported"),
    [
        ("payment-read", 0, "status", 200, "payment-read, step 1: 201"),
        (
            "payment-read",
            1,
            "body",
            {"creditorName": "Another"},
            "step 2: /creditorName is 'Testodius To'",
        ),
        ("payment-read", 1, "body", {"absent": "{any}"}, "step 2: /absent is missing"),
        ("payment-read", 1, "body", {"paymentId": "{self}"}, "step 2: /paymentId is"),
        ("payment-read", 1, "headers", {"Content-Type": "text/plain"}, "step 2: header/content-type is"),
        ("payment-cancelled", 1, "status", 200, "payment-cancelled, step 2: 204"),
        ("payment-approved", 2, "redirect", "https://other.example", "step 3: the browser is sent to"),
        ("payment-approved", 2, "parameters", {"state": "43"}, "step 3: the redirect/state is '42'"),
    ],
)
def test_an_answer_that_is_not_expected_is_reported(
    play: Callable[..., subprocess.CompletedProcess[str]],
    archive: Path,
    exchange: str,
    step: int,
    member: str,
    wrong: object,
    reported: str,
) -> None:
    file = archive / "exchanges.json"
    changed = cases(file)
    [found] = [case for case in changed if case["id"] == exchange]
    found["steps"][step]["expected"][member] = wrong
    file.write_text(json.dumps(changed), encoding="utf-8")
    played = play(exchange)
    assert played.returncode == 1
    assert reported in played.stdout
    assert played.stdout.endswith("0 passed, 1 failed\n")


def test_another_format_is_refused(
    play: Callable[..., subprocess.CompletedProcess[str]], archive: Path
) -> None:
    described = json.loads((archive / "format.json").read_text(encoding="utf-8"))
    (archive / "format.json").write_text(json.dumps({**described, "format": 2}), encoding="utf-8")
    assert play().returncode == 2


def test_the_archive_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    made = [tmp_path / "first", tmp_path / "second"]
    for folder in made:
        subprocess.run([REPOSITORY / "packaging" / "vectors.sh", folder], check=True, capture_output=True)
    first, second = (next(folder.iterdir()).read_bytes() for folder in made)
    assert first == second


def test_every_file_and_every_member_is_described() -> None:
    described = json.loads((VECTORS / "format.json").read_text(encoding="utf-8"))["files"]
    files = {path.name for path in VECTORS.glob("*.json")} - {"format.json"}
    assert set(described) == files | {"mistakes/requests.json"}
    for file, description in described.items():
        found = set().union(*(case.keys() for case in cases(VECTORS / file)))
        assert found == set(description["members"]), file
        ids = [case["id"] for case in cases(VECTORS / file)]
        assert len(ids) == len(set(ids)), file
