"""The statistics of the interface by day."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime, timezone
from typing import Any

import pytest
import xs2a
from gateway import gateway, payment

DAY = "2026-09-01"
POLICY: dict[str, Any] = {"account_check_digit": "warn", "statistics": True}


def test_figures_of_a_day_are_those_of_its_calls() -> None:
    with gateway(policy=POLICY) as own:
        own.create()
        own.create(body=payment("2.00"))
        assert own.call("GET", "/v1/accounts", PSU_Context="", TPP_Session_ID="reading").status == 401
        before, shown = own.engine.statistics("2026-08-31", date(2026, 9, 1))
        assert (before["day"], before["pisp"]) == ("2026-08-31", {"requests": 0, "refused": 0, "errors": 0})
        assert (shown["seconds"], shown["uptimePercent"], shown["downtimeSeconds"]) == (86_400, 100.0, 0.0)
        assert (shown["pisp"]["requests"], shown["pisp"]["errorRate"]) == (2, 0.0)
        assert shown["pisp"]["meanMillis"] > 0
        assert (shown["aisp"]["requests"], shown["aisp"]["refused"]) == (1, 1)
        assert set(shown["operations"]) == {"createPayment", "getAccounts"}
        [own_figures] = own.engine.statistics(DAY, DAY, tpp=own.tpp)
        [others] = own.engine.statistics(DAY, DAY, tpp="PSDNO-FSA-other")
        assert (own_figures["all"], others["all"]["requests"]) == (shown["all"], 0)
        [row] = csv.DictReader(io.StringIO(own.engine.statistics_csv(DAY, DAY), newline=""))
        assert (row["day"], row["uptime_percent"], row["pisp_requests"]) == (DAY, "100.0000", "2")
        assert float(row["pisp_mean_ms"]) == pytest.approx(shown["pisp"]["meanMillis"], abs=0.001)


def test_a_sandbox_counts_with_the_policy_alone() -> None:
    for policy, expected in ((None, 0), (POLICY, 1)):
        with xs2a.Sandbox(now="2026-09-01T10:00:00Z", policy=policy) as sandbox:
            tpp = sandbox.register_tpp("Acme Pay", roles=("AISP",))
            headers = tpp.sign("GET", "/v1/accounts", [("TPP-Redirect-URI", "https://tpp.example/")])
            sandbox.handle("GET", "/v1/accounts", headers)
            [figures] = sandbox.engine.statistics(DAY, DAY)
            assert figures["aisp"]["requests"] == expected


def test_other_days_are_refused() -> None:
    with gateway() as own:
        for first, last in (("2026-09-02", DAY), ("1.9.2026", DAY), ("", DAY), ("2024-01-01", DAY)):
            with pytest.raises(xs2a.MisuseError):
                own.engine.statistics(first, last)
            with pytest.raises(xs2a.MisuseError):
                own.engine.statistics_csv(first, last)
        wrong: list[Any] = [None, 20260901, datetime(2026, 9, 1, tzinfo=timezone.utc)]
        for day in wrong:
            with pytest.raises(TypeError, match="a date or text as YYYY-MM-DD"):
                own.engine.statistics(day, DAY)
