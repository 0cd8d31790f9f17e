"""Creates payments through the Python interface and measures the time."""

from __future__ import annotations

import xs2a
from turns import NOW, TARGET, Call, Payer, take_turns


def main() -> None:
    with xs2a.Sandbox(now=NOW, seed=1) as sandbox:

        def create(call: Call) -> int:
            return sandbox.handle("POST", TARGET, call.headers, call.body).status

        take_turns(Payer(sandbox), create)


if __name__ == "__main__":
    main()
