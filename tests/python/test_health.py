"""The state of an engine, and its figures as Prometheus reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
import xs2a
from gateway import gateway
from payment_journey import INSTANT
from prometheus_client.parser import text_string_to_metric_families


def figures(engine: xs2a.Engine) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Each sample by its name and its labels."""
    families = list(text_string_to_metric_families(engine.metrics()))
    assert all(family.type in ("counter", "gauge", "histogram") for family in families)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def sample(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return name, frozenset(labels.items())


def test_a_fresh_engine_is_well() -> None:
    with gateway() as own:
        health = own.engine.health()
        assert health["ok"] is True
        assert health["store"] == {"reachable": True, "current": True}
        assert health["outbox"] == {"overdueSeconds": 0, "deadLetters": 0}
        assert health["trustAnchors"]["valid"] == 1
        assert health["seal"] is health["revocationLists"] is health["error"] is None


def test_a_database_that_is_lost_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "bank.db"
    with gateway(database=f"sqlite://{path}") as own:
        for file in tmp_path.iterdir():
            file.unlink()
        health = own.engine.health()
        assert health["ok"] is False
        assert health["store"]["current"] is False
        assert health["error"].startswith("store: ")


def test_a_closed_engine_has_no_state() -> None:
    with gateway() as own:
        own.engine.close()
        for call in (own.engine.health, own.engine.metrics):
            with pytest.raises(xs2a.MisuseError, match="closed"):
                call()


def test_prometheus_reads_the_figures_of_each_answer() -> None:
    with gateway() as own:
        created = own.create()
        for _ in range(3):
            assert own.status(created) == "RCVD"
        assert own.call("GET", f"{INSTANT}/unknown/status").status == 404
        found = figures(own.engine)
        requests = {key: value for key, value in found.items() if key[0] == "xs2a_requests_total"}
        assert requests == {
            sample("xs2a_requests_total", operation="createPayment", status="201"): 1,
            sample("xs2a_requests_total", operation="getPaymentStatus", status="200"): 3,
            sample("xs2a_requests_total", operation="getPaymentStatus", status="404"): 1,
        }
        assert found[sample("xs2a_request_duration_seconds_count", operation="getPaymentStatus")] == 4
        assert found[sample("xs2a_bank_duration_seconds_count")] == 5
        assert found[sample("xs2a_healthy")] == 1


def test_a_sandbox_counts_too(sandbox: xs2a.Sandbox) -> None:
    sandbox.handle("GET", "/v1/nowhere", {})
    found = figures(sandbox.engine)
    assert found[sample("xs2a_requests_total", operation="unknown", status="404")] == 1
