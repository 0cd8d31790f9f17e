"""Prints the binding for .NET."""

from __future__ import annotations

from xml.sax.saxutils import escape

from header import Function, Header
from prose import camel, described, folded, owner_and_words, pascal, wrapped

FIRST = "// Generated from the C headers by bindings/generator: not to be edited."
OWNERS = ("engine", "sandbox", "tpp")
# Functions without a handle that only libxs2a_sandbox has.
OF_SANDBOX = {"xs2a_coverage_merge", "xs2a_coverage_text", "xs2a_snapshot_diff"}
# Type of an argument in C#, its type as C takes it, and how it is converted.
INPUTS = {
    "text": ("string", "Piece", "frame.Text({})"),
    "bytes": ("byte[]", "Piece", "frame.Bytes({})"),
    "request": ("Request", "IntPtr", "frame.Request({})"),
    "int8_t": ("int", "sbyte", "(sbyte){}"),
    "flag": ("bool", "byte", "(byte)({} ? 1 : 0)"),
    "int64_t": ("long", "long", "{}"),
    "uint64_t": ("ulong", "ulong", "{}"),
}
# Type of an output in C#, its type as C writes it, and how it is given back.
OUTPUTS = {
    "text": ("string", "IntPtr", "Take.Text(output)"),
    "bytes": ("byte[]", "IntPtr", "Take.Bytes(output)"),
    "sandbox": ("Sandbox", "IntPtr", "new Sandbox(output)"),
    "tpp": ("Tpp", "IntPtr", "new Tpp(output)"),
    "size_t": ("long", "UIntPtr", "(long)output"),
    "uint64_t": ("ulong", "ulong", "output"),
    "uint8_t": ("int", "byte", "output"),
    "flag": ("bool", "int", "output != 0"),
    "run_report": ("RunReport", "RunReport", "output"),
}
# Type in C# and in C of what a function without an xs2a_result gives, and how it is given back.
PLAIN = {"borrowed": ("string", "Piece", "Take.String({})"), "truth": ("bool", "int", "{} != 0")}


def _class(owner: str | None) -> str:
    return owner.capitalize() if owner else "Tools"


def _named(name: str) -> str:
    owner, words = owner_and_words(name)
    return f"{_class(owner)}.{pascal(words)}"


def _code(name: str) -> str:
    return f"Result.{pascal(name.lower().split('_'))}"


def _comment(paragraphs: list[str], indent: str) -> list[str]:
    prose = wrapped([escape(paragraph) for paragraph in paragraphs], f"{indent}/// ", f"{indent}/// <para/>")
    return [f"{indent}/// <summary>", *prose, f"{indent}/// </summary>"]


def _declaration(function: Function) -> str:
    given = [f"{_class(function.owner)}Handle handle"] if function.owner else []
    given += [f"{INPUTS[kind][1]} {camel(name.split('_'))}" for kind, name in function.inputs]
    plain = PLAIN.get(function.output or "")
    if plain is None:
        if function.output:
            given.append(f"out {OUTPUTS[function.output][1]} output")
        given.append("out IntPtr error")
    type_ = plain[1] if plain else "int"
    parameters = ", ".join(given)
    declared = f"        internal static extern {type_} {function.name}({parameters});"
    return f"        [DllImport(Name)]\n{folded(declared)}"


def _method(function: Function) -> str:
    inputs = [(kind, camel(name.split("_"))) for kind, name in function.inputs]
    name = pascal(function.words)
    lines = _comment(described(function, _named, _code, "null"), "        ")
    static = "" if function.owner else "static "
    typed = ", ".join(f"{INPUTS[kind][0]} {given}" for kind, given in inputs)
    arguments = ["handle"] if function.owner else []
    arguments += [INPUTS[kind][2].format(given) for kind, given in inputs]
    plain = PLAIN.get(function.output or "")
    output = OUTPUTS.get(function.output or "")
    type_ = plain[0] if plain else output[0] if output else "void"
    lines += [f"        public {static}{type_} {name}({typed})", "        {"]
    lines += ["            using (var frame = new Frame())", "            {"]
    if plain:
        call = f"Native.{function.name}({', '.join(arguments)})"
        lines.append(f"                return {plain[2].format(call)};")
    else:
        arguments += [f"out {output[1]} output"] if output else []
        call = f"Native.{function.name}({', '.join([*arguments, 'out IntPtr error'])})"
        lines.append(folded(f"                Failure.Check({call}, error);"))
        lines += [f"                return {output[2]};"] if output else []
    return "\n".join([*lines, "            }", "        }"])


def _file(declaration: str, members: list[str], guard: bool) -> str:
    text = "\n".join(
        [
            "using System;",
            "using System.Runtime.InteropServices;",
            "",
            "namespace Xs2a",
            "{",
            f"    {declaration}",
            "    {",
            "\n\n".join(members),
            "    }",
            "}",
            "",
        ]
    )
    return f"{FIRST}\n\n" + (f"#if XS2A_SANDBOX\n{text}#endif\n" if guard else text)


def _results(header: Header) -> str:
    members = [f"        internal const uint AbiVersion = {header.abi_version};"]
    for name, number, comment in header.results:
        constant = f"        public const int {_code(name).removeprefix('Result.')} = {number};"
        members.append("\n".join([*_comment([" ".join(comment)], "        "), constant]))
    return _file("public static class Result", members, guard=False)


def files(header: Header) -> dict[str, str]:
    """The text of each file, by its path below `bindings`."""
    alone = header.printed(None)
    of_sandbox = [one for one in alone if one.name in OF_SANDBOX]
    of_engine = [one for one in alone if one.name not in OF_SANDBOX]
    engine, sandbox, tpp = (header.printed(owner) for owner in OWNERS)
    native, methods = "internal static partial class Native", "public sealed partial class"
    groups = [
        ("Native.Calls.cs", native, _declaration, [*engine, *of_engine], False),
        ("Native.SandboxCalls.cs", native, _declaration, [*sandbox, *tpp, *of_sandbox], True),
        ("Engine.Calls.cs", f"{methods} Engine", _method, engine, False),
        ("Sandbox.Calls.cs", f"{methods} Sandbox", _method, sandbox, True),
        ("Tpp.Calls.cs", f"{methods} Tpp", _method, tpp, True),
        ("Tools.Calls.cs", "public static partial class Tools", _method, of_engine, False),
        ("Tools.SandboxCalls.cs", "public static partial class Tools", _method, of_sandbox, True),
    ]
    printed = {
        f"dotnet/src/{name}": _file(declaration, [member(one) for one in functions], guard)
        for name, declaration, member, functions, guard in groups
    }
    printed["dotnet/src/Result.cs"] = _results(header)
    return printed
