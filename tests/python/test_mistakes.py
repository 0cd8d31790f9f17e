"""The corpus of real signing mistakes: what `xs2a.explain` says of each request."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import xs2a

FOLDER = Path(__file__).parents[1] / "vectors" / "mistakes"
Case = dict[str, Any]
CASES: list[Case] = json.loads((FOLDER / "requests.json").read_text(encoding="utf-8"))
# Ids beyond those of the corpus may be added to the library: no request of the corpus is there to judge them.
KNOWN = frozenset(case["mistake"] for case in CASES)


def whole(request: Case) -> tuple[str, str, list[tuple[str, str]], bytes]:
    headers = [(name, value) for name, value in request["headers"]]
    return request["method"], request["target"], headers, base64.b64decode(request["body"])


def explain(case: Case) -> xs2a.Explanation:
    return xs2a.explain(
        *whole(case),
        now=datetime.fromisoformat(case["now"].replace("Z", "+00:00")),
        certificates=case["certificates"],
        base_paths=case["base_paths"],
        earlier=[whole(request) for request in case["earlier"]],
        policy=case["policy"],
    )


def is_expected(case: Case, mistake: str | None) -> bool:
    expected = [case["mistake"], *case["or"]]
    return mistake in expected or (None in expected and mistake not in KNOWN)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_request_gets_the_expected_explanation(case: Case) -> None:
    explanation = explain(case)
    assert (explanation.ok, explanation.reason) == (case["ok"], case["reason"])
    assert is_expected(case, explanation.mistake), (explanation.mistake, explanation.text)
    assert (explanation.proof is None) == (explanation.mistake is None)
    if case["ok"]:
        assert explanation.mistake is None
    elif explanation.mistake == case["mistake"] and case["mistake"] is not None:
        assert explanation.proof in case["proof"]
        assert case["signed"] is None or explanation.signed == case["signed"]


def test_the_corpus_is_what_its_script_makes() -> None:
    made = subprocess.run(
        [sys.executable, FOLDER / "make.py", "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
