"""Every mistake of the table, made by pyca/cryptography, is named; each proof holds by the same package."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import statistics
import time
from datetime import timedelta

import field_client
import payment_journey as journey
import pytest
import wrong_requests
import xs2a
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from signed_message import NOW, TPP, Message

IDS = [identifier for identifier, _ in xs2a.mistakes()]
# Names of keys, paddings and forms: their signatures verify in another way than the contract's.
OTHERWISE_SIGNED = re.compile("key|pss|sha-|other-hash|no-digest|hex-|certificate|signature-|hashed")


def wrong(identifier: str) -> tuple[xs2a.Explanation, Message]:
    case = wrong_requests.CASES[identifier]
    message, options = case if isinstance(case, tuple) else (case, {})
    return message.explain(**options), message


def signed_bytes(text: str) -> bytes:
    parts = re.split(r"\\x([0-9A-F]{2})", text)
    return b"".join(bytes.fromhex(part) if index % 2 else part.encode() for index, part in enumerate(parts))


def test_every_mistake_has_a_request() -> None:
    assert sorted(wrong_requests.CASES) == sorted(IDS)
    assert all(sentence.endswith(".") for _, sentence in xs2a.mistakes())


@pytest.mark.parametrize("identifier", IDS)
def test_a_request_with_one_mistake_is_explained(identifier: str) -> None:
    found, message = wrong(identifier)
    assert found.mistake == identifier, found
    assert not found.ok
    assert found.proof in {"hash", "digest", "key", "form", "clock"}
    if found.proof == "hash" and not OTHERWISE_SIGNED.match(identifier):
        assert found.signed is not None
        header = message.headers["Signature"]
        assert isinstance(header, str)
        text = xs2a.decode_encoded_word(header)
        signature = base64.b64decode(text.split('signature="')[1].rstrip('"'))
        key = TPP.key.public_key()
        key.verify(signature, signed_bytes(found.signed), padding.PKCS1v15(), hashes.SHA256())
    if found.proof == "digest":
        assert found.signed is not None
        hashed = hashlib.sha256(signed_bytes(found.signed))
        long = hashlib.sha512(signed_bytes(found.signed))
        forms = [hashed.hexdigest(), long.hexdigest(), base64.b64encode(hashed.hexdigest().encode()).decode()]
        for digest in (hashed.digest(), long.digest()):
            forms += [base64.b64encode(digest).decode(), base64.urlsafe_b64encode(digest).decode()]
        assert any(form in str(message.headers["Digest"]) for form in forms)


def test_the_reason_is_that_of_verify_signature() -> None:
    for identifier in IDS:
        found, message = wrong(identifier)
        judged = xs2a.verify_signature(
            message.method, message.target, list(message.headers.items()), message.body, now=NOW
        )
        # `verify_signature` has no policy.
        assert found.reason == judged.reason or identifier == "issuer-reversed"


def test_a_right_request_has_nothing_to_explain() -> None:
    message = Message()
    found = message.sign().explain()
    assert found == xs2a.Explanation(True, None, None, found.text, None, message.text().decode(), None, 0)


def test_an_unknown_text_is_not_guessed() -> None:
    found = Message().sign(b"another text").explain()
    assert (found.mistake, found.proof, found.signed, found.reason) == (None, None, None, "SIG-13")
    assert found.expected == Message().text().decode()
    assert found.hypotheses > 100


def test_arguments_that_cannot_be_read_are_the_callers_mistake() -> None:
    with pytest.raises(xs2a.ConfigError):
        Message().sign().explain(certificates=["nonsense"])
    with pytest.raises(xs2a.ConfigError):
        Message().sign().explain(policy={"unknown": 1})
    with pytest.raises(TypeError):
        xs2a.explain("GET", "/", {}, "text")  # type: ignore[arg-type]


def test_the_present_is_the_default_clock() -> None:
    message = Message().sign()
    found = xs2a.explain(message.method, message.target, list(message.headers.items()), message.body)
    assert found.reason == "DAT-02"
    assert xs2a.explain("GET", "/", {}).mistake is None


STATUS = f"{journey.INSTANT}/no-such-payment/status"


def test_a_refusal_of_a_sandbox_has_its_explanation(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    headers = tpp.sign("GET", STATUS, journey.HEADERS)
    answer = sandbox.handle("GET", STATUS, headers)
    assert (answer.status, answer.explanation) == (404, None)
    earlier = dict(headers)["X-Request-ID"]
    again = tpp.sign("GET", STATUS, journey.HEADERS)
    mixed = [(name, earlier if name == "X-Request-ID" else value) for name, value in again]
    answer = sandbox.handle("GET", STATUS, mixed)
    assert answer.reason == "SIG-13"
    assert answer.explanation is not None
    stale = tpp.sign("GET", STATUS, journey.HEADERS)
    sandbox.clock.advance(timedelta(minutes=5))
    late = sandbox.handle("GET", STATUS, stale)
    sandbox.close()
    found = late.explanation
    assert found is not None
    assert (found.reason, found.mistake, found.proof) == ("DAT-02", "date-stale", "clock")


def test_an_earlier_call_of_a_sandbox_is_found(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    first = tpp.sign("GET", STATUS, journey.HEADERS)
    sandbox.handle("GET", STATUS, first)
    second = dict(tpp.sign("GET", STATUS, journey.HEADERS))
    answer = sandbox.handle("GET", STATUS, {**second, "Signature": dict(first)["Signature"]})
    assert answer.explanation is not None
    assert answer.explanation.mistake == "request-id-made-again"


def test_a_certificate_that_the_sandbox_does_not_trust_is_not_called_right(sandbox: xs2a.Sandbox) -> None:
    headers = field_client.sign(TPP, journey.HEADERS, b"", sandbox.clock.now())
    answer = sandbox.handle("GET", STATUS, headers)
    found = answer.explanation
    assert answer.reason == "CRT-08"
    assert found is not None
    assert (found.ok, found.reason, found.mistake) == (False, "CRT-08", None)


def test_a_body_that_is_serialised_again_is_named(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    answer = sandbox.handle("POST", journey.INSTANT, headers, body.replace(b": ", b":").replace(b", ", b","))
    assert answer.explanation is not None
    assert answer.explanation.mistake == "digest-json-rewritten"
    assert answer.explanation.signed == body.decode()


def test_most_mistakes_are_named_at_once() -> None:
    times = []
    for identifier in IDS:
        begin = time.perf_counter()
        wrong(identifier)
        times.append(time.perf_counter() - begin)
    # The build of the tests is not optimised; docs/performance.md has the figures of a release.
    assert statistics.median(times) < 0.05
