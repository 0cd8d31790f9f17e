"""The bank may demand an SCA that the rules do not ask for, and exempt from one that they do."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import payment_journey as journey
import pytest
import xs2a


def known(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> list[tuple[str, str]]:
    """The headers of a call for the payer, who has opened everything."""
    target = "/v1/bank-offered-consents"
    started = sandbox.handle("POST", target, tpp.sign("POST", target, journey.HEADERS))
    url = sandbox.authorise(started.json()["_links"]["scaRedirect"]["href"])
    psu_id = parse_qs(urlsplit(url).query)["psu-id"][0]
    return [*(pair for pair in journey.HEADERS if pair[0] != "PSU-Context"), ("PSU-ID", psu_id)]


def test_what_the_bank_demands_is_asked_for_until_it_is_done(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    headers = known(sandbox, tpp)

    def read() -> xs2a.Response:
        return sandbox.handle("GET", "/v1/accounts", tpp.sign("GET", "/v1/accounts", headers))

    assert read().status == 200
    sandbox.set_sca_demand(journey.PAYER, "demanded")
    refused = read()
    assert (refused.status, refused.reason) == (401, "AIS-13")
    sandbox.authorise(refused.json()["_links"]["scaRedirect"]["href"])
    assert read().status == 200


@pytest.mark.parametrize(
    ("demand", "answered", "later"), [("exempt", "PDNG", "ACSC"), ("as_ruled", "RCVD", "RCVD")]
)
def test_an_exempted_payment_needs_no_sca(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, demand: str, answered: str, later: str
) -> None:
    headers = known(sandbox, tpp)
    sandbox.set_sca_demand(journey.PAYER, demand)
    raw = json.dumps(journey.payment(sandbox)).encode()
    signed = tpp.sign("POST", journey.INSTANT, headers, raw)
    created = sandbox.handle("POST", journey.INSTANT, signed, raw).json()
    assert created["transactionStatus"] == answered
    path = f"{journey.INSTANT}/{created['paymentId']}"
    assert journey.status(sandbox, tpp, path) == later


@pytest.mark.parametrize(
    ("customer_number", "demand"), [("18129215603", "exempt"), ("0", "exempt"), (journey.PAYER, "maybe")]
)
def test_an_unknown_demand_or_number_is_misuse(
    sandbox: xs2a.Sandbox, customer_number: str, demand: str
) -> None:
    with pytest.raises(xs2a.MisuseError):
        sandbox.set_sca_demand(customer_number, demand)
