"""The mistake behind a refused call, where users meet it: answers, journal, pytest, ``xs2a serve``."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import xs2a
from test_mistakes import whole

pytest_plugins = ["pytester"]

VECTORS = Path(__file__).parents[1] / "vectors"
RECORDED: list[dict[str, Any]] = json.loads((VECTORS / "explanations.json").read_text(encoding="utf-8"))
TARGET = "/v1/accounts"
REDIRECT = {"TPP-Redirect-URI": "https://tpp.example/callback"}


def refused(sandbox: xs2a.Sandbox) -> xs2a.Response:
    """The answer to a call whose Digest is in hexadecimal."""
    headers = dict(sandbox.register_tpp("Acme").sign("GET", TARGET, REDIRECT))
    headers["Digest"] = f"SHA-256={hashlib.sha256(b'').hexdigest()}"
    return sandbox.handle("GET", TARGET, headers)


@pytest.mark.parametrize("case", RECORDED, ids=[case["id"] for case in RECORDED])
def test_the_json_is_that_of_rust_and_c(case: dict[str, Any]) -> None:
    found = xs2a.explain(
        *whole(case),
        now=datetime.fromisoformat(case["now"].replace("Z", "+00:00")),
        certificates=case["certificates"],
        base_paths=case["base_paths"],
        earlier=[whole(request) for request in case["earlier"]],
        policy=case["policy"],
        budget=timedelta(minutes=1),
    )
    assert json.dumps(asdict(found), ensure_ascii=False, separators=(",", ":")) == case["explanation"]


def test_a_budget_is_not_negative() -> None:
    assert not xs2a.explain("GET", TARGET, {}, budget=timedelta(0)).ok
    with pytest.raises(xs2a.MisuseError, match="the budget is negative"):
        xs2a.explain("GET", TARGET, {}, budget=timedelta(microseconds=-1))


def test_the_journal_explains_an_entry() -> None:
    with xs2a.Sandbox() as sandbox:
        answer = refused(sandbox)
        assert answer.explanation is not None
        number = sandbox.journal[-1].number
        assert sandbox.journal.explanation(number) == answer.explanation
        for other in (number - 1, number + 1, 0, -1, 2**70):
            assert sandbox.journal.explanation(other) is None
        entry = json.loads(sandbox.journal.har())["log"]["entries"][-1]
        assert entry["_mistake"]["id"] == answer.explanation.mistake == "digest-hex"
        assert "mistake: digest-hex (proof: digest)" in sandbox.journal.text()


def test_the_report_of_a_failed_test_names_the_mistake(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        def test_a_call(xs2a_sandbox):
            headers = dict(xs2a_sandbox.register_tpp("Acme").sign("GET", "{TARGET}", {REDIRECT}))
            headers["Date"] = "Tue, 01 Sep 1998 10:00:00 GMT"
            assert xs2a_sandbox.handle("GET", "{TARGET}", headers).status == 200
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*mistake: date-stale (proof: clock).*"])


def test_a_warning_is_shown_if_the_policy_says_so() -> None:
    def warnings(sandbox: xs2a.Sandbox) -> list[str]:
        messages = refused(sandbox).json()["tppMessages"]
        return [message["text"] for message in messages if message["category"] == "WARNING"]

    with xs2a.Sandbox() as silent, xs2a.Sandbox(policy={"explain_to_tpp": True}) as shown:
        assert warnings(silent) == []
        [text] = warnings(shown)
        assert text.startswith("the mistake is digest-hex: ")


@pytest.mark.parametrize("policy", [None, {"explain_to_tpp": False}])
def test_a_served_bank_prints_the_mistake_and_answers_it(
    policy: dict[str, bool] | None, tmp_path: Path
) -> None:
    arguments = ["--port", "0", "--database", str(tmp_path / "bank.sqlite")]
    if policy is not None:
        (tmp_path / "policy.json").write_text(json.dumps(policy))
        arguments += ["--policy", str(tmp_path / "policy.json")]
    command = [sys.executable, "-m", "xs2a", "serve", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            request = urllib.request.Request(url + TARGET, headers=signed_elsewhere())
            with pytest.raises(urllib.error.HTTPError) as raised:
                urllib.request.urlopen(request, timeout=30)
            messages = json.loads(raised.value.read())["tppMessages"]
            raised.value.close()
        finally:
            server.terminate()
        assert server.stderr is not None
        printed = server.stderr.read()
    assert re.match(rf"\S+Z GET {re.escape(TARGET)} 400 DIG-01 digest-base64url \S+ ms: .+", printed), printed
    categories = [message["category"] for message in messages]
    assert categories == (["ERROR", "WARNING"] if policy is None else ["ERROR"])


def signed_elsewhere() -> dict[str, str]:
    """A call whose certificate any sandbox trusts, and whose Digest no form of the body has."""
    with xs2a.Sandbox() as other:
        headers = dict(other.register_tpp("Acme").sign("GET", TARGET, REDIRECT))
    return {**headers, "Digest": "SHA-256=" + "-_" * 21 + "A"}
