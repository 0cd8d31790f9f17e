"""docs/testing.md is current: its results to the digit, the size of the repository by and large."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "testing_page.py"
PAGE = "## Size\n| Rust | 1,000 |\n## Fuzz targets\n| all | 1,000 |\n"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("testing_page", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current() -> None:
    checked = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_a_size_may_differ_by_five_percent(script: ModuleType) -> None:
    assert script.differences(PAGE.replace("Rust | 1,000", "Rust | 1,050"), PAGE) == []
    assert script.differences(PAGE.replace("Rust | 1,000", "Rust | 1,051"), PAGE) != []


def test_a_result_is_the_same_to_the_digit(script: ModuleType) -> None:
    assert script.differences(PAGE.replace("all | 1,000", "all | 1,001"), PAGE) != []


def test_a_line_more_and_another_word_are_found(script: ModuleType) -> None:
    assert script.differences(PAGE + "| new |\n", PAGE) != []
    assert script.differences(PAGE.replace("Rust", "C"), PAGE) != []
