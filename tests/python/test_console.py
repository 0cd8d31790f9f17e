"""The console in a real browser: each page, wide and narrow, light and dark, with axe."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import payment_journey as journey
import pytest
import xs2a
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from sca_browser import Person, chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from xs2a._console import documents, texts
from xs2a._console.pages import PAGES

TEMPLATES = Path(xs2a.__file__).parent / "_console" / "templates"
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\u202e\u2066evil"


class Watched:
    """A bank in which something happened, and its console."""

    def __init__(self, sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str) -> None:
        self.sandbox, self.tpp, self.url = sandbox, tpp, url
        body = json.dumps(journey.payment(sandbox)).encode()
        signed = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
        created = sandbox.handle("POST", journey.INSTANT, signed, body).json()
        self.payment = created["paymentId"]
        sandbox.authorise(created["_links"]["scaRedirect"]["href"])
        answer = self.call("/v1/accounts")
        sandbox.authorise(answer.json()["_links"]["scaRedirect"]["href"])
        self.refused = self.refuse()
        self.waiting = self.pay("17.00")
        sandbox.faults.add("SYSTEM_ERROR", times=2)

    def call(self, target: str) -> xs2a.Response:
        return self.sandbox.handle("GET", target, self.tpp.sign("GET", target, journey.HEADERS))

    def pay(self, amount: str, **changed: object) -> xs2a.Response:
        target = journey.BATCHED.replace("norwegian-cross-border", "norwegian-domestic")
        body = json.dumps(journey.payment(self.sandbox, amount, **changed)).encode()
        return self.sandbox.handle("POST", target, self.tpp.sign("POST", target, journey.HEADERS, body), body)

    def refuse(self) -> int:
        """The number of a call of a client that signs a newline too many."""
        self.sandbox.handle("GET", "/v1/accounts", with_trailing_newline(self.tpp))
        return self.sandbox.journal[-1].number

    def addresses(self) -> dict[str, str]:
        filled = {
            "{number}": str(self.refused),
            "{payment_id}": self.payment,
            "{account}": "95360573002",
        }
        found = {}
        for page in PAGES:
            path = page.path
            for place, value in filled.items():
                path = path.replace(place, value)
            found[page.template.removesuffix(".html")] = self.url + path
        return found


def with_trailing_newline(tpp: xs2a.Tpp) -> list[tuple[str, str]]:
    signed = dict(tpp.sign("GET", "/v1/accounts", journey.HEADERS))
    names = re.findall(r'headers="([^"]*)"', signed["Signature"])[0].split()
    key = load_pem_private_key(tpp.private_key_pem.encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    text = xs2a.signing_string("GET", "/v1/accounts", signed, names) + "\n"
    made = base64.b64encode(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()
    signed["Signature"] = re.sub(r'signature="[^"]*"', f'signature="{made}"', signed["Signature"])
    return list(signed.items())


@pytest.fixture
def watched(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> Iterator[Watched]:
    serving = sandbox.serve(control=True)
    with serving:
        assert serving.control_url is not None
        yield Watched(sandbox, tpp, serving.control_url)


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def person(profiles: Path) -> Iterator[Person]:
    browser = chromium(profiles / "english", "en", runs_scripts=True)
    yield Person(browser)
    browser.quit()


@pytest.fixture(scope="module")
def nordmann(profiles: Path) -> Iterator[Person]:
    """Reads Bokmål, in the dark, on a telephone, without scripts."""
    browser = chromium(profiles / "norwegian", "nb", runs_scripts=False)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    yield Person(browser)
    browser.quit()


def is_dark(person: Person, dark: bool) -> None:
    value = "dark" if dark else "light"
    person.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": value}]}
    )


def test_every_page_is_accessible_wide_and_narrow_light_and_dark(watched: Watched, person: Person) -> None:
    for name, address in watched.addresses().items():
        for width, dark in ((1280, False), (390, True)):
            is_dark(person, dark)
            person.is_as_wide_as(width)
            person.opens(address)
            # What Swagger UI draws is not ours; the page around it is.
            person.browser.execute_script("document.getElementById('document')?.remove()")
            assert person.barriers() == [], (name, width)
            assert not person.scrolls_sideways(), (name, width)
            assert person.complaints == [], (name, width)
            person.takes_picture(f"console-{name}-{width}")
    is_dark(person, False)


def test_in_bokmal_without_scripts_every_page_is_read(watched: Watched, nordmann: Person) -> None:
    nordmann.is_as_wide_as(390)
    for name, address in watched.addresses().items():
        nordmann.opens(address)
        assert nordmann.browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "nb", name
        assert "Ingen ekte penger" in nordmann.sees or "ingen ekte penger" in nordmann.sees, name
        assert nordmann.browser.find_elements(By.CSS_SELECTOR, "button[data-copies]:not([hidden])") == []
        nordmann.takes_picture(f"console-{name}-nb")


def test_every_text_has_a_translation_and_is_used() -> None:
    used = {page.title for page in PAGES} | {"Sign in", "This cannot be done", *xs2a._native.COVERAGE_KINDS}
    for template in TEMPLATES.glob("*.html"):
        used |= set(re.findall(r'_\("([^"]+)"\)', template.read_text("utf-8")))
    assert used == set(texts.BOKMAL)


def test_templates_load_nothing_and_have_no_script_of_their_own() -> None:
    for template in TEMPLATES.glob("*.html"):
        source = template.read_text("utf-8")
        assert not re.search(r"style=|onclick=|<style|https?:|{%-? *autoescape|\| *safe", source), (
            template.name
        )
        assert set(re.findall(r'(?:src|<link[^>]*href)="([^"]+)"', source)) <= {
            "/console/static/frame.css",
            "/console/static/style.css",
            "/console/static/live.js",
            "/console/static/docs.js",
            "data:,",
            "/console/static/swagger-ui.css",
            "/console/static/swagger-ui-bundle.js",
        }, template.name


def test_a_call_appears_while_the_page_is_open(watched: Watched, person: Person) -> None:
    person.opens(watched.url)
    person.waits_for("Live")
    watched.call("/v1/accounts?first")
    person.waits_for("/v1/accounts?first")
    assert person.complaints == []


def test_two_consoles_show_the_same_call(watched: Watched, person: Person, nordmann: Person) -> None:
    person.opens(watched.url)
    watched.call("/v1/accounts?both")
    nordmann.opens(watched.url)
    person.waits_for("/v1/accounts?both")
    nordmann.waits_for("/v1/accounts?both")


def test_the_page_of_a_refusal_shows_mistake_and_first_difference(watched: Watched, person: Person) -> None:
    person.opens(f"{watched.url}/console/calls/{watched.refused}")
    assert "trailing-newline" in person.sees
    expected, signed = person.browser.find_elements(By.TAG_NAME, "mark")
    assert (expected.text, signed.text.strip()) == ("∅", "↵")


def test_an_sca_is_approved_and_refused_by_a_click(watched: Watched, nordmann: Person) -> None:
    watched.sandbox.faults.clear()
    waiting = watched.pay("18.00").json()["paymentId"]
    nordmann.opens(f"{watched.url}/console/sca")
    nordmann.presses("Godkjenn")
    nordmann.waits_for("psu-id=")
    nordmann.opens(f"{watched.url}/console/sca")
    nordmann.presses("Avvis")
    nordmann.waits_for("code=SCA_INVALID")
    rows = httpx.get(f"{watched.url}/state/payments").json()
    assert sorted(
        row["status"] for row in rows if row["order"]["instructedAmount"]["amount"] != "250.00"
    ) == [
        "PDNG",
        "RCVD",
    ], waiting


def test_clock_and_faults_are_steered_by_forms_with_the_keyboard(watched: Watched, nordmann: Person) -> None:
    nordmann.opens(f"{watched.url}/console/clock")
    nordmann.types(Keys.TAB)
    assert nordmann.focus.text == "Gå til innholdet"
    nordmann.presses("+ 10 min")
    assert "2026-09-01 10:10:00" in nordmann.sees
    nordmann.opens(f"{watched.url}/console/faults")
    nordmann.browser.find_element(By.NAME, "code").send_keys("KID_INVALID")
    nordmann.presses_enter()
    assert [fault.spec["code"] for fault in watched.sandbox.faults] == ["SYSTEM_ERROR", "KID_INVALID"]
    nordmann.presses("Fjern alle")
    assert len(watched.sandbox.faults) == 0
    nordmann.browser.find_element(By.NAME, "code").send_keys("NO_SUCH" + Keys.ENTER)
    nordmann.comes_to("Dette kan ikke gjøres")
    assert "NO_SUCH" in nordmann.sees


def test_the_language_is_chosen_by_a_link(watched: Watched, person: Person) -> None:
    person.opens(f"{watched.url}/console/clock")
    with person.turning_the_page():
        person.browser.find_element(By.LINK_TEXT, "Bokmål").click()
    person.comes_to("Klokke")
    with person.turning_the_page():
        person.browser.find_element(By.LINK_TEXT, "English").click()
    person.comes_to("Clock")


def test_hostile_text_stays_text_on_every_page(watched: Watched, person: Person) -> None:
    sandbox = watched.sandbox
    hostile = sandbox.register_tpp(HOSTILE)
    long = "x" * 65_536
    for target in (f"/v1/<script>alert(1)</script>?{HOSTILE}", f"/v1/{long}", "/v1/\x1b[2J\x00\u2028"):
        for headers in ([("X-Evil", HOSTILE), ("X-Long", long)], hostile.sign("GET", "/v1/accounts")):
            sandbox.handle("GET", target, headers, HOSTILE.encode() + b"\xff" + long.encode())
    sandbox.faults.clear()
    watched.pay("19.00", creditorName="<b>evil</b>", remittanceInformationUnstructured="<i>x</i>")
    sandbox.faults.add("KID_INVALID", target=HOSTILE)
    last = sandbox.journal[-1].number
    addresses = [*watched.addresses().values()]
    addresses += [f"{watched.url}/console/calls/{number}" for number in range(last - 8, last + 1)]
    for address in addresses:
        person.opens(address)
        assert "owned" not in person.browser.title, address
        assert person.browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b b, main i") == []
        assert "\u202e" not in person.browser.page_source, address
        assert person.complaints == [], address
        assert not person.scrolls_sideways(), address


def test_forms_of_a_foreign_page_are_refused_and_lead_nowhere_else(watched: Watched) -> None:
    form = {"back": "https://evil.example/", "advance": "PT1M"}
    address = f"{watched.url}/console/do/moveClock"
    assert httpx.post(address, data=form, headers={"Origin": "https://evil.example"}).status_code == 403
    answer = httpx.post(address, data=form, headers={"Origin": watched.url})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert httpx.post(address, json=form).status_code == 415
    assert httpx.post(f"{watched.url}/console/do/noSuch", data=form).status_code == 404
    assert httpx.post(address, data={str(number): "x" for number in range(60)}).status_code == 400
    answer = httpx.get(watched.url)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_with_a_token_a_person_signs_in(sandbox: xs2a.Sandbox, person: Person) -> None:
    serving = sandbox.serve(control=True, control_token="s3cret")
    with serving:
        assert serving.control_url is not None
        person.opens(serving.control_url)
        person.comes_to("Sign in")
        assert serving.control_url not in person.sees
        person.browser.find_element(By.NAME, "token").send_keys("wrong" + Keys.ENTER)
        person.waits_for("The token is wrong.")
        person.browser.find_element(By.NAME, "token").send_keys("s3cret" + Keys.ENTER)
        person.comes_to("Calls")
        person.waits_for("Live")
        [cookie] = [found for found in person.browser.get_cookies() if found["name"] == "xs2a_control"]
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert cookie["value"] != "s3cret"
        assert httpx.get(f"{serving.control_url}/console/clock").status_code == 401
    _ = person.complaints


def test_ten_thousand_calls_are_shown_and_filtered(watched: Watched) -> None:
    for number in range(10_000):
        watched.sandbox.handle("GET", f"/v1/none-{number}", {})
    with httpx.Client(base_url=watched.url) as client:
        client.get("/")
        begun = time.perf_counter()
        page = client.get("/").text
        assert time.perf_counter() - begun < 2
        assert "/v1/none-9999" in page
        assert "/v1/none-9899" not in page
        assert "/v1/none-0<" not in client.get("/?status=404").text
        assert "none-" not in client.get("/?operation=createPayment").text

        def seconds(query: str) -> float:
            begun = time.perf_counter()
            client.get(query)
            return time.perf_counter() - begun

        # Without a hit every call is looked at, and none is shown.
        assert min(seconds("/?operation=createPayment") for _ in range(5)) < 0.5


def test_both_documents_are_shown_by_the_bundled_renderer(watched: Watched, person: Person) -> None:
    person.is_as_wide_as(1280)
    for document, operation in (("bank", "/v1/accounts"), ("control", "/snapshots/{snapshot_id}/restore")):
        person.opens(f"{watched.url}/docs?of={document}")
        person.waits_for(operation)
        assert person.complaints == []
        person.takes_picture(f"docs-{document}")


def test_without_the_renderer_the_page_names_the_package(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_folder", lambda: None)
    answer = httpx.get(f"{watched.url}/docs")
    assert answer.status_code == 200
    assert "xs2a[docs]" in answer.text
    assert httpx.get(f"{watched.url}/console/static/swagger-ui.css").status_code == 404
