"""Prints the licences of everything that is linked into a package: third_party_notices.py PACKAGE.

Equal texts are printed once, below the names of all crates that have them.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import components

NAMES = ("licen", "copying", "copyright", "notice", "unlicense")
OWN = ("xs2a", "xs2a-ffi", "xs2a-ffi-sandbox", "xs2a-python")
RULE = "=" * 80


def texts(component: components.Component) -> list[str]:
    """The texts of its licence files. The folders of C libraries have some below them."""
    folders = [component.folder, *component.folder.glob("third_party/*")]
    files = [
        file
        for folder in folders
        if folder.is_dir()
        for file in sorted(folder.iterdir())
        if file.is_file() and file.name.lower().startswith(NAMES)
    ]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def main(package: str) -> None:
    linked = [component for component in components.of_package(package) if component.name not in OWN]
    holders: dict[str, list[str]] = defaultdict(list)
    without = []
    for component in linked:
        name = f"{component.name} {component.version}"
        found = texts(component)
        for text in dict.fromkeys(found):
            holders[text].append(name)
        if not found:
            without.append(f"{name}: {component.licence}")

    print(f"Third-party software in the library of {package}\n")
    for component in linked:
        print(f"  {component.name} {component.version}: {component.licence}")
    print("  The Rust standard library: MIT OR Apache-2.0; its notices are those of the Rust toolchain\n")
    print("Without a licence file of their own:")
    print("".join(f"  {line}\n" for line in without))
    for text, names in holders.items():
        print(f"{RULE}\n{', '.join(names)}\n{RULE}\n\n{text}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: {Path(sys.argv[0]).name} PACKAGE")
    main(sys.argv[1])
