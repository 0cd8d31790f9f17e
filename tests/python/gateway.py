"""A gateway in short: an engine over the toy bank, and a TPP to call it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import xs2a
from payment_journey import CALLBACK, HEADERS, INSTANT
from toy_bank import KARI, KARIS, OLAS, ToyBank

Json = dict[str, Any]
NOW = "2026-09-01T10:00:00Z"


class Gateway:
    """The engine's clock and the TPP's are those of a sandbox; its test PKI made the TPP's certificate."""

    def __init__(self, engine: xs2a.Engine, bank: Any, sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
        self.engine, self.bank, self.sandbox, self.tpp = engine, bank, sandbox, tpp

    def call(self, method: str, target: str, body: Any = None, **replaced: str) -> xs2a.Response:
        """A signed call; a header is named with ``_`` for ``-``, and left out where it is empty."""
        given = {name.replace("_", "-").lower(): value for name, value in replaced.items()}
        kept = [(name, value) for name, value in HEADERS if name.lower() not in given]
        headers = kept + [(name, value) for name, value in given.items() if value]
        raw = b"" if body is None else json.dumps(body).encode()
        return self.engine.handle(method, target, self.tpp.sign(method, target, headers, raw), raw)

    def create(self, target: str = INSTANT, body: Json | None = None, **replaced: str) -> Json:
        answer = self.call("POST", target, payment() if body is None else body, **replaced)
        assert answer.status == 201, (answer.reason, answer.json())
        created: Json = answer.json()
        return created

    def approve(self, answered: Json, person: str = KARI, **keywords: Any) -> dict[str, str]:
        """The PSU approves; what is due is delivered. The parameters of the call-back."""
        url = self.engine.complete_sca(authorisation_id(answered), "approved", person=person, **keywords)
        self.engine.run_due()
        return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}

    def status(self, created: Json) -> str:
        answer = self.call("GET", created["_links"]["status"]["href"])
        assert answer.status == 200, (answer.reason, answer.json())
        status: str = answer.json()["transactionStatus"]
        return status

    def consent(self, person: str = KARI, **keywords: Any) -> dict[str, str]:
        answer = self.call("POST", "/v1/bank-offered-consents", PSU_Context="")
        assert answer.status == 201, (answer.reason, answer.json())
        return self.approve(answer.json(), person, **keywords)


def authorisation_id(answered: Json) -> str:
    link: str = answered["_links"]["scaRedirect"]["href"]
    return link.rsplit("/", 1)[1]


def payment(amount: str = "250.00", payer: str = KARIS, **changed: Any) -> Json:
    return {
        "instructedAmount": {"amount": amount, "currency": "NOK"},
        "creditorName": "Testodius To",
        "creditorAccount": {"bban": OLAS, "currency": "NOK"},
        "creditorAddress": {"townName": "Oslo", "country": "NO"},
        "debtorAccount": {"bban": payer, "currency": "NOK"},
        "remittanceInformationUnstructured": "Invoice 1001",
        **changed,
    }


@contextmanager
def gateway(bank: Any = None, *, seed: int = 1, **keywords: Any) -> Iterator[Gateway]:
    """An engine at a known time over a bank, the toy one by default. Request ids are drawn from the seed."""
    bank = ToyBank() if bank is None else bank
    with xs2a.Sandbox(now=NOW, seed=seed) as sandbox:
        tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
        settings: dict[str, Any] = {
            "database": "sqlite::memory:",
            "trust_anchors": tpp.certificate_pem,
            "clock": sandbox.clock.now,
            "policy": {"account_check_digit": "warn", "statistics": False},
            **keywords,
        }
        with xs2a.Engine(bank, **settings) as engine:
            yield Gateway(engine, bank, sandbox, tpp)


__all__ = ["CALLBACK", "Gateway", "authorisation_id", "gateway", "payment"]
