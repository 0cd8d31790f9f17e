"""A served sandbox: what it is sent reaches `handle` byte for byte, and its answer the client."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import payment_journey as journey
import pytest
import raw_http
import requests
import xs2a
from xs2a._conversation import Answerer
from xs2a._serve import Listener

KNOWN_ROUTE = f"{journey.INSTANT}/%21%21id%3D/status"


@pytest.fixture
def url(sandbox: xs2a.Sandbox) -> Iterator[str]:
    with sandbox.serve() as url:
        yield url


class Recorder:
    """A sandbox that keeps what it was handed."""

    def __init__(self, sandbox: xs2a.Sandbox) -> None:
        self.sandbox = sandbox
        self.seen: list[tuple[str, str, list[tuple[str, bytes]], bytes]] = []

    def __call__(
        self, method: str, target: str, headers: list[tuple[str, bytes]], body: bytes
    ) -> xs2a.Response:
        self.seen.append((method, target, headers, body))
        return self.sandbox.handle(method, target, headers, body)


@pytest.fixture
def recorder(sandbox: xs2a.Sandbox) -> Recorder:
    return Recorder(sandbox)


@pytest.fixture
def recorded(recorder: Recorder) -> Iterator[str]:
    yield from listening(recorder, 100)


def listening(answer: Answerer, body_bytes_max: int) -> Iterator[str]:
    listener = Listener("127.0.0.1", 0)
    listener.start(answer, lambda: body_bytes_max)
    yield listener.origin
    listener.close()


def curl(*arguments: str) -> tuple[int, bytes]:
    """What curl is answered: status, body."""
    command = [found_curl(), "--silent", "--show-error", "--write-out", "\n%{http_code}", *arguments]
    body, _, code = subprocess.run(command, capture_output=True, check=True).stdout.rpartition(b"\n")
    return int(code), body


def found_curl() -> str:
    """curl, or the test is skipped where there is none."""
    path = shutil.which("curl")
    if path is None:
        pytest.skip("there is no curl on this machine")
    return path


def curl_headers(headers: list[tuple[str, str]]) -> list[str]:
    # To curl, `name;` is a header with an empty value.
    return [part for name, value in headers for part in ("-H", f"{name}: {value}" if value else f"{name};")]


# ------------------------------------------------------------ three clients


def test_curl_makes_a_payment_in_the_bank_of_this_process(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str
) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = curl_headers(tpp.sign("POST", journey.INSTANT, journey.HEADERS, body))
    status, answer = curl(url + journey.INSTANT, "--data-binary", body.decode(), *headers)
    assert status == 201, answer
    sandbox.authorise(json.loads(answer)["_links"]["scaRedirect"]["href"])

    path = f"{journey.INSTANT}/{json.loads(answer)['paymentId']}/status"
    status, answer = curl(url + path, *curl_headers(tpp.sign("GET", path, journey.HEADERS)))
    assert (status, json.loads(answer)["transactionStatus"]) == (200, "ACSC")


def test_requests_makes_a_payment_in_the_bank_of_this_process(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str
) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = dict(tpp.sign("POST", journey.INSTANT, journey.HEADERS, body))
    answer = requests.post(url + journey.INSTANT, data=body, headers=headers, timeout=10)
    assert answer.status_code == 201, answer.text
    path = f"{journey.INSTANT}/{answer.json()['paymentId']}"
    assert journey.status(sandbox, tpp, path) == "RCVD"


def test_httpx_reads_what_was_paid_in_this_process(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str) -> None:
    path, link = journey.created(sandbox, tpp)
    sandbox.authorise(link)
    headers = tpp.sign("GET", f"{path}/status", journey.HEADERS)
    answer = httpx.get(f"{url}{path}/status", headers=headers)
    assert (answer.status_code, answer.json()["transactionStatus"]) == (200, "ACSC")


def test_an_answer_over_the_network_is_the_answer_in_the_process(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str
) -> None:
    signed = tpp.sign("GET", KNOWN_ROUTE, journey.HEADERS)
    answer = requests.get(url + KNOWN_ROUTE, headers=dict(signed), timeout=10)
    with sandbox.fork() as other:  # here the request id is used up
        here = other.handle("GET", KNOWN_ROUTE, dict(tpp.sign("GET", KNOWN_ROUTE, journey.HEADERS)))
    names = {name.lower() for name, _ in here.headers}
    assert (answer.status_code, answer.content) == (here.status, here.body)
    assert {name.lower() for name in answer.headers} == names | {"content-length"}


def test_a_connection_serves_many_calls(url: str) -> None:
    with httpx.Client() as client:
        answers = [client.get(f"{url}/v1/no-such-route/{number}") for number in range(20)]
        streams = {answer.extensions["network_stream"].get_extra_info("client_addr") for answer in answers}
    assert {answer.status_code for answer in answers} == {404}
    assert len(streams) == 1


def test_many_clients_are_served_at_once(sandbox: xs2a.Sandbox, url: str) -> None:
    def pay(number: int) -> int:
        tpp = sandbox.register_tpp(f"Acme {number}")
        body = json.dumps(journey.payment(sandbox, amount=f"{number + 1}.00")).encode()
        headers = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
        return httpx.post(url + journey.INSTANT, content=body, headers=headers).status_code

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(pay, range(24))) == {201}


# ------------------------------------------------------------ byte for byte


@pytest.mark.parametrize(
    "target",
    [
        "/v1/payments/%21%21a%3D%2f/status",
        "/v1/accounts?",
        "/v1//accounts?withBalance=%74rue&&a=?b",
        "//v1/accounts",
        "/v1/accounts;x=1?dateFrom=2026-01-01+x",
    ],
)
def test_the_target_arrives_as_it_was_sent(recorded: str, recorder: Recorder, target: str) -> None:
    raw_http.send(recorded, raw_http.head("GET", target, []))
    assert [seen[1] for seen in recorder.seen] == [target]


@pytest.mark.parametrize(
    ("method", "sent", "arrives"),
    [
        ("GET", "http://bank.example/v1/accounts?withBalance=true", "/v1/accounts?withBalance=true"),
        ("GET", "HTTPS://bank.example:8443/v1/%21a//b?c=http://d", "/v1/%21a//b?c=http://d"),
        ("GET", "http://bank.example", "/"),
        ("GET", "http://bank.example?x=1", "/?x=1"),
        ("OPTIONS", "http://bank.example", "*"),
        ("OPTIONS", "*", "*"),
        ("GET", "ftp://bank.example/v1", "ftp://bank.example/v1"),
    ],
)
def test_a_target_in_absolute_form_arrives_as_its_path_and_query(
    recorded: str, recorder: Recorder, method: str, sent: str, arrives: str
) -> None:
    raw_http.send(recorded, raw_http.head(method, sent, []))
    assert [seen[1] for seen in recorder.seen] == [arrives]


def test_a_signed_call_in_absolute_form_is_answered_like_any_other(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, url: str
) -> None:
    path, _ = journey.created(sandbox, tpp)
    signed = tpp.sign("GET", f"{path}/status", journey.HEADERS)
    answer = raw_http.send(url, raw_http.head("GET", f"http://bank.example{path}/status", signed))
    assert raw_http.status(answer) == 200, answer


def test_every_header_arrives_in_order_repeated_ones_too(recorded: str, recorder: Recorder) -> None:
    sent = [("PSU-ID", "1"), ("X-Twice", "b"), ("x-twice", "a, c"), ("Accept", ""), ("X-Norwegian", "Åse")]
    raw_http.send(recorded, raw_http.head("GET", "/v1/accounts", sent))
    expected = [(name, value.encode("latin-1")) for name, value in sent]
    assert recorder.seen[0][2][1:-1] == expected


def test_a_repeated_header_is_refused_as_in_the_process(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, recorded: str, recorder: Recorder
) -> None:
    signed = [*tpp.sign("GET", KNOWN_ROUTE, journey.HEADERS), ("Date", "Tue, 01 Sep 2026 10:00:00 GMT")]
    answer = raw_http.send(recorded, raw_http.head("GET", KNOWN_ROUTE, signed))
    here = sandbox.handle("GET", KNOWN_ROUTE, signed)
    assert (raw_http.status(answer), here.status) == (400, 400)
    assert answer.endswith(here.body)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "PURGE"])
def test_other_methods_are_answered_by_the_core(url: str, method: str) -> None:
    answer = raw_http.send(url, raw_http.head(method, KNOWN_ROUTE, []))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert raw_http.status(answer) == 405
    assert b"\r\nAllow: GET\r\n" in head
    assert (body == b"") == (method == "HEAD")


# ------------------------------------------------------------ bodies


@pytest.mark.parametrize("size", [99, 100, 101, 5_000_000])
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_no_more_of_a_body_is_read_than_shows_it_is_too_long(
    recorded: str, recorder: Recorder, size: int, chunked: bool
) -> None:
    content = iter([b"x" * size]) if chunked else b"x" * size
    httpx.post(f"{recorded}/v1/accounts", content=content)
    read = len(recorder.seen[0][3])
    assert read == size if size <= 100 else 100 < read <= 100 + 65536


@pytest.mark.parametrize(("size", "status"), [(2_000, 400), (2_001, 413), (3_000_000, 413)])
def test_a_body_over_the_limit_of_the_policy_is_413_by_the_core(size: int, status: int) -> None:
    with xs2a.Sandbox(policy={"body_bytes_max": 2_000}) as sandbox, sandbox.serve() as url:
        assert sandbox.body_bytes_max == 2_000
        answer = httpx.post(url + journey.INSTANT, content=b" " * size)
        assert answer.status_code == status
        assert answer.json()["tppMessages"][0]["category"] == "ERROR"
        assert (answer.headers.get("connection") == "close") == (status == 413)


def test_curl_gets_100_continue_before_it_sends_much(
    recorded: str, recorder: Recorder, tmp_path: Path
) -> None:
    (tmp_path / "body").write_bytes(b"x" * 90)
    status, _ = curl(
        f"{recorded}/v1/x", "--data-binary", f"@{tmp_path / 'body'}", "-H", "Expect: 100-continue"
    )
    assert (status, len(recorder.seen[0][3])) == (404, 90)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /v1/accounts HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET /v1/accounts HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 400_000 + b"\r\n\r\n", 431),
    ],
)
def test_what_is_not_http_is_refused_and_the_server_goes_on(url: str, sent: bytes, status: int) -> None:
    assert raw_http.status(raw_http.send(url, sent)) == status
    assert httpx.get(f"{url}/v1/no-such-route").status_code == 404


@pytest.mark.parametrize("both", [True, False], ids=["both", "chunked"])
def test_a_request_with_two_lengths_is_the_last_of_its_connection(url: str, both: bool) -> None:
    chunked = b"POST /v1/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
    first = chunked + (b"Content-Length: 3\r\n" if both else b"") + b"\r\n3\r\nabc\r\n0\r\n\r\n"
    answers = raw_http.send(url, first + raw_http.head("GET", "/v1/y", []))
    assert answers.count(b"HTTP/1.1 404 ") == (1 if both else 2)
    assert answers.count(b"\r\nConnection: close\r\n") == 1


# ------------------------------------------------------------ begin and end


def test_the_url_ends_with_the_base_path_so_that_links_can_follow(tpp: xs2a.Tpp) -> None:
    with xs2a.Sandbox(base_path="/api-sandbox") as sandbox, sandbox.serve() as url:
        assert url.endswith("/api-sandbox")
        assert urlsplit(url).hostname == "127.0.0.1"
        here = sandbox.register_tpp("Acme Pay")
        target = "/api-sandbox" + KNOWN_ROUTE
        answer = httpx.get(url + KNOWN_ROUTE, headers=here.sign("GET", target, journey.HEADERS))
        assert answer.json()["tppMessages"][0]["code"] == "RESOURCE_UNKNOWN"


def test_a_port_that_is_taken_is_a_config_error(sandbox: xs2a.Sandbox, url: str) -> None:
    port = urlsplit(url).port
    assert port is not None
    with pytest.raises(xs2a.ConfigError, match=f"^port {port} of 127.0.0.1 is in use$"), sandbox.serve(port):
        pass


def test_a_port_that_there_is_not_is_a_config_error(sandbox: xs2a.Sandbox) -> None:
    for port in (-1, 65536, 2**70):
        with pytest.raises(xs2a.ConfigError, match=r"^a port is 0 to 65535$"):
            sandbox.serve(port)


def test_an_address_of_another_machine_is_a_config_error(sandbox: xs2a.Sandbox) -> None:
    with pytest.raises(xs2a.ConfigError, match=r"^cannot listen at port 0 of 192\.0\.2\.1"):
        sandbox.serve(host="192.0.2.1").__enter__()


@pytest.mark.parametrize("host", ["", " ", "\t\n"])
def test_no_host_is_not_every_interface(sandbox: xs2a.Sandbox, host: str) -> None:
    with pytest.raises(xs2a.ConfigError, match=r"^a host is an address, such as 127\.0\.0\.1$"):
        sandbox.serve(host=host).__enter__()


def test_after_the_context_the_port_is_free_and_the_sandbox_lives(sandbox: xs2a.Sandbox) -> None:
    threads = threading.active_count()
    for _ in range(3):
        with sandbox.serve() as url:
            keeps_open = socket.create_connection(("127.0.0.1", urlsplit(url).port or 0))
            httpx.get(f"{url}/v1/no-such-route")
        keeps_open.close()
        with pytest.raises(httpx.ConnectError):
            httpx.get(url)
    assert threading.active_count() == threads
    assert sandbox.handle("GET", "/v1/no-such-route", {}).status == 404


def test_a_call_under_way_is_answered_before_the_end(sandbox: xs2a.Sandbox) -> None:
    entered = threading.Event()

    def slow(method: str, target: str, headers: list[tuple[str, bytes]], body: bytes) -> xs2a.Response:
        entered.set()
        time.sleep(0.3)
        return sandbox.handle(method, target, headers, body)

    served = listening(slow, 100)
    url = next(served)
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(httpx.get, f"{url}/v1/no-such-route")
        entered.wait()
        next(served, None)
        assert answer.result().status_code == 404


def test_a_client_still_sending_at_the_end_gets_a_server_error(sandbox: xs2a.Sandbox) -> None:
    headers = [("Content-Length", "10"), ("Expect", "100-continue")]
    with ExitStack() as stack:
        with sandbox.serve() as url:
            connection = stack.enter_context(
                socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), 10)
            )
            connection.sendall(raw_http.head("POST", "/v1/accounts", headers))
            assert raw_http.status(connection.recv(4096)) == 100, "it is under way"
            connection.sendall(b"12345")
        assert raw_http.status(connection.recv(4096)) == 503


def test_an_aborted_request_is_answered(url: str) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), 10) as connection:
        connection.sendall(raw_http.head("POST", "/v1/accounts", [("Content-Length", "10")]) + b"12345")
        connection.shutdown(socket.SHUT_WR)
        assert raw_http.status(connection.recv(4096)) == 400


def test_links_to_the_banks_site_lead_where_it_is_served(tpp: xs2a.Tpp, sandbox: xs2a.Sandbox) -> None:
    amounts = iter(range(1, 10))  # no two payments alike

    def link() -> str:
        return journey.created(sandbox, tpp, amount=f"{next(amounts)}.00")[1]

    before = sandbox.sca_origin
    with sandbox.serve() as url:
        assert link().startswith(f"{url}/sca/")
        assert "customerNumber" in httpx.get(link()).text
    assert link().startswith(f"{before}/sca/")
    sandbox.sca_origin = "https://elsewhere.example"
    with sandbox.serve():
        assert link().startswith("https://elsewhere.example/sca/")
    with pytest.raises(xs2a.ConfigError):
        sandbox.sca_origin = "elsewhere.example"
    with xs2a.Sandbox(policy={"sca_origin": "https://named.example"}) as named, named.serve():
        assert named.sca_origin == "https://named.example"


def test_of_two_addresses_the_links_lead_to_one_that_is_served_still(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp
) -> None:
    before = sandbox.sca_origin
    first, second = sandbox.serve(), sandbox.serve()
    one, two = first.__enter__(), second.__enter__()
    assert sandbox.sca_origin == one
    first.__exit__(None, None, None)
    assert sandbox.sca_origin == two
    _, link = journey.created(sandbox, tpp)
    assert "customerNumber" in httpx.get(link).text
    with sandbox.serve():
        second.__exit__(None, None, None)
        assert sandbox.sca_origin not in (one, two, before)
    assert sandbox.sca_origin == before


def test_a_bank_that_closes_before_its_server_is_no_error(sandbox: xs2a.Sandbox) -> None:
    with sandbox.fork() as bank, bank.serve():
        bank.close()


def test_two_addresses_serve_one_bank(sandbox: xs2a.Sandbox) -> None:
    with sandbox.serve() as one, sandbox.serve() as two:
        assert one != two
        assert [httpx.get(f"{url}/v1/x").status_code for url in (one, two)] == [404, 404]


# ------------------------------------------------------------ TLS


def test_https_is_served_to_the_three_clients(sandbox: xs2a.Sandbox, certificate: tuple[Path, Path]) -> None:
    trusted = ssl.create_default_context(cafile=certificate[0])
    with sandbox.serve(certificate=certificate[0], key=str(certificate[1])) as url:
        assert url.startswith("https://127.0.0.1:")
        assert httpx.get(f"{url}/v1/x", verify=trusted).status_code == 404
        assert requests.get(f"{url}/v1/x", verify=str(certificate[0]), timeout=10).status_code == 404
        assert curl(f"{url}/v1/x", "--cacert", str(certificate[0]))[0] == 404


@pytest.mark.parametrize(("version", "served"), [("TLSv1_1", False), ("TLSv1_2", True), ("TLSv1_3", True)])
def test_tls_begins_at_1_2(
    sandbox: xs2a.Sandbox, certificate: tuple[Path, Path], version: str, served: bool
) -> None:
    # curl with its security level lowered: the client itself would refuse TLS 1.1.
    number = version[-3:].replace("_", ".")
    with sandbox.serve(certificate=certificate[0], key=certificate[1]) as url:
        options = f"--silent --tlsv{number} --tls-max {number} --ciphers DEFAULT@SECLEVEL=0"
        command = [found_curl(), *options.split(), "--cacert", str(certificate[0]), f"{url}/v1/x"]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode == 0) == served, done


def test_a_client_without_a_tls_handshake_blocks_no_other(
    sandbox: xs2a.Sandbox, certificate: tuple[Path, Path]
) -> None:
    trusted = ssl.create_default_context(cafile=certificate[0])
    with sandbox.serve(certificate=certificate[0], key=certificate[1]) as url:
        with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)):
            assert httpx.get(f"{url}/v1/x", verify=trusted, timeout=5).status_code == 404
        with pytest.raises(httpx.TransportError):  # plain HTTP to a port that speaks TLS
            httpx.get(url.replace("https", "http"), timeout=5)
        assert httpx.get(f"{url}/v1/x", verify=trusted, timeout=5).status_code == 404


def test_a_certificate_that_cannot_be_used_is_a_config_error(
    sandbox: xs2a.Sandbox, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    missing, nonsense = tmp_path / "missing.pem", tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    good, key = certificate
    cases: list[tuple[Path | None, Path | None, str]] = [
        (missing, None, f"there is no file {missing}"),
        (good, missing, f"there is no file {missing}"),
        (nonsense, None, "not a certificate and its key"),
        (good, None, "not a certificate and its key"),  # without its key
        (None, key, "a key without a certificate"),
    ]
    for certificate_file, key_file, text in cases:
        with pytest.raises(xs2a.ConfigError, match=text):
            sandbox.serve(certificate=certificate_file, key=key_file).__enter__()
