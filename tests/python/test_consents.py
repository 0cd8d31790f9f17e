"""A consent: the customer opens accounts to a TPP, and takes them back."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import payment_journey as journey
import pytest
import xs2a
from xs2a.client import Client

SESSION = [("TPP-Redirect-URI", journey.CALLBACK), ("TPP-Session-ID", "session-1")]


def start(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> str:
    """The link at which the customer chooses."""
    target = "/v1/bank-offered-consents"
    answer = sandbox.handle("POST", target, tpp.sign("POST", target, SESSION))
    assert answer.status == 201, answer.json()
    link: str = answer.json()["_links"]["scaRedirect"]["href"]
    return link


def consent(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, accounts: list[str] | None = None) -> str:
    """The customer opens these accounts, or all. The PSU-ID."""
    url = sandbox.authorise(start(sandbox, tpp), accounts=accounts)
    return parse_qs(urlsplit(url).query)["psu-id"][0]


def read(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, psu_id: str, target: str = "/v1/accounts") -> xs2a.Response:
    """One signed reading call for a customer."""
    return sandbox.handle("GET", target, tpp.sign("GET", target, [*SESSION, ("PSU-ID", psu_id)]))


def bbans(answer: xs2a.Response) -> list[str]:
    assert answer.status == 200, answer.json()
    return [account["bban"] for account in answer.json()["accounts"]]


@pytest.mark.parametrize(
    ("chosen", "opened", "cards"),
    [
        (None, ["95360573002", "95360573010"], 1),
        (["95360573010"], ["95360573010"], 0),
        (["NO0995360573002", "123456******0001"], ["95360573002"], 1),
    ],
)
def test_what_the_customer_chooses_is_opened(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, chosen: list[str] | None, opened: list[str], cards: int
) -> None:
    psu_id = consent(sandbox, tpp, chosen)
    assert bbans(read(sandbox, tpp, psu_id)) == opened
    assert len(read(sandbox, tpp, psu_id, "/v1/card-accounts").json()["cardAccounts"]) == cards


def test_what_the_sandbox_takes_of_a_card_is_read_back(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    client = Client(sandbox, tpp)
    shown = client.get("/v1/sandbox/card-accounts").json()["cardAccounts"][0]
    card = {name: value for name, value in shown.items() if name not in ("resourceId", "_links")}
    # Longer than what a bank of the host's own may answer.
    whole, long = "4111111111111111", "9" * 70
    made = client.post("/v1/sandbox/card-accounts", json={**card, "maskedPan": whole}).json()
    use = {
        "bookingDate": "2026-08-10",
        "transactionAmount": {"currency": "NOK", "amount": 120},
        "originalAmount": {"currency": "NOK", "amount": 120},
        "markupFee": {"currency": "NOK", "amount": 0},
        "cardAcceptorAddress": {"buildingNumber": long, "postalCode": long, "country": "NO"},
        "maskedPan": whole,
    }
    target = f"/v1/sandbox/card-accounts/{made['resourceId']}/transactions"
    assert client.post(target, json=[use]).status_code == 201
    psu_id = consent(sandbox, tpp)
    cards = read(sandbox, tpp, psu_id, "/v1/card-accounts").json()["cardAccounts"]
    (card_id,) = (card["resourceId"] for card in cards if card["maskedPan"] == whole)
    target = f"/v1/card-accounts/{card_id}/transactions?bookingStatus=booked"
    (booked,) = read(sandbox, tpp, psu_id, target).json()["cardTransactions"]["booked"]
    assert booked["cardAcceptorAddress"]["buildingNumber"] == long


@pytest.mark.parametrize("accounts", [["95360573037"], ["nothing"], []])
def test_an_account_that_is_not_offered_is_misuse(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, accounts: list[str]
) -> None:
    link = start(sandbox, tpp)
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise(link, accounts=accounts)
    assert "psu-id=" in sandbox.authorise(link)


def test_a_payment_offers_no_accounts_to_choose_from(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    link = journey.created(sandbox, tpp)[1]
    with pytest.raises(xs2a.MisuseError, match="accounts"):
        sandbox.authorise(link, accounts=["95360573002"])


def test_a_revoked_consent_is_over_until_the_customer_consents_again(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    for which in (tpp, tpp.organisation_id):
        psu_id = consent(sandbox, tpp)
        sandbox.revoke_consent(journey.PAYER, which)
        sandbox.revoke_consent(journey.PAYER, which)
        refused = read(sandbox, tpp, psu_id)
        assert (refused.status, refused.json()["tppMessages"][0]["code"]) == (403, "CONSENT_UNKNOWN")
        assert "scaRedirect" in refused.json()["_links"]


def test_revoking_at_another_tpp_changes_nothing(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    psu_id = consent(sandbox, tpp)
    sandbox.revoke_consent(journey.PAYER, sandbox.register_tpp("Other"))
    sandbox.revoke_consent(journey.PAYEE, tpp)
    assert read(sandbox, tpp, psu_id).status == 200


@pytest.mark.parametrize("customer_number", ["", "00000000000", "18129215603"])
def test_revoking_without_a_customer_is_misuse(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, customer_number: str
) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.revoke_consent(customer_number, tpp)


def test_a_tpp_is_named_by_itself_or_by_its_number(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(TypeError):
        sandbox.revoke_consent(journey.PAYER, 7)  # type: ignore[arg-type]


def test_an_sca_of_before_its_session_was_replaced_opens_none(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    def under(session: str) -> list[tuple[str, str]]:
        return [("TPP-Redirect-URI", journey.CALLBACK), ("TPP-Session-ID", session)]

    def begin(session: str) -> str:
        target = "/v1/bank-offered-consents"
        answer = sandbox.handle("POST", target, tpp.sign("POST", target, under(session)))
        link: str = answer.json()["_links"]["scaRedirect"]["href"]
        return link

    psu_id = parse_qs(urlsplit(sandbox.authorise(begin("old"))).query)["psu-id"][0]
    begun = begin("old")
    sandbox.authorise(begin("new"))
    assert "psu-id=" in sandbox.authorise(begun)
    for session, code in [("new", None), ("old", "SCA_INVALID")]:
        headers = [*under(session), ("PSU-ID", psu_id)]
        answer = sandbox.handle("GET", "/v1/accounts", tpp.sign("GET", "/v1/accounts", headers)).json()
        assert answer.get("tppMessages", [{"code": None}])[0]["code"] == code
