"""The OpenAPI document of the control interface."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus
from typing import Any

import msgspec

from xs2a import __version__
from xs2a._control import problem
from xs2a._control.handlers import PlainText, StateText
from xs2a._control.routes import ROUTES, Route
from xs2a._control.tables import FORMATS, TableFile

__all__ = ["document"]

_SCHEMAS = "#/components/schemas/{name}"
_DESCRIPTION = (
    "Steers and watches a served sandbox: its clock, faults, SCA, snapshots, journal and state. Every "
    "error is a problem detail (RFC 9457)."
)
_ERRORS = {
    "400": "The request is not what this document describes; `pointer` leads to the member that is wrong.",
    "401": "The token is missing or wrong.",
    "403": "The request comes from a page of another origin.",
    "404": "There is nothing of that name here.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The Host is not one of this address.",
    "422": "The sandbox cannot do this now, or never; `detail` has the reason.",
    "502": "A fault makes the bank fail.",
    "507": "There is no space for another snapshot.",
}


@lru_cache(maxsize=2)
def document(requires_token: bool) -> dict[str, Any]:
    """The document, made from the table of routes."""
    schemas = _Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    paths["/events"] = {"get": _EVENTS}
    paths["/openapi.json"] = {"get": _OWN}
    components: dict[str, Any] = {
        "schemas": {**schemas.found(), "Problem": _PROBLEM},
        "responses": {status: _error(text) for status, text in _ERRORS.items()},
    }
    security: dict[str, Any] = {}
    if requires_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        security = {"security": [{"token": []}]}
    return {
        "openapi": "3.1.0",
        "info": {"title": "xs2a control", "version": __version__, "description": _DESCRIPTION},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": components,
        **security,
    }


class _Schemas:
    """The schemas of every type that the table names, made together so that they share their parts."""

    def __init__(self) -> None:
        self._types = [
            hint
            for route in ROUTES
            for hint in (*route.arguments.values(), *route.json_answers)
            if hint not in (StateText, PlainText)
        ]
        schemas, self._components = msgspec.json.schema_components(self._types, ref_template=_SCHEMAS)
        self._schemas = list(schemas)
        # A default of several values is a tuple here and an array in JSON.
        self._components = msgspec.json.decode(msgspec.json.encode(self._components))

    def of(self, hint: Any) -> dict[str, Any]:
        if hint is StateText:
            return {"type": "object"}
        return self._schemas[self._types.index(hint)]

    def found(self) -> dict[str, Any]:
        return self._components

    def members(self, hint: Any) -> list[tuple[str, bool, dict[str, Any]]]:
        """Name, whether it is required, and schema of each."""
        found: dict[str, Any] = self._components[hint.__name__]
        required = found.get("required", [])
        return [(name, name in required, schema) for name, schema in found["properties"].items()]


def _operation(route: Route, schemas: _Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.operation_id,
        "summary": route.summary,
        "parameters": [_path_parameter(name, route.arguments[name]) for name in route.path_parameters],
        "responses": _responses(route, schemas),
    }
    if "query" in route.arguments:
        members = schemas.members(route.arguments["query"])
        operation["parameters"] += [_query_parameter(*member) for member in members]
    if "body" in route.arguments:
        schema = schemas.of(route.arguments["body"])
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if route.path == "/health":
        operation["security"] = []
    return operation


def _path_parameter(name: str, hint: Any) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 1} if hint is int else {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameter(name: str, is_required: bool, schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is absent or a text: it has no null."""
    found = schema
    if "anyOf" in schema:
        [found] = [option for option in schema["anyOf"] if option != {"type": "null"}]
    found = {**found}
    if schema.get("default") is not None:
        found["default"] = schema["default"]
    return {"name": name, "in": "query", "required": is_required, "schema": found}


def _responses(route: Route, schemas: _Schemas) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if route.json_answers:
        found = [schemas.of(hint) for hint in route.json_answers]
        content["application/json"] = {"schema": found[0] if len(found) == 1 else {"anyOf": found}}
    if PlainText in route.answers:
        content["text/plain"] = {"schema": {"type": "string"}}
    if TableFile in route.answers:
        # The media type alone describes a file.
        content |= {media_type: {} for media_type, _ in FORMATS.values()}
    done: dict[str, Any] = {"description": HTTPStatus(route.status).phrase}
    if content:
        done["content"] = content
    statuses = ["400", "401", "403", "404", "421", "422", "502"]
    if "body" in route.arguments:
        statuses += ["413", "415"]
    if route.path == "/snapshots" and route.method == "POST":
        statuses.append("507")
    errors = {status: {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}
    return {str(int(route.status)): done, **errors}


def _error(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": text, "content": {problem.MEDIA_TYPE: {"schema": schema}}}


_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "pointer": {"type": "string", "description": "A JSON Pointer to the member that is wrong."},
    },
}
_EVENTS: dict[str, Any] = {
    "operationId": "events",
    "summary": "New entries of the journal, as server-sent events, behind the entry in `Last-Event-ID`.",
    "parameters": [
        {
            "name": "Last-Event-ID",
            "in": "header",
            "required": False,
            "schema": {"type": "integer", "minimum": 0},
        }
    ],
    "responses": {
        "200": {
            "description": "Each event `entry` has an entry without headers and bodies as its data.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **{
            status: {"$ref": f"#/components/responses/{status}"}
            for status in ("400", "401", "403", "404", "421")
        },
        "503": {"description": "Too many streams are open."},
    },
}
_OWN: dict[str, Any] = {
    "operationId": "controlOpenapi",
    "summary": "This document.",
    "responses": {
        "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}
    },
}
