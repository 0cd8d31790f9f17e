"""docs/configuration.schema.json, read by the package jsonschema, says of a configuration what an engine
says."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import xs2a
from jsonschema import Draft202012Validator
from toy_bank import ToyBank

Json = dict[str, Any]
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs/configuration.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)

with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as _sandbox:
    _holder = _sandbox.register_tpp("Bank")
PEM, KEY = _holder.certificate_pem, _holder.private_key_pem
SOUND: Json = {"database": "sqlite::memory:", "trust_anchors": PEM}


def engine_takes(config: Json) -> bool:
    """Whether an engine of that configuration opens."""
    keywords = dict(config)
    pair = keywords.get("response_key")
    if pair is not None:
        keywords["response_key"] = (pair["certificate"], pair["private_key"])
    ages = keywords.pop("registry_ages", None)
    if ages is not None:
        seconds = [timedelta(seconds=ages[name]) for name in ("registered_seconds", "unknown_seconds")]
        keywords["registry"] = xs2a.CachedRegistry(lambda _organisation_id: True, *seconds)
    try:
        xs2a.Engine(ToyBank(), **keywords).close()
    except (xs2a.ConfigError, TypeError):
        return False
    return True


def with_policy(**policy: Any) -> Json:
    return {**SOUND, "policy": policy}


VALID = [
    SOUND,
    {**SOUND, "trust_anchors": f"the bank's roots:\n{PEM}\n{PEM}"},
    {**SOUND, "policy": None, "response_key": None},
    {**SOUND, "response_key": {"certificate": PEM, "private_key": KEY}, "policy": {"sign_responses": True}},
    {**SOUND, "registry_ages": {"registered_seconds": 300, "unknown_seconds": 0}},
    {**SOUND, "registry_ages": {"registered_seconds": 2**32 - 1, "unknown_seconds": 1}},
    *({**SOUND, "order_lease_seconds": seconds} for seconds in (0, 60, 2**32 - 1, None)),
    *({**SOUND, "bank_id": name} for name in ("DNBANOKK", "a", "a.b_c-9", "x" * 64, None)),
    with_policy(),
    *(with_policy(base_path=path) for path in ("", "/", "/psd2", "/psd2/api/", "//", None)),
    *(with_policy(sca_origin=origin) for origin in ("https://sca.bank.example", "http://localhost:8080")),
    with_policy(body_bytes_max=0),
    with_policy(body_bytes_max=2**20, account_check_digit="warn", key_id_issuer="exact"),
    *(with_policy(bank_seconds_max=seconds) for seconds in (0, 10, 2**32 - 1, None)),
    *(with_policy(calls_without_psu_per_day=calls) for calls in (4, 6, 1440, None)),
    *(with_policy(certificate_type=name) for name in ("any", "qseal", "qwac", None)),
    *(with_policy(stale_crl=name, missing_crl=name) for name in ("refuse", "accept")),
    with_policy(replay_protection=False, require_session_headers=False, pending_unfiltered=False),
    with_policy(domestic_unreadable_before_approval=True, audit=False, sign_responses=False),
    *(with_policy(repertoire=name) for name in ("iso-8859-1", "swift-x", "bmp")),
    with_policy(structured_addresses_from="2030-01-31", accept_foreign_debtor=True),
    with_policy(rates={}),
    with_policy(rates={"EUR": "12.50", "JPY": "0.07", "USD": "10"}),
]

INVALID = [
    {},
    *({**SOUND, "order_lease_seconds": seconds} for seconds in (-1, 2**32, 2**63)),
    *({**SOUND, "bank_id": name} for name in ("", "x" * 65, "a b", "a/b", "bånk", "a\n", 1)),
    {"database": "sqlite::memory:"},
    {"trust_anchors": PEM},
    {**SOUND, "data_base": "x"},
    *(
        {**SOUND, "database": address}
        for address in ("", "gateway.db", "mysql://host/x", "sqlite://relative.db")
    ),
    *(
        {**SOUND, "database": address}
        for address in ("sqlite:///", "sqlite:///a/", "sqlite::memory:\n", None, 1)
    ),
    *({**SOUND, "trust_anchors": pem} for pem in ("", "no PEM", KEY, None, 1)),
    {**SOUND, "response_key": {"certificate": "none", "private_key": KEY}},
    {**SOUND, "response_key": {"certificate": PEM, "private_key": "none"}},
    {**SOUND, "registry_ages": {"registered_seconds": -1, "unknown_seconds": 1}},
    {**SOUND, "registry_ages": {"registered_seconds": 1, "unknown_seconds": 2**32}},
    {**SOUND, "registry_ages": {"registered_seconds": 1.5, "unknown_seconds": 1}},
    {**SOUND, "policy": []},
    {**SOUND, "policy": "strict"},
    with_policy(sign_responses=True),
    with_policy(base_paths="/x"),
    *(with_policy(base_path=path) for path in ("psd2", "/a b", "/a\n", "/a?b", "/a#b", "/%20", "/\u0085", 1)),
    *(with_policy(sca_origin=origin) for origin in ("bank.example", "ftp://x", "https://", "https://x/")),
    *(
        with_policy(sca_origin=origin)
        for origin in ("https://x\n", "https://a b", "https://x?y", "https://x#y")
    ),
    *(with_policy(body_bytes_max=number) for number in (-1, 1.5, "1", 2**64)),
    *(with_policy(bank_seconds_max=seconds) for seconds in (-1, 0.5, "10", 2**32)),
    *(with_policy(calls_without_psu_per_day=calls) for calls in (0, 3, 1441, -4, 4.5, "6")),
    with_policy(account_check_digit="accept"),
    with_policy(explain_to_tpp=True),
    with_policy(scenario_header=True),
    with_policy(key_id_issuer="Exact"),
    with_policy(certificate_type="eseal"),
    with_policy(stale_crl="warn"),
    with_policy(missing_crl=False),
    *(with_policy(**{name: 1}) for name in ("replay_protection", "audit", "sign_responses")),
    with_policy(require_session_headers="false"),
    with_policy(repertoire="utf-8"),
    *(
        with_policy(structured_addresses_from=day)
        for day in ("13.8.2026", "2026-08-13\n", "tomorrow", 20260813)
    ),
    *(with_policy(rates={"EUR": rate}) for rate in ("0", "-1", 11.5, None)),
    with_policy(rates={"EURO": "1"}),
    with_policy(rates=[]),
    *(with_policy(rates={"EUR": rate}) for rate in ("", "1,5", "0.00")),
]


def named(config: Json) -> str:
    """What is not as in the sound one."""
    return json.dumps({name: value for name, value in config.items() if SOUND.get(name, "") != value})[:80]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("config", VALID, ids=named)
def test_what_the_schema_takes_an_engine_takes(config: Json) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(config)] == []
    assert engine_takes(config)


@pytest.mark.parametrize("config", INVALID, ids=named)
def test_what_the_schema_refuses_an_engine_refuses(config: Json) -> None:
    assert not VALIDATOR.is_valid(config)
    assert not engine_takes(config)


def test_every_default_fits_its_own_form() -> None:
    for place in (SCHEMA, SCHEMA["properties"]["policy"]):
        for name, form in place["properties"].items():
            if "default" in form:
                assert Draft202012Validator(form).is_valid(form["default"]), name


def test_every_value_that_an_engine_shows_fits() -> None:
    with xs2a.Sandbox() as sandbox:
        policy = dict(sandbox.policy)
        for name in ("explain_to_tpp", "scenario_header"):
            assert policy.pop(name) is False  # of a sandbox alone
        assert VALIDATOR.is_valid({**SOUND, "policy": policy})
