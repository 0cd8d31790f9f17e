"""Rules whose result is in the rows of a store: in a file of SQLite and on PostgreSQL, for a new engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import field_client as field
import pytest
import xs2a
from gateway import NOW, Gateway, authorisation_id, gateway, payment
from payment_journey import HEADERS, INSTANT
from postgres_server import shared
from toy_bank import KARI, ToyBank

Json = dict[str, Any]
DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"
TARGET = f"{INSTANT}?allowLogicalDuplicate=true"


@pytest.fixture(name="database", params=["sqlite", "postgresql"])
def database_of_a_test(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite://{tmp_path / 'gateway.db'}"
    server = shared()
    return server.url(server.database())


class Asked(ToyBank):
    """A bank that keeps what it is asked about the risk, and leaves the answer to the rules."""

    def __init__(self) -> None:
        super().__init__()
        self.clients: list[Json] = []

    def requires_sca(self, *, client: Json, **_asked: Any) -> None:
        self.clients.append(client)


@pytest.mark.parametrize(("sent", "expected"), [("", None), ("true", True), ("false", False)])
def test_whether_a_plain_redirect_is_wanted_reaches_bank_site_and_audit(
    database: str, sent: str, expected: bool | None
) -> None:
    bank = Asked()
    with gateway(bank, database=database) as own:
        psu_id = own.consent()["psu-id"]
        own.call("GET", "/v1/accounts", PSU_ID=psu_id, PSU_Context="", TPP_Redirect_Preferred=sent)
        assert bank.clients[-1].get("redirectPreferred") is expected
        created = own.create(TPP_Redirect_Preferred=sent)
    with gateway(bank, seed=2, database=database) as again:
        shown = again.engine.authorisation(authorisation_id(created))
        assert shown is not None
        assert shown["redirectPreferred"] is (expected is not False)
        later = datetime.fromisoformat(NOW.replace("Z", "+00:00")) + timedelta(seconds=1)
        lines = [line for line in again.engine.audit(NOW, later) if line["event"] == "payment.created"]
        assert [line["details"].get("psuClient", {}).get("redirectPreferred") for line in lines] == [expected]


@pytest.mark.parametrize(
    ("psu", "browser", "language", "text"),
    [
        ("nb-NO, en;q=0.5", "", "nb", "Betalingen venter på din godkjenning."),
        ("en", "nb", "en", "The payment waits for your approval."),
        ("", "nb", "nb", "Betalingen venter på din godkjenning."),
        ("de", "nb", "nb", "Betalingen venter på din godkjenning."),
        ("", "", "en", "The payment waits for your approval."),
    ],
)
def test_the_language_of_the_psu_is_kept(
    database: str, psu: str, browser: str, language: str, text: str
) -> None:
    with gateway(database=database) as own:
        created = own.create(PSU_Accept_Language=psu, Accept_Language=browser)
        assert created["psuMessage"] == text
    with gateway(seed=2, database=database) as again:
        shown = again.engine.authorisation(authorisation_id(created))
        assert shown is not None
        assert shown["language"] == language


def test_an_sca_of_before_its_session_was_replaced_opens_none(database: str) -> None:
    def begin(own: Gateway, session: str) -> Json:
        # Of two sessions of one moment, either may be the later one.
        own.sandbox.clock.advance(timedelta(seconds=1))
        answer = own.call("POST", "/v1/bank-offered-consents", PSU_Context="", TPP_Session_ID=session)
        begun: Json = answer.json()
        return begun

    with gateway(database=database) as own:
        psu_id = own.approve(begin(own, "old"))["psu-id"]
        begun = begin(own, "old")
        paid = own.create(TPP_Session_ID="old")
        own.approve(begin(own, "new"))
    with gateway(seed=2, database=database) as again:
        again.sandbox.clock.advance(timedelta(minutes=9))
        # Each does what it was for: the accounts are opened, and the payment is made.
        assert again.approve(begun)["psu-id"] == psu_id
        assert again.approve(paid)["psu-id"] == psu_id
        assert again.status(paid) == "ACSC"
        for session, status, code in (("new", 200, None), ("old", 401, "SCA_INVALID")):
            answer = again.call("GET", "/v1/accounts", PSU_ID=psu_id, PSU_Context="", TPP_Session_ID=session)
            assert answer.status == status
            assert answer.json().get("tppMessages", [{"code": None}])[0]["code"] == code


def test_a_payment_on_hold_is_so_for_a_new_engine_too(database: str) -> None:
    def message(own: Gateway) -> str:
        status: Json = own.call("GET", created["_links"]["status"]["href"]).json()
        assert status["transactionStatus"] == "PDNG"
        text: str = status["psuMessage"]
        return text

    with gateway(database=database) as own:
        created = own.create(DOMESTIC)
        with pytest.raises(xs2a.MisuseError):
            own.engine.report_payment_status(created["paymentId"], "PDNG", on_hold=True)
        own.approve(created)
        before = message(own)
        own.engine.report_payment_status(created["paymentId"], "PDNG", on_hold=True)
        held = message(own)
        assert held != before
    with gateway(seed=2, database=database) as again:
        assert message(again) == held
        again.engine.report_payment_status(created["paymentId"], "PDNG")
        assert message(again) == before
        again.engine.report_payment_status(created["paymentId"], "PDNG", on_hold=True)
        again.engine.report_payment_status(created["paymentId"], "ACSC", True)
        assert again.status(created) == "ACSC"


def signed(own: Gateway, method: str, target: str, body: Json | None = None) -> tuple[Any, ...]:
    """A call that can be made more than once."""
    raw = b"" if body is None else json.dumps(body).encode()
    return method, target, own.tpp.sign(method, target, HEADERS, raw), raw


def test_a_change_is_repeated_by_no_node_and_by_no_other_tpp(database: str) -> None:
    with gateway(database=database) as own:
        other = own.sandbox.register_tpp("Other Pay", roles=("PISP",))
        pay = signed(own, "POST", TARGET, payment())
        used = dict(pay[2])["X-Request-ID"]
        assert own.engine.handle(*pay).status == 201
        # What other TPPs send changes nothing in that, with the same id too.
        raw = pay[3]
        own.engine.replace_trust_anchors(own.tpp.certificate_pem + other.certificate_pem)
        headers = other.sign("POST", TARGET, [*HEADERS, ("X-Request-ID", used)], raw)
        assert own.engine.handle("POST", TARGET, headers, raw).status == 201
        for _ in range(20):
            headers = other.sign("POST", TARGET, HEADERS, b"{}")
            assert own.engine.handle("POST", TARGET, headers, b"{}").status == 400
        refused = own.engine.handle(*pay)
        assert (refused.status, refused.reason) == (400, "RPL-01"), refused.json()
    for seconds in (0, 59):
        with gateway(database=database) as again:
            again.sandbox.clock.advance(timedelta(seconds=seconds))
            refused = again.engine.handle(*pay)
            assert (refused.status, refused.reason) == (400, "RPL-01"), refused.json()


IDENTITIES: dict[str, Callable[[], tuple[str, ...]]] = {
    "NUL": lambda: ("PSDNO-FSA-1\0",),
    "line break": lambda: ("PSDNO-FSA-1\nx",),
    "bidi control": lambda: ("PSDNO-\u202eFSA-1",),
    "no-break space": lambda: ("PSDNO-FSA-1\u00a0",),
    "129 characters": lambda: ("x" * 129,),
    "two": lambda: ("PSDNO-FSA-1", "PSDNO-FSA-2"),
}


@pytest.mark.parametrize("identity", IDENTITIES.values(), ids=IDENTITIES)
def test_an_identity_that_no_row_may_hold_is_refused(
    database: str, identity: Callable[[], tuple[str, ...]]
) -> None:
    root = field.authority("Field Root")
    now = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
    with gateway(database=database, trust_anchors=root.pem) as own:
        for names, statuses in ((identity(), (400,)), (("PSDNO-FSA-1",), (201,)), (("x" * 128,), (201,))):
            tpp = field.leaf(root, ["PSP_AI", "PSP_PI"], identities=names)
            raw = json.dumps(payment()).encode()
            answer = own.engine.handle("POST", TARGET, field.sign(tpp, HEADERS, raw, now), raw)
            assert answer.status in statuses, answer.json()
            if answer.status == 400:
                assert answer.reason in ("CRT-20", "CRT-21")


def test_a_session_of_a_clock_that_was_ahead_is_over(database: str) -> None:
    def code(own: Gateway) -> str | None:
        answer = own.call("GET", "/v1/accounts", PSU_ID=psu_id, PSU_Context="")
        found: str | None = answer.json().get("tppMessages", [{"code": None}])[0]["code"]
        return found

    for seed, (seconds, expected) in enumerate(((599, None), (600, "CONSENT_EXPIRED"))):
        with gateway(seed=seed, database=database) as ahead:
            ahead.sandbox.clock.advance(timedelta(seconds=seconds))
            psu_id = ahead.consent()["psu-id"]
            assert code(ahead) is None
        with gateway(seed=seed + 2, database=database) as own:
            assert code(own) == expected


def test_a_database_with_orders_keeps_the_bank_that_it_is_of(database: str) -> None:
    bank_a, bank_b = ToyBank(), ToyBank()
    with gateway(bank_a, database=database, bank_id="BANKNOAA") as own:
        own.engine.complete_sca(authorisation_id(own.create()), "approved", person=KARI)
    with (
        pytest.raises(xs2a.ConfigError, match="belongs to the bank `BANKNOAA`"),
        gateway(bank_b, database=database, bank_id="BANKNOBB"),
    ):
        pass
    assert bank_b.asked == []
    with gateway(bank_a, database=database, bank_id="BANKNOAA") as own:
        assert own.engine.run_due() == xs2a.RunReport(submitted=1)
