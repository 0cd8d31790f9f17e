"""Runs what README.md and the guides print: every command exists, every example gives what stands beside it.

Python blocks are run as one program each, C blocks too (those with a `main`); a `text` block right after
one is what it prints. Fixtures are the `conftest.py` of the tests below them on the page. Rust blocks are
doc tests of the crate. In `sh` blocks, `make` goals must exist; `cargo`, `pip`, `cd`, `git`, compiler,
`umask` and `sqlite3` lines are for the reader's own machine and are not run here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Pages whose blocks all stand by themselves.
PAGES = (
    "README.md",
    "docs/guide/account-information.md",
    "docs/guide/gateway.md",
    "docs/guide/testing.md",
    "docs/guide/trust.md",
)
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SET_UP = ("cargo", "pip", "python3", "cd", "git", "cc", "gcc", "./", "sqlite3", "umask")
NOT_RUN = ("text", "toml", "json", "mermaid", "rust", "", "http", "nginx")


def fail(text: str) -> None:
    """Ends the run."""
    sys.exit(f"an example that is printed: {text}")


def run(command: list[str | Path]) -> str:
    """Runs one program, and gives what it prints; its failure is the page's."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_shell(text: str, _folder: Path) -> str:
    """Every line is a command that exists."""
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "make":
            run(["make", "--dry-run", "--silent", *words[1:]])
        elif not words[0].startswith(SET_UP) and not shutil.which(words[0]):
            fail(f"`{line}` names no command")
    return ""


def check_python(text: str, folder: Path) -> str:
    """The block runs by itself; a block with prompts gives what it shows, one of tests how many passed."""
    if "@pytest.fixture" in text:
        (folder / "conftest.py").write_text(text)
        return ""
    if "def test_" in text:
        source = folder / "test_example.py"
        source.write_text(text)
        printed = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", source])
        return printed.splitlines()[-1].partition(" in ")[0] + "\n"
    if ">>>" in text:
        source = folder / "example.md"
        source.write_text(text)
        return run([sys.executable, "-m", "doctest", source])
    source = folder / "example.py"
    source.write_text(text)
    return run([sys.executable, source])


def check_c(text: str, folder: Path) -> str:
    """The block compiles without a warning and runs."""
    source, program = folder / "example.c", folder / "example"
    source.write_text(text)
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Iinclude"]
    if "int main" not in text:
        return run(["gcc", *flags, "-c", source, "-o", program])
    run(["cargo", "build", "--quiet", "-p", "xs2a-ffi"])
    libraries = ["target/debug/libxs2a.a", "-lpthread", "-ldl", "-lm"]
    run(["gcc", *flags, source, *libraries, "-o", program])
    return run([program])


CHECKS = {
    "sh": check_shell,
    "bash": check_shell,
    "console": check_shell,
    "python": check_python,
    "c": check_c,
}


def check(page: str) -> None:
    """Checks every block of a page."""
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for (language, text), (next_language, next_text) in zip(blocks, [*blocks[1:], ("", "")]):
            if language in CHECKS:
                printed = CHECKS[language](text, Path(folder))
                if next_language == "text" and printed != next_text:
                    fail(f"a {language} block of {page} prints\n{printed}and not\n{next_text}")
                checked += 1
            elif language not in NOT_RUN:
                fail(f"nothing here checks blocks of `{language}`, as in {page}")
    print(f"{page}: {checked} of {len(blocks)} blocks checked here")


if __name__ == "__main__":
    for path in PAGES:
        check(path)
