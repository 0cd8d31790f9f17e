"""What the installed package says of itself, and what it does without."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import metadata, requires


def test_each_interface_to_another_package_is_an_extra() -> None:
    assert set(metadata("xs2a").get_all("Provides-Extra") or []) == {"serve", "httpx", "requests", "pytest"}
    unconditional = [needed for needed in requires("xs2a") or [] if "extra ==" not in needed]
    assert unconditional == []


def test_the_package_alone_and_the_plugin_load_nothing_of_others() -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['h11', 'httpx', 'requests', 'urllib3']));"
        "import xs2a, xs2a.client, xs2a.pytest_plugin; bank = xs2a.Sandbox(); bank.wsgi;"
        "print(bank.handle('GET', '/v1/x', {}).status)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("404\n", "")
