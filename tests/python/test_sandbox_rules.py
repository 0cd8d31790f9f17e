"""Rules of the contract and of the operator's documentation, as a sandbox has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import payment_journey as journey
import pytest
import xs2a
from xs2a.client import Client

NOW = "2026-09-01T10:00:00Z"
EURO_ACCOUNT = "95360573045"


@pytest.mark.parametrize(("amount", "expected"), [("0.01", "RJCT"), ("0.11", "RJCT"), ("0.12", "ACSC")])
def test_less_than_a_cent_is_not_exchanged(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, amount: str, expected: str
) -> None:
    euro = {"bban": EURO_ACCOUNT, "currency": "EUR"}
    path, link = journey.created(sandbox, tpp, amount=amount, creditorAccount=euro)
    sandbox.authorise(link, customer_number=journey.PAYER)
    assert journey.status(sandbox, tpp, path) == expected


@pytest.mark.parametrize(("amount", "expected"), [("0.01", "RJCT"), ("0.11", "RJCT"), ("0.12", "ACSC")])
def test_an_account_in_euro_pays_no_less_than_a_cent(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, amount: str, expected: str
) -> None:
    domestic = "/v1/payments/norwegian-domestic-credit-transfers"
    euro = {"bban": EURO_ACCOUNT, "currency": "EUR"}
    path, link = journey.created(sandbox, tpp, domestic, amount=amount, debtorAccount=euro)
    sandbox.authorise(link, customer_number=journey.PAYEE)
    sandbox.clock.advance_to_next_event()
    assert journey.status(sandbox, tpp, path) == expected
    assert sandbox.reconcile() == []


def test_of_a_bulk_what_is_less_than_a_cent_is_not_paid(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    bulk = "/v1/bulk-payments/norwegian-domestic-credit-transfers"
    single = journey.payment(sandbox)
    debtor = single.pop("debtorAccount")
    euro = {"bban": EURO_ACCOUNT, "currency": "EUR"}
    payments = [
        {**single, "creditorAccount": euro, "instructedAmount": {"amount": amount, "currency": "NOK"}}
        for amount in ("0.01", "0.11", "0.12")
    ]
    before = sandbox.ledger(EURO_ACCOUNT)["balance"]["amount"]
    answer = journey.post(sandbox, tpp, {"debtorAccount": debtor, "payments": payments}, bulk)
    sandbox.authorise(answer.json()["_links"]["scaRedirect"]["href"], customer_number=journey.PAYER)
    sandbox.clock.advance_to_next_event()
    assert journey.status(sandbox, tpp, f"{bulk}/{answer.json()['paymentId']}") == "PART"
    gained = Decimal(sandbox.ledger(EURO_ACCOUNT)["balance"]["amount"]) - Decimal(before)
    assert gained == Decimal("0.01")


def test_a_payment_on_hold_waits_until_it_is_released(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    def message() -> str:
        text: str = journey.call(sandbox, tpp, "GET", f"{path}/status").json()["psuMessage"]
        return text

    domestic = "/v1/payments/norwegian-domestic-credit-transfers"
    path, link = journey.created(sandbox, tpp, domestic)
    payment_id = path.rsplit("/", 1)[1]
    with pytest.raises(xs2a.MisuseError):
        sandbox.hold(payment_id)
    sandbox.authorise(link, customer_number=journey.PAYER)
    before = message()
    holds: tuple[Callable[[], None], ...] = (
        lambda: sandbox.hold(payment_id),
        lambda: sandbox.hold(payment_id, why="we call you"),
        lambda: sandbox.report_payment_status(payment_id, "PDNG", on_hold=True),
        lambda: sandbox.engine.report_payment_status(payment_id, "PDNG", on_hold=True),
    )
    for hold in holds:
        hold()
        assert message() != before
        sandbox.clock.advance(timedelta(days=2))
        assert journey.status(sandbox, tpp, path) == "PDNG"
        sandbox.release(payment_id)
        assert message() == before
    sandbox.hold(payment_id, "we call you")
    assert message().endswith("we call you")
    sandbox.release(payment_id)
    with pytest.raises(xs2a.MisuseError):
        sandbox.release(payment_id)
    sandbox.clock.advance_to_next_event()
    assert journey.status(sandbox, tpp, path) == "ACSC"
    for status, funds in [("ACSC", None), ("PDNG", True)]:
        with pytest.raises(xs2a.MisuseError, match="on hold"):
            sandbox.report_payment_status(payment_id, status, funds, on_hold=True)


def test_a_request_id_is_any_visible_text_unless_the_policy_wants_a_uuid(tpp: xs2a.Tpp) -> None:
    for policy, expected in [({}, 200), ({"request_id": "uuid"}, 400)]:
        with xs2a.Sandbox(now=NOW, policy=policy) as bank:
            client = bank.register_tpp("Acme Pay")
            for number in (1, 2):
                given = [("X-Request-ID", f"TEST_SCRIPT_REQUEST_ID_{number}")]
                target = "/v1/sandbox/customers"
                signed = client.sign("GET", target, given)
                assert bank.handle("GET", target, signed).status == expected
                assert bank.handle("GET", target, signed).status == 400


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("!", 200),
        ("~" * 64, 200),
        ("x" * 65, 400),
        ("", 400),
        ("a b", 400),
        ("a\tb", 400),
        ("a\u00e5b", 400),
        ("a\x7fb", 400),
        ("{}/=?<>\"'\\", 200),
    ],
)
def test_a_request_id_has_1_to_64_visible_ascii_characters(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, text: str, status: int
) -> None:
    signed = tpp.sign("GET", "/v1/sandbox/customers", [("X-Request-ID", text)])
    assert sandbox.handle("GET", "/v1/sandbox/customers", signed).status == status


CARD = {
    "customerNumber": "13039319955",
    "maskedPan": "123456******0009",
    "currency": "NOK",
    "creditLimit": {"currency": "NOK", "amount": 50000},
    "cardId": "1",
    "cardIdVNo": "1",
    "accountNumber": "9536.05.99999",
    "expiry": "2030-01",
    "name": "Kari",
    "product": "Kort",
    "status": "enabled",
}


def test_the_operators_scripts_are_taken(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    client = Client(sandbox, tpp)
    balances = [
        {"balanceType": kind, "balanceAmount": {"amount": amount, "currency": "NOK"}}
        for kind, amount in [("closingBooked", 1), ("CLOSINGBOOKED", 2), ("expected", 3)]
    ]
    account = {"customerNumber": "18129215603", "currency": "NOK", "balances": balances}
    made = client.post("/v1/sandbox/accounts", json=account)
    assert made.status_code == 201, made.json()
    amounts = {one["balanceType"]: one["balanceAmount"]["amount"] for one in made.json()["balances"]}
    assert amounts == {"closingBooked": 2, "expected": 3}
    cards = client.get("/v1/sandbox/card-accounts").json()["cardAccounts"]
    of_card = f"/v1/sandbox/card-accounts/{cards[0]['resourceId']}"
    for path in (f"/v1/sandbox/accounts/{made.json()['id']}", of_card):
        changed = client.put(f"{path}/balances", json=[*balances, balances[0]])
        assert changed.status_code == 200, changed.json()
        read = client.get(path).json()["balances"]
        amounts = {one["balanceType"]: one["balanceAmount"]["amount"] for one in read}
        assert amounts == {"closingBooked": 1, "expected": 3}
    card = client.post("/v1/sandbox/card-accounts", json={**CARD, "balances": [*balances, balances[0]]})
    assert card.status_code == 201, card.json()
    amounts = {one["balanceType"]: one["balanceAmount"]["amount"] for one in card.json()["balances"]}
    assert amounts == {"closingBooked": 1, "expected": 3}
    engagement = {"customer": journey.PAYER, "account": {"bban": made.json()["bban"]}, "roles": ["VIEW"]}
    unlimited = 2**31 - 1
    for given, limits in (
        ({}, (unlimited, unlimited)),
        ({"registerLimit": 0}, (0, unlimited)),
        ({"approvalLimit": 5}, (unlimited, 5)),
    ):
        agreement = {"name": "Avtale", "owner": "18129215603", "engagements": [{**engagement, **given}]}
        agreed = client.post("/v1/sandbox/agreements", json=agreement)
        assert agreed.status_code == 201, agreed.json()
        (engaged,) = agreed.json()["engagements"]
        assert (engaged["registerLimit"], engaged["approvalLimit"]) == limits


def test_every_answer_of_a_deprecated_path_says_so(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path = "/v1/consents"
    signed = tpp.sign("POST", path, journey.HEADERS)
    many = [("x", "1")] * 300
    for method, headers, body, status in (
        ("POST", signed, b"", 201),
        ("POST", signed, b"", 400),
        ("POST", [], b"", 400),
        ("POST", many, b"", 400),
        ("POST", tpp.sign("POST", path, [*journey.HEADERS, ("Accept", "text/html")]), b"", 406),
        ("POST", tpp.sign("POST", path, journey.HEADERS, b" " * (1 << 21)), b" " * (1 << 21), 413),
        ("GET", tpp.sign("GET", path, journey.HEADERS), b"", 405),
    ):
        answer = sandbox.handle(method, path, headers, body)
        assert answer.status == status, answer.json()
        found = {name: value for name, value in answer.headers if name in ("Deprecation", "Link")}
        link = '</v1/bank-offered-consents>; rel="successor-version"'
        assert found == {"Deprecation": "@1767225600", "Link": link}, status
    with sandbox.faults.bank_down():
        answer = sandbox.handle("POST", path, tpp.sign("POST", path, journey.HEADERS))
        assert "Deprecation" in dict(answer.headers)
    for other in ("/v1/bank-offered-consents", "/v1/consents/", "/v1/nothing"):
        answer = sandbox.handle("POST", other, tpp.sign("POST", other, journey.HEADERS))
        assert "Deprecation" not in dict(answer.headers), other


# What the call-back adds to the query.
ADDED = ("psu-id", "psu-corporate-id", "tpp-session-id", "context", "system", "status", "code", "message")


@pytest.mark.parametrize(
    ("uri", "policy", "expected"),
    [
        ("com.example.app:/back", {}, 201),
        ("no.bank-1.app:", {}, 201),
        ("http://localhost:8080/back", {}, 201),
        ("http://127.0.0.1/", {}, 201),
        ("http://tpp.example/", {}, 400),
        ("myapp:/back", {}, 400),
        ("ms-msdt:/id", {}, 400),
        ("intent:#Intent;end", {}, 400),
        ("search-ms:query=x", {}, 400),
        ("feed:javascript:alert(1)", {}, 400),
        ("javascript:alert(1)", {}, 400),
        ("data:text/html,x", {}, 400),
        ("MYAPP:/back", {"redirect_schemes": ["myapp"]}, 201),
        ("myapp2:/back", {"redirect_schemes": ["myapp"]}, 400),
        ("myapp:/back", {"redirect_schemes": ["myapp"]}, 201),
        *(
            (f"https://tpp.example/?a=1&{name}{rest}", {}, 400)
            for name in (*ADDED, "p%73u-id", "%63ode")
            for rest in ("", "=1")
        ),
        ("com.example.app:/?code=1", {}, 400),
        ("https://tpp.example/?psu-ids=1&xstatus=2&a=status#code", {}, 201),
        ("https://tpp.example/status?x=psu-id", {}, 201),
    ],
)
def test_where_a_browser_is_sent_back_to(uri: str, policy: dict[str, object], expected: int) -> None:
    with xs2a.Sandbox(now=NOW, policy=policy) as bank:
        client = bank.register_tpp("Acme Pay")
        headers = [
            *(pair for pair in journey.HEADERS if pair[0] != "TPP-Redirect-URI"),
            ("TPP-Redirect-URI", uri),
        ]
        target = "/v1/bank-offered-consents"
        assert bank.handle("POST", target, client.sign("POST", target, headers)).status == expected


def test_two_sandboxes_on_one_file_have_one_clock(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.db"
    with xs2a.Sandbox(path, now=NOW) as first, xs2a.Sandbox(path) as second:
        tpp = first.register_tpp("Acme Pay", roles=("PISP",))
        for mover, other in ((first, second), (second, first)):
            mover.clock.advance(timedelta(days=2))
            # A link of the one is open for the other until it is ten minutes old, for both.
            for age, is_open in ((timedelta(minutes=9, seconds=59), True), (timedelta(minutes=10), False)):
                assert mover.clock.now() == other.clock.now()
                answer = journey.post(mover, tpp, journey.payment(mover, amount=f"{age.seconds}.00"), ANY)
                assert answer.status == 201, answer.json()
                link = answer.json()["_links"]["scaRedirect"]["href"]
                other.clock.advance(age)
                if is_open:
                    assert "psu-id=" in other.authorise(link, customer_number=journey.PAYER)
                else:
                    with pytest.raises(xs2a.MisuseError):
                        other.authorise(link, customer_number=journey.PAYER)


ANY = f"{journey.INSTANT}?allowLogicalDuplicate=true"


def rows(sandbox: xs2a.Sandbox) -> dict[str, int]:
    state = json.loads(sandbox.export_json())
    return {kind: len(state[kind]) for kind in ("authorisations", "sessions", "usedRequestIds")}


@pytest.mark.parametrize("in_a_file", [False, True])
def test_what_is_over_is_forgotten_when_the_clock_moves(tmp_path: Path, in_a_file: bool) -> None:
    database = tmp_path / "sandbox.db" if in_a_file else None
    with xs2a.Sandbox(database, now=NOW) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        target = "/v1/bank-offered-consents"
        for _ in range(3):
            answer = journey.call(sandbox, tpp, "POST", target)
            assert answer.status == 201
            assert journey.post(sandbox, tpp, journey.payment(sandbox), ANY).status == 201
        sandbox.authorise(answer.json()["_links"]["scaRedirect"]["href"], customer_number=journey.PAYER)
        assert rows(sandbox) == {"authorisations": 6, "sessions": 1, "usedRequestIds": 6}
        day = timedelta(days=1)
        for wait, expected in (
            (timedelta(minutes=13), {"authorisations": 6, "sessions": 1, "usedRequestIds": 0}),
            (day, {"authorisations": 0, "sessions": 1, "usedRequestIds": 0}),
            (364 * day, {"authorisations": 0, "sessions": 0, "usedRequestIds": 0}),
        ):
            sandbox.clock.advance(wait)
            assert rows(sandbox) == expected
