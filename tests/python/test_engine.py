"""An engine over a bank of the host's own: what TPPs and the bank's SCA site do, end to end."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import xs2a
from gateway import authorisation_id, gateway, payment
from payment_journey import BATCHED
from toy_bank import COMPANY, COMPANYS, KARI, KARIS, OLAS, SAVINGS, ToyBank

DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"
READING = {"PSU_Context": "", "TPP_Session_ID": "reading"}


def test_a_payment_from_its_creation_to_the_banks_books() -> None:
    with gateway() as own:
        created = own.create()
        assert own.engine.next_due() is None
        assert own.status(created) == "RCVD"
        shown = own.engine.authorisation(authorisation_id(created))
        assert shown is not None
        assert shown["kind"] == "payment"
        assert shown["orders"][0]["instructedAmount"] == {"amount": "250.00", "currency": "NOK"}
        assert shown["orders"][0]["creditorName"] == "Testodius To"
        assert shown["orders"][0]["paymentId"] == created["paymentId"]
        assert shown["orders"][0]["product"].startswith("payments/instant-")
        assert shown["orders"][0]["fee"] == created["transactionFees"]
        # Evidence of the read of the status waits for a second.
        assert own.engine.next_due() == datetime(2026, 9, 1, 10, 0, 1, tzinfo=timezone.utc)
        url = own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
        assert url.startswith("https://tpp.example/callback?state=42&psu-id=")
        assert own.engine.authorisation(authorisation_id(created)) is None
        assert own.engine.next_due() == own.sandbox.clock.now()
        assert own.engine.run_due() == xs2a.RunReport(submitted=1, failed=0)
        assert own.status(created) == "ACSC"
        assert own.bank.balance[OLAS] == 250


def test_a_payment_that_the_bank_settles_later_is_reported() -> None:
    with gateway() as own:
        created = own.create(DOMESTIC)
        own.approve(created)
        assert own.status(created) == "PDNG"
        own.engine.report_payment_status(created["paymentId"], "PDNG", on_hold=True)
        assert own.status(created) == "PDNG"
        own.engine.report_payment_status(created["paymentId"], "ACSC", True)
        assert own.status(created) == "ACSC"
        with pytest.raises(xs2a.MisuseError, match="cannot become"):
            own.engine.report_payment_status(created["paymentId"], "PDNG", on_hold=True)
        with pytest.raises(xs2a.MisuseError, match="cannot become"):
            own.engine.report_payment_status(created["paymentId"], "PDNG")
        with pytest.raises(xs2a.MisuseError, match="no status"):
            own.engine.report_payment_status(created["paymentId"], "DONE")


def test_an_unapproved_payment_is_not_carried_out() -> None:
    with gateway() as own:
        for outcome in ("aborted", "failed", "psuUnknown", "otherPsu"):
            created = own.create(body=payment(remittanceInformationUnstructured=outcome))
            url = own.engine.complete_sca(authorisation_id(created), outcome)
            assert "code=" in url
            assert own.engine.run_due().submitted == 0
            assert own.status(created) == "RCVD"
        assert own.bank.orders == {}


def test_a_payment_from_anothers_account_is_refused_at_its_approval() -> None:
    with gateway() as own:
        created = own.create(body=payment(payer=OLAS, creditorAccount={"bban": KARIS, "currency": "NOK"}))
        assert "code" in own.approve(created)
        assert own.bank.orders == {}


def test_a_cancellation_is_the_banks_to_make() -> None:
    with gateway() as own:
        created = own.create(DOMESTIC)
        own.approve(created)
        path = created["_links"]["self"]["href"]
        started = own.call("POST", f"{path}/cancellation-authorisations")
        assert started.status == 201, started.json()
        shown = own.engine.authorisation(authorisation_id(started.json()))
        assert shown is not None
        assert shown["kind"] == "cancellation"
        own.approve(started.json())
        assert own.status(created) == "CANC"
        assert own.bank.orders == {created["paymentId"]: "CANC"}


def test_a_basket_is_signed_once() -> None:
    with gateway() as own:
        first = own.create(body=payment("1.00"))
        psu_id = own.approve(first)["psu-id"]
        payments = [own.create(body=payment(amount)) for amount in ("2.00", "3.00")]
        named = {"paymentIds": [created["paymentId"] for created in payments]}
        known = {"PSU_ID": psu_id, "PSU_Context": ""}
        basket = own.call("POST", "/v1/signing-baskets", named, **known)
        assert basket.status == 201, basket.json()
        target = f"{basket.json()['_links']['self']['href']}/authorisations"
        started = own.call("POST", target, **known)
        assert started.status == 201, started.json()
        shown = own.engine.authorisation(authorisation_id(started.json()))
        assert shown is not None
        assert [order["instructedAmount"]["amount"] for order in shown["orders"]] == ["2.00", "3.00"]
        own.approve(started.json())
        assert [own.status(created) for created in payments] == ["ACSC", "ACSC"]
        assert own.bank.balance[OLAS] == 6


def test_accounts_are_opened_read_and_closed_again() -> None:
    with gateway() as own:
        own.approve(own.create())
        known = {**READING, "PSU_ID": own.consent()["psu-id"]}
        known["TPP_Session_ID"] = "session-1"
        listed = own.call("GET", "/v1/accounts?withBalance=true", **known).json()["accounts"]
        assert [account["bban"] for account in listed] == [KARIS, SAVINGS]
        assert listed[0]["balances"][0]["balanceAmount"] == {"amount": "750.00", "currency": "NOK"}
        path = listed[0]["_links"]["self"]["href"]
        page = own.call("GET", f"{path}/transactions?bookingStatus=both", **known).json()["transactions"]
        assert page["booked"][0]["transactionAmount"]["amount"] == "-250.00"
        found = own.call("GET", f"{path}/transactions/{page['booked'][0]['transactionId']}", **known)
        assert found.json()["transactionsDetails"]["creditorName"] == "Testodius To"
        assert own.call("GET", f"{path}/balances", **known).status == 200
        cards = own.call("GET", "/v1/card-accounts", **known).json()["cardAccounts"]
        card = cards[0]["_links"]["self"]["href"]
        for path in (card, f"{card}/balances", f"{card}/transactions?bookingStatus=both"):
            answer = own.call("GET", path, **known)
            assert answer.status == 200, answer.json()
        own.engine.revoke_consent(KARI, own.tpp)
        assert own.call("GET", "/v1/accounts", **known).json()["tppMessages"][0]["code"] == "CONSENT_UNKNOWN"


def test_a_customer_opens_what_they_choose() -> None:
    with gateway() as own:
        started = own.call("POST", "/v1/bank-offered-consents", PSU_Context="").json()
        shown = own.engine.authorisation(authorisation_id(started))
        assert shown is not None
        assert (shown["kind"], shown["orders"]) == ("consent", [])
        with pytest.raises(xs2a.MisuseError, match="not offered"):
            own.approve(started, accounts=[f"acc-{OLAS}"])
        with pytest.raises(xs2a.MisuseError, match="one account"):
            own.approve(started, accounts=[])
        known = {"PSU_ID": own.approve(started, accounts=[f"acc-{SAVINGS}"])["psu-id"], "PSU_Context": ""}
        listed = own.call("GET", "/v1/accounts", **known).json()["accounts"]
        assert [account["bban"] for account in listed] == [SAVINGS]
        assert own.call("GET", "/v1/card-accounts", **known).json()["cardAccounts"] == []


def test_a_person_acts_for_a_company() -> None:
    with gateway() as own:
        with pytest.raises(xs2a.MisuseError, match="corporate"):
            own.consent(context="CORPORATE")
        came = own.consent(context="CORPORATE", corporate=COMPANY)
        assert came["context"] == "CORPORATE"
        known = {"PSU_ID": came["psu-id"], "PSU_Corporate_ID": came["psu-corporate-id"], "PSU_Context": ""}
        listed = own.call("GET", "/v1/accounts", **known).json()["accounts"]
        assert [account["bban"] for account in listed] == [COMPANYS]
        agreements = own.call("GET", "/v1/agreements", PSU_ID=came["psu-id"], PSU_Context="")
        assert agreements.status == 200, agreements.json()


def test_the_person_that_a_call_names_is_the_one_who_approves() -> None:
    with gateway() as own:
        created = own.create(X_PSU_IDENTITY="12085592767")
        assert "code" in own.approve(created, KARI)
        assert "psu" in own.bank.asked


def test_the_sandboxs_own_routes_are_not_there() -> None:
    with gateway() as own:
        for method, target in [
            ("POST", "/v1/sandbox/initialize"),
            ("GET", "/v1/sandbox/customers"),
            ("GET", "/sca/anything"),
        ]:
            assert own.call(method, target).status == 404, target


def test_a_tpp_not_in_the_register_is_refused_from_the_next_call_on() -> None:
    known: set[str] = set()
    with gateway(registry=lambda organisation_id: organisation_id in known) as own:
        refused = own.call("POST", "/v1/bank-offered-consents", PSU_Context="")
        assert refused.status in (401, 403), refused.json()
        known.add(own.tpp.organisation_id)
        assert own.call("POST", "/v1/bank-offered-consents", PSU_Context="").status == 201
        known.clear()
        assert own.call("POST", "/v1/bank-offered-consents", PSU_Context="").status == refused.status


def test_certificates_beside_the_trust_anchors_are_refused() -> None:
    with xs2a.Sandbox(seed=2) as other:
        stranger = other.register_tpp("Stranger").certificate_pem
        with gateway(trust_anchors=stranger) as own:
            answer = own.call("POST", "/v1/bank-offered-consents", PSU_Context="")
            assert (answer.status, answer.reason) == (400, "CRT-08")


def test_what_is_kept_in_a_file_outlives_the_engine(tmp_path: Path) -> None:
    database = f"sqlite://{tmp_path / 'gateway.db'}"
    bank = ToyBank()
    with gateway(bank, database=database) as own:
        created = own.create()
        own.engine.complete_sca(authorisation_id(created), "approved", person=KARI)
    with gateway(bank, database=database) as again:
        again.sandbox.clock.advance(timedelta(minutes=5))
        assert again.engine.run_due().submitted == 1
        assert again.status(created) == "ACSC"


def test_a_closed_engine_answers_nothing() -> None:
    with gateway() as own:
        own.engine.close()
        own.engine.close()
        with pytest.raises(xs2a.MisuseError, match="closed"):
            own.engine.run_due()
        with pytest.raises(xs2a.MisuseError, match="closed"):
            own.create()


def test_a_bank_may_call_the_engine_and_close_it() -> None:
    class Meddler(ToyBank):
        engine: xs2a.Engine | None = None

        def fee(self, *, product: str, order: dict[str, Any]) -> dict[str, Any]:
            assert self.engine is not None
            assert self.engine.run_due() == xs2a.RunReport(submitted=0, failed=0)
            self.engine.close()
            return super().fee(product=product, order=order)

    bank = Meddler()
    with gateway(bank) as own:
        bank.engine = own.engine
        own.create()
        with pytest.raises(xs2a.MisuseError, match="closed"):
            own.engine.next_due()


def test_the_engine_of_a_sandbox_is_the_sandboxs_to_close(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError, match="closed by the sandbox"):
        sandbox.engine.close()
    assert sandbox.engine.authorisation("unknown") is None


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"database": "gateway.db"}, xs2a.ConfigError, "sqlite"),
        ({"database": "mysql://root:secret@host/x"}, xs2a.ConfigError, "sqlite"),
        ({"database": "sqlite:///no/such/folder/x.db"}, xs2a.StoreError, "cannot open"),
        ({"database": "postgresql://user:p@secret@host/x"}, xs2a.ConfigError, "write it as %40"),
        ({"database": "postgresql://host/x?user=a@secret"}, xs2a.ConfigError, "write it as %40"),
        ({"database": "postgresql://host/x?sslmod=require"}, xs2a.ConfigError, "the parameter `sslmod`"),
        ({"database": "postgresql://host/x?schema=bank_a"}, xs2a.ConfigError, "the parameter `schema`"),
        ({"database": "postgresql://host/x?connect_timeout=soon"}, xs2a.ConfigError, "connect_timeout"),
        ({"database": "postgresql:///x"}, xs2a.ConfigError, "names no host"),
        ({"trust_anchors": ""}, xs2a.ConfigError, "trust_anchors"),
        ({"trust_anchors": "no PEM"}, xs2a.ConfigError, "trust_anchors"),
        ({"policy": {"base_paths": "/x"}}, xs2a.ConfigError, "base_paths"),
        ({"policy": {"base_path": 1}}, xs2a.ConfigError, r"policy\.base_path: .*a text"),
        ({"policy": {"base_path": object()}}, xs2a.ConfigError, "JSON"),
        ({"policy": []}, TypeError, "dict"),
        ({"registry": 1}, TypeError, "registry"),
        ({"clock": "now"}, TypeError, "clock"),
        ({"database": None}, TypeError, "None"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_named(
    changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised, gateway(**changed):
        pass
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("seconds", [-1, 2**32, -(2**63) - 1, 2**63])
def test_a_lease_out_of_range_is_named(seconds: int) -> None:
    with pytest.raises(xs2a.ConfigError, match="order_lease_seconds"), gateway(order_lease_seconds=seconds):
        pass


def test_a_bank_that_lacks_a_method_is_not_taken() -> None:
    for bank in (object(), 0, type("Half", (), {"psu": 1})()):
        with pytest.raises(xs2a.ConfigError, match="has no method `psu`"), gateway(bank):
            pass


def test_a_cross_border_payment_asks_for_the_rate() -> None:
    with gateway() as own:
        body = payment(
            instructedAmount={"amount": "10.00", "currency": "EUR"},
            creditorAccount={"iban": "DE89370400440532013000", "currency": "EUR"},
            creditorAgent="DEUTDEFF",
        )
        created = own.create(BATCHED, body)
        assert created["transactionFees"] == {"amount": "5.00", "currency": "NOK"}
        assert "rate" in own.bank.asked


@pytest.mark.parametrize(("sent", "expected"), [("", True), ("true", True), ("false", False)])
def test_whether_a_plain_redirect_is_wanted_is_handed_on(sent: str, expected: bool) -> None:
    with gateway() as own:
        created = own.create(TPP_Redirect_Preferred=sent)
        shown = own.engine.authorisation(authorisation_id(created))
        assert shown is not None
        assert shown["redirectPreferred"] is expected


def test_texts_for_the_psu_are_in_the_language_of_the_psu() -> None:
    with gateway() as own:
        created = own.create(PSU_Accept_Language="nb-NO, en;q=0.5")
        assert created["psuMessage"] == "Betalingen venter på din godkjenning."
        shown = own.engine.authorisation(authorisation_id(created))
        assert shown is not None
        assert shown["language"] == "nb"
        refused = own.call("POST", DOMESTIC, {}, PSU_Accept_Language="nb").json()
        assert "required" in refused["tppMessages"][0]["text"]


def test_what_is_normal_has_exceptions_of_its_own() -> None:
    with gateway() as own:
        created = own.create()
        link = authorisation_id(created)
        with pytest.raises(xs2a.NotFoundError):
            own.engine.complete_sca("none", "aborted")
        own.engine.complete_sca(link, "approved", person=KARI)
        with pytest.raises(xs2a.ExpiredError):
            own.engine.complete_sca(link, "aborted")
        own.engine.run_due()
        with pytest.raises(xs2a.NotFoundError):
            own.engine.report_payment_status("none", "ACSC")
        with pytest.raises(xs2a.ConflictError):
            own.engine.report_payment_status(created["paymentId"], "RCVD")
        with pytest.raises(xs2a.NotFoundError):
            own.engine.retry_order(created["paymentId"])
        asked = own.call("POST", "/v1/bank-offered-consents", PSU_Context="").json()
        with pytest.raises(xs2a.NotOfferedError):
            own.engine.complete_sca(authorisation_id(asked), "approved", person=KARI, accounts=["other"])
        own.engine.complete_sca(authorisation_id(asked), "aborted")
        normal = (xs2a.NotFoundError, xs2a.ExpiredError, xs2a.ConflictError, xs2a.NotOfferedError)
        assert all(issubclass(error, xs2a.MisuseError) for error in normal)
