"""The control interface: tables as files, and what an operator asks of the served bank."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import httpx
import payment_journey as journey
import polars
import pytest
import xs2a


@pytest.fixture
def payment_id(sandbox: xs2a.Sandbox, tpp: xs2a.Tpp) -> str:
    body = json.dumps(journey.payment(sandbox)).encode()
    headers = tpp.sign("POST", journey.INSTANT, journey.HEADERS, body)
    created: str = sandbox.handle("POST", journey.INSTANT, headers, body).json()["paymentId"]
    return created


def detail(answer: httpx.Response, status: int) -> str:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    found: str = answer.json()["detail"]
    return found


def test_every_table_is_a_file_in_each_format(
    sandbox: xs2a.Sandbox, control: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    listed = control.get("/tables").json()
    assert [row["name"] for row in listed] == sandbox.tables()
    for row in listed:
        frame = polars.DataFrame(sandbox.table(row["name"]))
        assert row["columns"] == frame.columns
        arrow = control.get(f"/tables/{row['name']}")
        assert arrow.headers["content-type"] == "application/vnd.apache.arrow.stream"
        assert polars.read_ipc_stream(io.BytesIO(arrow.content)).equals(frame)
        parquet = control.get(f"/tables/{row['name']}", params={"format": "parquet"})
        assert polars.read_parquet(io.BytesIO(parquet.content)).equals(frame)
        csv = control.get(f"/tables/{row['name']}", params={"format": "csv"})
        assert csv.text.splitlines()[0] == ",".join(frame.columns)
    # A file is removed when it was sent.
    assert list(tmp_path.iterdir()) == []


def test_a_table_has_the_columns_that_are_asked_for(control: httpx.Client) -> None:
    chosen = control.get("/tables/accounts", params={"format": "csv", "columns": "bban,id"})
    assert chosen.text.splitlines()[0] == "bban,id"
    assert "no table `nothing`" in detail(control.get("/tables/nothing"), 404)
    assert "`nothing`" in detail(control.get("/tables/accounts", params={"columns": "nothing"}), 422)
    assert "format" in detail(control.get("/tables/accounts", params={"format": "xlsx"}), 400)


def test_payments_and_consents_are_listed(
    sandbox: xs2a.Sandbox, control: httpx.Client, payment_id: str
) -> None:
    assert control.get("/payments").json() == sandbox.engine.payments()
    assert [row["id"] for row in control.get("/payments", params={"status": "RCVD"}).json()] == [payment_id]
    assert control.get("/payments", params={"after": payment_id}).json() == []
    assert control.get("/payments", params={"createdTo": "2026-09-01T10:00:00Z"}).json() == []
    assert control.get(f"/payments/{payment_id}").json() == sandbox.engine.payment(payment_id)
    assert "no payment" in detail(control.get("/payments/unknown"), 404)
    assert "limit" in detail(control.get("/payments", params={"limit": 1001}), 400)
    assert control.get("/consents", params={"limit": 1000}).json() == sandbox.engine.consents()


def test_a_tpp_is_blocked_until_it_is_unblocked(
    sandbox: xs2a.Sandbox, control: httpx.Client, tpp: xs2a.Tpp
) -> None:
    def answer() -> xs2a.Response:
        return sandbox.handle("GET", "/v1/accounts", tpp.sign("GET", "/v1/accounts", journey.HEADERS))

    block = {"tpp": tpp.organisation_id, "why": "phishing", "until": "2026-09-02T10:00:00Z"}
    assert control.post("/blocked", json=block).status_code == 204
    [blocked] = control.get("/blocked").json()
    assert (blocked["tpp"], blocked["why"]) == (tpp.organisation_id, "phishing")
    assert answer().reason == "TPP-03"
    assert control.delete("/blocked", params={"tpp": tpp.organisation_id}).status_code == 204
    assert answer().reason != "TPP-03"
    assert (
        detail(control.delete("/blocked", params={"tpp": tpp.organisation_id}), 404)
        == "there is no such block"
    )
    assert detail(control.post("/blocked", json={"why": "no subject"}), 422)


def test_health_and_figures_are_shown(control: httpx.Client, payment_id: str) -> None:
    assert payment_id
    assert control.get("/bank/health").json()["ok"] is True
    figures = control.get("/bank/metrics")
    assert figures.headers["content-type"].startswith("text/plain")
    assert 'xs2a_requests_total{operation="createPayment",status="201"} 1' in figures.text


def test_statistics_are_shown_by_day(
    sandbox: xs2a.Sandbox, control: httpx.Client, request: pytest.FixtureRequest
) -> None:
    sandbox.set_policy({"statistics": True})
    request.getfixturevalue("payment_id")
    days = {"firstDay": "2026-08-31", "lastDay": "2026-09-01"}
    before, shown = control.get("/bank/statistics", params=days).json()
    assert (before["all"]["requests"], shown["pisp"]["requests"]) == (0, 1)
    others = control.get("/bank/statistics", params={**days, "tpp": "PSDNO-FSA-other"}).json()
    assert others[1]["all"]["requests"] == 0
    rows = control.get("/bank/statistics.csv", params=days)
    assert rows.headers["content-type"].startswith("text/plain")
    assert rows.text == sandbox.engine.statistics_csv("2026-08-31", "2026-09-01")
    backwards = {"firstDay": "2026-09-01", "lastDay": "2026-08-31"}
    assert detail(control.get("/bank/statistics", params=backwards), 422)
    assert "lastDay" in detail(control.get("/bank/statistics", params={"firstDay": "2026-09-01"}), 400)


def test_a_person_without_an_open_payment_is_erased(
    sandbox: xs2a.Sandbox, control: httpx.Client, tpp: xs2a.Tpp
) -> None:
    _, link = journey.created(sandbox, tpp)
    sandbox.authorise(link, customer_number=journey.PAYER)
    [payment] = sandbox.engine.payments()
    erased = control.delete(f"/psus/{payment['psu']}").json()
    assert (erased["kept"][0]["what"], erased["kept"][0]["count"]) == ("payments", 1)
    _, link = journey.created(sandbox, tpp, journey.BATCHED, creditorAgent=journey.BIC)
    sandbox.authorise(link, customer_number=journey.PAYER)
    newest = sandbox.engine.payments()[0]
    assert newest["id"] in detail(control.delete(f"/psus/{payment['psu']}"), 422)
