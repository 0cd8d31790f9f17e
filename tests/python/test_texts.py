"""Texts that a person must be able to see, and texts around a call: names of headers, byte-order marks."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import payment_journey as journey
import pytest
import xs2a
from xs2a.client import Client

# A soft hyphen, fillers, a braille blank, joiners, spaces of other widths, marks that turn the direction.
HIDDEN = (
    "\u00a0\u00ad\u034f\u115f\u1160\u180b\u180e\u2003\u200b\u200c"
    "\u200d\u202e\u2060\u2800\u3000\u3164\ufe0f\ufeff\uffa0"
)
DOMESTIC = "norwegian-domestic-credit-transfers"
FIELDS = [
    "/creditorName",
    "/ultimateDebtor",
    "/remittanceInformationUnstructured",
    "/creditorAddress/townName",
]


def faults(changed: dict[str, Any], repertoire: str) -> list[tuple[str, str]]:
    """Place and text of what a bank of that repertoire finds in the body of a payment."""
    with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1, policy={"repertoire": repertoire}) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay", roles=("PISP",))
        body = json.dumps(journey.payment(sandbox, **changed)).encode()
        target = f"/v1/payments/{DOMESTIC}"
        answer = sandbox.handle("POST", target, tpp.sign("POST", target, journey.HEADERS, body), body)
        messages = answer.json().get("tppMessages", [])
        assert (answer.status == 400) == bool(messages)
        return [(message["path"], message["text"]) for message in messages]


def with_text(path: str, text: str) -> dict[str, Any]:
    member, _, part = path.lstrip("/").partition("/")
    return {member: {"townName": "Oslo", "country": "NO", part: text} if part else text}


@pytest.mark.parametrize("path", FIELDS)
@pytest.mark.parametrize("repertoire", ["iso-8859-1", "bmp"])
def test_a_text_for_a_person_has_visible_characters_alone(path: str, repertoire: str) -> None:
    for character in HIDDEN:
        ((place, text),) = faults(with_text(path, f"Kari{character}Nordmann"), repertoire)
        assert place == path
        assert f"U+{ord(character):04X} at position 5 cannot be seen" in text
    for blank in (" ", "   ", *HIDDEN):
        ((place, text),) = faults(with_text(path, blank), repertoire)
        assert (place, "can be seen" in text) == (path, True)


def test_a_mark_alone_is_no_text_and_words_keep_their_joiners() -> None:
    assert faults({"creditorName": " \u0301"}, "bmp")
    assert not faults({"creditorName": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"}, "bmp")
    assert not faults({"creditorName": "\u0dc1\u0dca\u200d\u0dbb\u0dd3"}, "bmp")
    assert faults({"creditorName": "Ka\u200dri"}, "bmp")


def test_a_decomposed_letter_is_to_be_composed() -> None:
    ((_, text),) = faults({"creditorName": "A\u030asen"}, "iso-8859-1")
    assert "U+030A at position 2" in text
    assert "NFC" in text
    assert not faults({"creditorName": "\u00c5sen"}, "iso-8859-1")


def test_names_of_the_sandbox_are_seen(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    client = Client(sandbox, tpp)
    customer = {"customerNumber": "12345678901", "customerType": "PRIVATE", "customerName": "\u00a0"}
    assert client.post("/v1/sandbox/customers", json=customer).status_code == 400
    assert client.post("/v1/sandbox/customers", json={**customer, "customerName": "Kari"}).status_code == 201
    account = {"customerNumber": "12345678901", "currency": "NOK", "accountName": " ", "balances": []}
    assert client.post("/v1/sandbox/accounts", json=account).status_code == 400
    agreement = {"owner": "18129215603", "engagements": []}
    company = {"customerNumber": "18129215603", "currency": "NOK"}
    for text in ("\u00a0", " ", "a\u00adb", "\u3164", "a\u2800b"):
        assert client.post("/v1/sandbox/agreements", json={**agreement, "name": text}).status_code == 400
        for member in ("accountName", "product"):
            assert client.post("/v1/sandbox/accounts", json={**company, member: text}).status_code == 400
    for name in ("", " ", "\u00a0", "\u3164\u2800", "\n"):
        with pytest.raises(xs2a.MisuseError, match="name of a TPP"):
            sandbox.register_tpp(name, roles=("PISP",))


def test_a_bank_says_why_a_payment_is_on_hold_in_visible_characters(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    path, link = journey.created(sandbox, tpp, f"/v1/payments/{DOMESTIC}")
    sandbox.authorise(link, customer_number=journey.PAYER)
    payment_id = path.rsplit("/", 1)[1]
    for why in ("\u3164", "a\u00adb", "a\u2800b", "\u00a0", "a\nb", "x" * 401):
        with pytest.raises(xs2a.MisuseError, match="400 visible characters"):
            sandbox.hold(payment_id, why)
    sandbox.hold(payment_id, "x" * 400)


def test_the_sca_page_shows_visible_names_alone(sandbox: xs2a.Sandbox) -> None:
    tpp = sandbox.register_tpp("Ac\u00adme\u202e Pay\n", roles=("PISP",))
    body = json.dumps(journey.payment(sandbox)).encode()
    brand = "\u202eBr\u200dand\u00a0X\u3164".encode()
    headers: list[tuple[str, str | bytes]] = [*journey.HEADERS, ("TPP-Brand-Logging-Information", brand)]
    created = sandbox.handle("POST", journey.INSTANT, tpp.sign("POST", journey.INSTANT, headers, body), body)
    link = urlsplit(created.json()["_links"]["scaRedirect"]["href"])
    page = sandbox.handle("GET", link.path, {}).body.decode()
    assert "Acme Pay" in page
    assert "Brand X" in page
    # Sums are grouped by no-break spaces.
    assert not set(page) & (set(HIDDEN) - {"\u00a0"})


def test_a_header_name_is_as_long_as_a_value_may_be(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    target = "/v1/accounts"
    for length, reason in ((32 * 1024, None), (32 * 1024 + 1, "HDR-02"), (1 << 20, "HDR-02")):
        headers = [*tpp.sign("GET", target, journey.HEADERS), ("x" * length, "1")]
        answer = sandbox.handle("GET", target, headers)
        assert (answer.reason if answer.reason == "HDR-02" else None) == reason


def test_a_byte_order_mark_is_named(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    body = b"\xef\xbb\xbf" + json.dumps(journey.payment(sandbox)).encode()
    answer = sandbox.handle(
        "POST", journey.INSTANT, tpp.sign("POST", journey.INSTANT, journey.HEADERS, body), body
    )
    assert (answer.status, answer.reason) == (400, "JSN-02")
    assert "byte-order mark" in answer.json()["tppMessages"][0]["text"]
    with pytest.raises(xs2a.MisuseError, match="byte-order mark"):
        sandbox.import_json("\ufeff" + sandbox.export_json())


@pytest.mark.parametrize(
    "names", [["date,digest"], ["date", ""], ["date digest"], ["date:"], ["(date"], ["d\u00e5te"]]
)
def test_a_signing_string_has_names_of_headers_alone(names: list[str]) -> None:
    headers = dict.fromkeys(["date", *names], "x")
    with pytest.raises(xs2a.MisuseError):
        xs2a.signing_string("GET", "/", headers, names)


@pytest.mark.parametrize("zone", ["GMT", "UTC", "UT", "Z", "utc"])
def test_a_zone_of_zero_has_these_names(zone: str) -> None:
    assert (
        xs2a.parse_http_date(f"Tue, 01 Sep 2026 10:00:00 {zone}").isoformat() == "2026-09-01T10:00:00+00:00"
    )


@pytest.mark.parametrize("zone", ["CET", "A", "UTC+1", "ZZ"])
def test_other_names_of_zones_are_refused(zone: str) -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.parse_http_date(f"Tue, 01 Sep 2026 10:00:00 {zone}")
