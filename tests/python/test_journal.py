"""The journal: what it keeps, what it masks, and what comes of its exports in the hands of other programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import xs2a
from haralyzer import HarParser
from payment_journey import INSTANT as STRAKS
from payment_journey import PAYER
from xs2a.client import Client
from xs2a.httpx import Auth, Transport

HEADERS = {
    "x-accept-fix": "",
    "TPP-Session-ID": "session-1",
    "TPP-Redirect-URI": "https://tpp.example/callback",
    "PSU-Context": "PRIVATE",
    "PSU-IP-Address": "192.0.2.1",
}
PAYMENT = {
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "creditorName": "Tëstine Test",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"townName": "Oslo", "country": "NO"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
}
PAYMENT_BYTES = json.dumps(PAYMENT, ensure_ascii=False, separators=(",", ":")).encode()
NEXT = "?allowLogicalDuplicate=true"


def pay(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> tuple[str, str]:
    """The path of a new payment, and its link."""
    created = Client(sandbox, tpp, HEADERS).post(STRAKS + NEXT, json=PAYMENT).json()
    return f"{STRAKS}/{created['paymentId']}", created["_links"]["scaRedirect"]["href"]


def busy_day(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    """Every valid and invalid use of a bank."""
    client = Client(sandbox, tpp, HEADERS)
    path, link = pay(sandbox, tpp)
    client.post(STRAKS, json={})
    tpp.sign("GET", "/never/sent")
    sandbox.authorise(link, approve=False)
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise(link)
    again = client.post(f"{path}/authorisations").json()["_links"]["scaRedirect"]["href"]
    callback = urlsplit(sandbox.authorise(again, PAYER))
    psu_id = parse_qs(callback.query)["psu-id"][0]
    assert client.get(f"{path}/status").json()["transactionStatus"] == "ACSC"
    consent = client.post("/v1/bank-offered-consents").json()["_links"]["scaRedirect"]["href"]
    sandbox.authorise(consent, PAYER, accounts=["95360573002"])
    assert client.get("/v1/accounts", headers={"PSU-ID": psu_id}).status_code == 200
    sandbox.revoke_consent(PAYER, tpp)
    first, second = (tpp.sign("GET", f"{path}/status", HEADERS) for _ in range(2))
    for signed in (second, first, first):  # in another order, and one of them twice
        sandbox.handle("GET", f"{path}/status", signed)
    signed = tpp.sign("POST", STRAKS, HEADERS, b"{}")
    sandbox.handle("POST", STRAKS, signed, b"{ }")
    sandbox.handle("POST", STRAKS, [*signed[:-1], ("Signature", "none")], b"{}")
    sandbox.handle("GET", "/v1/nowhere", [("X-Bytes", b"\xe6'\""), ("X-Bytes", "å\"'$`")])
    sandbox.handle("POST", "/v1/nowhere", (), bytes(range(256)))
    other = sandbox.register_tpp("Ætt & Søn", roles=["AISP"])
    sandbox.handle("GET", path, other.sign("GET", path, HEADERS))
    open_path, open_link = pay(sandbox, tpp)
    sandbox.report_payment_status(open_path.rsplit("/", 1)[1], "CANC")
    sandbox.clock.advance_to_next_event()
    sandbox.handle("GET", urlsplit(open_link).path, {"Accept": "text/html"})
    sandbox.clock.set("2026-09-02T10:00:00.25Z")
    sandbox.sca_origin = "https://elsewhere.example"
    sandbox.set_card_status("enc!!X6ZwPF4A8xREauWA7e5e0CRS", "blocked")
    sandbox.populate(persons=3, companies=1, months=2)
    pay(sandbox, tpp)
    sandbox.initialize()
    pay(sandbox, tpp)


def run_pytest(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_again.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_again.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_every_call_is_kept_as_it_was_sent(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    signed = tpp.sign("GET", "/v1/accounts", {"X-PSU-IDENTITY": PAYER})
    answer = sandbox.handle("GET", "/v1/accounts", signed)
    registered, call = sandbox.journal
    assert isinstance(registered, xs2a.JournalNote)
    assert registered.text == "registered the TPP Acme Pay as PSDNO-FSA-000001 (AISP, PISP)"
    assert isinstance(call, xs2a.JournalCall)
    assert (call.number, call.at) == (2, sandbox.clock.now())
    assert (call.method, call.target, call.body) == ("GET", "/v1/accounts", b"")
    assert list(call.headers) == signed
    assert call.header("x-psu-identity") == PAYER
    assert call.header("x-none") is None
    assert (call.status, list(call.answer_headers)) == (answer.status, answer.headers)
    assert (call.answer_body, call.json()) == (answer.body, answer.json())
    assert (call.reason, call.operation) == (answer.reason, "getAccounts")
    assert call.reasons[0] == call.reason
    assert call.tpp is None, "it was refused before the certificate was looked at"


def test_a_journal_is_a_sequence(sandbox: xs2a.Sandbox) -> None:
    assert (len(sandbox.journal), list(sandbox.journal)) == (0, [])
    for number in range(3):
        sandbox.handle("GET", f"/{number}", ())
    journal = sandbox.journal
    assert [call.target for call in journal.calls] == ["/0", "/1", "/2"]
    assert journal[-1] == journal[2] == journal[2:][0]
    assert journal[::-2] == [journal[2], journal[0]]
    assert repr(journal) == "<Journal of 3 entries>"
    for index in (3, -4):
        with pytest.raises(IndexError):
            journal[index]
    journal.clear()
    assert len(sandbox.journal) == 0
    sandbox.handle("GET", "/3", ())
    assert journal[0].number == 4
    sandbox.close()
    with pytest.raises(xs2a.MisuseError):
        len(journal)
    assert repr(journal) == "<Journal of a closed sandbox>"


def test_fewer_entries_than_none_are_misuse(sandbox: xs2a.Sandbox) -> None:
    sandbox.handle("GET", "/0", ())
    assert sandbox.journal.text(last=0) == ""
    for ask in (sandbox.journal.text, sandbox.journal.har, sandbox.journal.curl):
        with pytest.raises(xs2a.MisuseError, match="0 or more"):
            ask(last=-1)


def test_exports_of_the_journal_name_no_person(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    _, link = pay(sandbox, tpp)
    form = f"customerNumber={PAYER}&action=continue".encode()
    sandbox.handle("POST", urlsplit(link).path, {"Content-Type": "application/x-www-form-urlencoded"}, form)
    sandbox.handle("GET", f"/v1/{PAYER}", {"X-PSU-IDENTITY": "12345678901", "Cookie": "secret"})
    sandbox.authorise(link, PAYER)
    exports = (sandbox.journal.text, sandbox.journal.har, sandbox.journal.curl)
    for export in exports:
        masked, shown = export(), export(redact=False)
        for private in (PAYER, "12345678901", "secret"):
            assert private not in masked
        assert PAYER in shown
        assert "*********55" in masked
    assert "12345678901" in sandbox.journal.har(redact=False)
    assert "95360573002" in sandbox.journal.har(), "account numbers stay"


def test_a_har_is_read_by_others(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    busy_day(sandbox, tpp)
    har = json.loads(sandbox.journal.har(redact=False, origin="https://bank.example"))
    calls = sandbox.journal.calls
    entries = HarParser(har).har_data["entries"]
    assert len(entries) == len(calls)
    page = HarParser(har).pages[0]
    for call, read, raw in zip(calls, page.entries, entries):
        assert read.startTime == call.at
        assert (read.request.method, read.status) == (call.method, call.status)
        assert read.request.url == f"https://bank.example{call.target}"
        assert [(field["name"], field["value"]) for field in read.request.headers] == list(call.headers)
        assert [(field["name"], field["value"]) for field in read.response.headers] == list(
            call.answer_headers
        )
        query = parse_qs(urlsplit(call.target).query)
        assert {pair["name"]: [pair["value"]] for pair in raw["request"]["queryString"]} == query
        if call.body == PAYMENT_BYTES:
            assert read.request.text.encode() == call.body
        if call.status == 400:
            assert json.loads(read.response.text) == call.json()
        assert raw["_reason"] == call.reason
    assert len(har["log"]["_notes"]) == len(sandbox.journal) - len(calls)


def test_a_compressed_answer_is_unpacked_in_a_har(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    client = Client(sandbox, tpp, {"Accept-Encoding": "gzip"})
    client.get("/v1/sandbox/customers")
    (entry,) = json.loads(sandbox.journal.har(redact=False))["log"]["entries"]
    assert sandbox.journal.calls[0].answer_body.startswith(b"\x1f\x8b")
    content = entry["response"]["content"]
    assert json.loads(content["text"]) == sandbox.journal.calls[0].json()
    assert content["size"] == len(content["text"].encode()) > entry["response"]["bodySize"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
@pytest.mark.parametrize("shell", [shell for shell in ("sh", "bash") if shutil.which(shell)])
def test_curl_sends_the_same_bytes(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, tmp_path: Path, shell: str) -> None:
    busy_day(sandbox, tpp)
    for target in ("/a/../b/./c", "/a?x=[1-3]&y={a,b}'\"", "/%2e%2e/", "//double", "/x#y", "*"):
        sandbox.handle("GET", target, {"X-Quote": 'it\'s "so" \\ $HOME `id`', "Accept": "a/b"})
    sandbox.handle("HEAD", "/head", {"User-Agent": "mine"})
    for body in (b"@file", b'it\'s\n"so" \\n %s $HOME', "æøå".encode(), b"x" * 200_000, b"%\\\0\xff" * 9):
        sandbox.handle("PUT", "/body", {"Content-Type": "text/x"}, body)
        sandbox.handle("POST", "/body", (), body)
    expected = sandbox.journal.calls
    with xs2a.Sandbox() as served, served.serve() as url:
        script = tmp_path / "calls.sh"
        script.write_text(sandbox.journal.curl(redact=False, origin=url), encoding="utf-8")
        environment = {**os.environ, "no_proxy": "*", "HOME": str(tmp_path)}
        subprocess.run([shell, "-eu", script], env=environment, capture_output=True, timeout=120, check=True)
        got = served.journal.calls
    framing = {"host", "content-length"}
    assert len(got) == len(expected)
    for sent, arrived in zip(expected, got):
        assert (arrived.method, arrived.target, arrived.body) == (sent.method, sent.target, sent.body)
        fields = [(name, value) for name, value in arrived.headers if name.lower() not in framing]
        assert sorted(fields) == sorted(sent.headers)


def test_what_curl_cannot_send_is_said(sandbox: xs2a.Sandbox) -> None:
    sandbox.handle("GET", "/a", {"X-Break": "a\r\nX-Other: b"})
    sandbox.handle("GET", "/b\n# rm", ())
    sandbox.handle("G T\nrm x", "/c", ())
    sandbox.handle("GET", "/d", {"X Y": "1"})
    sandbox.handle("GET", "/e", (), bytes(2_000_000))
    script = sandbox.journal.curl()
    lines = [line for line in script.splitlines() if line]
    assert all(line.startswith("#") for line in lines), script
    assert sum("curl does not send" in line for line in lines) == 4
    assert "the body was too large to be kept" in script


def test_a_test_of_pytest_does_it_again(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, tmp_path: Path) -> None:
    busy_day(sandbox, tpp)
    text = sandbox.journal.pytest()
    done = run_pytest(tmp_path, text)
    assert done.returncode == 0, done.stdout
    # It signs again what the TPP signed, and sends unchanged what was changed after it was signed.
    assert text.count('tpp_1.sign("') >= 8
    assert '("Signature", "none")' in text
    # And it does look: another answer fails.
    other = text.replace(
        "(answer.status, answer.reason) == (201, None)", "(answer.status, answer.reason) == (202, None)"
    )
    assert other != text
    assert run_pytest(tmp_path, other).returncode == 1


def test_a_test_of_pytest_sets_the_same_faults(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, tmp_path: Path) -> None:
    client, faults = Client(sandbox, tpp, HEADERS), sandbox.faults
    with faults.add("CONFLICT", operation="createPayment", nth=2, times=2):
        assert [client.post(STRAKS + NEXT, json=PAYMENT).status_code for _ in range(4)] == [
            201,
            409,
            409,
            201,
        ]
    faults.add("FORBIDDEN", status=403, tpp=tpp, target="accounts", probability=0.5)
    chance = [client.get("/v1/accounts").status_code for _ in range(20)]
    assert set(chance) == {401, 403}
    faults.clear()
    _, link = pay(sandbox, tpp)
    faults.slow(timedelta(seconds=1.25), product="sepa-credit-transfers")
    faults.slow(timedelta(hours=3), times=1)
    faults.bank_down(nth=2)
    faults.no_rate(times=1)
    faults.sca("failed", "PAYMENT_FAILED", times=1)
    faults.submit_payment(times=1)
    path = client.post(STRAKS + NEXT, json=PAYMENT).json()["_links"]["self"]["href"]
    for _ in range(3):
        client.get(f"{path}/status")
    for _ in range(2):
        started = client.post(f"{path}/authorisations").json()
        sandbox.authorise(started["_links"]["scaRedirect"]["href"])
    sandbox.clock.advance_to_next_event()
    with pytest.raises(xs2a.MisuseError):
        sandbox.authorise(link)
    assert client.get(f"{path}/status").json()["transactionStatus"] == "ACSC"
    text = sandbox.journal.pytest()
    done = run_pytest(tmp_path, text)
    assert done.returncode == 0, done.stdout
    # Without one of them another answer comes.
    other = text.replace(
        '"CONFLICT", operation="createPayment", nth=2', '"CONFLICT", operation="createPayment", nth=3'
    )
    assert other != text
    assert run_pytest(tmp_path, other).returncode == 1


def test_an_entry_has_its_side_effects(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    path, link = pay(sandbox, tpp)
    sandbox.authorise(link)
    name = path.rsplit("/", 1)[1]
    moved = [f"Payment {name}: RCVD -> PDNG", f"Payment {name}: PDNG -> ACSC"]
    assert list(sandbox.journal[-1].happened) == moved
    with sandbox.faults.add("CONFLICT"):
        Client(sandbox, tpp, HEADERS).get("/v1/accounts")
        assert list(sandbox.journal[-1].happened) == ["fault 1 struck"]
    text = sandbox.journal.text(last=3)
    assert "fault 1 was set: 409 CONFLICT\n" in text
    assert "\n    fault 1 struck\n" in text
    assert text.endswith("fault 1 was taken away: it struck 1 of 1 matches\n")


def test_the_test_of_a_fork_begins_with_its_parent(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, tmp_path: Path
) -> None:
    _, link = pay(sandbox, tpp)
    sandbox.sca_origin = "https://elsewhere.example"
    with sandbox.fork() as fork:
        pay(sandbox, tpp)  # not the fork's
        fork.authorise(link)
        mine = fork.tpp(tpp.organisation_id)
        with httpx.Client(
            transport=Transport(fork), auth=Auth(mine), base_url="https://bank.example"
        ) as client:
            assert client.post(STRAKS + NEXT, json=PAYMENT, headers=HEADERS).status_code == 201
        text = fork.journal.pytest()
        assert [entry.number for entry in fork.journal] == [4, 5, 6]
    assert text.count("bank.handle(") == 2
    assert text.count(".sign(") == 2, "the one through httpx is signed again too"
    done = run_pytest(tmp_path, text)
    assert done.returncode == 0, done.stdout


def test_settings_of_the_bank_are_those_of_the_test(tmp_path: Path) -> None:
    policy = {"body_bytes_max": 100, "sca_origin": "https://sca.example"}
    now, seed = "2026-09-01T10:00:00.000001Z", 2**64 - 1
    with xs2a.Sandbox(now=now, seed=seed, base_path="/api-sandbox", policy=policy) as bank:
        tpp = bank.register_tpp("\"Acme\" 'Pay'\n")
        for size in (100, 101, 3_000_000):
            target = f"/api-sandbox{STRAKS}"
            bank.handle("POST", target, tpp.sign("POST", target, HEADERS, b"x" * size), b"x" * size)
        assert [call.status for call in bank.journal.calls] == [400, 413, 413]
        done = run_pytest(tmp_path, bank.journal.pytest())
    assert done.returncode == 0, done.stdout


def test_a_bank_with_which_nothing_was_done_gives_a_test_too(sandbox: xs2a.Sandbox, tmp_path: Path) -> None:
    done = run_pytest(tmp_path, sandbox.journal.pytest())
    assert done.returncode == 0, done.stdout


def test_no_test_comes_of_what_cannot_be_done_again(sandbox: xs2a.Sandbox, tmp_path: Path) -> None:
    with sandbox.fork() as restored:
        restored.restore(restored.snapshot())
        with pytest.raises(xs2a.MisuseError, match="a snapshot was restored"):
            restored.journal.pytest()
    with sandbox.fork() as faulty:
        faulty.faults.add("CONFLICT", when=lambda call: True)
        with pytest.raises(xs2a.MisuseError, match="a condition in code"):
            faulty.journal.pytest()
        with faulty.fork() as late, pytest.raises(xs2a.MisuseError, match="before this was forked off"):
            late.journal.pytest()
    sandbox.handle("GET", "/", ())
    sandbox.journal.clear()
    with pytest.raises(xs2a.MisuseError, match="oldest entries are gone"):
        sandbox.journal.pytest()
    path = tmp_path / "bank.sqlite"
    with xs2a.Sandbox(path, now="2026-09-01T10:00:00Z") as bank:
        assert run_pytest(tmp_path, bank.journal.pytest()).returncode == 0
    with xs2a.Sandbox(path) as bank, pytest.raises(xs2a.MisuseError, match="held something before"):
        bank.journal.pytest()


def test_only_the_last_entries_are_written_on_demand(sandbox: xs2a.Sandbox) -> None:
    for number in range(3):
        sandbox.handle("GET", f"/{number}", ())
    assert sandbox.journal.text(last=1).startswith("#3 2026-09-01T10:00:00Z GET /2 -> 404 RTE-02\n")
    assert len(json.loads(sandbox.journal.har(last=2))["log"]["entries"]) == 2
    assert sandbox.journal.curl(last=0).count("curl ") == 0
    with pytest.raises(xs2a.ConfigError, match="origin: `no origin` is not scheme and host"):
        sandbox.journal.har(origin="no origin")
