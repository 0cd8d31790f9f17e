"""Makes the pictures of the README: the console of a bank, and an explained refusal.

Run it in the environment of the tests, from any folder: ``.venv/bin/python docs/pictures/make_pictures.py``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parents[1] / "tests" / "python"))

import xs2a  # noqa: E402
from sca_browser import Person, chromium  # noqa: E402
from test_console import Watched  # noqa: E402

WIDTH, HEIGHT = 1100, 820
# The same in each run, so that the pictures differ only where the console does.
NOW, PORT, CONTROL_PORT = "2026-09-01T10:00:00Z", 8080, 8081


def main() -> None:
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox, tempfile.TemporaryDirectory() as profile:
        tpp = sandbox.register_tpp("Acme Pay")
        serving = sandbox.serve(PORT, control=True, control_port=CONTROL_PORT)
        with serving:
            watched = Watched(sandbox, tpp, serving.control_url or "")
            person = Person(chromium(Path(profile), "en", runs_scripts=True))
            for name, page in (("console", "calls"), ("refusal", "call")):
                person.is_as_wide_as(WIDTH)
                person.opens(watched.addresses()[page])
                person.waits_for("Live" if page == "calls" else "trailing-newline")
                metrics = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
                person.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                person.browser.save_screenshot(str(FOLDER / f"{name}.png"))
            person.browser.quit()


if __name__ == "__main__":
    main()
