#!/usr/bin/env python3
"""Measures which regions of the rules the Rust tests reach, by cargo-llvm-cov (CARGO_LLVM_COV).

A region is what LLVM counts: a piece of code that is run whole or not at all. The unit tests at the end of a
file do not count. The result of each part goes to tests/results/coverage.csv; less than 95 % of the rules in
all fails. With `--missed`, every region that is not reached is printed.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path

from rules import PARTS, ROOT, lines_of_code, part_of

RESULTS = ROOT / "tests" / "results" / "coverage.csv"
COLUMNS = ("date", "part", "regions", "covered", "percent", "lines", "covered_lines")
AT_LEAST = 95.0
# What reaches the rules. The other binaries look for crashes, kills and orders of threads, which take long.
BINARIES = ("rules", "corpus", "engine", "trust", "vectors", "explain")
# LLVM 19 is the oldest that reads the profiles of this compiler. Debian has it as `llvm-19`.
OLDEST_LLVM = 19


def find_llvm() -> dict[str, str]:
    """The environment that names LLVM's programs, unless it is set or the toolchain has them."""
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True)
    if "LLVM_COV" in os.environ or any(Path(sysroot.stdout.strip()).glob("lib/rustlib/*/bin/llvm-cov")):
        return {}
    folders = {int(path.name.split("-")[1]): path for path in Path("/usr/lib").glob("llvm-[0-9]*")}
    usable = [folders[version] / "bin" for version in sorted(folders) if version >= OLDEST_LLVM]
    for folder in reversed(usable):
        if (folder / "llvm-cov").exists():
            return {"LLVM_COV": f"{folder}/llvm-cov", "LLVM_PROFDATA": f"{folder}/llvm-profdata"}
    print(f"## SKIPPED: there is no llvm-cov of version {OLDEST_LLVM} or later; coverage is NOT measured.")
    sys.exit(os.environ.get("XS2A_COVERAGE") == "required")


def cargo_llvm_cov(environment: dict[str, str], *arguments: str) -> None:
    program = os.environ.get("CARGO_LLVM_COV", "cargo-llvm-cov")
    subprocess.run([program, "llvm-cov", *arguments], cwd=ROOT, env={**os.environ, **environment}, check=True)


def run_tests(environment: dict[str, str]) -> None:
    features = ["--features", os.environ["FEATURES"]] if "FEATURES" in os.environ else []
    crate = ["--no-report", "-p", "xs2a", *features]
    cargo_llvm_cov(environment, "clean", "--profraw-only")
    cargo_llvm_cov(environment, *crate, "--lib", "--", *(f"{part}::" for part in PARTS))
    cargo_llvm_cov(environment, *crate, *(f"--test={binary}" for binary in BINARIES))


def report(environment: dict[str, str], name: str, *form: str) -> str:
    path = ROOT / "target" / name
    cargo_llvm_cov(environment, "report", "-p", "xs2a", *form, "--output-path", str(path))
    return path.read_text(encoding="utf-8")


Place = tuple[str, int, int]


def regions(exported: str) -> Iterator[tuple[Place, bool]]:
    """Each region by its beginning, and whether it was reached. A segment of LLVM is
    `[line, column, count, has a count, begins a region, is a gap]`."""
    for file in json.loads(exported)["data"][0]["files"]:
        path = file["filename"].removeprefix(f"{ROOT}/")
        for line, column, count, counted, begins, is_gap in file["segments"]:
            if counted and begins and not is_gap:
                yield (path, line, column), count > 0


def lines(lcov: str) -> Iterator[tuple[Place, bool]]:
    path = ""
    for line in lcov.splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            path = value.removeprefix(f"{ROOT}/")
        elif kind == "DA":
            number, count = value.split(",")[:2]
            yield (path, int(number), 1), int(count) > 0


def of_rules(found: Iterable[tuple[Place, bool]]) -> dict[Place, bool]:
    """What is in a part, and not in the unit tests of a file."""
    folders = tuple(f"core/src/{part}/" for part in PARTS)
    in_parts = ((place, reached) for place, reached in found if place[0].startswith(folders))
    return {place: reached for place, reached in in_parts if place[1] <= lines_of_code(place[0])}


def row(part: str, of_regions: list[bool], of_lines: list[bool]) -> dict[str, object]:
    return {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "part": part,
        "regions": len(of_regions),
        "covered": sum(of_regions),
        "percent": f"{100 * sum(of_regions) / len(of_regions):.1f}",
        "lines": len(of_lines),
        "covered_lines": sum(of_lines),
    }


def rows(of_regions: dict[Place, bool], of_lines: dict[Place, bool]) -> Iterator[dict[str, object]]:
    for part in PARTS:
        in_part = [reached for place, reached in of_regions.items() if part_of(place[0]) == part]
        yield row(
            part, in_part, [reached for place, reached in of_lines.items() if part_of(place[0]) == part]
        )
    yield row("all", list(of_regions.values()), list(of_lines.values()))


def write(new: list[dict[str, object]]) -> None:
    """The results of another day stay; those of the same day are replaced."""
    old: list[dict[str, str]] = []
    if RESULTS.exists():
        with RESULTS.open(encoding="utf-8", newline="") as file:
            old = [line for line in csv.DictReader(file) if line["date"] != new[0]["date"]]
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*old, *new])


def main(arguments: list[str]) -> int:
    environment = find_llvm()
    run_tests(environment)
    of_regions = of_rules(regions(report(environment, "coverage.json", "--json", "--skip-functions")))
    of_lines = of_rules(lines(report(environment, "coverage.lcov", "--lcov")))
    new = list(rows(of_regions, of_lines))
    write(new)
    for result in new:
        print("{part}: {covered} of {regions} regions, {percent} %".format(**result))
    if arguments == ["--missed"]:
        for (path, line, column), reached in sorted(of_regions.items()):
            if not reached:
                print(f"{path}:{line}:{column}")
    return 1 if float(str(new[-1]["percent"])) < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
