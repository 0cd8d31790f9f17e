"""What an engine trusts is replaced while it runs: the steps that Rust and C take too, and what is Python's
own."""

from __future__ import annotations

import gc
import json
import logging
import threading
import time
import weakref
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import field_client as field
import pytest
import xs2a
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from gateway import Gateway, gateway
from toy_bank import ToyBank

VECTORS = Path(__file__).parents[1] / "vectors" / "trust.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))
CONSENTS = "/v1/bank-offered-consents"
NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)
MANY, MANY_AT = 10_000, 434
Json = dict[str, Any]


class Steps:
    """An engine that takes the steps of a case."""

    def __init__(self, case: Json, **keywords: Any) -> None:
        self.now = NOW
        self.engine = xs2a.Engine(ToyBank(), clock=lambda: self.now, **case["config"], **keywords)

    def now_(self, step: Json) -> None:
        self.now = datetime.fromtimestamp(step["micros"] / 1_000_000, timezone.utc)

    def call(self, step: Json) -> None:
        answer = self.engine.handle("POST", CONSENTS, [tuple(pair) for pair in step["headers"]])
        assert (answer.status, answer.reason or "") == (step["status"], step["reason"]), answer.json()

    def lists(self, step: Json) -> None:
        given = bytes.fromhex(step["hex"]) if "hex" in step else step["pem"]
        outcome(step, lambda: self.engine.supply_crl(given, step["authorities"]))

    def clear(self, _step: Json) -> None:
        self.engine.clear_crls()

    def due(self, step: Json) -> None:
        due = self.engine.next_crl_due()
        assert (due.strftime("%Y-%m-%dT%H:%M:%SZ") if due else "") == step["time"]

    def anchors(self, step: Json) -> None:
        outcome(step, lambda: self.engine.replace_trust_anchors(step["bundle"]))

    def register(self, step: Json) -> None:
        outcome(step, lambda: self.engine.replace_register(step["extract"]))

    def trusted_list(self, step: Json) -> None:
        def read() -> str:
            return xs2a.trusted_list_anchors(step["list"].encode(), step["type"], at=step["at"])

        outcome(step, read, "bundle")

    def many_anchors(self, step: Json) -> None:
        assert self.engine.replace_trust_anchors(ten_thousand(step["pem"])) == MANY

    def many_sent(self, step: Json) -> None:
        more = ten_thousand(step["pem"]).replace("\n", "")
        sent = [
            (name, value + more if name == "TPP-Signature-Certificate" else value)
            for name, value in step["headers"]
        ]
        self.call({**step, "headers": sent})


def outcome(step: Json, change: Callable[[], Any], expected: str = "count") -> None:
    """What the change gives, or the configuration error that says so."""
    if "fails" not in step:
        assert change() == step[expected]
        return
    with pytest.raises(xs2a.ConfigError) as raised:
        change()
    assert step["fails"] in str(raised.value)


def ten_thousand(pem: str) -> str:
    return "".join(f"{pem[:MANY_AT]}{number:04}{pem[MANY_AT + 4 :]}" for number in range(MANY))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_is_supplied_counts_from_the_next_call_on(case: Json) -> None:
    steps = Steps(case)
    started = time.monotonic()
    with steps.engine:
        for step in case["steps"]:
            getattr(steps, "now_" if step["do"] == "now" else step["do"])(step)
    assert time.monotonic() - started < 60


# ---------------------------------------------------------- a signer of its own, and a bank's own objects


@pytest.fixture(scope="module")
def root() -> field.Holder:
    return field.authority("Field Root")


@pytest.fixture(scope="module")
def client(root: field.Holder) -> field.Holder:
    return field.leaf(root, ["PSP_AI", "PSP_PI"])


def reason(own: Gateway, holder: field.Holder) -> str | None:
    """The refusal of a call, None where it is taken."""
    given = [
        ("x-accept-fix", ""),
        ("TPP-Session-ID", "session-1"),
        ("TPP-Redirect-URI", "https://tpp.example/cb"),
        ("PSU-IP-Address", "192.0.2.1"),
        ("PSU-Context", "PRIVATE"),
    ]
    headers = field.sign(holder, given, b"", own.sandbox.clock.now())
    answer = own.engine.handle("POST", CONSENTS, headers)
    return answer.reason if answer.status != 201 else None


def revoked(root: field.Holder, number: int, *holders: field.Holder) -> x509.CertificateRevocationList:
    builder = x509.CertificateRevocationListBuilder().issuer_name(root.certificate.subject)
    builder = builder.last_update(NOW).next_update(NOW + timedelta(days=1))
    builder = builder.add_extension(x509.CRLNumber(number), critical=False)
    for holder in holders:
        entry = x509.RevokedCertificateBuilder().serial_number(holder.certificate.serial_number)
        builder = builder.add_revoked_certificate(entry.revocation_date(NOW).build())
    return builder.sign(root.key, hashes.SHA256())


@pytest.mark.parametrize("encoding", [Encoding.DER, Encoding.PEM])
def test_a_list_may_be_der_or_pem_and_any_bytes(
    root: field.Holder, client: field.Holder, encoding: Encoding
) -> None:
    with gateway(trust_anchors=root.pem) as own:
        assert reason(own, client) is None
        given = revoked(root, 1, client).public_bytes(encoding)
        assert own.engine.supply_crl(memoryview(given), [root.pem, root.pem.encode()]) == 1
        assert reason(own, client) == "CRT-15"
        assert own.engine.next_crl_due() == NOW + timedelta(days=1)


def test_lists_are_replaced_while_eight_threads_call(root: field.Holder, client: field.Holder) -> None:
    stop, found = threading.Event(), set()

    def calls(own: Gateway) -> None:
        while not stop.is_set():
            found.add(reason(own, client))

    with gateway(trust_anchors=root.pem) as own:
        threads = [threading.Thread(target=calls, args=(own,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for number in range(1, 21):
            holders = [client] if number % 2 else []
            own.engine.supply_crl(revoked(root, number, *holders).public_bytes(Encoding.DER), root.pem)
            own.engine.replace_trust_anchors(root.pem)
            assert reason(own, client) == ("CRT-15" if holders else None)
        stop.set()
        for thread in threads:
            thread.join()
    assert found <= {None, "CRT-15"}


class Register:
    """Gives the answers that are set."""

    def __init__(self) -> None:
        self.known, self.asked = True, 0

    def is_registered(self, organisation_id: str) -> bool:
        assert organisation_id == "PSDNO-FSA-987654321"
        self.asked += 1
        return self.known


def test_a_register_may_be_an_object(root: field.Holder, client: field.Holder) -> None:
    register = Register()
    with gateway(trust_anchors=root.pem, registry=register) as own:
        assert reason(own, client) is None
        register.known = False
        assert reason(own, client) == "TPP-01"
        own.engine.forget_registration("PSDNO-FSA-987654321")
        with pytest.raises(xs2a.MisuseError, match="own register"):
            own.engine.replace_register("[[], []]")


@pytest.mark.parametrize("as_callable", [False, True])
def test_answers_of_a_cached_register_count_until_their_age(
    root: field.Holder, client: field.Holder, as_callable: bool
) -> None:
    register = Register()
    ask = register.is_registered if as_callable else register
    cached = xs2a.CachedRegistry(ask, registered_for=timedelta(minutes=5), unknown_for=timedelta(seconds=10))
    with gateway(trust_anchors=root.pem, registry=cached) as own:
        clock = own.sandbox.clock

        def after(seconds: float) -> str | None:
            clock.advance(timedelta(seconds=seconds))
            return reason(own, client)

        assert reason(own, client) is None
        register.known = False
        assert after(299) is None
        assert after(1) == "TPP-01"
        register.known = True
        assert after(9) == "TPP-01"
        assert after(1) is None
        register.known = False
        own.engine.forget_registration("PSDNO-FSA-1")
        assert reason(own, client) is None
        own.engine.forget_registration("PSDNO-FSA-987654321")
        assert reason(own, client) == "TPP-01"
        assert register.asked == 4


@pytest.mark.parametrize("age", [timedelta(seconds=-1), timedelta(seconds=0.5), timedelta(seconds=2**32)])
def test_an_age_is_a_whole_number_of_seconds(age: timedelta) -> None:
    fine = timedelta(seconds=2**32 - 1)
    with gateway(registry=xs2a.CachedRegistry(Register(), fine, timedelta(0))):
        pass
    for ages, message in (((age, fine), "registered_for"), ((fine, age), "unknown_for")):
        cached = xs2a.CachedRegistry(Register(), *ages)
        with pytest.raises(xs2a.ConfigError, match=message), gateway(registry=cached):
            pass


def test_what_cannot_be_asked_is_no_register() -> None:
    never = timedelta(0)
    for registry in (1, object(), xs2a.CachedRegistry("PSDNO", never, never)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="registry"), gateway(registry=registry):
            pass


def engine_calls(engine: xs2a.Engine) -> Iterator[Callable[[], object]]:
    yield lambda: engine.replace_trust_anchors("")
    yield lambda: engine.supply_crl(b"", "")
    yield engine.clear_crls
    yield engine.next_crl_due
    yield lambda: engine.replace_register(b"[[],[]]")
    yield lambda: engine.forget_registration("PSDNO-FSA-1")


def test_a_sandbox_gets_its_trust_by_its_own_method(sandbox: xs2a.Sandbox) -> None:
    for call in engine_calls(sandbox.engine):
        with pytest.raises(xs2a.MisuseError, match="not its own to replace"):
            call()


def test_a_closed_engine_takes_no_new_trust() -> None:
    with gateway() as own:
        own.engine.close()
        for call in engine_calls(own.engine):
            with pytest.raises(xs2a.MisuseError, match="closed"):
                call()


def test_anchors_may_be_base64_of_der_and_pem_with_any_comment(root: field.Holder) -> None:
    base64 = b64encode(root.der).decode()
    assert xs2a.parse_certificate(base64) == xs2a.parse_certificate(root.pem)
    with gateway() as own:
        for bundle in (base64, [base64], "Utsteder: Blå\n".encode("latin-1") + root.pem.encode()):
            assert own.engine.replace_trust_anchors(bundle) == 1


def test_values_of_another_type_are_refused(root: field.Holder) -> None:
    with gateway() as own:
        engine: Any = own.engine
        calls: list[Callable[[], object]] = [
            lambda: engine.replace_trust_anchors(1),
            lambda: engine.supply_crl(None, root.pem),
            lambda: engine.supply_crl(b"", None),
            lambda: engine.replace_register([[], []]),
            lambda: engine.forget_registration(b"PSDNO"),
        ]
        for call in calls:
            with pytest.raises(TypeError):
                call()
        with pytest.raises(xs2a.MisuseError, match="binary"):
            engine.replace_trust_anchors(root.der)
        nothing: list[Any] = ["", [], b"# no block"]
        for empty in nothing:
            with pytest.raises(xs2a.ConfigError, match=r"^trust_anchors: there is no certificate in it$"):
                engine.replace_trust_anchors(empty)
        with pytest.raises(xs2a.ConfigError, match=r"^trust_anchors: certificate 2 of 2: "):
            engine.replace_trust_anchors([root.pem, root.pem.replace("M", "A", 1)])
    nested: list[Any] = [root.pem]
    nested.append(nested)
    with pytest.raises(TypeError, match="one of several PEM"):
        engine.replace_trust_anchors(nested)
    trusted_list: Any = xs2a.trusted_list_anchors
    with pytest.raises(xs2a.MisuseError, match="`eseal`"):
        trusted_list("", "eseal", at=NOW)
    with pytest.raises(xs2a.MisuseError, match="naive"):
        trusted_list("", "any", at=datetime(2026, 9, 1))  # noqa: DTZ001
    with pytest.raises(TypeError):
        trusted_list("", "any", NOW)


# ----------------------------------------------------------------------------------- reference cycles


class Keeper(ToyBank):
    """A bank that keeps what is made over it."""

    kept: Any = None

    def now(self) -> datetime:
        return NOW

    def is_registered(self, organisation_id: str) -> bool:
        return True


def open_over(bank: Keeper, root: field.Holder) -> xs2a.Engine:
    return xs2a.Engine(
        bank, database="sqlite::memory:", trust_anchors=root.pem, clock=bank.now, registry=bank
    )


def test_a_bank_that_keeps_its_engine_is_freed_with_it(root: field.Holder) -> None:
    bank = Keeper()
    bank.kept = open_over(bank, root)
    bank.kept.run_due()
    gone = weakref.ref(bank)
    del bank
    gc.collect()
    assert gone() is None


def test_a_bank_that_keeps_a_half_read_audit_is_freed_with_it(root: field.Holder) -> None:
    bank = Keeper()
    bank.kept = open_over(bank, root).audit(NOW, NOW + timedelta(days=1))
    assert next(bank.kept, None) is None
    gone = weakref.ref(bank)
    del bank
    gc.collect()
    assert gone() is None


def test_a_bank_is_kept_while_its_engine_is(root: field.Holder) -> None:
    bank = Keeper()
    engine = bank.kept = open_over(bank, root)
    gone = weakref.ref(bank)
    del bank
    gc.collect()
    assert gone() is not None
    assert engine.run_due() == xs2a.RunReport(submitted=0, failed=0)
    engine.close()
    gc.collect()
    assert gone() is None


def test_the_collector_may_run_within_a_call_and_beside_it(root: field.Holder) -> None:
    """Threads call an engine that only their calls and its bank hold, and run the garbage collector."""

    class Collector(Keeper):
        def now(self) -> datetime:
            gc.collect()
            return NOW

    def work(engine: xs2a.Engine) -> None:
        for _ in range(20):
            engine.next_due()

    bank = Collector()
    bank.kept = open_over(bank, root)
    threads = [threading.Thread(target=work, args=(bank.kept,)) for _ in range(4)]
    gone = weakref.ref(bank)
    del bank
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        gc.collect()
    for thread in threads:
        thread.join()
    del threads, thread
    gc.collect()
    assert gone() is None


def test_what_a_trusted_list_has_that_cannot_be_read_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    case = next(case for case in CASES if case["id"] == "trusted-list")
    sound = next(step for step in case["steps"] if step.get("bundle"))
    damaged = sound["list"].replace("<X509Certificate>", "<X509Certificate>!")
    read = [xs2a.trusted_list_anchors(text, "qseal", at=sound["at"]) for text in (sound["list"], damaged)]
    assert (read[0], read[1]) == (sound["bundle"], "")
    assert {(record.name, record.levelname) for record in caplog.records} == {("xs2a.tools", "WARNING")}
    assert "service=1 certificates=1" in caplog.messages[0]


def test_an_interrupt_in_a_log_handler_leaves_reading_a_trusted_list() -> None:
    class Stops(logging.Handler):
        def emit(self, _record: logging.LogRecord) -> None:
            raise KeyboardInterrupt

    case = next(case for case in CASES if case["id"] == "trusted-list")
    sound = next(step for step in case["steps"] if step.get("bundle"))
    damaged, handler = sound["list"].replace("<X509Certificate>", "<X509Certificate>!"), Stops()
    logging.getLogger("xs2a.tools").addHandler(handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            xs2a.trusted_list_anchors(damaged, "qseal", at=sound["at"])
    finally:
        logging.getLogger("xs2a.tools").removeHandler(handler)
