"""The command ``xs2a explain``."""

from __future__ import annotations

import io
import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import xs2a
from signed_message import BODY, DATE, NOW, TPP, Message
from xs2a._command import main

NEWLINE = Message().sign(Message().text() + b"\n")
UNKNOWN = Message().sign(b"another text")
AT = ["--now", NOW]


def as_text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode()


def raw(message: Message, end: str = "\r\n", **headers: str) -> bytes:
    lines = [f"{message.method} {message.target} HTTP/1.1"]
    lines += [f"{name}: {as_text(value)}" for name, value in {**message.headers, **headers}.items()]
    return end.join([*lines, "", ""]).encode() + message.body


def curl(message: Message, data: str = "--data-raw") -> str:
    words = ["curl", "-X", message.method, f"https://bank.example{message.target}"]
    for name, value in message.headers.items():
        words += ["-H", f"{name}: {as_text(value)}"]
    return shlex.join([*words, data, message.body.decode()])


def entry(message: Message, status: int, at: str = NOW) -> dict[str, Any]:
    headers = [{"name": name, "value": value} for name, value in message.headers.items()]
    request = {
        "method": message.method,
        "url": f"https://bank.example{message.target}",
        "headers": headers,
        "postData": {"mimeType": "application/json", "text": message.body.decode()},
    }
    return {"startedDateTime": at, "request": request, "response": {"status": status}}


def explained(tmp_path: Path, content: str | bytes, *arguments: str) -> tuple[int, Path]:
    file = tmp_path / "recorded"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return main(["explain", str(file), *arguments]), file


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_raw_request_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str) -> None:
    code, _ = explained(tmp_path, raw(NEWLINE, end), *AT)
    output = capsys.readouterr().out
    assert code == 0
    assert "SIG-13: trailing-newline (proof: hash)" in output
    assert r"tpp-redirect-uri: https://tpp.example/cb?a=%25\n" in output


def test_content_length_ends_the_body(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = raw(Message().sign(), **{"Content-Length": str(len(BODY))}) + b"\n"
    code, _ = explained(tmp_path, content, *AT)
    assert (code, "right" in capsys.readouterr().out) == (0, True)


@pytest.mark.parametrize("data", ["--data-raw", "-d", "--data-binary"])
def test_a_curl_command_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: str) -> None:
    code, _ = explained(tmp_path, curl(NEWLINE, data).replace(" -H", " \\\n  -H"), *AT, "--json")
    found = json.loads(capsys.readouterr().out)
    assert (code, found["mistake"], found["reason"]) == (0, "trailing-newline", "SIG-13")


def test_a_curl_command_of_a_browser_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = replace(Message(), body=b"it's\n").with_header("Digest", xs2a.digest(b"it's\n"))
    text = curl(replace(message.sign(), body=b"BODY")).replace("BODY", "$'it\\'s\\n'")
    code, _ = explained(tmp_path, text, *AT)
    assert (code, "right" in capsys.readouterr().out) == (0, True)


def test_a_body_in_a_file_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "body.json").write_bytes(BODY)
    text = curl(replace(Message().sign(), body=b"@body.json"), "--data-binary")
    code, _ = explained(tmp_path, text, *AT)
    assert (code, "right" in capsys.readouterr().out) == (0, True)


def test_refused_entries_of_an_archive_are_explained_at_their_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = entry(Message().sign(), 401, "2026-11-20T12:10:00Z")
    entries = [entry(UNKNOWN, 200), entry(NEWLINE, 401), late]
    code, _ = explained(tmp_path, json.dumps({"log": {"entries": entries}}), "--json")
    found = json.loads(capsys.readouterr().out)
    assert (code, [one["mistake"] for one in found]) == (0, ["trailing-newline", "date-stale"])


def test_the_archive_of_a_journal_is_read(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = "/v1/consents/account-access"
    headers = tpp.sign("POST", target, {}, BODY)
    sandbox.handle("POST", target, headers, BODY + b"\n")
    for text in (sandbox.journal.har(redact=False), sandbox.journal.curl(redact=False)):
        arguments = [] if text.startswith("{") else ["--now", sandbox.clock.now().isoformat()]
        code, _ = explained(tmp_path, text, *arguments)
        assert (code, "digest-newline" in capsys.readouterr().out) == (0, True)


def test_an_unexplained_refusal_ends_in_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = explained(tmp_path, raw(UNKNOWN), *AT)
    assert (code, "no mistake is proven" in capsys.readouterr().out) == (1, True)


def test_certificates_and_base_paths_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from signed_message import OTHER

    (tmp_path / "other.pem").write_text(OTHER.pem)
    other = raw(Message().sign(holder=OTHER))
    code, _ = explained(tmp_path, other, *AT, "--certificate", str(tmp_path / "other.pem"))
    assert (code, "key-of-another-certificate" in capsys.readouterr().out) == (0, True)
    below = Message().sign(Message().text(target=f"post /psd2{Message().target}"))
    code, _ = explained(tmp_path, raw(below), *AT, "--base-path", "/psd2")
    assert (code, "target-base-path" in capsys.readouterr().out) == (0, True)
    assert TPP.pem != OTHER.pem


def test_a_dash_is_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Input:
        buffer = io.BytesIO(raw(NEWLINE))

    monkeypatch.setattr("sys.stdin", Input)
    assert main(["explain", "-", *AT]) == 0
    assert "trailing-newline" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content", [b"nonsense", b"{}", b"\xff\xfe", b"", b"GET / HTTP/1.1\nnonsense\n\n", b"curl 'x"]
)
def test_a_file_of_no_known_form_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    code, _ = explained(tmp_path, content)
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (2, 1), error
    assert DATE not in error
