"""Writes http_messages.json: HTTP/1.1 requests as bytes, and messages that break a rule of RFC 9112, with its place.

    pip install h11==0.16.0
    python tests/vectors/make_http_messages.py

The rules are those of the RFC; the forms of request smuggling are those that its section 11.2 and the publications of
that attack name (CL.CL, CL.TE, TE.CL, TE.TE with a disguised name, obs-fold, bare LF, white space before the colon).
h11 reads every message that is a request, and must give the same parts.
"""

import json
import pathlib

import h11

HERE = pathlib.Path(__file__).parent
HOST = "Host: bank.example\r\n"
GET = "GET /v1/accounts HTTP/1.1\r\n"
POST = "POST /v1/signing-baskets HTTP/1.1\r\n"
LENGTH = "Content-Length: 2\r\n"
CODED = "Transfer-Encoding: chunked\r\n"
CHUNKS = "2\r\n{}\r\n0\r\n\r\n"


def request(name, comment, message):
    """A message that is one request."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(message.encode("latin-1"))
    head = connection.next_event()
    body = b""
    while isinstance(event := connection.next_event(), h11.Data):
        body += event.data
    assert isinstance(event, h11.EndOfMessage) and connection.trailing_data == (b"", False), name
    expected = {
        "method": head.method.decode(),
        "target": head.target.decode("latin-1"),
        "headers": [[name.decode(), value.decode("latin-1")] for name, value in head.headers.raw_items()],
        "body": body.decode("latin-1"),
    }
    return {"id": name, "comment": comment, "message": message, "expected": expected}


def broken(name, comment, section, before, after):
    """A message that breaks that section behind the bytes `before`."""
    return {
        "id": name,
        "comment": comment,
        "message": before + after,
        "expected": {"section": section, "byte": len(before.encode("latin-1"))},
    }


CASES = [
    request("get", "the least", GET + HOST + "\r\n"),
    request("body", "a body with its length", POST + HOST + LENGTH + "\r\n{}"),
    request("empty-body", "a length of nothing", POST + HOST + "Content-Length: 0\r\n\r\n"),
    request("leading-zeros", "1*DIGIT has leading zeros", POST + HOST + "Content-Length: 0002\r\n\r\n{}"),
    request("names-in-any-case", "field names are case-insensitive", POST + "hOST: a\r\ncontent-LENGTH: 2\r\n\r\n{}"),
    request("no-space", "white space before a value is optional", GET + "Host:bank.example\r\n\r\n"),
    request("tabs", "around a value, and within", GET + HOST + "Accept:\t a\tb \t\r\n\r\n"),
    request("empty-value", "a field may be empty", GET + HOST + "x-accept-fix:\r\n\r\n"),
    request("obs-text", "bytes above 0x7F in a value", GET + HOST + "X-Name: S\u00f8r\r\n\r\n"),
    request("port", "a host with a port", GET + "Host: [2001:db8::1]:8443\r\n\r\n"),
    request("empty-host", "a host may be empty", GET + "Host:\r\n\r\n"),
    request("repeated-fields", "in their order", GET + HOST + "A: 1\r\nB: 2\r\nA: 3\r\n\r\n"),
    request("body-like-a-head", "a body may look like a request", POST + HOST + "Content-Length: 4\r\n\r\n\r\n\r\n"),
    broken("empty", "nothing", "8", "", ""),
    broken("head-cut", "within the head", "8", GET + HOST, ""),
    broken("line-end-cut", "within a line end", "8", GET + HOST + "\r", ""),
    broken("body-cut", "one byte of the body is missing", "8", POST + HOST + LENGTH + "\r\n{", ""),
    broken("one-byte-more", "one byte behind the body", "6.3", POST + HOST + LENGTH + "\r\n{}", "x"),
    broken("second-request", "pipelined", "6.3", GET + HOST + "\r\n", GET + HOST + "\r\n"),
    broken("body-without-length", "bytes without a length are no body", "6.3", POST + HOST + "\r\n", "{}"),
    broken("cl-cl", "two lengths", "6.3", POST + HOST + LENGTH, "Content-Length: 3\r\n\r\n{}"),
    broken("cl-cl-same", "two lengths that are the same", "6.3", POST + HOST + LENGTH, LENGTH + "\r\n{}"),
    broken("cl-list", "a list of lengths", "6.2", POST + HOST + "Content-Length: ", "2, 2\r\n\r\n{}"),
    broken("cl-plus", "a sign", "6.2", POST + HOST + "Content-Length: ", "+2\r\n\r\n{}"),
    broken("cl-minus", "a negative length", "6.2", POST + HOST + "Content-Length: ", "-2\r\n\r\n{}"),
    broken("cl-hex", "hexadecimal digits", "6.2", POST + HOST + "Content-Length: ", "0x2\r\n\r\n{}"),
    broken("cl-space", "a space between digits", "6.2", POST + HOST + "Content-Length: ", "0 2\r\n\r\n{}"),
    broken("cl-fraction", "a decimal point", "6.2", POST + HOST + "Content-Length: ", "2.0\r\n\r\n{}"),
    broken("cl-huge", "more than memory", "6.2", POST + HOST + "Content-Length: ", "99999999999999999999\r\n\r\n{}"),
    broken("cl-te", "both, the length first", "6.1", POST + HOST + LENGTH, CODED + "\r\n" + CHUNKS),
    broken("te-cl", "both, the coding first", "6.1", POST + HOST, CODED + LENGTH + "\r\n" + CHUNKS),
    broken("te", "a chunked body alone", "6.1", POST + HOST, CODED + "\r\n" + CHUNKS),
    broken("te-identity", "a coding that is obsolete", "6.1", POST + HOST, "Transfer-Encoding: identity\r\n\r\n"),
    broken("te-case", "the name in another case", "6.1", POST + HOST, "tRANSFER-eNCODING: x\r\n\r\n"),
    broken("te-empty", "no coding", "6.1", POST + HOST, "Transfer-Encoding:\r\n\r\n"),
    broken("te-list", "chunked behind another", "6.1", POST + HOST, "Transfer-Encoding: x, chunked\r\n\r\n"),
    broken("te-space", "white space before the colon", "5.1", POST + HOST + "Transfer-Encoding", " : chunked\r\n\r\n"),
    broken("te-tab", "a tab before the colon", "5.1", POST + HOST + "Transfer-Encoding", "\t: chunked\r\n\r\n"),
    broken("cl-space-before", "before the colon", "5.1", POST + HOST + "Content-Length", " : 2\r\n\r\n{}"),
    broken("te-folded", "obs-fold before the name", "5.2", POST + HOST + "A: b\r\n", " " + CODED + "\r\n"),
    broken("te-value-folded", "obs-fold in a value", "5.2", POST + HOST + "Transfer-Encoding:\r\n", " chunked\r\n\r\n"),
    broken("fold-tab", "obs-fold by a tab", "5.2", POST + HOST + "A: b\r\n", "\tc\r\n\r\n"),
    broken("fold-first", "white space before the first field", "5.2", GET, " " + HOST + "\r\n"),
    broken("te-vertical-tab", "a control character", "5", POST + HOST, "Transfer-Encoding:\x0bchunked\r\n\r\n"),
    broken("te-nul", "NUL in the name", "5", POST + HOST, "Transfer\x00-Encoding: chunked\r\n\r\n"),
    broken("te-underscore-space", "a space in the name", "5", POST + HOST, "Transfer Encoding: chunked\r\n\r\n"),
    broken("te-latin", "a letter that is none of a token", "5", POST + HOST, "Transf\u00e9r-Encoding: chunked\r\n\r\n"),
    broken("no-colon", "a line without a colon", "5", POST + HOST, "chunked\r\n\r\n"),
    broken("no-name", "a field without a name", "5", POST + HOST, ": chunked\r\n\r\n"),
    broken("lf", "a bare LF ends a line", "2.2", POST + HOST + "A: b", "\n" + CODED + "\r\n"),
    broken("lf-everywhere", "LF alone", "2.2", "GET / HTTP/1.1", "\nHost: a\n\n"),
    broken("lf-in-end", "LF CR LF", "2.2", GET + "Host: a", "\n\r\n"),
    broken("cr", "a bare CR in a value", "2.2", POST + HOST + "A: b", "\r" + CODED + "\r\n"),
    broken("cr-cr-lf", "CR CR LF", "2.2", GET + "Host: a", "\r\r\n\r\n"),
    broken("empty-line-first", "before the request line", "2.2", "", "\r\n" + GET + HOST + "\r\n"),
    broken("lf-first", "LF before the request line", "2.2", "", "\n" + GET + HOST + "\r\n"),
    broken("http-1.0", "an older version", "2.3", "GET /v1/accounts ", "HTTP/1.0\r\n" + HOST + "\r\n"),
    broken("http-2", "a newer version", "3", "", "GET /v1/accounts HTTP/2.0\r\n" + HOST + "\r\n"),
    broken("preface", "the preface of HTTP/2", "3", "", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    broken("http-0.9", "no version", "3", "", "GET /v1/accounts\r\n\r\n"),
    broken("two-spaces", "in the request line", "3", "", "GET  /v1/accounts HTTP/1.1\r\n" + HOST + "\r\n"),
    broken("tab-in-line", "a tab in the request line", "3", "", "GET\t/v1/accounts HTTP/1.1\r\n" + HOST + "\r\n"),
    broken("space-in-target", "a space in the target", "3", "", "GET /v1/a b HTTP/1.1\r\n" + HOST + "\r\n"),
    broken("space-after", "white space behind the version", "3", "", "GET / HTTP/1.1 \r\n" + HOST + "\r\n"),
    broken("space-before", "white space before the method", "3", "", " GET / HTTP/1.1\r\n" + HOST + "\r\n"),
    broken("method-colon", "a method that is no token", "3", "", "GET: / HTTP/1.1\r\n" + HOST + "\r\n"),
    broken("tls", "the begin of a TLS handshake", "3", "", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
    broken("no-host", "no Host", "3.2", GET + "Accept: a\r\n", "\r\n"),
    broken("two-hosts", "two Hosts", "3.2", GET + HOST, "Host: other.example\r\n\r\n"),
    broken("two-hosts-same", "two Hosts that are the same", "3.2", GET + HOST, HOST + "\r\n"),
    broken("host-list", "two hosts in one field", "3.2", GET + "Host: ", "bank.example, other.example\r\n\r\n"),
    broken("host-path", "a path behind the host", "3.2", GET + "Host: ", "bank.example/v1\r\n\r\n"),
    broken("host-user", "a user before the host", "3.2", GET + "Host: ", "a@bank.example\r\n\r\n"),
]

names = [case["id"] for case in CASES]
assert len(set(names)) == len(names)
HERE.joinpath("http_messages.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=True) + "\n")
print(len(CASES), "messages")
