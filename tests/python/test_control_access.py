"""Who may call the control interface, and what it answers to bad input."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
import xs2a
from xs2a._control.routes import ROUTES

TOKEN = "s3cret-token"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Of a bank that no test here changes: what they send is refused."""
    with xs2a.Sandbox(now="2026-09-01T10:00:00Z") as sandbox:
        serving = sandbox.serve(control=True)
        with serving:
            assert serving.control_url is not None
            yield serving.control_url


@pytest.fixture
def guarded(sandbox: xs2a.Sandbox) -> Iterator[str]:
    serving = sandbox.serve(control=True, control_token=TOKEN)
    with serving:
        assert serving.control_url is not None
        yield serving.control_url


def concrete(path: str) -> str:
    return path.replace("{", "").replace("}", "").replace("number", "1").replace("_id", "-1")


def test_no_answer_lets_a_page_of_another_origin_read_it(url: str) -> None:
    answer = httpx.get(f"{url}/clock", headers={"Origin": url})
    assert answer.status_code == 200, "a page of the console itself"
    names = {name.lower() for name in answer.headers}
    assert not any(name.startswith("access-control") for name in names)
    preflight = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = httpx.options(f"{url}/clock", headers=preflight)
    assert answer.status_code == 403
    assert not any(name.lower().startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1"])
def test_a_foreign_origin_is_refused_on_every_route(url: str, origin: str) -> None:
    with httpx.Client(base_url=url, headers={"Origin": origin}) as page:
        for route in ROUTES:
            answer = page.request(route.method, concrete(route.path), json={})
            assert answer.status_code == 403, route.path
        assert page.get("/events").status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:80", 200),
        ("[::1]:9", 200),
        ("127.8.8.8", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("192.0.2.1", 421),
        ("", 421),
        ("[", 421),
    ],
)
def test_a_host_that_a_foreign_page_could_name_is_refused(url: str, host: str, status: int) -> None:
    assert httpx.get(f"{url}/clock", headers={"Host": host}).status_code == status


def test_a_request_without_a_host_is_refused(url: str) -> None:
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(b"GET /clock HTTP/1.0\r\n\r\n")
        assert b" 421 " in connection.recv(1000).splitlines()[0]


def test_without_the_token_nothing_but_health_is_answered(guarded: str) -> None:
    with httpx.Client(base_url=guarded) as client:
        assert client.get("/health").status_code == 200
        for route in ROUTES:
            if route.path == "/health":
                continue
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
                answer = client.request(route.method, concrete(route.path), headers=headers, json={})
                assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), route.path
        for path in ("/events", "/openapi.json", "/nowhere"):
            assert client.get(path).status_code == 401
        for scheme in ("Bearer", "bearer"):
            headers = {"Authorization": f"{scheme} {TOKEN}"}
            assert client.get("/clock", headers=headers).status_code == 200
        described = client.get("/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"}).json()
        assert described["security"] == [{"token": []}]


def test_with_a_token_any_host_name_leads_here(guarded: str) -> None:
    headers = {"Host": "bank.test:80", "Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(f"{guarded}/clock", headers=headers).status_code == 200


@pytest.mark.parametrize("token", ["", " x", "x ", "blåbær", "a\nb"])
def test_a_token_that_no_header_can_carry_is_refused(sandbox: xs2a.Sandbox, token: str) -> None:
    with pytest.raises(xs2a.ConfigError, match="token"), sandbox.serve(control=True, control_token=token):
        pass
    with sandbox.serve():
        pass  # nothing is left behind


def test_a_port_that_is_taken_is_refused(sandbox: xs2a.Sandbox, url: str) -> None:
    port = urlsplit(url).port
    assert port is not None
    with pytest.raises(xs2a.ConfigError, match="in use"), sandbox.serve(control=True, control_port=port):
        pass


@pytest.mark.parametrize(
    ("body", "detail", "pointer"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1", None),
        (b"{", "line 1 column 2", None),
        (b"[]", "Expected `object`, got `array`", ""),
        (b'{"name": "\xff"}', "utf-8", None),
        (b'{"name": 1}', "Expected `str`, got `int`", "/name"),
        (b'{"name": ""}', "length >= 1", "/name"),
        (b"{}", "missing required field `name`", ""),
        (b'{"name": "A", "role": []}', "unknown field `role`", ""),
        (b'{"name": "A", "roles": ["AISP", 7]}', "Expected `str`, got `int`", "/roles/1"),
        (b'{"name": NaN}', "NaN is not JSON", None),
        (b'{"name": 1e400}', "Expected `str`, got `float`", "/name"),
        ('{"name": "A"}'.encode("utf-16"), "utf-8", None),
        (json.dumps({"name": "x" * 201}).encode(), "length <= 200", "/name"),
    ],
)
def test_wrong_json_is_refused_with_its_place(
    url: str, body: bytes, detail: str, pointer: str | None
) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = httpx.post(f"{url}/tpps", content=body, headers=headers)
    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (400, 400)
    assert detail in problem["detail"]
    assert problem.get("pointer") == pointer
    assert httpx.get(f"{url}/tpps").json() == []


def test_a_lone_surrogate_is_refused(url: str) -> None:
    body, headers = b'{"name": "\\ud800"}', {"Content-Type": "application/json"}
    assert httpx.post(f"{url}/tpps", content=body, headers=headers).status_code == 422


def test_nesting_without_end_is_refused(url: str) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (b'{"a":' * 50_000, b'{"a":' + b"[" * 500_000):
        assert httpx.patch(f"{url}/policy", content=body, headers=headers).status_code == 400


def test_every_route_with_a_body_refuses_what_is_not_json(url: str) -> None:
    with httpx.Client(base_url=url) as client:
        for route in ROUTES:
            if "body" not in route.arguments:
                continue
            path = concrete(route.path)
            for media_type in ("text/plain", "application/x-www-form-urlencoded", ""):
                headers = {"Content-Type": media_type} if media_type else {}
                answer = client.request(route.method, path, content=b"{}", headers=headers)
                assert answer.status_code == 415, path
            for body in (b"{", b"7", b"null", b"[[]]", b'{"no-such-member":1}', b"\x00"):
                headers = {"Content-Type": "application/json"}
                answer = client.request(route.method, path, content=body, headers=headers)
                assert answer.status_code in (400, 422), (path, body, answer.text)


def test_a_body_may_have_a_mebibyte_and_not_a_byte_more(url: str) -> None:
    headers = {"Content-Type": "application/json"}
    for size, status in ((1024 * 1024, 400), (1024 * 1024 + 1, 413)):
        assert httpx.post(f"{url}/tpps", content=b" " * size, headers=headers).status_code == status


@pytest.mark.parametrize(
    "target",
    [
        "/journal?last=0",
        "/journal?last=10001",
        "/journal?last=x",
        "/journal?form=xml",
        "/journal?last=1&last=2",
        "/journal?no_such=1",
        "/clock?x=1",
        "/journal?status=99",
    ],
)
def test_a_wrong_query_is_refused(url: str, target: str) -> None:
    answer = httpx.get(url + target)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.0", "9" * 19, "%00", "\u0661"])
def test_a_number_that_is_none_is_not_found(url: str, number: str) -> None:
    assert httpx.get(f"{url}/journal/{number}").status_code == 404
    assert httpx.delete(f"{url}/faults/{number}").status_code == 404


def test_an_event_to_begin_with_is_a_number(url: str) -> None:
    for last in ("x", "-1", "1" * 19, ""):
        assert httpx.get(f"{url}/events", headers={"Last-Event-ID": last}).status_code == 400


def test_other_methods_and_paths_are_refused(url: str) -> None:
    answer = httpx.put(f"{url}/clock")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert httpx.request("BREW", f"{url}/clock").status_code == 405
    assert httpx.head(f"{url}/clock").content == b""
    assert httpx.get(f"{url}/clock/").status_code == 404


def test_a_closed_sandbox_is_a_problem_and_no_crash(sandbox: xs2a.Sandbox) -> None:
    serving = sandbox.serve(control=True)
    with serving:
        sandbox.close()
        answer = httpx.get(f"{serving.control_url}/clock")
        assert (answer.status_code, answer.json()["status"]) == (422, 422)
        assert httpx.get(f"{serving.control_url}/events").status_code == 422
