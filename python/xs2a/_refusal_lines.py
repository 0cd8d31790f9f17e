"""What ``xs2a serve`` prints of a call that authentication refused: the mistake that was made."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xs2a._conversation import Answerer
    from xs2a._native import Response
    from xs2a._values import Explanation

__all__ = ["printing_refusals"]


def printing_refusals(answer: Answerer) -> Answerer:
    """The same answers; each refusal by authentication is explained in one line on stderr."""

    def answer_and_print(method: str, target: str, headers: list[tuple[str, bytes]], body: bytes) -> Response:
        response = answer(method, target, headers, body)
        explanation = response.explanation
        if explanation is not None:
            with suppress(OSError, ValueError):  # a client needs its answer even if stderr is closed
                print(_line(method, target, response, explanation), file=sys.stderr, flush=True)
        return response

    return answer_and_print


def _line(method: str, target: str, response: Response, found: Explanation) -> str:
    named = f"{found.mistake} (proof: {found.proof})" if found.mistake else "no mistake is proven"
    text = f"xs2a: {method} {target} -> {response.status} {found.reason}: {named}. {found.text}"
    # What a client sent must not steer a terminal.
    return "".join(character if character.isprintable() else "?" for character in text)
