"""The routes of the console: its pages, the forms on them, and signing in with the token."""

from __future__ import annotations

import json
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from jinja2 import Environment, PackageLoader, pass_context
from jinja2.runtime import Context
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute
from starlette.routing import Route as Path

from xs2a._console import shown
from xs2a._console.documents import renderer_file
from xs2a._console.pages import PAGES, Page
from xs2a._console.texts import Language, language_of, translate
from xs2a._control.bodies import Callback
from xs2a._control.control import Control
from xs2a._control.guard import COOKIE, Token
from xs2a._control.handlers import StateText
from xs2a._control.problem import Problem, of_error
from xs2a._control.reading import read_body
from xs2a._control.routes import ROUTES, Route
from xs2a._errors import Error

__all__ = ["console_routes"]

_LANGUAGE_COOKIE = "xs2a_language"
_STYLE, _SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
_STATIC = {"frame.css": _STYLE, "style.css": _STYLE, "live.js": _SCRIPT, "docs.js": _SCRIPT}
_FORM_BYTES_MAX = 64 * 1024 * 1024
_FIELDS_MAX = 50
_SIGN_IN = Page("/console/login", "login.html", "Sign in", dict, is_live=False)


def console_routes(control: Control, token: Token | None) -> list[BaseRoute]:
    """Every route of the console."""
    console = _Console(control, token)
    pages = [Path(page.path, console.page(page), methods=["GET"]) for page in PAGES]
    others = [
        Path("/console/static/{name}", console.static, methods=["GET"]),
        Path("/console/do/{operation}", console.act, methods=["POST"]),
        Path("/console/login", console.sign_in, methods=["GET", "POST"]),
    ]
    return [*pages, *others]


class _Console:
    def __init__(self, control: Control, token: Token | None) -> None:
        self._control, self._token = control, token
        self._actions = {route.operation_id: route for route in ROUTES if route.method != "GET"}
        self._templates = _environment()

    def page(self, page: Page) -> Any:
        """The endpoint of a page."""

        async def endpoint(request: Request) -> Response:
            def values() -> dict[str, Any]:
                self._control.keep_up()
                return page.values(self._control, request.query_params, **request.path_params)

            chosen = request.query_params.get("lang")
            if chosen is not None:
                return self._choose_language(request, chosen)
            try:
                found = await run_in_threadpool(values)
            except (Problem, Error) as error:
                return self._problem(request, error, "/")
            return self._show(request, page.template, page, **found)

        return endpoint

    async def static(self, request: Request) -> Response:
        """The style sheet and the script."""
        name = request.path_params["name"]
        found = renderer_file(name)
        if name in _STATIC:
            found = (files("xs2a._console") / "static" / name).read_bytes(), _STATIC[name]
        if found is None:
            raise Problem(HTTPStatus.NOT_FOUND, "there is no such file")
        content, media_type = found
        return Response(content, media_type=media_type)

    async def act(self, request: Request) -> Response:
        """A form: runs the operation of the control interface that it names."""
        fields: dict[str, str] = {}
        try:
            fields = await _form(request)
            route = self._actions.get(request.path_params["operation"])
            if route is None:
                raise Problem(HTTPStatus.NOT_FOUND, "there is no such operation")
            result = await run_in_threadpool(self._run, route, fields)
        except (Problem, Error) as error:
            return self._problem(request, error, _back(fields))
        if isinstance(result, Callback):
            page = next(page for page in PAGES if page.template == "sca.html")
            return self._show(request, "callback.html", page, callback=result.callback, back=_back(fields))
        return RedirectResponse(_back(fields), HTTPStatus.SEE_OTHER)

    async def sign_in(self, request: Request) -> Response:
        """Asks for the token; with it, a cookie that ends with this process."""
        if self._token is None:
            return RedirectResponse("/", HTTPStatus.SEE_OTHER)
        is_wrong = False
        if request.method == "POST":
            fields = await _form(request)
            if self._token.is_right(fields.get("token", "")):
                answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
                answer.set_cookie(COOKIE, self._token.cookie, httponly=True, samesite="strict")
                return answer
            is_wrong = True
        status = HTTPStatus.UNAUTHORIZED if is_wrong else HTTPStatus.OK
        # Nothing of the bank is shown before.
        return self._show(request, "login.html", _SIGN_IN, status, is_wrong=is_wrong, control=None)

    def _run(self, route: Route, fields: dict[str, str]) -> object:
        self._control.keep_up()
        return route.handler(self._control, **_arguments(route, fields))

    def _problem(self, request: Request, error: Problem | Error, back: str) -> Response:
        found = of_error(error) if isinstance(error, Error) else error
        page = Page("", "problem.html", "This cannot be done", dict, is_live=False)
        return self._show(request, "problem.html", page, found.status, detail=found.detail, back=back)

    def _show(
        self, request: Request, template: str, page: Page, status: int = HTTPStatus.OK, **values: Any
    ) -> Response:
        language = _language(request)
        other = "en" if language == "nb" else "nb"
        shown_values = {
            "control": self._control,
            "now": _now(self._control),
            "page": page,
            "menu": [item for item in PAGES if not item.below and item.path != "/docs"],
            "language": language,
            "other_language_link": "?" + urlencode({"lang": other}),
            **values,
        }
        text = self._templates.get_template(template).render(shown_values)
        headers = {
            "Content-Security-Policy": page.policy,
            "Content-Language": language,
            "Vary": "Accept-Language",
        }
        # Of a lone surrogate there is no UTF-8; `visible` escapes those of TPPs.
        return Response(text.encode("utf-8", "replace"), status, headers, "text/html; charset=utf-8")

    def _choose_language(self, request: Request, chosen: str) -> Response:
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
        path = request.url.path + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(path, HTTPStatus.SEE_OTHER)
        if chosen in ("en", "nb"):
            answer.set_cookie(_LANGUAGE_COOKIE, chosen, httponly=True, samesite="strict")
        return answer


def _environment() -> Environment:
    environment = Environment(loader=PackageLoader("xs2a._console"), autoescape=True, trim_blocks=True)
    environment.filters.update(
        short=shown.short,
        visible=shown.visible,
        pretty=shown.pretty,
        moment=shown.moment,
        duration=shown.duration,
        json=lambda value: shown.visible(json.dumps(value, indent=2, ensure_ascii=False)),
        indented=lambda text: json.dumps(json.loads(text), indent=1),
    )
    environment.globals["_"] = _translated
    return environment


@pass_context
def _translated(context: Context, text: str) -> str:
    return translate(text, context["language"])


def _now(control: Control) -> Any:
    try:
        return control.sandbox.clock.now()
    except Error:
        return ""  # it is closed, as the page says


def _language(request: Request) -> Language:
    return language_of(request.cookies.get(_LANGUAGE_COOKIE), request.headers.get("accept-language", ""))


async def _form(request: Request) -> dict[str, str]:
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type != "application/x-www-form-urlencoded":
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a form is application/x-www-form-urlencoded")
    body = await read_body(request, _FORM_BYTES_MAX)
    try:
        return dict(parse_qsl(body.decode("ascii"), errors="strict", max_num_fields=_FIELDS_MAX))
    except ValueError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, f"this is not a form: {error}") from None


def _back(fields: dict[str, str]) -> str:
    """A page of the console; never another site."""
    path = fields.get("back", "/")
    return path if any(path == page.path for page in PAGES) else "/"


def _arguments(route: Route, fields: dict[str, str]) -> dict[str, Any]:
    """The arguments of the route's handler from the fields of a form; an empty field is an absent member."""
    given = {name: value.strip() for name, value in fields.items() if value.strip() and name != "back"}
    arguments: dict[str, Any] = {}
    try:
        for name in route.path_parameters:
            arguments[name] = msgspec.convert(given.pop(name, ""), route.arguments[name], strict=False)
        if "body" in route.arguments:
            hint = route.arguments["body"]
            body = given.get("text", "") if hint is StateText else given
            arguments["body"] = body if hint is StateText else msgspec.convert(body, hint, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from None
    return arguments
