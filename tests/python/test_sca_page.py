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
def somebody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
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


class Errand:
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


def of_company(bank: Bank, tpp: xs2a.Tpp, callback: str) -> Errand:
    account = {"bban": COMPANY_ACCOUNT, "currency": "NOK"}
    return Errand(bank, tpp, callback, "CORPORATE", debtorAccount=account)


def test_somebody_pays_and_comes_back_to_the_tpp(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person
) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.comes_to("Confirm who you are")
    assert f"Test customers you can enter\n{PAYER}\n" in somebody.sees
    somebody.identifies(PAYER)
    somebody.comes_to("Approve payment")
    for shown in (
        "Signed in as ",
        f"({PAYER})",
        "NOK 250.00",
        "Testodius To",
        "9536 05 73037",
        "Invoice 1001",
    ):
        assert shown in somebody.sees
    somebody.presses("Approve payment")
    somebody.waits_for("back at the TPP")
    assert tpp_site.came_back is not None
    assert tpp_site.came_back.startswith("/callback?state=42&psu-id=")
    assert errand.status == "ACSC"
    assert somebody.complaints == []


def test_the_keyboard_alone_is_enough(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person) -> None:
    errand = of_company(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.types(PROXY)  # the field has the focus from the start
    somebody.presses_enter()
    somebody.comes_to("Who do you act for?")
    somebody.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    somebody.types(Keys.SPACE)
    assert somebody.focus.get_attribute("name") == "role"
    somebody.presses_enter()
    somebody.comes_to("Approve payment")
    assert COMPANY in somebody.sees
    assert somebody.sees.count("Fiktiv Handel AS") == 1
    somebody.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert somebody.focus.text == "Approve payment"
    somebody.presses_enter()
    somebody.waits_for("back at the TPP")
    assert errand.status == "ACSC"


def test_cancelling_leads_back_too(bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.presses("Cancel")  # although nothing was typed
    somebody.waits_for("back at the TPP")
    assert "code=SCA_INVALID" in str(tpp_site.came_back)
    assert errand.status == "RCVD"
    somebody.opens(errand.address)
    somebody.comes_to("This link was used already")


def test_what_was_typed_wrongly_is_told_and_mended(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person
) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.identifies("1303931995x")
    assert somebody.browser.title.startswith("Error: ")
    assert somebody.browser.find_element(By.CSS_SELECTOR, "[role=alert]").is_displayed()
    assert somebody.focus.get_attribute("aria-invalid") == "true"
    assert somebody.focus.get_attribute("value") == "1303931995x"
    somebody.types(Keys.END, Keys.BACKSPACE, "5")
    somebody.presses_enter()
    somebody.comes_to("Approve payment")


def test_going_back_and_forth_does_no_harm(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person
) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.identifies(PAYER)
    somebody.browser.back()
    somebody.comes_to("Confirm who you are")
    somebody.browser.find_element(By.NAME, "customerNumber").clear()
    somebody.identifies(PAYER)
    somebody.presses("Approve payment")
    somebody.waits_for("back at the TPP")
    assert errand.status == "ACSC"


def test_bokmal_for_a_browser_that_asks_for_it(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, norwegian: Person
) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    norwegian.opens(errand.address)
    assert norwegian.browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "nb"
    norwegian.comes_to("Bekreft hvem du er")
    norwegian.identifies(PAYER)
    assert "250,00 NOK" in norwegian.sees
    norwegian.presses("Godkjenn betalingen")
    norwegian.waits_for("back at the TPP")
    assert errand.status == "ACSC"


def test_hostile_names_are_shown_as_they_are_written(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person
) -> None:
    hostile = "</dd><script>document.title='taken'</script><b>x"
    message = "<img src=x onerror=\"document.title='taken'\">"
    errand = Errand(
        bank, tpp, tpp_site.callback, creditorName=hostile, remittanceInformationUnstructured=message
    )
    auditor.opens(errand.address)
    auditor.identifies(PAYER)
    assert hostile in auditor.sees
    assert message in auditor.sees
    assert auditor.browser.title == "Approve payment – Sandbox bank"
    assert auditor.browser.find_elements(By.CSS_SELECTOR, "script, img, main b") == []


def test_a_callback_that_sends_its_reader_on_to_another_origin_gets_them_there(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, app_site: Tpp, somebody: Person
) -> None:
    # Browsers hold form-action against each redirect that follows a form, not against the first alone.
    tpp_site.sends_on_to = f"http://localhost:{app_site.port}/paid"
    errand = Errand(bank, tpp, tpp_site.callback)
    somebody.opens(errand.address)
    somebody.identifies(PAYER)
    somebody.presses("Approve payment")
    somebody.waits_for("thank you from the app")
    assert tpp_site.came_back is not None
    assert "psu-id=" in tpp_site.came_back
    assert "/paid" in app_site.called
    assert errand.status == "ACSC"
    assert somebody.complaints == []


def test_a_tpp_with_a_scheme_of_its_own_is_called_back(bank: Bank, tpp: xs2a.Tpp, traveller: Person) -> None:
    errand = Errand(bank, tpp, "com.example.app:/callback?state=42")
    ended: list[str] = []

    def watched(name: str, value: str) -> str:
        if name == "Location":
            ended.append(value)
        return value

    bank.change_header = watched
    traveller.opens(errand.address)
    traveller.identifies(PAYER)
    traveller.clicks("Approve payment")
    WebDriverWait(traveller.browser, 10).until(lambda _: ended)
    assert ended[0].startswith("com.example.app:/callback?state=42&psu-id=")
    assert errand.status == "ACSC"
    assert not any("Content Security Policy" in said for said in traveller.complaints)


def test_another_site_can_neither_send_the_form_nor_frame_the_page(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person
) -> None:
    errand = Errand(bank, tpp, tpp_site.callback)
    auditor.opens(errand.address)
    auditor.identifies(PAYER)
    # A TPP that knows every field, the token too, and sends the person's browser.
    fields = auditor.browser.find_elements(By.CSS_SELECTOR, "input[type=hidden]")
    hidden = "".join(str(field.get_attribute("outerHTML")) for field in fields)
    tpp_site.pages["/attack"] = (
        f"<!DOCTYPE html><form method=post action='{errand.address}'>{hidden}"
        "<button name=action value=continue>win</button></form>"
    ).encode()
    auditor.opens(f"http://localhost:{tpp_site.port}/attack")
    auditor.presses("win")
    auditor.waits_for("This did not come from our page")
    assert errand.status == "RCVD"

    tpp_site.pages["/frame"] = f"<!DOCTYPE html><iframe src='{errand.address}'></iframe>".encode()
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


def test_somebody_opens_all_but_what_they_untick(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person
) -> None:
    consent = Consent(bank, tpp, tpp_site.callback)
    somebody.opens(consent.address)
    somebody.identifies(PAYER)
    somebody.comes_to("Let Acme Pay see your accounts")
    boxes = somebody.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]")
    assert len(boxes) == 3
    assert all(box.is_selected() for box in boxes)
    somebody.chooses("9536\u00a005\u00a073010")
    somebody.presses("Give access")
    somebody.waits_for("back at the TPP")
    assert consent.opened(str(tpp_site.came_back)) == ["95360573002", "123456******0001"]


def test_nothing_ticked_is_told_and_mended_by_keyboard(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, somebody: Person
) -> None:
    consent = Consent(bank, tpp, tpp_site.callback)
    somebody.opens(consent.address)
    somebody.identifies(PAYER)
    for box in somebody.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]"):
        box.send_keys(Keys.SPACE)
    somebody.presses("Give access")
    assert somebody.browser.title.startswith("Error: ")
    assert "Choose at least one account or card" in somebody.sees
    somebody.browser.find_element(By.CSS_SELECTOR, "[role=alert] a").send_keys(Keys.ENTER)
    somebody.browser.find_element(By.CSS_SELECTOR, "input[type=checkbox]").send_keys(Keys.SPACE)
    somebody.presses("Give access")
    somebody.waits_for("back at the TPP")
    assert consent.opened(str(tpp_site.came_back)) == ["95360573002"]


@pytest.mark.parametrize("width", [1280, 320])
def test_no_page_keeps_anybody_out(
    bank: Bank, tpp: xs2a.Tpp, tpp_site: Tpp, auditor: Person, width: int
) -> None:
    """axe finds no barrier, and no page is wider than the screen (WCAG 2.2: 1.4.10, 320 pixels)."""

    def looks_at(name: str) -> None:
        assert auditor.barriers() == [], name
        assert not auditor.scrolls_sideways(), name
        auditor.takes_picture(f"{name}-{width}")
        auditor.is_as_wide_as(width)

    auditor.is_as_wide_as(width)
    errand = of_company(bank, tpp, tpp_site.callback)
    auditor.opens(errand.address)
    looks_at("identify")
    auditor.identifies("x")
    looks_at("identify-again")
    auditor.browser.find_element(By.NAME, "customerNumber").clear()
    auditor.identifies(PROXY)
    looks_at("role")
    auditor.chooses(COMPANY)
    auditor.presses("Continue")
    looks_at("approve")
    auditor.opens(f"{errand.address}x")
    looks_at("unknown")
    consent = Consent(bank, tpp, tpp_site.callback)
    auditor.opens(consent.address)
    auditor.identifies(PAYER)
    looks_at("consent")
    for box in auditor.browser.find_elements(By.CSS_SELECTOR, "input[type=checkbox]"):
        box.click()
    auditor.presses("Give access")
    looks_at("consent-again")
