"""The reference of a C header as Markdown: its preamble, then a section for each type and function."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "packaging"))
from manual_page import blocks

# A function or a callback's type; a constant; a type, which has its name at the end.
NAMES = (re.compile(r"\b(xs2a_\w+)\)?\("), re.compile(r"^#define (\w+)"), re.compile(r"(\w+);$"))


def name_of(code: list[str]) -> str:
    """What a part of the header declares."""
    text = code[-1] if code[0].startswith("typedef") else code[0]
    for pattern in NAMES:
        if found := pattern.search(text):
            return found[1]
    raise ValueError(f"no name in {code}")


def prose(comment: list[str]) -> str:
    """Comment lines as Markdown. Indented lines are examples, and signs of C are not signs of Markdown."""
    printed = []
    for line in comment:
        if line.startswith("      "):
            printed.append(f"`` {line.strip()} ``")
            continue
        parts = line.split("`")
        parts[::2] = [part.replace("*", "\\*").replace("<", "&lt;") for part in parts[::2]]
        printed.append("`".join(parts))
    return re.sub(r"(?m)(?<!^)(?<!\n)\n- ", "\n\n- ", "\n".join(printed))


def reference(header: Path) -> str:
    """The page."""
    preamble, *parts = blocks(header.read_text(encoding="utf-8"))
    page = [f"# {header.name}", prose(preamble[0])]
    for comment, code in parts:
        if comment and code and not code[0].startswith("#if"):
            page += [f"## {name_of(code)}", "```c\n" + "\n".join(code) + "\n```", prose(comment)]
    return "\n\n".join(page) + "\n"
