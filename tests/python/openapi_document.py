"""The interface's document as an oracle: the package jsonschema holds requests and answers against it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import xs2a
from jsonschema import Draft202012Validator

Json = dict[str, Any]


class Document:
    """What the document says of calls."""

    def __init__(self, environment: Any = "sandbox") -> None:
        self.document: Json = xs2a.openapi(environment=environment)
        closed = _closed(self.document)
        self._schemas = closed["components"]["schemas"]
        self.operations: dict[str, Json] = {}
        self._routes: list[tuple[str, re.Pattern[str], Json]] = []
        for path, methods in self.document["paths"].items():
            pattern = re.compile(re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(path)))
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = operation
                self._routes.append((method.upper(), pattern, operation))
        self.described: Counter[tuple[str, str]] = Counter()
        """What succeeded, by operation and status."""
        self.seen: set[tuple[str, str]] = set()
        """The members of answers that were there, each with the schema it is of."""

    def operation(self, method: str, target: str) -> Json:
        """What a call does."""
        path = urlsplit(target).path
        (found,) = (row for name, pattern, row in self._routes if name == method and pattern.fullmatch(path))
        return found

    def body(self, method: str, target: str) -> Json:
        """The schema of what a call sends."""
        schema: Json = self.operation(method, target)["requestBody"]["content"]["application/json"]["schema"]
        return schema

    def check(self, method: str, target: str, answer: xs2a.Response) -> None:
        """That an answer is as the document says: nothing is missing, and nothing there that it knows not."""
        operation = self.operation(method, target)
        described = operation["responses"]
        assert str(answer.status) in described, (method, target, answer.status, answer.reason)
        response = self._resolved(described[str(answer.status)])
        sent = {name for name, _ in answer.headers}
        beside = {"Content-Type", "Content-Encoding", "Allow", "Accept-Encoding"}
        assert set(response["headers"]) - {"X-Request-ID"} <= sent <= {*response["headers"], *beside}
        if answer.status < 300:
            self.described[operation["operationId"], str(answer.status)] += 1
        if "content" not in response:
            assert answer.body == b""
            return
        schema = response["content"]["application/json"]["schema"]
        faults = [f"{fault.json_path}: {fault.message}" for fault in self.faults(schema, answer.json())]
        assert not faults, (faults, method, target, answer.status, answer.json())
        self._note(schema, answer.json())

    def faults(self, schema: Json, value: object) -> Iterator[Any]:
        """What a schema finds wrong with an answer."""
        whole = {**_closed(schema), "components": {"schemas": self._schemas}}
        return Draft202012Validator(whole).iter_errors(value)

    def is_body(self, schema: Json, value: object) -> bool:
        """Whether a schema takes what is sent, which may have more members."""
        whole = {**schema, "components": self.document["components"]}
        return bool(Draft202012Validator(whole).is_valid(value))

    def members(self, root: Json) -> set[tuple[str, str]]:
        """The members of a schema and of the schemas it refers to, each with its schema."""
        members: set[tuple[str, str]] = set()
        rest = list(_named(root))
        while rest:
            name = rest.pop()
            properties = self.document["components"]["schemas"][name].get("properties", {})
            for member, schema in properties.items():
                if (name, member) not in members:
                    members.add((name, member))
                    rest.extend(_named(schema))
        return members

    def _resolved(self, described: Json) -> Json:
        while "$ref" in described:
            *_, kind, name = described["$ref"].split("/")
            described = self.document["components"][kind][name]
        return described

    def _note(self, schema: Json, value: object) -> None:
        for name in _named(schema, inside_arrays=False):
            properties = self.document["components"]["schemas"][name].get("properties", {})
            if isinstance(value, dict):
                for member in value.keys() & properties.keys():
                    self.seen.add((name, member))
                    self._note(properties[member], value[member])
        if isinstance(value, list) and "items" in schema:
            for item in value:
                self._note(schema["items"], item)


def _named(schema: Json, inside_arrays: bool = True) -> Iterator[str]:
    """The schemas that a schema refers to by name."""
    if "$ref" in schema:
        yield schema["$ref"].rsplit("/", 1)[1]
    for part in schema.get("anyOf", []):
        yield from _named(part, inside_arrays)
    if inside_arrays and "items" in schema:
        yield from _named(schema["items"])


def _closed(value: Any) -> Any:
    """The same, where no object has members that it does not describe."""
    if isinstance(value, list):
        return [_closed(item) for item in value]
    if not isinstance(value, dict):
        return value
    closed = {name: _closed(member) for name, member in value.items()}
    return {**closed, "additionalProperties": False} if "properties" in closed else closed
