"""Measures signed payments by four threads through each binding against C, in turns, and prints the ratios.

A program reads lines: `prepare <calls>` is answered `ready`, `run` by the nanoseconds that the calls took.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

CALLS = 800
# The runtimes compile in the first rounds.
ROUNDS_LEFT_OUT = 5


class Program:
    """A program that takes turns with the others."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command.split(), stdin=pipe, stdout=pipe, text=True)

    def ask(self, line: str) -> str:
        """The answer to a line."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError(f"{self.name} has no pipes")
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.name} ended")
        return answer

    def end(self) -> None:
        """Ends its input, and so the program."""
        self._process.communicate()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=25)
    arguments.add_argument(
        "programs", nargs="+", help="NAME=COMMAND; the first is what the others are compared with"
    )
    given = arguments.parse_args()
    programs = [Program(*program.split("=", 1)) for program in given.programs]
    times: dict[str, list[float]] = {program.name: [] for program in programs}
    for number in range(ROUNDS_LEFT_OUT + given.rounds):
        for program in programs:
            program.ask(f"prepare {CALLS}")
            microseconds = int(program.ask("run")) / 1000 / CALLS
            if number >= ROUNDS_LEFT_OUT:
                times[program.name].append(microseconds)
    first = times[programs[0].name]
    for program in programs:
        mine = times[program.name]
        ratio = statistics.median(one / other for one, other in zip(mine, first))
        median = statistics.median(mine)
        print(f"{program.name:24} {median:8.1f} µs a payment, {ratio:.2f} times {programs[0].name}")
        program.end()


if __name__ == "__main__":
    main()
