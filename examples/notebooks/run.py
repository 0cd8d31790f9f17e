"""Runs the notebooks of this folder from the first cell to the last; a cell that fails ends it.

run.py [NOTEBOOK…]
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent


def main(arguments: list[str]) -> None:
    paths = [Path(argument) for argument in arguments] or sorted(FOLDER.glob("*.ipynb"))
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": FOLDER}}).execute()
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                print(output.get("text", ""), end="")
        print(f"{path.name}: passed")


if __name__ == "__main__":
    main(sys.argv[1:])
