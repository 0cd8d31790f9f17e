"""The command `xs2a serve`, as a user runs it."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import urlsplit

import field_client as field
import httpx
import payment_journey as journey
import pytest
import tls_files
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
SCRIPT = str(Path(sys.executable).parent / "xs2a")
STATUS = f"{journey.INSTANT}/no-such-payment/status"


@contextmanager
def serving(
    *arguments: str | Path, stop: signal.Signals = signal.SIGTERM, warns_of: str = ""
) -> Iterator[str]:
    """A bank that is served in a context. It ends with code 0 on request, with one warning at most."""
    process = subprocess.Popen(
        [SCRIPT, "serve", "--quiet", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    has_control = "--control-port" in arguments
    try:
        yield process.stdout.readline().strip()
    finally:
        if has_control:
            process.stdout.readline()
        process.send_signal(stop)
        output, warned = process.communicate(timeout=20)
        assert (process.returncode, output, warned.count("\n")) == (0, "", 1 if warns_of else 0), warned
        assert warns_of in warned


def refused(*arguments: str | Path) -> str:
    """The one line that says why it cannot be."""
    command = [SCRIPT, "serve", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout) == (2, ""), done
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def client(folder: Path) -> field.Holder:
    """The TPP that the command registered, as a client that reads its files."""
    certificate = x509.load_pem_x509_certificate((folder / "certificate.pem").read_bytes())
    key = load_pem_private_key((folder / "private_key.pem").read_bytes(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return field.Holder(certificate, key)


def signed(holder: field.Holder, at: datetime | None = None, body: bytes = b"") -> list[tuple[str, str]]:
    """Signed at that time, or now."""
    return field.sign(holder, journey.HEADERS, body, at or datetime.now(timezone.utc))


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_serves_and_stops_when_asked_to(stop: signal.Signals) -> None:
    with serving(stop=stop) as url:
        assert urlsplit(url).hostname == "127.0.0.1"
        assert httpx.get(f"{url}/v1/no-such-route").status_code == 404
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


def test_the_second_line_is_the_control_url_and_the_ready_file_has_both(tmp_path: Path) -> None:
    ready = tmp_path / "bank.ready"
    process = subprocess.Popen(
        [SCRIPT, "serve", "--quiet", "--port", "0", "--control-port", "0", "--ready-file", str(ready)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        bank, control = (process.stdout.readline().strip() for _ in range(2))
        until = time.monotonic() + 10
        while not ready.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert ready.read_text() == f"{bank}\n{control}\n"
        assert httpx.get(f"{control}/health").json()["bank"] == bank
        assert httpx.get(f"{control}/clock").json()["followsRealTime"] is True
        assert httpx.post(f"{control}/tpps", json={"name": "Acme Pay"}).status_code == 201
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert list(tmp_path.iterdir()) == [], "the file is removed, and so is the one it was written as"


def test_a_control_interface_that_others_may_reach_is_warned_of() -> None:
    with serving("--control-port", "0", "--control-host", "0.0.0.0", warns_of="no token"):
        pass
    with serving("--control-port", "0", "--control-host", "0.0.0.0", "--control-token", "s3cret"):
        pass


def test_a_client_of_its_own_signs_with_the_real_time_and_pays(tmp_path: Path) -> None:
    body = json.dumps(
        {
            "instructedAmount": {"amount": "250.00", "currency": "NOK"},
            "creditorName": "Testodius To",
            "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
            "creditorAddress": {"townName": "Oslo", "country": "NO"},
            "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
        }
    ).encode()
    with serving("--tpp", tmp_path / "tpp", "--base-path", "/api-sandbox") as url:
        assert url.endswith("/api-sandbox")
        headers = signed(client(tmp_path / "tpp"), body=body)
        answer = httpx.post(url + journey.INSTANT, content=body, headers=headers)
        assert answer.status_code == 201, answer.text
        assert (tmp_path / "tpp" / "private_key.pem").stat().st_mode & 0o077 == 0
        # The bank's site is where the bank is.
        assert answer.json()["_links"]["scaRedirect"]["href"].startswith(f"{url}/sca/")


def test_with_now_the_clock_is_constant(tmp_path: Path) -> None:
    now = ("--now", "2026-09-01T12:00:00+02:00")
    with serving("--tpp", tmp_path, *now) as url:
        for at, status in ((NOW, 404), (datetime.now(timezone.utc), 400)):
            answer = httpx.get(url + STATUS, headers=signed(client(tmp_path), at))
            assert (answer.status_code, answer.headers["date"]) == (status, format_datetime(NOW, usegmt=True))


def test_the_same_seed_gives_the_same_bank(tmp_path: Path) -> None:
    made = []
    for name, seed in (("a/acme", "7"), ("b/acme", "7"), ("c/acme", "8")):
        with serving("--tpp", tmp_path / name, "--seed", seed, "--now", "2026-09-01T10:00:00Z"):
            made.append((tmp_path / name / "certificate.pem").read_text())
    assert made[0] == made[1] != made[2]


def test_a_database_keeps_the_bank_between_runs(tmp_path: Path) -> None:
    file = tmp_path / "bank.sqlite"
    with serving("--database", file, "--tpp", tmp_path):
        pass
    with serving("--database", file) as url:  # the TPP of the first run is known to the second
        answer = httpx.get(url + STATUS, headers=signed(client(tmp_path)))
        assert answer.json()["tppMessages"][0]["code"] == "RESOURCE_UNKNOWN"


def test_a_tpp_whose_files_are_there_goes_on_where_the_bank_is_the_same(tmp_path: Path) -> None:
    def files() -> list[str]:
        return [(tmp_path / "tpp" / name).read_text() for name in ("certificate.pem", "private_key.pem")]

    begin = ("--tpp", tmp_path / "tpp", "--database")
    with serving(*begin, tmp_path / "bank.sqlite"):
        first = files()
    (tmp_path / "tpp" / "private_key.pem").unlink()
    with serving(*begin, tmp_path / "bank.sqlite"):
        assert files() == first
    with serving(*begin, tmp_path / "other.sqlite", "--seed", "7") as url:
        assert files() != first
        answer = httpx.get(url + STATUS, headers=signed(client(tmp_path / "tpp")))
        assert answer.json()["tppMessages"][0]["code"] == "RESOURCE_UNKNOWN"


@pytest.mark.parametrize(
    ("folder", "named", "shown"),
    [("acme", [], "acme"), ("acme", ["--tpp-name", "Acme & Søn <b>"], "Acme &amp; Søn &lt;b&gt;")],
)
def test_the_page_calls_the_tpp_by_its_name(
    tmp_path: Path, folder: str, named: list[str], shown: str
) -> None:
    with serving("--tpp", tmp_path / folder, *named) as url:
        headers = signed(client(tmp_path / folder))
        consent = httpx.post(url + "/v1/bank-offered-consents", headers=headers)
        assert consent.status_code == 201, consent.text
        page = httpx.get(consent.json()["_links"]["scaRedirect"]["href"]).text
        assert f"{shown} asks to see your accounts." in page
        assert journey.PAYER in page


def test_a_tpp_that_is_there_keeps_its_name(tmp_path: Path) -> None:
    begin = ("--database", tmp_path / "bank.sqlite", "--tpp", tmp_path / "acme")
    with serving(*begin, "--tpp-name", "Acme Pay"):
        pass
    with serving(*begin, "--tpp-name", "Acme Pay"):
        pass
    with serving(*begin):
        pass
    said = refused("--port", "0", *begin, "--tpp-name", "Other")
    assert "holds a TPP named `Acme Pay`, and not `Other`" in said
    assert "--tpp-name: there is no --tpp" in refused("--port", "0", "--tpp-name", "Other")


def test_no_certificate_or_key_is_overwritten(tmp_path: Path) -> None:
    holder = field.leaf(field.authority("Field Root"), ["PSP_PI"])
    files = {"certificate.pem": holder.pem}, {"certificate.pem": "mine"}, {"private_key.pem": "mine"}
    for number, made in enumerate(files):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in made.items():
            (folder / name).write_text(text)
        assert f"{folder} holds a certificate or key" in refused("--port", "0", "--tpp", folder)
        assert {path.name: path.read_text() for path in folder.iterdir()} == made


def test_a_tpp_whose_files_cannot_be_written_is_not_registered(tmp_path: Path) -> None:
    database, file, folder = tmp_path / "bank.sqlite", tmp_path / "file", tmp_path / "folder"
    file.touch()
    with serving("--tpp", folder):  # a bank in memory: its TPP is unknown when it ends
        (folder / "private_key.pem").unlink()
    (folder / "private_key.pem").mkdir()
    before = sorted(folder.iterdir())
    for wrong in (file, file / "below", folder):
        assert str(wrong) in refused("--port", "0", "--database", database, "--tpp", wrong)
    assert sorted(folder.iterdir()) == before
    with xs2a.Sandbox(database) as bank, pytest.raises(xs2a.MisuseError):
        bank.tpp("PSDNO-FSA-000001")


def test_certificates_made_elsewhere_are_trusted(tmp_path: Path) -> None:
    authority = field.authority("Field Root")
    holder = field.leaf(authority, ["PSP_PI"])
    (tmp_path / "ca.pem").write_text(authority.pem)
    trust = [f"--trust={tmp_path / 'ca.pem'}"]
    for arguments, status in ((trust, 404), ([], 400)):
        with serving("--now", NOW.isoformat(), *arguments) as url:
            assert httpx.get(url + STATUS, headers=signed(holder, NOW)).status_code == status


def test_the_policy_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"body_bytes_max": 10, "sca_origin": "https://elsewhere.example"}')
    with serving("--policy", tmp_path / "policy.json") as url:
        assert httpx.post(url + journey.INSTANT, content=b" " * 11).status_code == 413


def test_at_every_address_it_warns_of_links_that_lead_nowhere(tmp_path: Path) -> None:
    host = "0.0.0.0"
    with serving("--host", host, warns_of="links to the bank's site begin with http://0.0.0.0:"):
        pass
    (tmp_path / "policy.json").write_text('{"sca_origin": "http://bank.test:8080"}')
    with serving("--host", host, "--policy", tmp_path / "policy.json"):
        pass


def test_https_by_a_certificate_and_its_key(tmp_path: Path) -> None:
    certificate, key = tls_files.make(tmp_path)
    with serving("--tls-cert", certificate, "--tls-key", key) as url:
        trusted = ssl.create_default_context(cafile=certificate)
        assert httpx.get(f"{url}/v1/x", verify=trusted).json()["tppMessages"][0]["code"] == "NOT_FOUND"


def test_what_cannot_be_is_said_in_one_line_with_code_2(tmp_path: Path) -> None:
    nonsense, missing = tmp_path / "nonsense", tmp_path / "missing"
    nonsense.write_text("nonsense " * 500)
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"no_such_policy": 1}')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert refused("--port", port) == f"xs2a: port {port} of 127.0.0.1 is in use"
    free = ["--port", "0"]
    assert refused(*free, "--host", "") == "xs2a: a host is an address, such as 127.0.0.1"
    assert str(missing) in refused(*free, "--tls-cert", missing)
    assert "not a certificate" in refused(*free, "--tls-cert", nonsense)
    assert "key without a certificate" in refused(*free, "--tls-key", nonsense)
    assert "database" in refused(*free, "--database", nonsense)
    assert "bank.sqlite`: No such file" in refused(*free, "--database", missing / "bank.sqlite")
    assert str(missing) in refused(*free, "--policy", missing)
    assert "not JSON" in refused(*free, "--policy", nonsense)
    assert "no_such_policy" in refused(*free, "--policy", wrong)
    assert "ISO 8601" in refused(*free, "--now", "2026-09-01T10:00:00")
    assert "base_path" in refused(*free, "--base-path", "api")
    assert str(missing) in refused(*free, "--trust", missing)
    assert f"{nonsense}: trust anchors: there is no certificate" in refused(*free, "--trust", nonsense)
    assert "seed" in refused(*free, "--seed", "-1")


def test_a_database_whose_clock_is_ahead_is_refused_without_now(tmp_path: Path) -> None:
    file, ahead = tmp_path / "bank.sqlite", datetime.now(timezone.utc) + timedelta(days=1)
    xs2a.Sandbox(file, now=ahead).close()
    said = refused("--port", "0", "--database", file, "--tpp", tmp_path / "tpp")
    assert "the clock of the database is ahead" in said
    assert not (tmp_path / "tpp").exists(), "no TPP is registered where nothing is served"
    with serving("--database", file, "--now", ahead.isoformat()):
        pass


def test_a_wrong_argument_is_explained_with_code_2() -> None:
    for arguments in ([], ["serve", "--no-such-option"], ["no-such-command"]):
        done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith("xs2a")


@pytest.mark.parametrize("port", ["x", "", "-1", "65536", "80.5"])
def test_an_invalid_port_is_refused_with_the_range(port: str) -> None:
    done = subprocess.run(
        [SCRIPT, "serve", f"--port={port}"], capture_output=True, text=True, check=False, timeout=20
    )
    said = f"xs2a serve: error: argument --port: `{port}` is no port: a whole number from 0 to 65535"
    assert (done.returncode, done.stdout, done.stderr.splitlines()[-1]) == (2, "", said)


def test_without_h11_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['h11'] = None; from xs2a._command import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    said = "xs2a: serving needs the package h11: pip install 'xs2a[serve]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_python_m_runs_the_same() -> None:
    command = [sys.executable, "-m", "xs2a", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"xs2a {xs2a.__version__}\n"
