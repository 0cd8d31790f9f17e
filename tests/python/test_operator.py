"""What an operator asks of an engine, and blocking."""

from __future__ import annotations

import hashlib
import ssl
from datetime import timedelta
from typing import Any

import pytest
import xs2a
from gateway import gateway, payment
from toy_bank import KARI

READING = {"PSU_Context": "", "TPP_Session_ID": "reading"}


def test_consents_are_listed_and_revoked() -> None:
    with gateway() as own:
        psu_id = own.consent()["psu-id"]
        [row] = own.engine.consents(psu=KARI, tpp=own.tpp)
        assert (row["state"], row["psu"], row["purpose"]) == ("valid", KARI, "accountInformation")
        assert row["tppName"] == own.tpp.name
        assert "lastAccessAt" not in row
        known = {**READING, "PSU_ID": psu_id, "TPP_Session_ID": ""}
        assert own.call("GET", "/v1/accounts", **known).status == 200
        assert "lastAccessAt" in own.engine.consents()[0]
        own.consent()
        newest = own.engine.consents(limit=1)
        assert newest + own.engine.consents(after=newest[0]["id"]) == own.engine.consents()
        assert own.engine.revoke_consent(KARI, own.tpp) is True
        assert own.engine.revoke_consent(KARI, own.tpp) is False
        assert [row["state"] for row in own.engine.consents()] == ["revokedByPsu", "replaced"]
        assert own.engine.consents(psu="unknown") == []


def test_payments_are_listed_with_their_history() -> None:
    with gateway() as own:
        now = own.sandbox.clock.now()
        ids = [own.create(body=payment(amount))["paymentId"] for amount in ("1.00", "2.00", "3.00")]
        assert [row["id"] for row in own.engine.payments()] == ids[::-1]
        assert [row["id"] for row in own.engine.payments(after=ids[1])] == ids[:1]
        assert len(own.engine.payments(tpp=own.tpp, status="RCVD", created_from=now, limit=2)) == 2
        assert own.engine.payments(created_to=now) == []
        shown = own.engine.payment(ids[0])
        assert shown is not None
        assert (shown["order"]["instructedAmount"]["amount"], shown["events"]) == ("1.00", [])
        assert own.engine.payment("unknown") is None


def test_a_blocked_tpp_or_certificate_is_refused() -> None:
    with gateway() as own:
        sha256 = hashlib.sha256(ssl.PEM_cert_to_DER_cert(own.tpp.certificate_pem)).hexdigest()
        subjects: list[dict[str, Any]] = [{"tpp": own.tpp}, {"certificate": sha256}]
        for subject, reason in zip(subjects, ("TPP-03", "TPP-04")):
            until = own.sandbox.clock.now() + timedelta(minutes=1)
            own.engine.block(**subject, until=until, why="phishing")
            refused = own.call("GET", "/v1/accounts", **READING)
            assert (refused.status, refused.reason) == (403, reason)
            [row] = own.engine.blocked()
            assert row["why"] == "phishing"
            assert row["until"] == until.isoformat().replace("+00:00", "Z")
            assert own.engine.unblock(**subject) is True
            assert own.engine.unblock(**subject) is False
            assert own.call("GET", "/v1/accounts", **READING).reason == "AIS-01"
        assert own.engine.blocked() == []


def test_another_query_is_a_misuse() -> None:
    with gateway() as own:
        pages: list[dict[str, Any]] = [
            {"limit": 0},
            {"limit": -1},
            {"limit": 1001},
            {"after": "none"},
            {"psu": ""},
        ]
        for wrong in pages:
            with pytest.raises(xs2a.MisuseError):
                own.engine.consents(**wrong)
            with pytest.raises(xs2a.MisuseError):
                own.engine.payments(**wrong)
        with pytest.raises(xs2a.MisuseError, match="status"):
            own.engine.payments(status="DONE")
        both: dict[str, Any] = {"tpp": own.tpp, "certificate": "ab"}
        for wrong in ({}, both, {"certificate": "ab"}):
            with pytest.raises(xs2a.MisuseError):
                own.engine.block(**wrong)
        with pytest.raises(xs2a.MisuseError, match="later than now"):
            own.engine.block(tpp=own.tpp, until=own.sandbox.clock.now())


@pytest.mark.parametrize("limit", [-1, 0, 1001, 2**31, 2**63, 10**30, -(10**30)])
def test_a_limit_of_a_page_out_of_range_is_a_misuse(limit: int) -> None:
    with gateway() as own:
        for rows in (own.engine.consents, own.engine.payments):
            with pytest.raises(xs2a.MisuseError, match="limit"):
                rows(limit=limit)
