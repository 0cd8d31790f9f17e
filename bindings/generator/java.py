"""Prints the binding for Java."""

from __future__ import annotations

from header import Function, Header
from prose import camel, described, owner_and_words, wrapped

FIRST = "// Generated from the C headers by bindings/generator: not to be edited."
CLASSES = {"engine": "Engine", "sandbox": "Sandbox", "tpp": "Tpp"}
TYPES = {
    "text": "String",
    "bytes": "byte[]",
    "request": "Request",
    "int8_t": "int",
    "flag": "boolean",
    "int64_t": "long",
    "uint64_t": "long",
}
# Type in Java, the method that calls, and what surrounds the call.
OUTPUTS = {
    None: ("void", "call", "{}"),
    "text": ("String", "text", "{}"),
    "bytes": ("byte[]", "bytes", "{}"),
    "borrowed": ("String", "borrowed", "{}"),
    "truth": ("boolean", "truth", "{}"),
    "sandbox": ("Sandbox", "number", "new Sandbox({})"),
    "tpp": ("Tpp", "number", "new Tpp({})"),
    "size_t": ("long", "number", "{}"),
    "uint64_t": ("long", "number", "{}"),
    "uint8_t": ("int", "number", "(int) {}"),
    "flag": ("boolean", "number", "{} != 0"),
    "run_report": ("RunReport", "runReport", "{}"),
}


def _code(name: str) -> str:
    return f"Result.{name}"


def _named(name: str) -> str:
    owner, words = owner_and_words(name)
    return f"{CLASSES[owner] if owner else 'Xs2a'}.{camel(words)}"


def _argument(kind: str, name: str) -> str:
    if kind == "int8_t":
        return f"(byte) {name}"
    return f"(byte) ({name} ? 1 : 0)" if kind == "flag" else name


def _function(function: Function) -> list[str]:
    inputs = [(kind, camel(given.split("_"))) for kind, given in function.inputs]
    paragraphs = [
        paragraph.replace("&", "&amp;").replace("<", "&lt;").replace("@", "&#64;").replace("*/", "*&#47;")
        for paragraph in described(function, _named, _code, "null")
    ]
    # A backquoted text may have braces, which `{@code}` takes if they are balanced, as in JSON.
    prose = wrapped(paragraphs, "     * ", "     * <p>")
    type_, method, given = OUTPUTS[function.output]
    arguments = ", ".join([f'"{function.name}"', *(_argument(kind, name) for kind, name in inputs)])
    typed = ", ".join(f"{TYPES[kind]} {name}" for kind, name in inputs)
    static = "" if function.owner else "static "
    of = "" if function.owner else "Calls."
    call = given.format(f"{of}{method}({arguments})")
    back = "" if type_ == "void" else "return "
    name = camel(function.words)
    return [
        *["    /**", *prose, "     */"],
        f"    public {static}{type_} {name}({typed}) {{",
        f"        {back}{call};",
        "    }",
    ]


def _class(name: str, functions: list[Function], extends: str = "", constructors: str = "") -> str:
    members = [constructors] if constructors else []
    members += ["\n".join(_function(function)) for function in functions]
    head = [FIRST, "", "package xs2a;", "", f"abstract class {name}{extends} {{"]
    return "\n".join([*head, "\n\n".join(members), "}", ""])


def _constructor(name: str, parameters: str, arguments: str) -> str:
    return f"    {name}({parameters}) {{\n        super({arguments});\n    }}"


def _results(header: Header) -> str:
    lines = [FIRST, "", "package xs2a;", ""]
    lines += ["/** Result codes. A number never changes its meaning; a newer library may return others. */"]
    lines += ["public final class Result {", "    private Result() {}", ""]
    lines += ["    /** The version of the binary interface. */"]
    lines += [f"    static final int ABI_VERSION = {header.abi_version};"]
    for name, number, comment in header.results:
        lines += ["", "    /**", *wrapped([" ".join(comment)], "     * ", ""), "     */"]
        lines.append(f"    public static final int {name} = {number};")
    return "\n".join([*lines, "}", ""])


def files(header: Header) -> dict[str, str]:
    """The text of each file, by its path below `bindings`."""
    folder = "java/src/xs2a"
    printed = {f"{folder}/Result.java": _results(header)}
    for owner, class_ in CLASSES.items():
        name = f"{class_}Calls"
        free = "Runnable" if owner == "engine" else "String"
        constructors = [_constructor(name, f"long pointer, {free} free", "pointer, free")]
        if owner == "engine":
            constructors.append(_constructor(name, "Handle owner, long pointer", "owner, pointer"))
        text = _class(name, header.printed(owner), " extends Handle", "\n\n".join(constructors))
        printed[f"{folder}/{name}.java"] = text
    printed[f"{folder}/ToolCalls.java"] = _class("ToolCalls", header.printed(None))
    return printed
