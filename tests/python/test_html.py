"""What notebooks show: tables with everything that others may have written escaped."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import payment_journey as journey
import pytest
import xs2a

HOSTILE = "</td><script>alert('x')</script><img src=x onerror=alert(1)>\u202egnp.exe\u2066\x00\x1b[31m"


class Seen(HTMLParser):
    """The tags of a text, and what is between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == [], html

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(thing: object) -> Seen:
    """What a notebook shows, made of harmless tags alone."""
    seen = Seen(thing._repr_html_())  # type: ignore[attr-defined]
    assert set(seen.tags) <= {"div", "b", "p", "pre", "mark", "table", "tr", "th", "td"}
    assert seen.attributes <= {"style"}
    assert not any(character in seen.text for character in "\u202e\u2066\x00\x1b")
    return seen


def test_a_sandbox_shows_its_clock_and_what_was_done(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    journey.created(sandbox, tpp)
    text = shown(sandbox).text
    assert "2026-09-01T10:00:00+00:00" in text
    assert "operations" in text
    assert f"{len(sandbox.journal)} entries" in text
    sandbox.close()
    assert "closed" in shown(sandbox).text
    assert "closed" in shown(sandbox.journal).text


def test_an_answer_shows_status_headers_body_and_mistake(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    created = journey.post(sandbox, tpp, journey.payment(sandbox))
    text = shown(created).text
    assert "201" in text
    assert "Content-Type" in text
    assert '"transactionStatus": "RCVD"' in text
    target = f"{journey.INSTANT}/x/status"
    headers = tpp.sign("GET", target, [*journey.HEADERS, ("Date", "Tue, 01 Sep 2026 09:00:00 GMT")])
    refused = sandbox.handle("GET", target, headers)
    assert refused.explanation is not None
    assert refused.explanation.text in shown(refused).text


def test_a_compressed_answer_is_unpacked(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    headers = [*journey.HEADERS, ("Accept-Encoding", "gzip")]
    body = json.dumps(journey.many_faults()).encode()
    answer = sandbox.handle("POST", journey.BATCHED, tpp.sign("POST", journey.BATCHED, headers, body), body)
    assert answer.header("Content-Encoding") == "gzip"
    assert "tppMessages" in shown(answer).text


def test_a_journal_shows_its_newest_entries(sandbox: xs2a.Sandbox) -> None:
    for number in range(60):
        sandbox.handle("GET", f"/v1/call-{number}", {})
    text = shown(sandbox.journal).text
    assert "60 entries, the last 50" in text
    assert "/v1/call-59" in text
    assert "/v1/call-10404" in text
    assert "/v1/call-9404" not in text


def test_a_ledger_shows_balance_and_bookings(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    account = journey.first_account(sandbox, journey.PAYER)
    sandbox.authorise(journey.created(sandbox, tpp)[1])
    ledger = sandbox.ledger(account)
    assert isinstance(ledger, dict)
    text = shown(ledger).text
    for part in (account, ledger["balance"]["amount"], "-250.00", "Invoice 1001"):
        assert part in text


def test_an_explanation_marks_the_first_difference() -> None:
    explanation = xs2a.Explanation(
        False, "SIG-13", "value-white-space", "t", "hash", "date: <b>\nx", "date: <i>\nx"
    )
    html = explanation._repr_html_()
    assert "date: &lt;<mark>b</mark>&gt;" in html
    assert "date: &lt;<mark>i</mark>&gt;" in html
    shorter = xs2a.Explanation(False, "SIG-13", None, "t", None, "ab", "a")
    assert "a<mark>(end)</mark>" in shorter._repr_html_()
    shown(explanation)


def test_hostile_text_is_shown_and_does_nothing(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    name = "</td><script>alert('x')</script>"
    journey.post(sandbox, tpp, journey.payment(sandbox, creditorName=HOSTILE))
    refused = sandbox.handle("GET", f"/v1/{HOSTILE}", {HOSTILE: HOSTILE}, HOSTILE.encode())
    link = journey.created(sandbox, tpp, creditorName=name, remittanceInformationUnstructured="<img src=x>")[
        1
    ]
    sandbox.authorise(link)
    hostile = xs2a.Explanation(False, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE + "x", 1)
    ledger = sandbox.ledger(journey.first_account(sandbox, journey.PAYER))
    for thing in (refused, sandbox.journal, ledger, hostile, sandbox):
        shown(thing)
    assert name in shown(ledger).text
    assert "<img src=x>" in shown(ledger).text
    assert "\\u202e" in shown(hostile).text


@pytest.mark.parametrize("size", [4000, 4001, 1_000_000])
def test_what_is_long_is_cut(size: int) -> None:
    text = shown(xs2a.Explanation(False, None, None, "x" * size, None, None, None)).text
    assert text.count("x") - "Explanation".count("x") == 4000
    assert ("…" in text) == (size > 4000)
