"""The bank's SCA site in a real browser: by mouse, by keyboard, without script, on a telephone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import xs2a
from payment_journey import HEADERS, INSTANT, PAYER, payment, status
from sca_browser import Bank, Person, Tpp, chromium, listening
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

PROXY, COMPANY_ACCOUNT = "01085800481", "95360573118"
COMPANY = "Nettbank bedrift Fiktiv Handel AS"


@pytest.fixture
def tpp_site() -> Iterator[Tpp]:
    site = Tpp()
    with listening(site.answer) as site.port:
        yield site


@pytest.fixture
def app_site() -> Iterator[Tpp]:
    """Where the TPP shows its pages: another origin than that of its callback."""
    site = Tpp()
    site.pages["/paid"] = b"<!DOCTYPE html><title>App</title><p>thank you from the app</p>"
    with listening(site.answer) as site.port:
        yield site


@pytest.fixture
def bank(sandbox: xs2a.Sandbox) -> Iterator[Bank]:
    bank = Bank(sandbox)
    with listening(bank.answer) as bank.port:
        yield bank


def person(tmp_path_factory: pytest.TempPathFactory, language: str, scripts: bool) -> Iterator[Person]:
    browser = chromium(tmp_path_factory.mktemp("profile"), language, scripts)
    yield Person(browser)
    browser.quit()


@pytest.fixture(scope="module")
def psu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Whose browser runs no script."""
    yield from person(tmp_path_factory, "en", scripts=False)


@pytest.fixture(scope="module")
def norwegian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    yield from person(tmp_path_factory, "nb-NO,nb", scripts=False)


@pytest.fixture
def traveller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Whose browser is thrown away: one that asks whether to open an app takes no keys any more."""
    yield from person(tmp_path_factory, "en", scripts=False)


@pytest.fixture(scope="module")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Whose browser runs the scripts that measure."""
    yield from person(tmp_path_factory, "en", scripts=True)


class WaitingPayment:
    """A payment that waits for its PSU."""

    def __init__(
        self, bank: Bank, tpp: xs2a.Tpp, callback: str, context: str = "PRIVATE", **changed: Any
    ) -> None:
        replaced = {"TPP-Redirect-URI": callback, "PSU-Context": context}
        headers = [(name, replaced.get(name, value)) for name, value in HEADERS]
        body = json.dumps(payment(bank.sandbox, **changed)).encode()
        answer = bank.sandbox.handle("POST", INSTANT, tpp.sign("POST", INSTANT, headers, body), body)
        assert answer.status == 201, answer.json()
        self._bank, self._tpp = bank, tpp
        self._path = f"{INSTANT}/{answer.json()['paymentId']}"
        self.address = bank.at(answer.json()["_links"]["scaRedirect"]["href"])

    @property
    def status(self) -> str:
        return status(self._bank.sandbox, self._tpp, self._path)


def of_company(bank: Bank, tpp: xs2a.Tpp, callback: str) -> WaitingPayment:
    account = {"bban": COMPANY_ACCOUNT, "currency": "NOK"}
    return WaitingPayment(bank, tpp, callback, "CORPORATE", debtorAccount=account)


def test_a_psu_pays_and_returns_to_the_tpp(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.comes_to("Confirm who you are")
    assert f"Test customers you can enter\n{PAYER}\n" in psu.sees
    psu.identifies(PAYER)
    psu.comes_to("Approve payment")
    for shown in (
        "Signed in as ",
        f"({PAYER})",
        "NOK 250.00",
        "Testodius To",
        "9536 05 73037",
        "Invoice 1001",
    ):
        assert shown in psu.sees
    psu.presses("Approve payment")
    psu.waits_for("back at the TPP")
    assert tpp_site.came_back is not None
    assert tpp_site.came_back.startswith("/callback?state=42&psu-id=")
    assert waiting.status == "ACSC"
    assert psu.complaints == []


def test_the_keyboard_alone_is_enough(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person) -> None:
    waiting = of_company(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.types(PROXY)  # the field has the focus from the start
    psu.presses_enter()
    psu.comes_to("Who do you act for?")
    psu.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    psu.types(Keys.SPACE)
    assert psu.focus.get_attribute("name") == "role"
    psu.presses_enter()
    psu.comes_to("Approve payment")
    assert COMPANY in psu.sees
    assert psu.sees.count("Fiktiv Handel AS") == 1
    psu.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert psu.focus.text == "Approve payment"
    psu.presses_enter()
    psu.waits_for("back at the TPP")
    assert waiting.status == "ACSC"


def test_cancelling_leads_back_too(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.presses("Cancel")  # although nothing was typed
    psu.waits_for("back at the TPP")
    assert "code=SCA_INVALID" in str(tpp_site.came_back)
    assert waiting.status == "RCVD"
    psu.opens(waiting.address)
    psu.comes_to("This link was used already")


def test_a_typing_error_is_reported_and_corrected(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person
) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.identifies("1303931995x")
    assert psu.browser.title.startswith("Error: ")
    assert psu.browser.find_element(By.CSS_SELECTOR, "[role=alert]").is_displayed()
    assert psu.focus.get_attribute("aria-invalid") == "true"
    assert psu.focus.get_attribute("value") == "1303931995x"
    psu.types(Keys.END, Keys.BACKSPACE, "5")
    psu.presses_enter()
    psu.comes_to("Approve payment")


def test_going_back_and_forth_does_no_harm(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.identifies(PAYER)
    psu.browser.back()
    psu.comes_to("Confirm who you are")
    psu.browser.find_element(By.NAME, "customerNumber").clear()
    psu.identifies(PAYER)
    psu.presses("Approve payment")
    psu.waits_for("back at the TPP")
    assert waiting.status == "ACSC"


def test_bokmal_for_a_browser_that_asks_for_it(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, norwegian: Person
) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    norwegian.opens(waiting.address)
    assert norwegian.browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "nb"
    norwegian.comes_to("Bekreft hvem du er")
    norwegian.identifies(PAYER)
    assert "250,00 NOK" in norwegian.sees
    norwegian.presses("Godkjenn betalingen")
    norwegian.waits_for("back at the TPP")
    assert waiting.status == "ACSC"


def test_hostile_names_are_shown_as_they_are_written(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person
) -> None:
    hostile = "</dd><script>document.title='taken'</script><b>x"
    message = "<img src=x onerror=\"document.title='taken'\">"
    waiting = WaitingPayment(
        bank, tpp, tpp_site.callback, creditorName=hostile, remittanceInformationUnstructured=message
    )
    auditor.opens(waiting.address)
    auditor.identifies(PAYER)
    assert hostile in auditor.sees
    assert message in auditor.sees
    assert auditor.browser.title == "Approve payment – Sandbox bank"
    assert auditor.browser.find_elements(By.CSS_SELECTOR, "script, img, main b") == []


def test_a_callback_that_redirects_to_another_origin_works(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, app_site: Tpp, psu: Person
) -> None:
    # Browsers hold form-action against each redirect that follows a form, not against the first alone.
    tpp_site.sends_on_to = f"http://localhost:{app_site.port}/paid"
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    psu.opens(waiting.address)
    psu.identifies(PAYER)
    psu.presses("Approve payment")
    psu.waits_for("thank you from the app")
    assert tpp_site.came_back is not None
    assert "psu-id=" in tpp_site.came_back
    assert "/paid" in app_site.called
    assert waiting.status == "ACSC"
    assert psu.complaints == []


def test_a_tpp_with_a_scheme_of_its_own_is_called_back(bank: Bank, tpp: xs2a.Tpp, traveller: Person) -> None:
    waiting = WaitingPayment(bank, tpp, "com.example.app:/callback?state=42")
    ended: list[str] = []

    def watched(name: str, value: str) -> str:
        if name == "Location":
            ended.append(value)
        return value

    bank.change_header = watched
    traveller.opens(waiting.address)
    traveller.identifies(PAYER)
    traveller.clicks("Approve payment")
    WebDriverWait(traveller.browser, 10).until(lambda _: ended)
    assert ended[0].startswith("com.example.app:/callback?state=42&psu-id=")
    assert waiting.status == "ACSC"
    assert not any("Content Security Policy" in said for said in traveller.complaints)


def test_another_site_can_neither_send_the_form_nor_frame_the_page(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person
) -> None:
    waiting = WaitingPayment(bank, tpp, tpp_site.callback)
    auditor.opens(waiting.address)
    auditor.identifies(PAYER)
    # A TPP that knows every field, the token too, and sends the person's browser.
    fields = auditor.browser.find_elements(By.CSS_SELECTOR, "input[type=hidden]")
    hidden = "".join(str(field.get_attribute("outerHTML")) for field in fields)
    tpp_site.pages["/attack"] = (
        f"<!DOCTYPE html><form method=post action='{waiting.address}'>{hidden}"
        "<button name=action value=continue>win</button></form>"
    ).encode()
    auditor.opens(f"http://localhost:{tpp_site.port}/attack")
    auditor.presses("win")
    auditor.waits_for("This did not come from our page")
    assert waiting.status == "RCVD"

    tpp_site.pages["/frame"] = f"<!DOCTYPE html><iframe src='{waiting.address}'></iframe>".encode()
    auditor.opens(f"http://localhost:{tpp_site.port}/frame")
    auditor.complains_of("frame-ancestors")
    auditor.browser.switch_to.frame(auditor.browser.find_element(By.TAG_NAME, "iframe"))
    auditor.does_not_see("Confirm")


class Consent:
    """A TPP that asks to see accounts."""

    TARGET = "/v1/bank-offered-consents"

    def __init__(self, bank: Bank, tpp: xs2a.Tpp, callback: str) -> None:
        self._bank, self._tpp = bank, tpp
        self._headers = [("TPP-Session-ID", "session-1"), ("TPP-Redirect-URI", callback)]
        answer = self._call("POST", self.TARGET)
        assert answer.status == 201, answer.json()
        self.address = bank.at(answer.json()["_links"]["scaRedirect"]["href"])

    def _call(self, method: str, target: str, *more: tuple[str, str]) -> xs2a.Response:
        headers = self._tpp.sign(method, target, [*self._headers, *more])
        return self._bank.sandbox.handle(method, target, headers)

    def opened(self, callback: str) -> list[str]:
        """What the TPP gets to see after the walk: account numbers and masked cards."""
        psu_id = parse_qs(urlsplit(callback).query)["psu-id"][0]
        who = ("PSU-ID", psu_id), ("PSU-IP-Address", "192.0.2.1")
        accounts = self._call("GET", "/v1/accounts", *who).json()["accounts"]
        cards = self._call("GET", "/v1/card-accounts", *who).json()["cardAccounts"]
        return [account["bban"] for account in accounts] + [card["maskedPan"] for card in cards]


def test_a_psu_opens_all_accounts_that_stay_ticked(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person
) -> None:
    consent = Consent(bank, tpp, tpp_site.callback)
    psu.opens(consent.address)
    psu.identifies(PAYER)
    psu.comes_to("Let Acme Pay see your accounts")
    boxes = psu.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]")
    assert len(boxes) == 3
    assert all(box.is_selected() for box in boxes)
    psu.chooses("9536\u00a005\u00a073010")
    psu.presses("Give access")
    psu.waits_for("back at the TPP")
    assert consent.opened(str(tpp_site.came_back)) == ["95360573002", "123456******0001"]


def test_an_empty_choice_is_corrected_by_keyboard(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, psu: Person
) -> None:
    consent = Consent(bank, tpp, tpp_site.callback)
    psu.opens(consent.address)
    psu.identifies(PAYER)
    for box in psu.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]"):
        box.send_keys(Keys.SPACE)
    psu.presses("Give access")
    assert psu.browser.title.startswith("Error: ")
    assert "Choose at least one account or card" in psu.sees
    psu.browser.find_element(By.CSS_SELECTOR, "[role=alert] a").send_keys(Keys.ENTER)
    psu.browser.find_element(By.CSS_SELECTOR, "input[type=checkbox]").send_keys(Keys.SPACE)
    psu.presses("Give access")
    psu.waits_for("back at the TPP")
    assert consent.opened(str(tpp_site.came_back)) == ["95360573002"]


@pytest.mark.parametrize("width", [1280, 320])
def test_every_page_is_accessible(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person, width: int
) -> None:
    """axe finds no barrier, and no page is wider than the screen (WCAG 2.2: 1.4.10, 320 pixels)."""

    def looks_at(name: str) -> None:
        assert auditor.barriers() == [], name
        assert not auditor.scrolls_sideways(), name
        auditor.takes_picture(f"{name}-{width}")
        auditor.is_as_wide_as(width)

    auditor.is_as_wide_as(width)
    waiting = of_company(bank, tpp, tpp_site.callback)
    auditor.opens(waiting.address)
    looks_at("identify")
    auditor.identifies("x")
    looks_at("identify-again")
    auditor.browser.find_element(By.NAME, "customerNumber").clear()
    auditor.identifies(PROXY)
    looks_at("role")
    auditor.chooses(COMPANY)
    auditor.presses("Continue")
    looks_at("approve")
    auditor.opens(f"{waiting.address}x")
    looks_at("unknown")
    consent = Consent(bank, tpp, tpp_site.callback)
    auditor.opens(consent.address)
    auditor.identifies(PAYER)
    looks_at("consent")
    for box in auditor.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]"):
        box.click()
    auditor.presses("Give access")
    looks_at("consent-again")
