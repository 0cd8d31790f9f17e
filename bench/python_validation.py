"""Validates the body of an instant payment, by xs2a or by the pydantic model of the stack beside it.

Both get the same bytes. The model knows this product alone and fewer of its rules; see python_stack.py.
"""

from __future__ import annotations

import sys

import xs2a
from pydantic import ValidationError
from python_stack import Payment
from turns import NOW, TARGET, Call, Payer, take_turns

SERVICE, PRODUCT = TARGET.split("/")[2:]


def by_xs2a(call: Call) -> int:
    return 400 if xs2a.validate_payment(SERVICE, PRODUCT, call.body) else 201


def by_pydantic(call: Call) -> int:
    try:
        Payment.model_validate_json(call.body)
    except ValidationError:
        return 400
    return 201


def main() -> None:
    validate = {"xs2a": by_xs2a, "pydantic": by_pydantic}[sys.argv[1]]
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox:
        take_turns(Payer(sandbox), validate)


if __name__ == "__main__":
    main()
