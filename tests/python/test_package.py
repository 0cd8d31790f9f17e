"""What the installed package says of itself, and what it does without."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import metadata, requires
from pathlib import Path

import xs2a


def test_each_interface_to_another_package_is_an_extra() -> None:
    assert set(metadata("xs2a").get_all("Provides-Extra") or []) == {
        "serve",
        "docs",
        "httpx",
        "requests",
        "aiohttp",
        "pytest",
    }
    unconditional = [needed for needed in requires("xs2a") or [] if "extra ==" not in needed]
    assert unconditional == []


def test_the_package_alone_and_the_plugin_load_nothing_of_others() -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['h11', 'httpx', 'requests', 'urllib3', 'aiohttp']));"
        "import xs2a, xs2a.client, xs2a.pytest_plugin; bank = xs2a.Sandbox(); bank.wsgi;"
        "print(bank.handle('GET', '/v1/x', {}).status)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("404\n", "")


def test_every_page_that_a_text_names_is_in_the_package() -> None:
    """A user of the wheel has no repository: a hint leads to a function, or to a page that is installed."""
    package = Path(xs2a.__file__).parent
    texts = [
        path.read_bytes() for path in package.rglob("*") if path.suffix in {".py", ".pyi", ".so", ".pyd"}
    ]
    named = {name for text in texts for name in re.findall(rb"(?:xs2a/)?docs/[\w/.-]+\.(?:md|json)", text)}
    assert b"xs2a/docs/bank.md" in named
    for name in named:
        page = (package.parent / name.decode()).read_text(encoding="utf-8")
        assert re.search("^# ", page, re.MULTILINE), name
