"""The sandbox from outside: opening, its controls, closing."""

from __future__ import annotations

import doctest
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import payment_journey as journey
import pytest
import stdnum.no.fodselsnummer
import stdnum.no.kontonr
import xs2a
from xs2a.client import Client

NOW = "2026-09-01T10:00:00Z"


def callback_query(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def test_an_authorised_instant_payment_moves_both_balances(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    before = [Decimal(journey.balance(sandbox, who)) for who in (journey.PAYER, journey.PAYEE)]
    path, link = journey.created(sandbox, tpp)
    assert journey.status(sandbox, tpp, path) == "RCVD"
    sandbox.authorise(link, customer_number=journey.PAYER)
    assert journey.status(sandbox, tpp, path) == "ACSC"
    after = [Decimal(journey.balance(sandbox, who)) for who in (journey.PAYER, journey.PAYEE)]
    assert after == [before[0] - 250, before[1] + 250]


def test_the_ledger_shows_the_newest_booking_first(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    for amount in ("1.00", "2.00"):
        sandbox.authorise(journey.created(sandbox, tpp, amount=amount)[1], customer_number=journey.PAYER)
    ledger = sandbox.ledger(journey.first_account(sandbox, journey.PAYER))
    assert [booking["amount"] for booking in ledger["bookings"]][:2] == ["-2.00", "-1.00"]


def test_the_ledger_takes_an_iban_too(sandbox: xs2a.Sandbox) -> None:
    account = sandbox.default_data()["customers"][0]["accounts"][0]
    assert sandbox.ledger(account["iban"]) == sandbox.ledger(account["bban"])


def test_an_account_the_bank_does_not_have_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.ledger("12345678903")


def test_the_callback_carries_the_session_and_keeps_the_query(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    url = sandbox.authorise(journey.created(sandbox, tpp)[1], customer_number=journey.PAYER)
    query = callback_query(url)
    assert url.startswith(journey.CALLBACK)
    assert query["tpp-session-id"] == "session-1"
    assert query["context"] == "PRIVATE"


def test_an_unknown_customer_fails_the_sca_in_the_callback(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp)
    query = callback_query(sandbox.authorise(link, customer_number="01810112251"))
    assert query["code"] == "PSU_CREDENTIALS_INVALID"
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_a_cancelled_sca_leaves_the_payment_received(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = journey.created(sandbox, tpp)
    assert "code" in callback_query(sandbox.authorise(link, customer_number=journey.PAYER, approve=False))
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_a_link_works_once(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    link = journey.created(sandbox, tpp)[1]
    sandbox.authorise(link, customer_number=journey.PAYER)
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise(link, customer_number=journey.PAYER)


def test_an_unknown_link_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise("https://sca.bank.example/sca/unknown")


def test_a_context_is_private_or_corporate(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    link = journey.created(sandbox, tpp)[1]
    with pytest.raises(xs2a.MisuseError, match="CORPORATE"):
        sandbox.authorise(link, context="private")  # type: ignore[arg-type]


def test_a_tpp_shows_what_it_was_registered_with(tpp: xs2a.Tpp) -> None:
    certificate = xs2a.parse_certificate(tpp.certificate_pem)
    assert (tpp.name, tpp.roles) == ("Acme Pay", ("AISP", "PISP"))
    assert set(certificate.roles) == {"PSP_AI", "PSP_PI"}
    assert certificate.organisation_id == tpp.organisation_id
    assert "PRIVATE KEY" in tpp.private_key_pem
    assert "Acme Pay" in repr(tpp)


def test_a_tpp_has_both_roles_by_default(sandbox: xs2a.Sandbox) -> None:
    assert sandbox.register_tpp("Acme Pay").roles == ("AISP", "PISP")


def test_a_tpp_without_pisp_may_not_initiate(sandbox: xs2a.Sandbox) -> None:
    tpp = sandbox.register_tpp("Acme Read", roles=["AISP"])
    answer = journey.post(sandbox, tpp, journey.payment(sandbox))
    assert (answer.status, answer.json()["tppMessages"][0]["code"]) == (403, "FORBIDDEN")


def test_a_tpp_is_found_again_as_it_was_registered(sandbox: xs2a.Sandbox) -> None:
    for roles in (("AISP", "PISP"), ("PISP",), ("PSP_AI", "PSP_AS")):
        tpp = sandbox.register_tpp("Acme Pay", roles=roles)
        found = sandbox.tpp(tpp.organisation_id)
        assert (found.name, found.organisation_id, found.roles) == (tpp.name, tpp.organisation_id, roles)
        assert found.certificate_pem == tpp.certificate_pem
        assert found.private_key_pem == tpp.private_key_pem


@pytest.mark.parametrize("organisation_id", ["PSDNO-FSA-000002", "psdno-fsa-000001", "", "' OR 1=1 --"])
def test_an_unregistered_tpp_is_misuse(sandbox: xs2a.Sandbox, organisation_id: str) -> None:
    sandbox.register_tpp("Acme Pay")
    with pytest.raises(xs2a.MisuseError):
        sandbox.tpp(organisation_id)


def test_an_unknown_role_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.register_tpp("Acme Pay", roles=["BANK"])


@pytest.mark.parametrize("name", ["", " "])
def test_a_tpp_without_a_name_is_misuse(sandbox: xs2a.Sandbox, name: str) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.register_tpp(name, roles=["AISP"])


def test_the_root_is_the_same_for_every_seed() -> None:
    with xs2a.Sandbox(seed=1) as one, xs2a.Sandbox(seed=2) as other:
        assert one.root_pem == other.root_pem
        first, second = one.register_tpp("A"), other.register_tpp("A")
        assert first.private_key_pem == second.private_key_pem
        assert first.certificate_pem != second.certificate_pem, "the serial number is the seed's"
        headers = first.sign("GET", "/v1/x")
        now, anchors = one.clock.now(), other.root_pem
        assert xs2a.verify_signature("GET", "/v1/x", headers, b"", now=now, trust_anchors=anchors)


def test_the_roles_of_a_set_come_in_one_order(sandbox: xs2a.Sandbox) -> None:
    roles = ("PSP_AI", "PSP_AS", "PSP_IC", "PSP_PI")
    for given in (set(roles), frozenset(roles)):
        assert sandbox.register_tpp("Acme Pay", roles=given).roles == roles


def test_roles_are_several_texts_not_one(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(TypeError):
        sandbox.register_tpp("Acme Pay", roles="AISP")


def test_the_same_seed_gives_the_same_bytes() -> None:
    def run(seed: int) -> tuple[bytes, str]:
        with xs2a.Sandbox(now=NOW, seed=seed) as sandbox:
            tpp = sandbox.register_tpp("Acme Pay")
            answer = journey.post(sandbox, tpp, journey.payment(sandbox))
            return answer.body, sandbox.authorise(answer.json()["_links"]["scaRedirect"]["href"])

    assert run(1) == run(1)
    assert run(1) != run(2)


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_a_seed_at_its_ends_is_taken(seed: int) -> None:
    xs2a.Sandbox(seed=seed).close()


def test_the_default_data_names_four_customers(sandbox: xs2a.Sandbox) -> None:
    numbers = {customer["customerNumber"] for customer in sandbox.default_data()["customers"]}
    assert numbers >= {"13039319955", "12085592767", "18129215603", "20079518612"}


def test_of_the_default_customers_one_has_a_synthetic_number(
    sandbox: xs2a.Sandbox,
) -> None:
    data = sandbox.default_data()
    numbers = {customer["customerNumber"] for customer in data["customers"]}
    ordinary = {number for number in numbers if stdnum.no.fodselsnummer.is_valid(number)}
    (synthetic,) = numbers - ordinary
    assert (len(ordinary), synthetic, int(synthetic[2:4]) > 80) == (5, "17837010020", True)
    accounts = [account for customer in data["customers"] for account in customer["accounts"]]
    assert all(stdnum.no.kontonr.is_valid(account["bban"]) for account in accounts)


def test_what_is_loaded_is_taken_as_it_is(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    client = Client(sandbox, tpp)
    for number in ("111111", "99999999999"):
        customer = {"customerNumber": number, "customerType": "PRIVATE", "customerName": "Kari Test"}
        assert client.post("/v1/sandbox/customers", json=customer).status_code == 201
    shown = client.get("/v1/sandbox/card-accounts").json()["cardAccounts"][0]
    card = {name: value for name, value in shown.items() if name not in ("resourceId", "_links")}
    made = client.post("/v1/sandbox/card-accounts", json={**card, "maskedPan": "4111111111111111"})
    assert (made.status_code, made.json()["maskedPan"]) == (201, "4111111111111111")


def test_initialize_gives_the_default_balances_back(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    before = journey.balance(sandbox, journey.PAYER)
    path, link = journey.created(sandbox, tpp)
    sandbox.authorise(link, customer_number=journey.PAYER)
    assert journey.balance(sandbox, journey.PAYER) != before
    sandbox.initialize()
    assert journey.balance(sandbox, journey.PAYER) == before
    assert journey.call(sandbox, tpp, "GET", path).status == 404


def test_a_file_keeps_books_clock_and_tpps(tmp_path: Path) -> None:
    file = tmp_path / "bank.sqlite"
    with xs2a.Sandbox(file, now=NOW) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        path, link = journey.created(sandbox, tpp)
        sandbox.authorise(link, customer_number=journey.PAYER)
        balance = journey.balance(sandbox, journey.PAYER)
        key, headers = tpp.private_key_pem, tpp.sign("GET", f"{path}/status", journey.HEADERS)
    assert "PRIVATE KEY" in key
    with xs2a.Sandbox(str(file)) as reopened:
        assert reopened.clock.now().isoformat() == "2026-09-01T10:00:00+00:00"
        assert journey.balance(reopened, journey.PAYER) == balance
        assert reopened.handle("GET", f"{path}/status", headers).json()["transactionStatus"] == "ACSC"


def test_closing_writes_evidence_of_reads_that_waits(tmp_path: Path) -> None:
    file = tmp_path / "bank.sqlite"
    with xs2a.Sandbox(file, now=NOW, policy={"audit": True, "audit_reads": "batched"}) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        path, _ = journey.created(sandbox, tpp)
        journey.status(sandbox, tpp, path)
    with xs2a.Sandbox(file) as again:
        events = [line["event"] for line in again.engine.audit(NOW, "2026-09-02T00:00:00Z")]
    assert events.count("payment.read") == 1


def test_a_database_that_cannot_be_opened_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(xs2a.StoreError):
        xs2a.Sandbox(tmp_path)


def test_the_base_path_precedes_every_route() -> None:
    with xs2a.Sandbox(now=NOW, base_path="/api-sandbox") as sandbox:
        tpp = sandbox.register_tpp("Acme Pay")
        assert journey.call(sandbox, tpp, "GET", "/v1/no-such-thing").reason == "RTE-02"
        target = f"/api-sandbox{journey.INSTANT}"
        assert journey.post(sandbox, tpp, journey.payment(sandbox), target).status == 201


def test_a_policy_changes_the_rules() -> None:
    headers = [(name, value) for name, value in journey.HEADERS if name != "TPP-Session-ID"]
    statuses = []
    for policy in (None, {"require_session_headers": False}):
        with xs2a.Sandbox(now=NOW, policy=policy) as sandbox:
            tpp = sandbox.register_tpp("Acme Pay")
            body = json.dumps(journey.payment(sandbox)).encode()
            signed = tpp.sign("POST", journey.INSTANT, headers, body)
            statuses.append(sandbox.handle("POST", journey.INSTANT, signed, body).status)
    assert statuses == [400, 201]


def test_an_unknown_policy_is_a_config_error() -> None:
    with pytest.raises(xs2a.ConfigError):
        xs2a.Sandbox(policy={"no_such_policy": True})


def test_two_sandboxes_do_not_meet(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    with xs2a.Sandbox(now=NOW, seed=2) as other:
        path, link = journey.created(sandbox, tpp)
        with pytest.raises(xs2a.MisuseError):
            other.authorise(link)
        assert journey.call(other, tpp, "GET", path).status == 403


def test_a_card_account_is_blocked_and_enabled_again_but_not_revived(sandbox: xs2a.Sandbox) -> None:
    card = sandbox.default_data()["customers"][0]["cardAccounts"][0]["resourceId"]
    for status in ("blocked", "enabled", "deleted"):
        sandbox.set_card_status(card, status)
    for card_account_id, status in ((card, "enabled"), (card, "lost"), ("enc!!unknown", "blocked")):
        with pytest.raises(xs2a.MisuseError):
            sandbox.set_card_status(card_account_id, status)


def test_after_close_every_call_is_misuse() -> None:
    sandbox = xs2a.Sandbox(now=NOW)
    tpp, clock, engine = sandbox.register_tpp("Acme Pay"), sandbox.clock, sandbox.engine
    image = sandbox.snapshot()
    sandbox.close()
    sandbox.close()
    calls: list[Callable[[], object]] = [
        lambda: sandbox.handle("GET", "/v1/accounts", []),
        lambda: sandbox.register_tpp("Acme Pay"),
        lambda: sandbox.tpp(tpp.organisation_id),
        lambda: sandbox.trust(tpp.certificate_pem),
        lambda: sandbox.authorise("https://sca.bank.example/sca/x"),
        sandbox.snapshot,
        lambda: sandbox.restore(image),
        sandbox.fork,
        sandbox.initialize,
        lambda: sandbox.set_card_status("enc!!x", "blocked"),
        lambda: sandbox.set_sca_demand("13039319955", "exempt"),
        sandbox.default_data,
        sandbox.populate,
        lambda: sandbox.ledger("86011117947"),
        sandbox.__enter__,
        clock.now,
        clock.advance_to_next_event,
        engine.run_due,
        engine.next_due,
        lambda: tpp.sign("GET", "/v1/accounts"),
    ]
    for call in calls:
        with pytest.raises(xs2a.MisuseError, match="closed"):
            call()
    assert tpp.name == "Acme Pay", "what needs no sandbox is still there"


def test_the_context_manager_closes_after_an_exception_too() -> None:
    with pytest.raises(KeyError), xs2a.Sandbox(now=NOW) as sandbox:
        raise KeyError
    with pytest.raises(xs2a.MisuseError):
        sandbox.clock.now()


def test_the_example_in_the_package_documentation_runs() -> None:
    assert doctest.testmod(xs2a) == (0, 2)


def test_a_sandbox_leaves_nothing_due_behind(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    sandbox.authorise(journey.created(sandbox, tpp)[1], customer_number=journey.PAYER)
    assert sandbox.engine.run_due() == xs2a.RunReport(submitted=0, failed=0)


def test_a_payment_cancelled_in_another_channel_is_not_carried_out(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    path, link = journey.created(sandbox, tpp)
    before = journey.balance(sandbox, journey.PAYER)
    sandbox.report_payment_status(path.rsplit("/", 1)[1], "CANC")
    assert journey.status(sandbox, tpp, path) == "CANC"
    query = callback_query(sandbox.authorise(link, customer_number=journey.PAYER))
    assert query["code"] == "CONFLICT"
    assert journey.balance(sandbox, journey.PAYER) == before


def test_unavailable_funds_are_reported(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, _ = journey.created(sandbox, tpp)
    sandbox.report_payment_status(path.rsplit("/", 1)[1], "RJCT", funds_available=False)
    assert journey.status(sandbox, tpp, path) == "RJCT"


@pytest.mark.parametrize("status", ["ACSC", "cancelled", ""])
def test_a_status_that_cannot_follow_is_misuse(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, status: str) -> None:
    path, _ = journey.created(sandbox, tpp)
    with pytest.raises(xs2a.MisuseError):
        sandbox.report_payment_status(path.rsplit("/", 1)[1], status)
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_a_report_of_a_payment_there_is_not_is_misuse(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.report_payment_status("enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "CANC")
