"""The type stubs: strict, and the same as the native module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command",
    [["mypy"], ["mypy.stubtest", "xs2a", "--allowlist", "tests/python/stubtest_allowlist.txt"]],
    ids=["strict types", "stubs against the module"],
)
def test_the_type_checker_agrees(command: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
