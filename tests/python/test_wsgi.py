"""`sandbox.wsgi` in servers of others."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import httpx
import payment_journey as journey
import pytest
import xs2a
from waitress.server import BaseWSGIServer, create_server

KNOWN_ROUTE = f"{journey.INSTANT}/%21%21id%3D/status"


def environment(method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> dict[str, Any]:
    """What a WSGI server makes of a request, without a REQUEST_URI."""
    path, _, query = target.partition("?")
    made: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json",
        "wsgi.input": io.BytesIO(body),
    }
    made.update({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers})
    setup_testing_defaults(made)
    return made


def call(sandbox: xs2a.Sandbox, environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    """One call, with the rules of PEP 3333 checked on both sides."""
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        started.extend([status, dict(headers)])

    answer = validator(sandbox.wsgi)(environ, start_response)
    with closing(answer):  # type: ignore[type-var]
        body = b"".join(answer)
    return started[0], started[1], body


def without_content_type(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers if name != "Content-Type"]


def test_a_payment_is_made_by_the_rules_of_wsgi(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = without_content_type(tpp.sign("POST", journey.INSTANT, journey.HEADERS, body))
    status, answered, content = call(sandbox, environment("POST", journey.INSTANT, headers, body))
    assert status == "201 Created"
    assert answered["Content-Length"] == str(len(content))
    assert json.loads(content)["transactionStatus"] == "RCVD"


def test_the_raw_target_goes_before_the_decoded_path(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    for name in ("REQUEST_URI", "RAW_URI"):
        target = f"{journey.INSTANT}?allowLogicalDuplicate=%74rue"
        headers = without_content_type(tpp.sign("POST", target, journey.HEADERS, body))
        for origin in ("", "http://bank.example"):  # in absolute form too
            environ = environment("POST", "/some/where/else", headers, body)
            with sandbox.fork() as bank:
                assert call(bank, {**environ, name: origin + target})[0] == "201 Created"


def test_a_header_goes_in_as_the_bytes_that_were_sent(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    signed = tpp.sign(
        "GET", KNOWN_ROUTE, [("TPP-Redirect-URI", "https://tpp.example/Å"), *journey.HEADERS[:2]]
    )
    passed = [(name, value.encode().decode("latin-1")) for name, value in signed]  # as WSGI servers decode
    environ = environment("GET", KNOWN_ROUTE, passed, b"")
    here = sandbox.fork().handle("GET", KNOWN_ROUTE, signed)
    assert call(sandbox, environ)[2] == here.body


@pytest.mark.parametrize(("size", "status"), [(100, "400"), (101, "413")])
def test_a_body_over_the_limit_is_read_no_further(size: int, status: str) -> None:
    with xs2a.Sandbox(policy={"body_bytes_max": 100}) as sandbox:
        environ = environment("POST", journey.INSTANT, [], b" " * (size if size == 100 else 5_000))
        source = environ["wsgi.input"]
        answered, _, _ = call(sandbox, environ)
        assert (answered[:3], source.tell()) == (status, size)


def test_a_body_of_unknown_length_is_read_where_the_server_ends_it(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    for ends, status in ((True, "201 Created"), (False, "400 Bad Request")):
        headers = without_content_type(tpp.sign("POST", journey.INSTANT, journey.HEADERS, body))
        environ = environment("POST", journey.INSTANT, headers, body)
        environ["CONTENT_LENGTH"], environ["wsgi.input_terminated"] = "", ends
        assert call(sandbox, environ)[0] == status


def test_an_answer_to_head_has_a_length_and_no_body(sandbox: xs2a.Sandbox) -> None:
    environ = environment("HEAD", KNOWN_ROUTE, [], b"")
    started: list[Any] = []
    body = list(sandbox.wsgi(environ, lambda *answered: started.extend(answered)))  # type: ignore[arg-type]
    assert (started[0], body, dict(started[1])["Allow"]) == ("405 Method Not Allowed", [], "GET")
    assert int(dict(started[1])["Content-Length"]) > 0


@pytest.fixture
def waitress(sandbox: xs2a.Sandbox) -> Iterator[str]:
    server = create_server(sandbox.wsgi, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    assert isinstance(server, BaseWSGIServer)
    assert server.socket is not None
    yield f"http://127.0.0.1:{server.socket.getsockname()[1]}"
    # In its own thread: there it may be waiting for the sockets that are closed.
    server.trigger.pull_trigger(server.close)  # type: ignore[attr-defined]
    thread.join()


def test_waitress_serves_it(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, waitress: str) -> None:
    path, _ = journey.created(sandbox, tpp)
    target = f"{path}/status"
    answer = httpx.get(waitress + target, headers=tpp.sign("GET", target, journey.HEADERS))
    assert (answer.status_code, answer.json()["transactionStatus"]) == (200, "RCVD")
