"""A real browser at the bank's SCA site: Debian's Chromium without a window, the sandbox served to it, and a
TPP's own site where it ends up."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import xs2a
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

Answer = Callable[[str, str, list[tuple[str, str]], bytes], "tuple[int, list[tuple[str, str]], bytes]"]

# The browser must not look for updates, nor for anything else out there.
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# WCAG 2.2, levels A and AA, and what the makers of axe hold to be good besides.
AXE = "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"


@contextmanager
def listening(answer: Answer) -> Iterator[int]:
    """Serves a function at a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, content = answer(self.command, self.path, self.headers.items(), body)
            self.send_response_only(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = handle_any

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Tpp:
    """The TPP's site, at another host name than the bank: what it shows, and where browsers came back."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.called: list[str] = []
        # Where its callback sends browsers on to; an empty text: nowhere.
        self.sends_on_to = ""
        self.port = 0

    def answer(
        self, _method: str, path: str, _headers: object, _body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        self.called.append(path)
        if self.sends_on_to and path.startswith("/callback"):
            return 302, [("Location", self.sends_on_to)], b""
        page = self.pages.get(path, b"<!DOCTYPE html><title>TPP</title><p>back at the TPP</p>")
        return 200, [("Content-Type", "text/html; charset=utf-8")], page

    @property
    def callback(self) -> str:
        return f"http://localhost:{self.port}/callback?state=42"

    @property
    def came_back(self) -> str | None:
        return next((path for path in self.called if path.startswith("/callback")), None)


class Bank:
    """The sandbox as browsers meet it."""

    def __init__(self, sandbox: xs2a.Sandbox) -> None:
        self.sandbox = sandbox
        self.port = 0
        # What a test wants to see break: changes the answer's headers on their way.
        self.change_header: Callable[[str, str], str] = lambda _, value: value

    def answer(
        self, method: str, target: str, headers: list[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        answer = self.sandbox.handle(method, target, headers, body)
        changed = [(name, self.change_header(name, value)) for name, value in answer.headers]
        return answer.status, changed, answer.body

    def at(self, link: str) -> str:
        """The address of an scaRedirect where the sandbox is served."""
        return f"http://127.0.0.1:{self.port}{link[link.index('/', len('https://')) :]}"


def chromium(folder: Path, language: str, runs_scripts: bool) -> Chrome:
    """A browser with a profile of its own. Without one the test is left out; where one must be, it fails."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        missing = "NO BROWSER: install chromium and chromium-driver. The SCA page was not walked"
        if os.environ.get("XS2A_BROWSER") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    options = ChromeOptions()
    options.binary_location = binary
    for flag in [*FLAGS, f"--user-data-dir={folder}"]:
        options.add_argument(flag)
    preferences: dict[str, object] = {"intl.accept_languages": language}
    if not runs_scripts:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=Service(executable_path=driver))


def _is_gone(element: WebElement) -> bool:
    """Whether its page is another by now. To the driver, a node of a page that is just going is not stale."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False


class Person:
    """A user of a browser."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def opens(self, address: str) -> None:
        """An address; what the browser complained of before is forgotten."""
        _ = self.complaints
        self.browser.get(address)

    @property
    def sees(self) -> str:
        """The text of the page, every space an ordinary one."""
        return self.browser.find_element(By.TAG_NAME, "body").text.replace("\u00a0", " ")

    def waits_for(self, text: str) -> None:
        """Until the page shows it."""
        self._waits(lambda: text in self.sees)

    def comes_to(self, heading: str) -> None:
        """Until the page with that heading is there."""
        self._waits(lambda: self.browser.find_element(By.TAG_NAME, "h1").text == heading)

    def _waits(self, is_there: Callable[[], bool]) -> None:
        """The page before may go away while it is read; the driver has more than one error for that."""
        WebDriverWait(self.browser, 10, ignored_exceptions=[WebDriverException]).until(
            lambda _: is_there(), f"still at: {self.browser.title}"
        )

    def complains_of(self, words: str) -> None:
        """What the browser writes into its console comes when it comes."""
        self._waits(lambda: any(words in said for said in self.complaints))

    def does_not_see(self, text: str) -> None:
        """Once there is something to be read."""
        self._waits(lambda: text not in self.sees)

    @property
    def focus(self) -> WebElement:
        return self.browser.switch_to.active_element

    def types(self, *keys: str) -> None:
        """Into the element that has the focus."""
        self.focus.send_keys(*keys)

    @contextmanager
    def turning_the_page(self) -> Iterator[None]:
        """Waits until the page that is there now has gone."""
        page = self.browser.find_element(By.TAG_NAME, "html")
        yield
        WebDriverWait(self.browser, 10).until(lambda _: _is_gone(page), f"still at: {self.browser.title}")

    def presses_enter(self) -> None:
        """Which sends the form of the element that has the focus."""
        with self.turning_the_page():
            self.types(Keys.ENTER)

    def presses(self, name: str) -> None:
        """A button by its words; another page comes."""
        with self.turning_the_page():
            self.clicks(name)

    def clicks(self, name: str) -> None:
        """A button by its words. The result is not checked."""
        self.browser.find_element(By.XPATH, f"//button[normalize-space()='{name}']").click()

    def chooses(self, words: str) -> None:
        """A box or a circle, by its label."""
        self.browser.find_element(By.XPATH, f"//label[contains(., '{words}')]").click()

    def identifies(self, customer_number: str) -> None:
        self.browser.find_element(By.NAME, "customerNumber").send_keys(customer_number)
        with self.turning_the_page():
            self.browser.find_element(By.CSS_SELECTOR, "button[value=continue]").click()

    @property
    def complaints(self) -> list[str]:
        """What the browser wrote into its console: it has every breach of the policy."""
        return [entry["message"] for entry in self.browser.get_log("browser")]  # type: ignore[no-untyped-call]

    def is_as_wide_as(self, pixels: int) -> None:
        metrics = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": pixels < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def barriers(self) -> list[str]:
        """What axe finds that keeps people out."""
        self.browser.execute_script((files("axe_core_python") / "axe.min.js").read_text("utf-8"))
        script = f"const done = arguments[0]; {AXE}.then(done, error => done(String(error)))"
        found = self.browser.execute_async_script(script)
        assert isinstance(found, dict), found
        assert len(found["passes"]) > 10, "axe did not look"
        nodes = [(fault["id"], node["html"]) for fault in found["violations"] for node in fault["nodes"]]
        return [f"{name}: {html}" for name, html in nodes]

    def scrolls_sideways(self) -> bool:
        script = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(self.browser.execute_script(script))

    def takes_picture(self, name: str) -> None:
        """Keeps what the page looks like, where a folder for that is named."""
        folder = os.environ.get("XS2A_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            height = self.browser.execute_script("return document.documentElement.scrollHeight")
            width = self.browser.execute_script("return document.documentElement.clientWidth")
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            self.browser.save_screenshot(str(Path(folder) / f"{name}.png"))
