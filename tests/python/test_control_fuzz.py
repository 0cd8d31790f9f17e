"""schemathesis asks the control interface for what its own document describes, and for what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
import xs2a
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from xs2a._control.document import document

# A value that fits its schema may be refused for what it means: a clock does not go back.
CONFIG = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "404", "422", "507"]}}}
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
        serving = sandbox.serve(control=True)
        with serving:
            assert serving.control_url is not None
            yield serving.control_url


schema = schemathesis.openapi.from_dict(document(requires_token=False), config=CONFIG)


# A population may take minutes, and a stream does not end: other tests ask for these.
@schema.exclude(path=["/populate", "/events"]).parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_route_does_what_its_document_describes(case: schemathesis.Case[Any], url: str) -> None:
    case.call_and_validate(base_url=url)
