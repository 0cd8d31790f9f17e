"""Reads the two C headers: result codes, the version of the binary interface, and every function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"

# Functions that each binding calls in code written by hand: they take structs, callbacks or lists.
HANDWRITTEN = {
    *("xs2a_engine_new", "xs2a_engine_free", "xs2a_engine_handle", "xs2a_engine_audit", "xs2a_writer_write"),
    "xs2a_writer_fail",
    *("xs2a_engine_run_due_while",),
    *("xs2a_explain", "xs2a_validate_payment", "xs2a_basket_status", "xs2a_verify_response"),
    *("xs2a_sandbox_new", "xs2a_sandbox_free", "xs2a_sandbox_engine", "xs2a_sandbox_handle"),
    *("xs2a_sandbox_journal", "xs2a_sandbox_authorise", "xs2a_tpp_sign", "xs2a_tpp_free"),
    *("xs2a_abi_version", "xs2a_error_message", "xs2a_error_free", "xs2a_text_str", "xs2a_text_free"),
    *("xs2a_bytes_slice", "xs2a_bytes_free", "xs2a_response_status", "xs2a_response_header_count"),
    *("xs2a_response_header", "xs2a_response_body", "xs2a_response_reason", "xs2a_response_free"),
    *("xs2a_response_operation", "xs2a_response_tpp", "xs2a_response_tpp_name", "xs2a_response_role"),
    *("xs2a_response_timing",),
    *("xs2a_headers_count", "xs2a_headers_get", "xs2a_headers_free"),
}
# Functions that no binding has, and why.
NOT_BOUND = {
    "xs2a_error_code": "the function that failed returned it",
    "xs2a_str_of": "for literals of C",
    "xs2a_slice_of": "for literals of C",
    "xs2a_headers_data": "xs2a_headers_get() gives each field",
    "xs2a_headers_value": "a list of the language is searched",
    "xs2a_sandbox_table": "no binding depends on a library of Arrow; the control interface gives the file",
}
OWNERS = {
    "const xs2a_engine *": "engine",
    "const xs2a_sandbox *": "sandbox",
    "const xs2a_tpp *": "tpp",
}
OUTPUTS = {
    "xs2a_text **": "text",
    "xs2a_bytes **": "bytes",
    "xs2a_sandbox **": "sandbox",
    "xs2a_tpp **": "tpp",
    "size_t *": "size_t",
    "uint64_t *": "uint64_t",
    "uint8_t *": "uint8_t",
    "int32_t *": "flag",
    "xs2a_run_report *": "run_report",
}
INPUTS = {
    "xs2a_str": "text",
    "xs2a_slice": "bytes",
    "const xs2a_request *": "request",
    "int8_t": "int8_t",
    "uint8_t": "flag",
    "int64_t": "int64_t",
    "uint64_t": "uint64_t",
}
# Texts for which an empty one and an absent one are two things.
OPTIONAL = {"trust_anchors"}


@dataclass(frozen=True)
class Parameter:
    """A parameter as the header declares it: `type` ends in its asterisks."""

    type: str
    name: str


@dataclass(frozen=True)
class Function:
    """A function that a binding can be printed for."""

    name: str
    result: str
    comment: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @property
    def owner(self) -> str | None:
        """The handle whose method it is: `engine`, `sandbox`, `tpp`; None: a function of its own."""
        return OWNERS.get(self.parameters[0].type) if self.parameters else None

    @property
    def words(self) -> list[str]:
        """The words of its name in a binding: `xs2a_engine_run_due` is `run`, `due`."""
        prefix = f"xs2a_{self.owner}_" if self.owner else "xs2a_"
        return self.name.removeprefix(prefix).split("_")

    @property
    def inputs(self) -> list[tuple[str, str]]:
        """Kind and name of each argument, without the handle, the output and the error."""
        rest = self.parameters[1 if self.owner else 0 :]
        return [(INPUTS[given.type], given.name) for given in rest if given.type in INPUTS]

    @property
    def output(self) -> str | None:
        """The kind of the output, such as `text` or an integer's type; None: there is none."""
        if self.result != "xs2a_result":
            return {"xs2a_str": "borrowed", "int32_t": "truth"}[self.result]
        found = [OUTPUTS[given.type] for given in self.parameters if given.type in OUTPUTS]
        return found[0] if found else None


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def _parameters(text: str) -> tuple[Parameter, ...]:
    if text.strip() == "void":
        return ()
    found = (re.fullmatch(r"(.*?)(\w+)", given.strip(), re.DOTALL) for given in text.split(","))
    return tuple(Parameter(one[1].strip(), one[2]) for one in found if one)


class Header:
    """What both headers declare."""

    def __init__(self) -> None:
        engine, sandbox = ((INCLUDE / name).read_text() for name in ("xs2a.h", "xs2a_sandbox.h"))
        self.abi_version = int(re.findall(r"#define XS2A_ABI_VERSION (\d+)", engine)[0])
        results = re.findall(r"typedef enum \{\n(.*?)\} xs2a_result;", engine, re.DOTALL)[0]
        self.results = [
            (name, int(number), [line.strip()[3:] for line in comment.splitlines()])
            for comment, name, number in re.findall(r"((?: *//.*\n)+) *XS2A_(\w+) = (\d+),", results)
        ]
        self.functions = [*self._functions(engine), *self._functions(sandbox)]
        known = {function.name for function in self.functions}
        for name in {*HANDWRITTEN, *NOT_BOUND} - known:
            raise ValueError(f"{name}: no header declares it")

    @staticmethod
    def _functions(text: str) -> list[Function]:
        declared = text.partition('extern "C" {')[2]
        pattern = re.compile(r"((?:^//[^\n]*\n)*)^([a-z][\w *]*?)(xs2a_\w+)\(([^;]*)\);", re.MULTILINE)
        return [
            Function(
                name,
                result.strip(),
                tuple(line[3:] for line in comment.splitlines()),
                () if name in HANDWRITTEN else _parameters(_without_comments(parameters)),
            )
            for comment, result, name, parameters in pattern.findall(declared)
        ]

    def printed(self, owner: str | None) -> list[Function]:
        """The functions of one owner whose binding is printed."""
        by_hand = {*HANDWRITTEN, *NOT_BOUND}
        return [found for found in self.functions if found.name not in by_hand and found.owner == owner]
