"""Runs what the READMEs and guides print: every command exists, every example prints the output beside it.

Python blocks are run as one program each, C blocks too (those with a `main`); a `text` block right after
one is what it prints. Fixtures are the `conftest.py` of the tests below them on the page. Rust blocks are
doc tests of the crate; one that a `text` block follows is run here, too. In `sh` blocks, `make` goals must
exist; `cargo`, `pip`, `cd`, `git`, compiler, `umask` and `sqlite3` lines are for the reader's own machine
and are not run here. `bash` blocks are run, all of a page in one folder. Blocks in JavaScript, and those
in Java and Go that are no program, are parts of `examples/served`, whose tests run them. Programs in Go,
Java and C# use the installed libraries. Where their tools are missing they are left out, unless
XS2A_BINDINGS is `required`. On a page that is a walk, each block is run where the one before it left its
files.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Pages whose blocks are all independent.
PAGES = (
    "README.md",
    "python/README.md",
    "docs/guide/account-information.md",
    "docs/guide/data.md",
    "docs/guide/gateway.md",
    "docs/guide/testing.md",
    "docs/guide/trust.md",
)
# Pages whose blocks follow each other, in one folder.
WALKS = ("docs/guide/signatures.md",)
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SET_UP = (
    *("cargo", "pip", "python3", "cd", "git", "cc", "gcc", "./", "sqlite3", "umask"),
    *("export", "go", "java", "mcs", "mono"),
)
NOT_RUN = ("text", "cmake", "toml", "json", "mermaid", "rust", "", "http", "nginx")


def fail(text: str) -> None:
    """Ends the run."""
    sys.exit(f"an example that is printed: {text}")


def run(command: list[str | Path], folder: Path = ROOT) -> str:
    """Runs one program, and gives what it prints; its failure is the page's."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_shell(text: str, _folder: Path) -> str:
    """Every line is a command that exists."""
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words or re.match(r"\w+=", words[0]):
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
        printed = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", source], folder)
        return printed.splitlines()[-1].partition(" in ")[0] + "\n"
    if ">>>" in text:
        source = folder / "example.md"
        source.write_text(text)
        return run([sys.executable, "-m", "doctest", source], folder)
    source = folder / "example.py"
    source.write_text(text)
    return run([sys.executable, source], folder)


def check_c(text: str, folder: Path) -> str:
    """The block compiles without a warning and runs."""
    program = compile_c(text, folder)
    return run([program]) if "int main" in text else ""


def compile_c(text: str, folder: Path) -> Path:
    """Makes a program of the block, or an object file where it has no `main`."""
    source, program = folder / "example.c", folder / "example"
    source.write_text(text)
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Iinclude"]
    if "int main" not in text:
        run(["gcc", *flags, "-c", source, "-o", program])
        return program
    package, library = (
        ("xs2a-ffi-sandbox", "xs2a_sandbox") if "xs2a_sandbox.h" in text else ("xs2a-ffi", "xs2a")
    )
    run(["cargo", "build", "--quiet", "-p", package])
    libraries = [f"target/debug/lib{library}.a", "-lpthread", "-ldl", "-lm"]
    run(["gcc", *flags, source, *libraries, "-o", program])
    return program


def run_shell(text: str, folder: Path) -> str:
    """The block of a walk, in its folder."""
    return run(["bash", "-euo", "pipefail", "-c", text], folder)


def run_bash(text: str, folder: Path) -> str:
    """A block that starts processes; where it fails, they end with it."""
    return run_shell(f"trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT\n{text}", folder)


def run_python(text: str, folder: Path) -> str:
    """The same in Python."""
    return run([sys.executable, "-c", text], folder)


def run_c(text: str, folder: Path) -> str:
    """The same in C."""
    return run([compile_c(text, folder)], folder)


def check_rust(text: str, folder: Path) -> str:
    """The block is compiled against the crate and what that is built with, and runs."""
    source, program = folder / "example.rs", folder / "example"
    source.write_text(text)
    built = run(["cargo", "build", "--quiet", "-p", "xs2a", "--message-format=json"])
    crates = {}
    for line in built.splitlines():
        artifact = json.loads(line)
        if artifact["reason"] == "compiler-artifact":
            crates[artifact["target"]["name"].replace("-", "_")] = artifact["filenames"][0]
    externs = [f"--extern={name}={file}" for name, file in crates.items() if f"{name}::" in text]
    dependencies = Path(crates["serde_json"]).parent
    run(["rustc", "--edition=2021", *externs, "-L", f"dependency={dependencies}", "-o", program, source])
    return run([program])


def check_part(text: str, _folder: Path) -> str:
    """The block is a part of a file in another language."""
    files = (path for path in (ROOT / "examples/served").rglob("*") if path.is_file())
    if not any(text in path.read_text(encoding="utf-8") for path in files):
        fail(f"no file of examples/served has\n{text}")
    return ""


INSTALLING = threading.Lock()


def use_installed_libraries() -> None:
    """The libraries are installed into a prefix, and found there."""
    with INSTALLING:
        install_libraries()


@functools.cache
def install_libraries() -> None:
    prefix = run([ROOT / "bindings/prefix.sh"]).strip()
    os.environ |= {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}


def is_here(*tools: str) -> bool:
    """Whether the tools of a language are on this machine."""
    missing = [tool for tool in tools if not shutil.which(tool) and not Path(tool).is_file()]
    if missing and os.environ.get("XS2A_BINDINGS") == "required":
        fail(f"there is no {missing}")
    if missing:
        print(f"## SKIPPED: there is no {missing} here; blocks that need it are NOT run.")
    else:
        use_installed_libraries()
    return not missing


def check_go(text: str, folder: Path) -> str | None:
    """The block is the program of a module beside the binding, or a part of a file."""
    if "package main" not in text:
        return check_part(text, folder)
    if not is_here("go", "pkg-config"):
        return None
    # Go compiles every source file of a folder; that of the page has those of other blocks.
    module = folder / "start"
    module.mkdir()
    (module / "main.go").write_text(text)
    run(["go", "mod", "init", "start"], module)
    binding = ROOT / "bindings/go"
    run(["go", "mod", "edit", "-require", "xs2a@v0.0.0", "-replace", f"xs2a={binding}"], module)
    return run(["go", "run", "-tags", "xs2a_sandbox", "."], module)


def check_java(text: str, folder: Path) -> str | None:
    """The block is one file of source, which `java` compiles and runs, or a part of a file."""
    if "static void main" not in text:
        return check_part(text, folder)
    jna = os.environ.get("JNA_JAR", "/usr/share/java/jna.jar")
    if not is_here("java", "javac", jna):
        return None
    run([ROOT / "bindings/java/build.sh", folder])
    (folder / "Start.java").write_text(text)
    return run(["java", "-cp", f"{folder}:{jna}", folder / "Start.java"])


def check_csharp(text: str, folder: Path) -> str | None:
    """The block is compiled by mcs and runs on Mono."""
    if not is_here("mcs", "mono"):
        return None
    run([ROOT / "bindings/dotnet/build.sh", folder])
    (folder / "Start.cs").write_text(text)
    run(["mcs", "-r:Xs2a.Sandbox.dll", "-out:start.exe", "Start.cs"], folder)
    return run(["mono", "start.exe"], folder)


CHECKS = {
    "sh": check_shell,
    "bash": run_bash,
    "js": check_part,
    "console": check_shell,
    "python": check_python,
    "c": check_c,
    "go": check_go,
    "java": check_java,
    "csharp": check_csharp,
}


def blocks_of(page: str) -> list[tuple[str, str, str | None]]:
    """Language and text of each block, and what it prints where that is said."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    following = [
        after[2] if after[1] == "text" and not text[block.end() : after.start()].strip() else None
        for block, after in pairwise(blocks)
    ]
    return [(block[1], block[2], said) for block, said in zip(blocks, [*following, None])]


def compare(page: str, language: str, printed: str | None, said: str | None) -> None:
    """A block that was run prints the output beside it."""
    if said is not None and printed is not None and printed != said:
        fail(f"a {language} block of {page} prints\n{printed}and not\n{said}")


def check(page: str) -> None:
    """Checks every block of a page."""
    blocks = blocks_of(page)
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        # What a reader has in a checkout.
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        for language, text, said in blocks:
            if language in CHECKS:
                compare(page, language, CHECKS[language](text, Path(folder)), said)
            elif language == "rust" and said is not None:
                compare(page, language, check_rust(text, Path(folder)), said)
            elif language not in NOT_RUN:
                fail(f"nothing here checks blocks of `{language}`, as in {page}")
            else:
                continue
            checked += 1
    print(f"{page}: {checked} of {len(blocks)} blocks checked here")


def walk(page: str) -> None:
    """Runs the blocks of a page one after the other, as its reader does."""
    runs = {"sh": run_shell, "python": run_python, "c": run_c}
    steps = [block for block in blocks_of(page) if block[0] in runs]
    with tempfile.TemporaryDirectory() as folder:
        for language, text, said in steps:
            compare(page, language, runs[language](text, Path(folder)), said)
    print(f"{page}: {len(steps)} blocks run")


if __name__ == "__main__":
    # Each page has a folder of its own. A thread waits for the programs of its page.
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        done = [
            *(threads.submit(check, path) for path in PAGES),
            *(threads.submit(walk, path) for path in WALKS),
        ]
    for page in done:
        page.result()
