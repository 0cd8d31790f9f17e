"""What most tests use: a fresh sandbox at a known time, and a TPP of its test PKI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import tls_files
import xs2a

NOW = "2026-09-01T10:00:00Z"


@pytest.fixture
def sandbox() -> Iterator[xs2a.Sandbox]:
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox:
        yield sandbox


@pytest.fixture
def tpp(sandbox: xs2a.Sandbox) -> xs2a.Tpp:
    return sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of this machine, and its key."""
    return tls_files.make(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def control(sandbox: xs2a.Sandbox) -> Iterator[httpx.Client]:
    serving = sandbox.serve(control=True)
    with serving:
        assert serving.control_url is not None
        with httpx.Client(base_url=serving.control_url) as client:
            yield client
    assert serving.control_url is None
