"""``xs2a personas``: customers of a population by what they are and have."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from xs2a import MisuseError, Population

__all__ = ["add_personas"]


def add_personas(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_print_personas)
    add = parser.add_argument
    add(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="a JSON object: the criteria of each persona by its name, and `count` for several customers",
    )
    add(
        "--where",
        action="append",
        default=[],
        type=_criterion,
        metavar="NAME=VALUE",
        help="a criterion, such as mortgage=true, children=2 or 'age=[30, null]'; repeatable; no FILE then",
    )
    add("--count", type=int, default=1, metavar="NUMBER", help="how many customers (default: 1)")
    add("--persons", type=int, default=100, metavar="NUMBER", help="private customers (default: 100)")
    add("--companies", type=int, default=4, metavar="NUMBER", help="corporate customers (default: 4)")
    add("--months", type=int, default=12, metavar="NUMBER", help="how long a history (default: 12)")
    add("--seed", type=int, default=0, metavar="NUMBER", help="what they come from (default: 0)")
    add("--generator", default="2026.1", metavar="VERSION", help="of the generator (default: %(default)s)")
    add("--now", required=True, metavar="TIME", help="when the history ends: ISO 8601, as of `xs2a populate`")


def _criterion(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is no criterion: a name and a value, such as children=2")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value  # a text, such as town=Bergen


def _print_personas(options: argparse.Namespace) -> None:
    population = Population(
        persons=options.persons,
        companies=options.companies,
        months=options.months,
        now=options.now,
        seed=options.seed,
        generator=options.generator,
    )
    if (options.file is None) == (not options.where):
        raise MisuseError("criteria are in FILE or given by --where")
    if options.file is None:
        found: Any = population.personas(_once_each(options.where), count=options.count)
    else:
        found = {
            name: _of_persona(population, name, dict(criteria), options.count)
            for name, criteria in _personas(options.file).items()
        }
    print(json.dumps(found, indent=2, ensure_ascii=False))


def _once_each(criteria: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in criteria]
    for name in names:
        if names.count(name) > 1:
            raise MisuseError(f"--where: `{name}` is given {names.count(name)} times; give it once")
    return dict(criteria)


def _of_persona(population: Population, name: str, criteria: dict[str, Any], count: int) -> list[str]:
    try:
        return population.personas(criteria, count=criteria.pop("count", count))
    except (MisuseError, TypeError) as error:
        raise MisuseError(f"`{name}`: {error}") from error


def _personas(path: Path) -> dict[str, dict[str, Any]]:
    def members_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in members]
        for name in names:
            if names.count(name) > 1:
                raise MisuseError(f"{path}: `{name}` is there {names.count(name)} times; give it once")
        return dict(members)

    try:
        personas = json.loads(path.read_bytes(), object_pairs_hook=members_once)
    except ValueError as error:
        raise MisuseError(f"{path} is not JSON: {error}") from error
    if not isinstance(personas, dict) or not all(isinstance(persona, dict) for persona in personas.values()):
        raise MisuseError(f"{path} is not a JSON object of objects")
    return personas
