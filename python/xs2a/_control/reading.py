"""From a request to the arguments of a handler, and from its result to an answer."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from xs2a._control import problem
from xs2a._control.handlers import JsonText, PlainText, StateText
from xs2a._control.problem import Problem
from xs2a._control.routes import Route
from xs2a._control.tables import TableFile

__all__ = ["problem_response", "read_arguments", "read_body", "read_json", "respond"]

_JSON = "application/json"
_PLACE = re.compile(r" - at `(?P<place>[^`]*)`$")


async def read_arguments(route: Route, request: Request) -> dict[str, Any]:
    """The arguments of the route's handler. ``Problem`` where the request does not have them."""
    arguments: dict[str, Any] = {}
    for name in route.path_parameters:
        arguments[name] = _path_parameter(request.path_params[name], route.arguments[name])
    if "query" in route.arguments:
        arguments["query"] = _query(request, route.arguments["query"])
    elif request.query_params:
        name = next(iter(request.query_params))
        raise Problem(HTTPStatus.BAD_REQUEST, f"there is no query parameter `{name}` here")
    if "body" in route.arguments:
        _expect_json(request)
        body = await read_body(request, route.body_bytes_max)
        arguments["body"] = read_json(body, route.arguments["body"])
    return arguments


def read_json(body: bytes, schema: Any) -> Any:
    """A body, read as its type. ``Problem`` names the member that is wrong."""
    try:
        text = body.decode()
        if schema is StateText:
            return text
        value = json.loads(text, parse_float=_number, parse_constant=_refuse_constant)
    except RecursionError:
        raise Problem(HTTPStatus.BAD_REQUEST, "the body is nested too deeply") from None
    except ValueError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}") from None
    try:
        return msgspec.convert(value, schema)
    except (msgspec.ValidationError, OverflowError) as error:
        raise _invalid(error) from None


def _number(text: str) -> float | int:
    """To JSON Schema 1.0 is a whole number."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _invalid(error: Exception) -> Problem:
    """``Object missing required field `name` - at `$.order[0]` ``, as text and JSON Pointer."""
    text = str(error) or "the body is not valid"
    found = _PLACE.search(text)
    if found is None:
        pointer = "" if isinstance(error, msgspec.ValidationError) else None
        return Problem(HTTPStatus.BAD_REQUEST, text, pointer=pointer)
    place = found["place"].lstrip("$").replace("[", ".").replace("]", "")
    pointer = place.replace("~", "~0").replace("/", "~1").replace(".", "/")
    return Problem(HTTPStatus.BAD_REQUEST, text[: found.start()], pointer=pointer)


def _path_parameter(text: str, schema: Any) -> Any:
    if schema is not int:
        return text
    if not re.fullmatch(r"[1-9][0-9]{0,17}", text):
        raise Problem(HTTPStatus.NOT_FOUND, f"`{text}` is not a number of anything here")
    return int(text)


def _query(request: Request, schema: Any) -> Any:
    given = request.query_params.multi_items()
    values = dict(given)
    if len(values) < len(given):
        raise Problem(HTTPStatus.BAD_REQUEST, "a query parameter is given twice")
    try:
        return msgspec.convert(values, schema, strict=False)
    except msgspec.ValidationError as error:
        wrong = _invalid(error)
        place = (wrong.pointer or "").lstrip("/")
        where = f"query parameter `{place}`: " if place else "query: "
        raise Problem(HTTPStatus.BAD_REQUEST, where + wrong.detail) from None


def _expect_json(request: Request) -> None:
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type != _JSON:
        raise Problem(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the body must be {_JSON}", headers={"Accept": _JSON}
        )


async def read_body(request: Request, bytes_max: int) -> bytes:
    """The body, up to a size. ``Problem`` beyond it, and where the client leaves."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > bytes_max:
                raise Problem(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body may have {bytes_max} bytes at most"
                )
    except ClientDisconnect:
        raise Problem(HTTPStatus.BAD_REQUEST, "the body ended early") from None
    return bytes(body)


def respond(route: Route, result: Any) -> Response:
    """The answer of a handler."""
    if result is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    if isinstance(result, PlainText):
        return Response(result, route.status, media_type="text/plain; charset=utf-8")
    if isinstance(result, TableFile):
        length = {"Content-Length": str(result.size)}
        return StreamingResponse(result.pieces(), route.status, length, result.media_type)
    content = result.encode() if isinstance(result, JsonText) else msgspec.json.encode(result)
    return Response(content, route.status, media_type=_JSON)


def problem_response(found: Problem) -> Response:
    """An error as an answer."""
    return Response(found.body(), found.status, headers=found.headers, media_type=problem.MEDIA_TYPE)
