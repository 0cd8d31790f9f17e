"""The control interface as an ASGI application, made from the table of routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.routing import Route as Path
from starlette.types import ASGIApp

from xs2a._console.site import console_routes
from xs2a._control.control import Control
from xs2a._control.document import document
from xs2a._control.events import EventStreams
from xs2a._control.guard import Guard, Token
from xs2a._control.problem import Problem, of_error
from xs2a._control.reading import problem_response, read_arguments, respond
from xs2a._control.routes import ROUTES, Route
from xs2a._errors import Error

__all__ = ["application"]

_Endpoint = Callable[[Request], Awaitable[Response]]


def application(control: Control, host: str, token: str | None) -> ASGIApp:
    """The application for one served sandbox, at that host."""
    described = document(requires_token=token is not None)

    async def openapi(_request: Request) -> Response:
        return JSONResponse(described)

    paths: list[BaseRoute] = [
        Path("/openapi.json", openapi, methods=["GET"]),
        Path("/events", EventStreams(control).answer, methods=["GET"]),
    ]
    by_path: dict[str, list[Route]] = {}
    for route in ROUTES:
        by_path.setdefault(route.path, []).append(route)
    paths += [_path(control, path, routes) for path, routes in by_path.items()]
    known_token = None if token is None else Token(token)
    paths += console_routes(control, known_token)
    app = Starlette(
        routes=paths,
        exception_handlers={Problem: _problem, Error: _error, HTTPException: _unrouted, Exception: _bug},
    )
    app.router.redirect_slashes = False
    return Guard(app, host, known_token)


def _path(control: Control, path: str, routes: list[Route]) -> Path:
    endpoints = {route.method: _endpoint(control, route) for route in routes}

    async def by_method(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return Path(path, by_method, methods=list(endpoints))


def _endpoint(control: Control, route: Route) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        arguments = await read_arguments(route, request)

        def handle() -> Response:
            control.keep_up()
            return respond(route, route.handler(control, **arguments))

        return await run_in_threadpool(handle)

    return endpoint


async def _problem(_request: Request, found: Exception) -> Response:
    assert isinstance(found, Problem)
    return problem_response(found)


async def _error(_request: Request, found: Exception) -> Response:
    assert isinstance(found, Error)
    return problem_response(of_error(found))


async def _unrouted(_request: Request, found: Exception) -> Response:
    assert isinstance(found, HTTPException)
    if found.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        detail = "this path has other methods: see the header Allow"
    else:
        detail = "there is no such path; /openapi.json lists them"
    return problem_response(Problem(found.status_code, detail, headers=dict(found.headers or {})))


async def _bug(_request: Request, _found: Exception) -> Response:
    """Starlette raises it again behind the answer, and uvicorn logs it."""
    return problem_response(
        Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "the control interface failed; see the log")
    )
