"""What the bank's pages say about who is asked, read without a browser."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode, urlsplit

import payment_journey as journey
import pytest
import xs2a

PROXY, COMPANY, COMPANY_ACCOUNT = "01085800481", "18129215603", "95360573118"
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Pages:
    """The pages of a payment that waits for its approval."""

    def __init__(self, sandbox: xs2a.Sandbox, account: str, context: str, **named: str) -> None:
        self.sandbox = sandbox
        tpp = sandbox.register_tpp("Acme Pay", roles=("PISP",))
        debtor = {"bban": account, "currency": "NOK"}
        body = json.dumps(journey.payment(sandbox, debtorAccount=debtor)).encode()
        headers = [(name, context if name == "PSU-Context" else value) for name, value in journey.HEADERS]
        headers += [(name.replace("_", "-"), value) for name, value in named.items()]
        signed = tpp.sign("POST", journey.INSTANT, headers, body)
        answer = sandbox.handle("POST", journey.INSTANT, signed, body)
        assert answer.status == 201, answer.json()
        link = urlsplit(answer.json()["_links"]["scaRedirect"]["href"])
        self.path, self.origin = link.path, f"{link.scheme}://{link.netloc}"

    def first(self, language: str = "en") -> str:
        return self.sandbox.handle("GET", self.path, {"Accept-Language": language}).body.decode()

    def sent(self, page: str, **fields: str) -> str:
        form = urlencode({**dict(HIDDEN.findall(page)), **fields, "action": "continue"}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        answer = self.sandbox.handle("POST", self.path, headers, form)
        assert answer.status == 200, answer.body
        return answer.body.decode()


def listed(page: str) -> list[str]:
    return re.findall(r"<dt>(\d+)</dt>", page)


def test_the_first_page_lists_who_can_be_entered(sandbox: xs2a.Sandbox) -> None:
    numbers = listed(Pages(sandbox, "95360573002", "PRIVATE").first())
    customers = sandbox.default_data()["customers"]
    private = {one["customerNumber"] for one in customers if one["customerType"] == "PRIVATE"}
    assert sorted(numbers) == sorted(private)


@pytest.mark.parametrize(
    ("account", "context", "named", "expected"),
    [
        ("95360573002", "PRIVATE", {"X_PSU_IDENTITY": journey.PAYER}, [journey.PAYER]),
        ("95360573002", "PRIVATE", {"X_PSU_IDENTITY": journey.PAYEE}, [journey.PAYEE]),
        ("95360573002", "PRIVATE", {"X_PSU_IDENTITY": "01010112345"}, []),
        (COMPANY_ACCOUNT, "CORPORATE", {}, [PROXY]),
    ],
)
def test_only_who_can_answer_is_listed(
    sandbox: xs2a.Sandbox, account: str, context: str, named: dict[str, str], expected: list[str]
) -> None:
    assert listed(Pages(sandbox, account, context, **named).first()) == expected


@pytest.mark.parametrize(
    ("language", "signed_in"), [("en", "Signed in as Prokura Test"), ("nb", "Logget inn som Prokura Test")]
)
def test_who_is_signed_in_is_shown_and_a_company_named_once(
    sandbox: xs2a.Sandbox, language: str, signed_in: str
) -> None:
    pages = Pages(sandbox, COMPANY_ACCOUNT, "CORPORATE", PSU_Accept_Language=language)
    first = pages.first(language)
    assert "Acme Pay" in first
    assert signed_in not in first
    roles = pages.sent(first, customerNumber=PROXY)
    (role,) = re.findall(r'value="(agreement:[^"]+)"[^>]*><span><b>[^<]*Fiktiv Handel AS', roles)
    question = pages.sent(roles, role=role)
    for page in (roles, question):
        assert f"{signed_in} ({PROXY})" in page
        assert page.count("Fiktiv Handel AS") == 1
        assert "Acme Pay" in page
