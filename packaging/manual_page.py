"""Prints the manual page of a header: manual_page.py HEADER VERSION.

It has the preamble of the header as its description, then each type and function with the comment above it.
"""

from __future__ import annotations

import sys
from pathlib import Path

ABOUT = {
    "xs2a.h": ("xs2a", "the bank's side of PSD2 open banking"),
    "xs2a_sandbox.h": ("xs2a_sandbox", "xs2a with a simulated bank, for tests and development"),
}


def is_open(code: list[str]) -> bool:
    """Whether the code is a type whose closing brace is still to come."""
    return bool(code) and code[0].startswith("typedef") and "{" in code[0] and not code[-1].startswith("}")


def blocks(text: str) -> list[tuple[list[str], list[str]]]:
    """The comment and the code of each part of the header. An empty line outside of braces ends a part."""
    found = []
    comment: list[str] = []
    code: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("//") and not code:
            comment.append(line[2:].removeprefix(" "))
        elif line or is_open(code):
            code.append(line)
        elif comment or code:
            found.append((comment, code))
            comment, code = [], []
    return found


def escaped(line: str) -> str:
    """A line that troff prints as it is, in any locale."""
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    line = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in line)
    return "\\&" + line if line.startswith(".") else line


def paragraphs(lines: list[str]) -> list[str]:
    """Comment lines as troff: an item of a list begins a paragraph, indented lines are examples."""
    printed = []
    for line in lines:
        if not line:
            printed.append(".PP")
        elif line.startswith("- "):
            printed += [".IP \\(bu 2", escaped(line[2:])]
        elif line.startswith("      "):
            printed += [".br", escaped(line.strip()), ".br"]
        else:
            printed.append(escaped(line.strip()))
    return printed


def main(header: Path, version: str) -> None:
    name, purpose = ABOUT[header.name]
    preamble, *parts = blocks(header.read_text(encoding="utf-8"))
    package = name.replace("_", "-")
    print(f'.TH {name.upper()} 3 "" "xs2a {version}"')
    print(f".SH NAME\n{escaped(name)} \\- {escaped(purpose)}")
    print(f".SH SYNOPSIS\n.nf\n#include <{header.name}>\n")
    print(f"cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs {escaped(package)})\n.fi\n.SH DESCRIPTION")
    print("\n".join(paragraphs(preamble[0])))
    print(".SH TYPES AND FUNCTIONS")
    for comment, code in parts:
        documented = comment and code and not code[0].startswith("#ifdef")
        if not documented:
            continue
        print(".PP\n.nf")
        print("\n".join(f"\\fB{escaped(line)}\\fR" if line else "" for line in code))
        print(".fi\n.RS 4")
        print("\n".join(paragraphs(comment)))
        print(".RE")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {Path(sys.argv[0]).name} HEADER VERSION")
    main(Path(sys.argv[1]), sys.argv[2])
