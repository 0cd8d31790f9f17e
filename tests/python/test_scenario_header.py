"""The fault that a call chooses for itself, in a sandbox and in a served bank."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import xs2a

SCENARIO = {"X-Sandbox-Scenario": "fault=ACCESS_EXCEEDED;times=1"}
REDIRECT = {"TPP-Redirect-URI": "https://tpp.example/callback"}
TARGET = "/v1/accounts"


def reason(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, headers: dict[str, str]) -> str | None:
    return sandbox.handle("GET", TARGET, tpp.sign("GET", TARGET, {**REDIRECT, **headers})).reason


def test_a_sandbox_takes_the_header_if_its_policy_says_so() -> None:
    with xs2a.Sandbox() as silent, xs2a.Sandbox(policy={"scenario_header": True}) as sandbox:
        assert reason(silent, silent.register_tpp("Acme"), SCENARIO) == "AIS-01"
        tpp = sandbox.register_tpp("Acme")
        assert [reason(sandbox, tpp, SCENARIO) for _ in range(2)] == ["FLT-23", "AIS-01"]
        assert sandbox.journal.calls[0].happened == (
            "the scenario of the call struck: 429 ACCESS_EXCEEDED, once",
        )
        assert reason(sandbox, tpp, {"X-Sandbox-Scenario": "fault=none"}) == "SCN-01"
        assert list(sandbox.faults) == []


@pytest.mark.parametrize("policy", [None, {"scenario_header": False}])
def test_a_served_bank_takes_it_unless_the_policy_says_otherwise(
    policy: dict[str, bool] | None, tmp_path: Path
) -> None:
    (tmp_path / "policy.json").write_text(json.dumps(policy or {}))
    arguments = ["--port", "0", "--tpp", str(tmp_path), "--policy", str(tmp_path / "policy.json")]
    command = [sys.executable, "-m", "xs2a", "serve", "--quiet", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            signer = xs2a.Signer(
                (tmp_path / "certificate.pem").read_text(), (tmp_path / "private_key.pem").read_text()
            )
            headers = signer.sign("GET", TARGET, {**REDIRECT, **SCENARIO})
            status = httpx.get(url + TARGET, headers=headers, timeout=30).status_code
        finally:
            server.terminate()
    assert status == (429 if policy is None else 401)
