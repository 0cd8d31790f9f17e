#!/usr/bin/env python3
"""Changes the rules in one place at a time by cargo-mutants (CARGO_MUTANTS) and has the tests look for it.

The sample is chosen by a seed: of each part the first mutants in the order of a hash. A changed file alters
the order of its own mutants alone. A mutant that does not build is replaced by the next one. A result goes to
tests/results/mutants.csv. It holds as long as the file of the mutant is the same, unit tests apart, so the
script may be interrupted. A survivor is tried again until tests/surviving_mutants.csv has the reason.

The tree is copied: a mutant is never written into it. PARTS: all by default. `--list` prints the sample.
"""

from __future__ import annotations

import csv
import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import NamedTuple

from rules import PARTS, ROOT, code, part_of

SEED = 1
# Of each part; a small part has fewer.
SAMPLE = 25
AT_LEAST = 90.0
SECONDS_OF_TESTS = 900

RESULTS = ROOT / "tests" / "results" / "mutants.csv"
REASONS = ROOT / "tests" / "surviving_mutants.csv"
COLUMNS = ("date", "sources", "part", "mutant", "outcome", "seconds")
FOLDER = ROOT / "target" / "mutants"
TREE = FOLDER / "tree"
BUILT = FOLDER / "build"
# The mutants that cargo-mutants calls so are caught: without an end, tests do not pass.
CAUGHT = ("caught", "timeout")

# What has answers for every rule: recorded ones, and a test for each rule. Random requests, and every value
# of every member of a payment's body, take too long to be run for each mutant.
ANSWERS = "binary(corpus) | (binary(rules) - test(/at_random|any_value_at_any_place|payment_body::members/))"
# What a part has more: the binary, and the tests as nextest selects them.
MORE = {
    "payment": ("rules", "test(/payment_body::members/)"),
    "tpp": ("trust", "binary(trust)"),
    "pipeline": ("engine", "binary(engine)"),
}
ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(BUILT),
    # One function differs between two builds.
    "CARGO_INCREMENTAL": "1",
    "CARGO_PROFILE_DEV_DEBUG": "0",
}


class Mutant(NamedTuple):
    """`name` is its own in any version of the file; `listed` is what cargo-mutants calls it in this one."""

    name: str
    listed: str
    path: str

    @property
    def part(self) -> str:
        return part_of(self.path)

    @property
    def rank(self) -> str:
        return hashlib.sha256(f"{SEED} {self.name}".encode()).hexdigest()

    @property
    def sources(self) -> str:
        return hashlib.sha256(code(self.path).encode()).hexdigest()[:12]


def cargo_mutants(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = os.environ.get("CARGO_MUTANTS", "cargo-mutants")
    return subprocess.run(
        [program, "mutants", "--dir", str(TREE), *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )


def copy_tree() -> None:
    """Writes what differs alone, so that cargo builds no more than that."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        source, copy = ROOT / name, TREE / name
        if source.exists() and not (copy.exists() and filecmp.cmp(source, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)


def list_mutants() -> list[Mutant]:
    folders = [argument for part in PARTS for argument in ("--file", f"core/src/{part}/**")]
    listed = cargo_mutants("--list", "--json", *folders)
    if listed.returncode != 0:
        sys.exit(listed.stderr)
    seen: Counter[str] = Counter()
    mutants = []
    for entry in json.loads(listed.stdout):
        path, without_place = entry["file"], re.sub(r":\d+:\d+: ", ": ", entry["name"], count=1)
        seen[without_place] += 1
        again = f" ({seen[without_place]})" if seen[without_place] > 1 else ""
        mutants.append(Mutant(without_place + again, entry["name"], path))
    return sorted(mutants, key=lambda mutant: mutant.rank)


def recorded() -> dict[str, dict[str, str]]:
    """The last result of each mutant."""
    if not RESULTS.exists():
        return {}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return {row["mutant"]: row for row in csv.DictReader(file)}


def reasons() -> dict[str, str]:
    with REASONS.open(encoding="utf-8", newline="") as file:
        return {row["mutant"]: row["reason"] for row in csv.DictReader(file)}


class Stage(NamedTuple):
    """What nextest builds and, of that, what it runs."""

    built: tuple[str, ...]
    tests: str


def stages(part: str) -> tuple[Stage, Stage]:
    """What has answers, which finds the most; then the tests of the part, which take the longest to build."""
    more = [MORE[part]] if part in MORE else []
    binaries = dict.fromkeys(["corpus", "rules", *(binary for binary, _ in more)])
    answers = " | ".join([ANSWERS, *(tests for _, tests in more)])
    return (
        Stage(tuple(f"--test={binary}" for binary in binaries), answers),
        Stage(("--lib",), f"kind(lib) & test(/^{part}::/)"),
    )


def check_unchanged(parts: list[str]) -> None:
    """A mutant that a test finds proves nothing if the test fails without it."""
    of_parts = [stage for part in parts for stage in stages(part)]
    built = dict.fromkeys(argument for stage in of_parts for argument in stage.built)
    tests = " | ".join(f"({stage.tests})" for stage in of_parts)
    done = subprocess.run(
        ["cargo", "nextest", "run", "-p", "xs2a", *built, "--filterset", tests],
        cwd=TREE, env=ENVIRONMENT, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit("the tests fail without a mutant")


def only(mutant: Mutant) -> tuple[str, ...]:
    """The arguments for it: one shard of as many as its file has mutants. `--re` lets others through."""
    file = ("--file", mutant.path)
    of_file = cargo_mutants("--list", *file).stdout.splitlines()
    return (*file, f"--shard={of_file.index(mutant.listed)}/{len(of_file)}")


def try_mutant(mutant: Mutant) -> str:
    """What became of it: `caught`, `missed`, `timeout` or `unviable`."""
    for stage in stages(mutant.part):
        outcome = try_stage(mutant, stage)
        if outcome != "missed":
            return outcome
    return "missed"


def try_stage(mutant: Mutant, stage: Stage) -> str:
    shutil.rmtree(FOLDER / "mutants.out", ignore_errors=True)
    done = cargo_mutants(
        *("--in-place", "--baseline=skip", "--test-tool=nextest", f"--timeout={SECONDS_OF_TESTS}"),
        *("--output", str(FOLDER), *only(mutant)),
        *(f"--cargo-arg={argument}" for argument in stage.built),
        *("--", "--filterset", stage.tests),
    )
    found = [
        outcome
        for outcome in ("caught", "missed", "timeout", "unviable")
        if (FOLDER / "mutants.out" / f"{outcome}.txt").read_text(encoding="utf-8")
    ]
    if len(found) != 1:
        sys.exit(f"cargo-mutants did not try {mutant.listed}:\n{done.stdout}{done.stderr}")
    return found[0]


def record(mutant: Mutant, outcome: str, seconds: float) -> dict[str, str]:
    row = {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "sources": mutant.sources,
        "part": mutant.part,
        "mutant": mutant.name,
        "outcome": outcome,
        "seconds": f"{seconds:.0f}",
    }
    is_new = not RESULTS.exists()
    with RESULTS.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)
    return row


def sample(mutants: list[Mutant], known: dict[str, dict[str, str]]) -> Iterator[Mutant]:
    """The first mutants of a part that build: a caller records each before it takes the next."""
    wanted = SAMPLE
    for mutant in mutants:
        if wanted == 0:
            return
        yield mutant
        wanted -= known[mutant.name]["outcome"] != "unviable"


def is_settled(mutant: Mutant, known: dict[str, dict[str, str]], explained: dict[str, str]) -> bool:
    row = known.get(mutant.name)
    if row is None or row["sources"] != mutant.sources:
        return False
    return row["outcome"] != "missed" or mutant.name in explained


def try_sample(of_part: dict[str, list[Mutant]], known: dict[str, dict[str, str]]) -> list[Mutant]:
    """The sample of these parts, every mutant of which has a result."""
    explained = reasons()
    tried, are_checked = [], False
    for mutant in (mutant for mutants in of_part.values() for mutant in sample(mutants, known)):
        if not is_settled(mutant, known, explained):
            if not are_checked:
                check_unchanged(list(of_part))
                are_checked = True
            start = time.monotonic()
            outcome = try_mutant(mutant)
            known[mutant.name] = record(mutant, outcome, time.monotonic() - start)
            print(f"{outcome}: {mutant.listed}", flush=True)
        if known[mutant.name]["outcome"] != "unviable":
            tried.append(mutant)
    return tried


def report(tried: list[Mutant], known: dict[str, dict[str, str]]) -> int:
    explained = reasons()
    survivors = [mutant for mutant in tried if known[mutant.name]["outcome"] not in CAUGHT]
    unexplained = [mutant for mutant in survivors if mutant.name not in explained]
    for mutant in unexplained:
        print(f"survives without a reason: {mutant.listed}")
    caught = len(tried) - len(survivors)
    print(f"{caught} of {len(tried)} mutants are caught")
    return 1 if unexplained or 100 * caught < AT_LEAST * len(tried) else 0


def main(arguments: list[str]) -> int:
    if not shutil.which("cargo-nextest"):
        print("## SKIPPED: there is no cargo-nextest here; the rules are NOT changed.")
        return int(os.environ.get("XS2A_MUTANTS") == "required")
    copy_tree()
    known = recorded()
    of_part: dict[str, list[Mutant]] = {part: [] for part in os.environ.get("PARTS", " ".join(PARTS)).split()}
    for mutant in list_mutants():
        of_part.get(mutant.part, []).append(mutant)
    if arguments == ["--list"]:
        for part, mutants in of_part.items():
            print(f"{part}: {len(mutants)}", *(mutant.listed for mutant in mutants[:SAMPLE]), sep="\n")
        return 0
    return report(try_sample(of_part, known), known)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
