"""Links, sessions and consents that a node wrote whose clock is ahead of the others."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

import field_client as field
import payment_journey as journey
import pytest
import xs2a
from toy_bank import KARI, ToyBank

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
GIVEN = [
    ("TPP-Redirect-URI", journey.CALLBACK),
    ("TPP-Session-ID", "session-1"),
    ("PSU-IP-Address", "192.0.2.1"),
]


class Node:
    """An engine whose clock is put right after it was ahead; the TPP signs by the same clock."""

    def __init__(self, ahead: timedelta) -> None:
        root = field.authority("Field Root")
        self.tpp = field.leaf(root, ["PSP_AI", "PSP_PI"])
        self.now = NOW + ahead
        self.engine = xs2a.Engine(
            ToyBank(), database="sqlite::memory:", trust_anchors=root.pem, clock=lambda: self.now
        )

    def call(self, method: str, target: str, *headers: tuple[str, str]) -> xs2a.Response:
        return self.engine.handle(method, target, field.sign(self.tpp, [*GIVEN, *headers], b"", self.now))

    def link(self) -> str:
        answer = self.call("POST", "/v1/bank-offered-consents")
        href: str = answer.json()["_links"]["scaRedirect"]["href"]
        return href.rsplit("/", 1)[1]

    def consent(self) -> str:
        url = self.engine.complete_sca(self.link(), "approved", person=KARI)
        return parse_qs(urlsplit(url).query)["psu-id"][0]

    def read(self, psu_id: str, target: str = "/v1/accounts") -> xs2a.Response:
        return self.call("GET", target, ("PSU-ID", psu_id))


@pytest.mark.parametrize(
    ("seconds", "is_open"), [(0, True), (599, True), (600, False), (3600 * 24 * 90, False)]
)
def test_what_is_ten_minutes_ahead_counts_as_over(seconds: int, is_open: bool) -> None:
    node = Node(timedelta(seconds=seconds))
    link, psu_id = node.link(), node.consent()
    assert node.read(psu_id).status == 200
    node.now = NOW
    answer = node.read(psu_id)
    if is_open:
        assert answer.status == 200, json.dumps(answer.json())
        node.engine.complete_sca(link, "approved", person=KARI)
    else:
        assert answer.json()["tppMessages"][0]["code"] == "CONSENT_EXPIRED"
        with pytest.raises(xs2a.MisuseError):
            node.engine.complete_sca(link, "approved", person=KARI)


def test_a_session_of_ten_minutes_ahead_needs_an_sca_for_old_transactions() -> None:
    node = Node(timedelta(0))
    psu_id = node.consent()
    href: str = node.read(psu_id).json()["accounts"][0]["_links"]["transactions"]["href"]
    path = href.partition("?")[0]
    old = f"{path}?bookingStatus=booked&dateFrom=2026-01-01"
    assert node.read(psu_id, old).status == 200
    # The consent is of the right time, the session of an SCA for who the PSU is alone.
    node.now = NOW + timedelta(minutes=10)
    href = node.call("GET", "/v1/user").json()["_links"]["scaRedirect"]["href"]
    node.engine.complete_sca(href.rsplit("/", 1)[1], "approved", person=KARI)
    assert node.read(psu_id, old).status == 200
    node.now = NOW
    answer = node.read(psu_id, old)
    assert (answer.status, answer.json()["tppMessages"][0]["code"]) == (401, "SCA_EXPIRED")
