"""What a sandbox has seen of all there is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import xs2a

KINDS = ["operations", "sandboxRoutes", "reasons", "codes", "states", "transitions"]


def test_a_fresh_bank_has_seen_nothing(sandbox: xs2a.Sandbox) -> None:
    seen = sandbox.coverage()
    assert seen == xs2a.Coverage()
    for kind in KINDS:
        assert (seen.touched(kind), seen.percent(kind)) == (0, 0)
        assert len(seen.untouched(kind)) == seen.total(kind) == len(seen.to_dict()[kind]["rows"]) > 0
    # What other pages of the package list is what there is.
    assert seen.total("transitions") > sum(map(len, xs2a.payment_transitions().values())) > 0


def test_a_call_and_its_reason_count(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> None:
    target = "/v1/accounts"
    assert sandbox.handle("GET", target, tpp.sign("GET", target)).reason == "HDR-04"
    assert sandbox.handle("GET", "/v1/nowhere", ()).status == 404
    seen = sandbox.coverage()
    rows = {row["name"]: row for row in seen.to_dict()["operations"]["rows"]}
    assert rows["getAccounts"] == {"name": "getAccounts", "calls": 1, "statuses": {"400": 1}}
    assert seen.to_dict()["unrouted"] == {"calls": 1, "statuses": {"404": 1}}
    assert "getAccounts" not in seen.untouched("operations")
    assert seen.percent("operations") == pytest.approx(100 / seen.total("operations"))
    assert "HDR-04" not in seen.untouched("reasons")
    assert repr(seen).startswith(f"<Coverage operations 1/{seen.total('operations')} ")


def test_coverages_add_up_and_survive_json(sandbox: xs2a.Sandbox) -> None:
    sandbox.handle("GET", "/v1/nowhere", ())
    one = sandbox.coverage()
    both = one | one
    assert both.to_dict()["unrouted"]["calls"] == 2
    assert one | xs2a.Coverage() == one != both
    assert xs2a.Coverage.from_json(both.to_json()) == both
    assert len({one, sandbox.coverage(), both}) == 2


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"operations": 1}'])
def test_another_text_is_no_coverage(text: str) -> None:
    with pytest.raises(xs2a.MisuseError):
        xs2a.Coverage.from_json(text)


def test_another_kind_is_none(sandbox: xs2a.Sandbox) -> None:
    for ask in (sandbox.coverage().touched, sandbox.coverage().untouched, sandbox.coverage().percent):
        with pytest.raises(xs2a.MisuseError, match="`Operations` is no kind of a coverage: operations, "):
            ask("Operations")
    with pytest.raises(TypeError):
        sandbox.coverage() | 1  # type: ignore[operator]


def test_a_family_is_what_was_forked(sandbox: xs2a.Sandbox) -> None:
    with sandbox.fork() as fork:
        fork.handle("GET", "/v1/nowhere", ())
        assert fork.coverage() == sandbox.coverage(family=True) == fork.coverage(family=True)
    assert sandbox.coverage() == xs2a.Coverage()
    assert sandbox.coverage(family=True) != xs2a.Coverage()


def test_threads_lose_no_count(sandbox: xs2a.Sandbox) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: sandbox.handle("GET", "/v1/nowhere", ()), range(400)))
    assert sandbox.coverage().to_dict()["unrouted"]["calls"] == 400
    assert len(sandbox.journal) == 400
    assert [entry.number for entry in sandbox.journal] == list(range(1, 401))


def test_in_words_what_is_missing_is_listed_on_demand(sandbox: xs2a.Sandbox) -> None:
    seen = sandbox.coverage()
    assert len(seen.text().splitlines()) == len(KINDS)
    assert "createPayment" in seen.text(untouched=True)
    assert "createPayment" not in seen.text()
