"""The OpenAPI document of the interface: every answer is as it says, and no body that it refuses is taken."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import payment_journey as journey
import pytest
import xs2a
from full_bodies import (
    AGREEMENT,
    CARD,
    CARD_USE,
    CUSTOMER,
    ENGAGEMENT,
    LINE,
    MADE_ACCOUNT,
    PAYMENTS,
    PERSON,
)
from openapi_document import Document
from openapi_spec_validator import validate
from xs2a._command import main

Json = dict[str, Any]


class Bank:
    """A sandbox whose every answer is held against the document."""

    def __init__(self, sandbox: xs2a.Sandbox, document: Document) -> None:
        self.sandbox, self.document = sandbox, document
        self.tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
        self.psu = [("PSU-Context", "PRIVATE")]

    def ask(self, method: str, target: str, body: object = None) -> Any:
        """One signed call; the JSON of its answer, where there is one."""
        raw = b"" if body is None else json.dumps(body).encode()
        fields = [*(field for field in journey.HEADERS if field[0] != "PSU-Context"), *self.psu]
        fields = [field for field in fields if body is not None or field[0] != "Content-Type"]
        answer = self.sandbox.handle(method, target, self.tpp.sign(method, target, fields, raw), raw)
        self.document.check(method, target, answer)
        assert answer.status < 400, answer.json()
        return answer.json() if answer.body else None

    def sca(self, reply: Json, **choice: Any) -> dict[str, str]:
        """The PSU agrees. Returns the parameters of the call-back."""
        url = self.sandbox.authorise(reply["_links"]["scaRedirect"]["href"], **choice)
        return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}

    def known(self, reply: Json, context: str, **choice: Any) -> None:
        """The same; the PSU is named from now on."""
        named = self.sca(reply, context=context, **choice)
        self.psu = [("PSU-ID", named["psu-id"]), ("PSU-Context", context)]
        if "psu-corporate-id" in named:
            self.psu.append(("PSU-Corporate-ID", named["psu-corporate-id"]))


@pytest.fixture
def document() -> Document:
    return Document()


@pytest.fixture
def bank(sandbox: xs2a.Sandbox, document: Document) -> Bank:
    return Bank(sandbox, document)


@pytest.mark.parametrize("environment", ["sandbox", "production"])
def test_it_is_an_openapi_document(environment: str) -> None:
    validate(xs2a.openapi(environment=environment))  # type: ignore[arg-type]


def test_an_environment_there_is_not_is_refused() -> None:
    with pytest.raises(xs2a.MisuseError, match="moon"):
        xs2a.openapi(environment="moon")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("base_path", "url"), [("", "/"), ("/", "/"), ("/psd2", "/psd2"), ("/psd2/api/", "/psd2/api")]
)
def test_a_base_path_is_read_as_a_sandbox_reads_it(base_path: str, url: str) -> None:
    assert xs2a.openapi(base_path=base_path)["servers"] == [{"url": url}]
    with xs2a.Sandbox(base_path=base_path) as sandbox:
        assert (sandbox.base_path or "/") == url


def test_a_base_path_that_is_none_is_refused() -> None:
    with pytest.raises(xs2a.ConfigError, match="base_path"):
        xs2a.openapi(base_path="psd2")


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openapi", "--production", "--base-path", "/psd2"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == xs2a.openapi(environment="production", base_path="/psd2")
    assert printed["servers"] == [{"url": "/psd2"}]


def test_the_committed_one_is_a_sandboxs() -> None:
    committed = Path(__file__).parents[2] / "docs/openapi.json"
    assert json.loads(committed.read_text(encoding="utf-8")) == xs2a.openapi()


# ------------------------------------------------------------------ answers


def test_every_operation_answers_as_the_document_says(bank: Bank) -> None:
    payments(bank)
    baskets(bank)
    cards = the_sandboxs_own(bank)
    accounts(bank)
    bank.ask("DELETE", f"/v1/sandbox/card-accounts/{cards}")
    bank.ask("POST", "/v1/sandbox/initialize", {})

    document = bank.document
    reply = {
        (name, status)
        for name, operation in document.operations.items()
        for status in operation["responses"]
        if status.startswith("2")
    }
    assert set(document.described) == reply
    wanted = set.union(*(document.members(schema) for schema in answered(document)))
    # Details of a payment repeat its request; the members of a refusal are checked below.
    wanted = {(name, member) for name, member in wanted if not name.endswith("Body")}
    wanted -= document.members({"$ref": "#/components/schemas/Refusal"})
    assert wanted - document.seen == {("Transaction", "endToEndId")}, "the sandbox has none"


def answered(document: Document) -> Iterator[Json]:
    for operation in document.operations.values():
        for response in operation["responses"].values():
            if "content" in response:
                yield response["content"]["application/json"]["schema"]


def payments(bank: Bank) -> None:
    for product, body in PAYMENTS.items():
        target = f"/v1/{product}?allowLogicalDuplicate=true"
        given_up = bank.ask("POST", target, {**body, "extra": "warned of"})
        bank.ask("DELETE", f"/v1/{product}/{given_up['paymentId']}")

        path = f"/v1/{product}/{bank.ask('POST', target, body)['paymentId']}"
        bank.ask("GET", path)
        bank.sca(bank.ask("POST", f"{path}/authorisations"))
        bank.ask("GET", f"{path}/status")
        if "instant" not in product:
            assert "startAuthorisation" in bank.ask("DELETE", path)["_links"]
            bank.ask("POST", f"{path}/cancellation-authorisations")
    bank.sandbox.clock.set("2026-09-03T18:00:00Z")


def baskets(bank: Bank) -> None:
    def basket() -> str:
        product = "payments/instant-norwegian-domestic-credit-transfers"
        target = f"/v1/{product}?allowLogicalDuplicate=true"
        ids = [bank.ask("POST", target, PAYMENTS[product])["paymentId"]]
        return (
            f"/v1/signing-baskets/{bank.ask('POST', '/v1/signing-baskets', {'paymentIds': ids})['basketId']}"
        )

    bank.known(bank.ask("GET", "/v1/user"), "PRIVATE")
    bank.ask("GET", "/v1/users")
    given_up, path = basket(), basket()
    bank.ask("DELETE", given_up)
    bank.ask("GET", path)
    bank.ask("GET", f"{path}/status")
    bank.sca(bank.ask("POST", f"{path}/authorisations"))


def the_sandboxs_own(bank: Bank) -> str:
    """All of it, but the reset. The card account that it made for the first person."""
    root = "/v1/sandbox"
    customer = bank.ask("POST", f"{root}/customers", CUSTOMER)["customerId"]
    bank.ask("GET", f"{root}/customers?includeAccounts=true&includeAgreements=true")
    bank.ask("GET", f"{root}/customers/{customer}")

    balances = [
        {**MADE_ACCOUNT["balances"][0], "balanceType": kind} for kind in ("closingBooked", "expected")
    ]
    owner = {"customerNumber": CUSTOMER["customerNumber"]}
    made = bank.ask("POST", f"{root}/accounts", {**MADE_ACCOUNT, **owner})
    account = f"{root}/accounts/{made['id']}"
    bank.ask("GET", f"{root}/accounts")
    bank.ask("GET", account)
    bank.ask("PUT", f"{account}/balances", balances)
    line = {**LINE, "debtorAccount": {"bban": made["bban"], "iban": ""}}
    (made,) = bank.ask("POST", f"{account}/transactions", [line])
    bank.ask("GET", f"{account}/transactions?fromDate=2026-08-01&toDate=2026-08-31&offset=0&limit=1")
    bank.ask("GET", f"{account}/transactions/{made['id']}")
    bank.ask("DELETE", f"{account}/transactions")
    bank.ask("DELETE", account)

    made = bank.ask("POST", f"{root}/card-accounts", CARD)["resourceId"]
    bank.ask("GET", f"{root}/card-accounts")
    bank.ask("GET", f"{root}/card-accounts/{made}")
    bank.ask("PUT", f"{root}/card-accounts/{made}/balances", balances)
    bank.ask("POST", f"{root}/card-accounts/{made}/transactions", [CARD_USE, CARD_USE])
    bank.ask("GET", f"{root}/card-accounts/{made}/transactions?bookingStatus=both")

    agreement = bank.ask("POST", f"{root}/agreements", AGREEMENT)["id"]
    bank.ask("GET", f"{root}/agreements")
    bank.ask("GET", f"{root}/agreements/{agreement}")
    engaged = {**ENGAGEMENT, "customer": CUSTOMER["customerNumber"]}
    more = bank.ask("POST", f"{root}/agreements/{agreement}/engagements", engaged)
    bank.ask("DELETE", f"{root}/agreements/{agreement}/engagements/{more['id']}")
    bank.ask("DELETE", f"{root}/agreements/{agreement}")
    bank.ask("DELETE", f"{root}/customers/{customer}")
    return str(made)


def accounts(bank: Bank) -> None:
    bank.known(bank.ask("POST", "/v1/bank-offered-consents"), "PRIVATE", customer_number=PERSON)
    bank.ask("POST", "/v1/consents")
    listed = bank.ask("GET", "/v1/accounts?withBalance=true")["accounts"]
    account = f"/v1/accounts/{listed[0]['resourceId']}"
    bank.ask("GET", account)
    bank.ask("GET", f"{account}/balances")
    page = f"{account}/transactions?bookingStatus=both&dateFrom=2026-08-01&limit=1"
    bank.ask("GET", page)
    while page:
        reply = bank.ask("GET", page)["transactions"]
        for line in reply["booked"]:
            bank.ask("GET", f"{account}/transactions/{line['transactionId']}")
        page = reply["_links"].get("next", {}).get("href", "")

    for card in bank.ask("GET", "/v1/card-accounts")["cardAccounts"]:
        path = f"/v1/card-accounts/{card['resourceId']}"
        bank.ask("GET", path)
        bank.ask("GET", f"{path}/balances")
        bank.ask("GET", f"{path}/transactions?bookingStatus=both&offset=1&limit=1")
        bank.ask("GET", f"{path}/transactions?bookingStatus=all&limit=1")

    bank.psu = []
    person = bank.sandbox.default_data()["engagedPerson"]
    choice = {"customer_number": person["customerNumber"], "agreement": person["agreements"][0]}
    bank.known(bank.ask("POST", "/v1/bank-offered-consents"), "CORPORATE", **choice)
    bank.ask("GET", "/v1/agreements")
    (account, *_) = bank.ask("GET", "/v1/accounts")["accounts"]
    bank.ask("GET", f"/v1/accounts/{account['resourceId']}/transactions?bookingStatus=both")


# ------------------------------------------------------------------ refusals


def test_every_code_is_refused_as_the_document_says(sandbox: xs2a.Sandbox, document: Document) -> None:
    codes = document.document["components"]["schemas"]["TppMessage"]["properties"]["code"]["enum"]
    for code in codes:
        with sandbox.fork() as fork:
            try:
                asked = fork.provoke(code)
            except xs2a.MisuseError:
                assert code == "PSU_CREDENTIALS_INVALID"  # reported in a call-back
                continue
            answer = fork.handle(asked.method, asked.target, asked.headers, asked.body)
            if answer.json()["tppMessages"][0]["code"] in ("NOT_FOUND", "PRODUCT_UNKNOWN", "PRODUCT_INVALID"):
                continue  # of a path that the document has not
            document.check(asked.method, asked.target, answer)
    assert document.members({"$ref": "#/components/schemas/Refusal"}) <= document.seen


# ------------------------------------------------------------------ bodies

TEXTS: list[object] = ["", " ", "x", "X" * 36, "ø" * 71, "1" * 141, "2026-13-01", "closingbooked", "true"]
OTHERS: list[object] = [None, 0, 1, -1, 2**31, 1.5, True, [], [{}], [1], {}, {"a": 1}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Each place within a body."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for name, member in members:
        yield (*path, name)
        yield from places(member, (*path, name))


def changed(body: Any, place: tuple[Any, ...], value: object) -> Any:
    """The body with something else at a place, or, for ``...``, without it."""
    body = copy.deepcopy(body)
    holder = body
    for name in place[:-1]:
        holder = holder[name]
    if value is ...:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return body


@pytest.mark.parametrize("product", PAYMENTS)
def test_no_payment_is_taken_that_the_document_refuses(product: str, document: Document) -> None:
    schema, body = document.body("POST", f"/v1/{product}"), PAYMENTS[product]
    service, name = product.split("/")

    def is_taken(sent: Any) -> bool:
        found = xs2a.validate_payment(service, name, json.dumps(sent), at="2026-09-01T10:00:00Z")
        return all(message.category == "WARNING" for message in found)

    assert is_taken(body)
    assert document.is_body(schema, body)
    for place in places(body):
        for value in [*TEXTS, *OTHERS, ...]:
            sent = changed(body, place, value)
            fits = document.is_body(schema, sent)
            assert fits or not is_taken(sent), (place, value)
            # What is no text has one form alone: both say the same of it.
            if value in OTHERS and value is not None:
                assert fits == is_taken(sent), (place, value)


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/v1/sandbox/customers", CUSTOMER),
        ("/v1/sandbox/accounts", MADE_ACCOUNT),
        ("/v1/sandbox/accounts/{account}/transactions", [LINE]),
        ("/v1/sandbox/card-accounts", CARD),
        ("/v1/sandbox/card-accounts/{card}/transactions", [CARD_USE]),
        ("/v1/sandbox/agreements", AGREEMENT),
        ("/v1/signing-baskets", {"paymentIds": ["{payment}"]}),
    ],
)
def test_nothing_is_made_that_the_document_refuses(bank: Bank, target: str, body: Any) -> None:
    customer = bank.sandbox.default_data()["customers"][0]
    bank.known(bank.ask("GET", "/v1/user"), "PRIVATE")
    product = "payments/instant-norwegian-domestic-credit-transfers"
    payment = bank.ask("POST", f"/v1/{product}", PAYMENTS[product])["paymentId"]
    target = target.replace("{account}", customer["accounts"][0]["resourceId"])
    target = target.replace("{card}", customer["cardAccounts"][0]["resourceId"])
    body = json.loads(json.dumps(body).replace("{payment}", payment))
    schema = bank.document.body("POST", target)

    def is_taken(sent: Any) -> bool:
        with bank.sandbox.fork() as fork:
            raw = json.dumps(sent).encode()
            fields = [*(field for field in journey.HEADERS if field[0] != "PSU-Context"), *bank.psu]
            tpp = fork.tpp(bank.tpp.organisation_id)
            return fork.handle("POST", target, tpp.sign("POST", target, fields, raw), raw).status == 201

    assert bank.document.is_body(schema, body)
    assert is_taken(body)
    for place in places(body):
        for value in [*TEXTS, *OTHERS, ...]:
            sent = changed(body, place, value)
            assert bank.document.is_body(schema, sent) or not is_taken(sent), (place, value)
