"""Prints the binding for Go."""

from __future__ import annotations

from header import OPTIONAL, Function, Header
from prose import camel, described, folded, owner_and_words, pascal, wrapped

FIRST = "// Code generated from the C headers by bindings/generator. DO NOT EDIT."
FILES = {
    "engine": ("calls_engine.go", "", "xs2a.h"),
    "sandbox": ("calls_sandbox.go", "//go:build xs2a_sandbox\n\n", "xs2a_sandbox.h"),
    "tpp": ("calls_tpp.go", "//go:build xs2a_sandbox\n\n", "xs2a_sandbox.h"),
}
# Functions without a handle that only libxs2a_sandbox has.
OF_SANDBOX = {"xs2a_coverage_merge", "xs2a_coverage_text", "xs2a_snapshot_diff"}
TYPES = {
    "text": "string",
    "bytes": "[]byte",
    "request": "Request",
    "int8_t": "int",
    "flag": "bool",
    "int64_t": "int64",
    "uint64_t": "uint64",
}
# Type in Go, what C writes, how it is given back, and the value beside an error.
OUTPUTS = {
    "text": ("string", "*C.xs2a_text", "takeText(out)", '""'),
    "bytes": ("[]byte", "*C.xs2a_bytes", "takeBytes(out)", "nil"),
    "sandbox": ("*Sandbox", "*C.xs2a_sandbox", "newSandbox(out)", "nil"),
    "tpp": ("*Tpp", "*C.xs2a_tpp", "newTpp(out)", "nil"),
    "size_t": ("int", "C.size_t", "int(out)", "0"),
    "uint64_t": ("uint64", "C.uint64_t", "uint64(out)", "0"),
    "uint8_t": ("int", "C.uint8_t", "int(out)", "0"),
    "flag": ("bool", "C.int32_t", "out != 0", "false"),
    "run_report": ("RunReport", "C.xs2a_run_report", "runReport(out)", "RunReport{}"),
}


def _code(name: str) -> str:
    return "ResultOK" if name == "OK" else "Result" + pascal(name.lower().split("_"))


def _named(name: str) -> str:
    owner, words = owner_and_words(name)
    return f"{owner.capitalize()}.{pascal(words)}" if owner else pascal(words)


def _argument(kind: str, name: str) -> str:
    if name in OPTIONAL_NAMES:
        return f"lendOptional({name})"
    return {
        "text": f"lend({name})",
        "bytes": f"lendBytes({name})",
        "request": "arena.request(request)",
        "int8_t": f"C.int8_t({name})",
        "flag": f"flag({name})",
        "int64_t": f"C.int64_t({name})",
        "uint64_t": f"C.uint64_t({name})",
    }[kind]


OPTIONAL_NAMES = {camel(name.split("_")) for name in OPTIONAL}


def _function(function: Function) -> list[str]:
    name = pascal(function.words)
    inputs = [(kind, camel(given.split("_"))) for kind, given in function.inputs]
    has_optional = any(given in OPTIONAL_NAMES for _, given in inputs)
    paragraphs = described(function, _named, _code, "nil" if has_optional else '""')
    paragraphs[0] = f"{name}: {paragraphs[0]}"
    lines = wrapped(paragraphs, "// ", "//")
    typed = ", ".join(
        f"{given} {'*string' if given in OPTIONAL_NAMES else TYPES[kind]}" for kind, given in inputs
    )
    receiver = function.owner[0] if function.owner else ""
    of = f"({receiver} *{function.owner.capitalize()}) " if function.owner else ""
    arguments = [f"{receiver}.pointer"] if function.owner else []
    arguments += [_argument(kind, given) for kind, given in inputs]
    if function.output in {"borrowed", "truth"}:
        call = f"C.{function.name}({', '.join(arguments)})"
        result, given = (
            ("string", f"borrowed({call})") if function.output == "borrowed" else ("bool", f"{call} != 0")
        )
        lines.append(f"func {of}{name}({typed}) {result} {{")
        if function.owner:
            lines += [f"\tif {receiver}.life.begin() != nil {{", '\t\treturn ""', "\t}"]
            lines.append(f"\tdefer {receiver}.life.end()")
        return [*lines, f"\treturn {given}", "}"]
    output = OUTPUTS.get(function.output or "")
    nothing = f"{output[3]}, " if output else ""
    lines.append(f"func {of}{name}({typed}) {f'({output[0]}, error)' if output else 'error'} {{")
    if function.owner:
        lines += [f"\tif err := {receiver}.life.begin(); err != nil {{", f"\t\treturn {nothing}err", "\t}"]
        lines.append(f"\tdefer {receiver}.life.end()")
    if any(kind == "request" for kind, _ in inputs):
        lines += ["\tvar arena arena", "\tdefer arena.free()"]
    lines.append("\tvar failure *C.xs2a_error")
    call = f"C.{function.name}({', '.join([*arguments, *(['&out'] if output else []), '&failure'])})"
    if not output:
        return [*lines, folded(f"\tresult := {call}"), "\treturn failed(result, failure)", "}"]
    lines += [f"\tvar out {output[1]}", folded(f"\tresult := {call}")]
    lines.append("\tif err := failed(result, failure); err != nil {")
    return [*lines, f"\t\treturn {nothing}err", "\t}", f"\treturn {output[2]}, nil", "}"]


def _file(constraint: str, header: str, functions: list[Function]) -> str:
    head = f'{FIRST}\n\n{constraint}package xs2a\n\n// #include <{header}>\nimport "C"\n'
    return head + "".join("\n" + "\n".join(_function(function)) + "\n" for function in functions)


def _results(header: Header) -> str:
    lines = [FIRST, "", "package xs2a", ""]
    lines += ["// Result is the outcome of a call. A number never changes its meaning; a newer"]
    lines += ["// library may return numbers that are not listed here.", "type Result int32", "", "const ("]
    for name, number, comment in header.results:
        lines += [f"\t// {line}" for line in comment]
        lines.append(f"\t{_code(name)} Result = {number}")
    return "\n".join([*lines, ")", ""])


def files(header: Header) -> dict[str, str]:
    """The text of each file, by its path below `bindings`."""
    alone = header.printed(None)
    printed = {
        f"go/{name}": _file(constraint, included, header.printed(owner))
        for owner, (name, constraint, included) in FILES.items()
    }
    printed["go/results.go"] = _results(header)
    printed["go/calls_tools.go"] = _file("", "xs2a.h", [one for one in alone if one.name not in OF_SANDBOX])
    printed["go/calls_sandbox_tools.go"] = _file(
        "//go:build xs2a_sandbox\n\n", "xs2a_sandbox.h", [one for one in alone if one.name in OF_SANDBOX]
    )
    return printed
