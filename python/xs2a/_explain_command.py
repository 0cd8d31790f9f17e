"""``xs2a explain``: why recorded requests were refused."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from xs2a._native import explain
from xs2a._recorded import RecordedRequest, read_requests
from xs2a._values import Explanation

__all__ = ["add_explain"]


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of the command."""
    parser.set_defaults(run=_explain)
    add = parser.add_argument
    add("file", metavar="FILE", help="an HTTP archive, an HTTP/1.1 request or a curl command; - for stdin")
    add(
        "--now",
        metavar="TIME",
        help="the bank's clock: ISO 8601 (default: that of the archive, or the present)",
    )
    add(
        "--certificate",
        action="append",
        default=[],
        type=Path,
        metavar="PEM",
        help="a certificate of another TPP, or an earlier one of this TPP; repeatable",
    )
    add(
        "--base-path",
        action="append",
        default=[],
        metavar="PATH",
        help="what a gateway may add to the path or strip from it; repeatable",
    )
    add("--json", action="store_true", help="print the explanations as JSON: of an archive as a list")


def _explain(options: argparse.Namespace) -> int:
    path = None if options.file == "-" else Path(options.file)
    content = sys.stdin.buffer.read() if path is None else path.read_bytes()
    requests = read_requests(content, Path() if path is None else path.parent)
    certificates = [path.read_bytes() for path in options.certificate]
    found = []
    for place, request in enumerate(requests):
        earlier = [(call.method, call.target, call.headers, call.body) for call in requests[:place]]
        found.append(
            explain(
                request.method,
                request.target,
                request.headers,
                request.body,
                now=options.now or request.at,
                certificates=certificates,
                base_paths=options.base_path,
                earlier=earlier,
            )
        )
    if options.json:
        values = [asdict(explanation) for explanation in found]
        is_list = len(values) != 1 or content.lstrip().startswith(b"{")
        print(json.dumps(values if is_list else values[0], indent=2))
    else:
        for request, explanation in zip(requests, found):
            print(_in_words(request, explanation))
    return 0 if all(explanation.ok or explanation.mistake for explanation in found) else 1


def _in_words(request: RecordedRequest, found: Explanation) -> str:
    named = f"{found.mistake} (proof: {found.proof})" if found.mistake else "no mistake is proven"
    outcome = "right" if found.ok else f"{found.reason}: {named}"
    lines = [f"{request.method} {request.target}: {outcome}", f"  {found.text}"]
    if found.signed is not None and found.proof == "hash":
        lines += ["  expected:", *_indented(found.expected or ""), "  signed:", *_indented(found.signed)]
    # The output of a terminal need not be UTF-8.
    encoding = sys.stdout.encoding or "utf-8"
    return "\n".join(lines).encode(encoding, "backslashreplace").decode(encoding)


def _indented(text: str) -> list[str]:
    """With line ends as escapes: a line break at the end is what is looked for."""
    lines = text.splitlines(keepends=True)
    return ["    " + line.replace("\r", "\\r").replace("\n", "\\n") for line in lines]
