"""Erasing a person."""

from __future__ import annotations

import pytest
import xs2a
from gateway import gateway
from toy_bank import KARI


def test_a_person_is_erased_and_a_payment_stays() -> None:
    with gateway() as own:
        own.consent()
        created = own.create()
        own.approve(created)
        assert own.status(created) == "ACSC"
        done = own.engine.erase_psu(KARI)
        assert (done["erased"]["consents"], done["erased"]["psuIds"]) == (1, 1)
        payments, audit = done["kept"]
        assert (payments["what"], payments["count"], payments["until"][:10]) == ("payments", 1, "2032-09-01")
        assert (audit["what"], "until" in audit) == ("audit", False)
        assert own.engine.consents(psu=KARI) == []
        assert own.engine.erase_psu(KARI)["erased"]["consents"] == 0


def test_a_person_with_an_open_payment_is_refused() -> None:
    with gateway() as own:
        created = own.create()
        authorisation = created["_links"]["scaRedirect"]["href"].rsplit("/", 1)[1]
        own.engine.complete_sca(authorisation, "approved", person=KARI)
        with pytest.raises(xs2a.ConflictError, match=created["paymentId"]):
            own.engine.erase_psu(KARI)
