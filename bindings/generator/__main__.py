"""Prints the parts of the bindings that follow from the C headers.

python3 bindings/generator            # writes the files
python3 bindings/generator --check    # fails where a file is not as it would be written
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import dotnet
import go
import java
from header import HANDWRITTEN, Header

BINDINGS = Path(__file__).resolve().parents[1]
PRINTERS = {"go": go, "java": java, "dotnet": dotnet}
SUFFIXES = {".go", ".c", ".java", ".cs"}


def written_by_hand(language: str, printed: set[Path]) -> str:
    """The sources of a binding that are not printed."""
    sources = [path for path in (BINDINGS / language).rglob("*") if path.suffix in SUFFIXES]
    return "".join(path.read_text() for path in sorted(sources) if path not in printed)


def main() -> None:
    header = Header()
    faults = []
    for language, printer in PRINTERS.items():
        printed = printer.files(header)
        for name, text in printed.items():
            path = BINDINGS / name
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                faults.append(f"bindings/{name} is not what the headers give: run python3 bindings/generator")
        by_hand = written_by_hand(language, {BINDINGS / name for name in printed})
        called = set(re.findall(r"\bxs2a_\w+", by_hand))
        faults += [f"bindings/{language} does not call {name}" for name in sorted(HANDWRITTEN - called)]
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
