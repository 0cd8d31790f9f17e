"""What most tests stand on: a fresh sandbox at a known time, and a TPP of its test PKI."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import xs2a

NOW = "2026-09-01T10:00:00Z"


@pytest.fixture
def sandbox() -> Iterator[xs2a.Sandbox]:
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox:
        yield sandbox


@pytest.fixture
def tpp(sandbox: xs2a.Sandbox) -> xs2a.Tpp:
    return sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
