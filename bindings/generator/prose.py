"""The comments of the header in the words of a language."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

from header import OWNERS, Function

# Of this width are comments, with their indentation.
COLUMNS = 116


def camel(words: list[str]) -> str:
    """`["run", "due"]` is `runDue`."""
    return words[0] + "".join(word.capitalize() for word in words[1:])


def pascal(words: list[str]) -> str:
    """`["run", "due"]` is `RunDue`."""
    return "".join(word.capitalize() for word in words)


def described(
    function: Function, named: Callable[[str], str], code: Callable[[str], str], null: str
) -> list[str]:
    """The paragraphs of a comment. `named` and `code` give a function and a result code of the language."""
    text = " ".join(line or "\n" for line in function.comment)
    for _, name in function.inputs:
        text = text.replace(f"`{name}`", f"`{camel(name.split('_'))}`")
    text = re.sub(r"\bxs2a_(\w+)\(\)", lambda found: named(found[0][:-2]), text)
    text = re.sub(r"\bXS2A_([A-Z0-9_]+)\b", lambda found: code(found[1]), text)
    text = re.sub(r"\bNULL\b", null, text)
    if function.output == "flag":
        text = re.sub(r"`out`: ([^.]*)", lambda found: f"Gives {_with_truths(found[1])}", text)
    return [paragraph.strip() for paragraph in text.split("\n")]


def _with_truths(text: str) -> str:
    """The text with true and false where C gives 1 and 0."""
    return re.sub(r"\b0\b", "false", re.sub(r"\b1\b", "true", text))


def owner_and_words(name: str) -> tuple[str | None, list[str]]:
    """The handle and the words in the name of a function."""
    for owner in OWNERS.values():
        if name.startswith(f"xs2a_{owner}_"):
            return owner, name.removeprefix(f"xs2a_{owner}_").split("_")
    return None, name.removeprefix("xs2a_").split("_")


def wrapped(paragraphs: list[str], prefix: str, between: str) -> list[str]:
    """The lines of a comment: `prefix` begins each, `between` is the line between two paragraphs."""
    lines: list[str] = []
    for at, paragraph in enumerate(paragraphs):
        if at > 0:
            lines.append(between)
        lines.extend(textwrap.wrap(paragraph, COLUMNS, initial_indent=prefix, subsequent_indent=prefix))
    return lines


def folded(line: str) -> str:
    """A line of code as lines that are not too wide, broken after commas."""
    if len(line) <= COLUMNS or ", " not in line[:COLUMNS]:
        return line
    margin = line[: len(line) - len(line.lstrip())]
    indent = margin + ("\t" if "\t" in margin else " " * 4)
    at = line.rindex(", ", 0, COLUMNS) + 1
    rest = line[at + 1 :]
    lines = textwrap.wrap(rest, COLUMNS, initial_indent=indent, subsequent_indent=indent)
    return "\n".join([line[:at], *lines])
