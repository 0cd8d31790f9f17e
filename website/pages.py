"""The pages of the site: the Markdown files of the repository with what they link to, and the references.

    pages.py FOLDER

They keep their places, so that the links between them hold. FOLDER/reference/python and
FOLDER/reference/rust are made by pdoc and rustdoc.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from c_reference import reference

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "RELEASING.md",
    "docs/**/*.md",
    "examples/*/README.md",
)
LINK = re.compile(r"\]\(([^)\s:#]+)[)#]")


def linked(page: Path) -> set[Path]:
    """The files of the repository that a page links to."""
    targets = {(page.parent / target).resolve() for target in LINK.findall(page.read_text(encoding="utf-8"))}
    return {target for target in targets if target.is_file()}


def copy(source: Path, folder: Path) -> None:
    target = folder / source.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def main(folder: Path) -> None:
    pages = [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    for file in set(pages).union(*map(linked, pages)):
        copy(file, folder)
    (folder / "reference").mkdir(exist_ok=True)
    for header in ("xs2a.h", "xs2a_sandbox.h"):
        text = reference(ROOT / "include" / header)
        (folder / "reference" / header).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
