"""The control interface of a served sandbox: what it does, and that it is all that Python can do."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta, timezone

import httpx
import payment_journey as journey
import xs2a
from openapi_spec_validator import OpenAPIV31SpecValidator
from xs2a._control.document import document
from xs2a._control.routes import NOT_THERE, ROUTES

NOW = datetime(2026, 9, 1, 10, tzinfo=timezone.utc)


def refused(answer: httpx.Response) -> tuple[int, str]:
    """The status and the detail of a problem (RFC 9457)."""
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["type"] == "about:blank"
    assert problem["title"] == answer.reason_phrase
    return answer.status_code, problem["detail"]


def members(*classes: type) -> set[str]:
    public = ((each.__name__, name) for each in classes for name in dir(each))
    found = {f"{each}.{name}" for each, name in public if not name.startswith("_")}
    dunders = ("__len__", "__iter__", "__getitem__")
    return found | {f"{each.__name__}.{name}" for each in classes for name in dunders if name in vars(each)}


def test_the_table_has_all_that_the_python_objects_can_do() -> None:
    from xs2a._journal import Journal

    there = [name for route in ROUTES for name in route.does]
    of_python = members(xs2a.Sandbox, xs2a.Clock, xs2a.Faults, xs2a.Fault, xs2a.Tpp, xs2a.Engine, Journal)
    assert of_python - set(there) - set(NOT_THERE) == set(), "neither in the table nor left out with a reason"
    assert set(NOT_THERE) - of_python == set()
    assert set(there) & set(NOT_THERE) == set()
    assert set(there) - of_python == set()


def test_the_document_is_valid_and_has_every_route() -> None:
    for requires_token in (False, True):
        described = document(requires_token)
        OpenAPIV31SpecValidator(described).validate()
        listed = {
            (method.upper(), path) for path, methods in described["paths"].items() for method in methods
        }
        own = {("GET", "/events"), ("GET", "/openapi.json")}
        assert listed == {(route.method, route.path) for route in ROUTES} | own
    names = [route.operation_id for route in ROUTES]
    assert len(set(names)) == len(names)


def test_a_table_row_and_its_handler_name_the_same_parameters() -> None:
    for route in ROUTES:
        named = set(route.arguments) - {"query", "body"}
        assert named == set(route.path_parameters), route.path
        assert ("body" in route.arguments) <= (route.method in ("POST", "PUT", "PATCH")), route.path
        assert (route.status == 204) == (not route.answers), route.path


def test_health_names_the_bank(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    health = control.get("/health").json()
    assert health == {"status": "ok", "version": xs2a.__version__, "bank": sandbox.sca_origin}
    bank = control.get("/bank").json()
    assert (bank["url"], bank["basePath"]) == (health["bank"], "")
    assert bank["defaultData"] == sandbox.default_data()
    assert control.patch("/bank", json={"scaOrigin": "https://sca.example"}).status_code == 200
    assert sandbox.sca_origin == "https://sca.example"
    assert refused(control.patch("/bank", json={"scaOrigin": "nowhere"}))[0] == 422


def test_a_payment_is_made_and_approved_over_the_network(
    sandbox: xs2a.Sandbox, control: httpx.Client
) -> None:
    tpp = control.post("/tpps", json={"name": "Fjord Pay", "roles": ["PISP"]}).json()
    assert tpp["certificatePem"].startswith("-----BEGIN CERTIFICATE-----")
    assert tpp["privateKeyPem"].startswith("-----BEGIN PRIVATE KEY-----")
    assert control.get(f"/tpps/{tpp['organisationId']}").json() == tpp
    assert control.get("/tpps").json() == [{"name": "Fjord Pay", "organisationId": tpp["organisationId"]}]
    body = json.dumps(journey.payment(sandbox))
    request = {
        "method": "POST",
        "target": journey.INSTANT,
        "headers": journey.HEADERS,
        "body": body,
    }
    signed = control.post(f"/tpps/{tpp['organisationId']}/sign", json=request).json()["headers"]
    bank = control.get("/health").json()["bank"]
    created = httpx.post(bank + journey.INSTANT, content=body, headers=signed)
    assert created.status_code == 201, created.text
    link = created.json()["_links"]["scaRedirect"]["href"]
    shown = control.get(f"/authorisations/{link.rsplit('/', 1)[1]}").json()
    assert shown["kind"] == "payment"
    callback = control.post("/authorise", json={"scaRedirect": link}).json()["callback"]
    assert callback.startswith("https://tpp.example/")
    [payment] = control.get("/state/payments").json()
    assert (payment["id"], payment["status"]) == (created.json()["paymentId"], "ACSC")
    events = control.get("/state/paymentEvents", params={"member": "payment", "value": payment["id"]})
    assert events.json()[0]["to"] == "ACSC"
    assert control.get("/ledger/95360573002").json()["balance"]["amount"] == "99750.00"
    assert control.get("/reconcile").json() == []
    assert refused(control.post("/authorise", json={"scaRedirect": link}))[0] == 422
    assert refused(control.get(f"/authorisations/{link.rsplit('/', 1)[1]}"))[0] == 404


def test_a_payment_is_held_and_released(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    tpp = sandbox.register_tpp("Fjord Pay")
    target = "/v1/payments/norwegian-domestic-credit-transfers"
    body = json.dumps(journey.payment(sandbox)).encode()
    created = sandbox.handle("POST", target, tpp.sign("POST", target, journey.HEADERS, body), body).json()
    sandbox.authorise(created["_links"]["scaRedirect"]["href"])
    held = {"paymentId": created["paymentId"], "why": "a question of the bank"}
    assert control.post("/hold", json=held).status_code == 204
    control.post("/clock", json={"advance": "P7D"})
    assert control.get("/state/payments").json()[0]["status"] == "PDNG"
    assert control.post("/release", json={"paymentId": created["paymentId"]}).status_code == 204
    control.post("/clock", json={"advance": "P3D"})
    assert control.get("/state/payments").json()[0]["status"] == "ACSC"


def test_the_clock_moves_to_a_time_by_a_duration_and_to_the_next_event(
    sandbox: xs2a.Sandbox, control: httpx.Client
) -> None:
    assert control.get("/clock").json() == {
        "now": "2026-09-01T10:00:00Z",
        "nextEvent": None,
        "followsRealTime": False,
    }
    assert control.post("/clock", json={"advance": "PT1H"}).json()["now"] == "2026-09-01T11:00:00Z"
    assert control.post("/clock", json={"now": "2026-09-02T10:00:00+02:00"}).status_code == 200
    assert sandbox.clock.now() == NOW + timedelta(hours=22)
    assert control.post("/clock", json={"to": "next-event"}).json()["now"] == "2026-09-02T08:00:00Z"
    assert refused(control.post("/clock", json={"now": "2026-09-01T10:00:00Z"}))[0] == 422
    for wrong in ({}, {"now": "2026-09-03T10:00:00Z", "to": "next-event"}, {"advance": "1 h"}):
        assert refused(control.post("/clock", json=wrong))[0] == 400
    assert refused(control.post("/clock", json={"now": "2026-09-03T10:00:00"}))[0] == 400, "without an offset"


def test_a_fault_is_set_shown_and_removed(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    made = control.post("/faults", json={"kind": "slow", "seconds": 2, "times": 1}).json()
    assert made == {"id": 1, "spec": {"kind": "slow", "seconds": 2, "times": 1}, "seen": 0, "hits": 0}
    assert control.get("/faults").json() == [made]
    assert [fault.spec for fault in sandbox.faults] == [made["spec"]]
    assert control.delete("/faults/1").status_code == 204
    assert refused(control.delete("/faults/1"))[0] == 404
    control.post("/faults", json={"code": "KID_INVALID"})
    assert control.delete("/faults").status_code == 204
    assert control.get("/faults").json() == []
    assert refused(control.post("/faults", json={"kind": "slow", "seconds": 0}))[0] == 400
    status, detail = refused(control.post("/faults", json={"kind": "bank_down", "code": "KID_INVALID"}))
    assert (status, "`code`" in detail) == (422, True)


def test_a_provoked_request_earns_its_code_and_is_explained(control: httpx.Client) -> None:
    asked = control.post("/provoke", json={"code": "SIG-13"}).json()
    bank = control.get("/health").json()["bank"]
    answer = httpx.request(
        asked["method"], bank + asked["target"], headers=asked["headers"], content=asked["body"]
    )
    assert answer.status_code == asked["status"]
    [entry] = control.get("/journal", params={"reason": "SIG-13"}).json()
    assert (entry["method"], entry["target"], entry["status"]) == (
        asked["method"],
        asked["target"],
        asked["status"],
    )
    explanation = control.get(f"/journal/{entry['number']}/explanation").json()
    assert (explanation["reason"], explanation["ok"]) == ("SIG-13", False)
    assert refused(control.get("/journal/1/explanation"))[0] == 404, "a control step"
    assert refused(control.get("/journal/999/explanation"))[0] == 404


def test_the_explanation_of_an_entry_is_that_of_its_answer(
    sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, control: httpx.Client
) -> None:
    headers = [
        (name, value.replace('signature="', 'signature="AAAA'))
        for name, value in tpp.sign("GET", "/v1/accounts", journey.HEADERS)
    ]
    answer = sandbox.handle("GET", "/v1/accounts", headers)
    found = answer.explanation
    assert found is not None
    number = sandbox.journal[-1].number
    shown = control.get(f"/journal/{number}/explanation").json()
    assert shown == {
        name: getattr(found, name)
        for name in ("ok", "reason", "mistake", "text", "proof", "expected", "signed")
    }


def test_the_journal_is_shown_in_each_form(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    control.delete("/journal")
    for number in range(3):
        sandbox.handle("GET", f"/v1/none-{number}", {})
    shown = control.get("/journal", params={"last": 2}).json()
    assert [entry["target"] for entry in shown] == ["/v1/none-1", "/v1/none-2"]
    assert control.get("/journal", params={"form": "har"}).json()["log"]["version"] == "1.2"
    for form in ("curl", "text", "pytest"):
        answer = control.get("/journal", params={"form": form})
        if form == "pytest":  # the entries before were deleted
            assert refused(answer)[0] == 422
        else:
            assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    number = shown[-1]["number"]
    assert "/v1/none-2" in control.get(f"/journal/{number}", params={"form": "curl"}).text
    assert "/v1/none-1" not in control.get(f"/journal/{number}", params={"form": "curl"}).text
    assert control.get(f"/journal/{number}").json() == shown[-1]
    assert [entry["number"] for entry in control.get("/journal", params={"status": 404}).json()] == [
        number - 2,
        number - 1,
        number,
    ]
    assert control.get("/journal", params={"operation": "createPayment"}).json() == []
    assert refused(control.get("/journal", params={"form": "curl", "status": 404}))[0] == 422
    assert control.delete("/journal").status_code == 204
    assert control.get("/journal").json() == []


def test_the_journal_is_filtered_by_what_a_call_was(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    tpp, other = sandbox.register_tpp("Fjord Pay"), sandbox.register_tpp("Other")
    for caller, target in ((tpp, "/v1/accounts"), (other, "/v1/accounts"), (tpp, "/v1/card-accounts")):
        sandbox.handle("GET", target, caller.sign("GET", target, journey.HEADERS))
    sandbox.handle("GET", "/v1/none", {})
    control.post("/clock", json={"advance": "PT1S"})

    def numbers(**wanted: str | int) -> list[int]:
        return [entry["number"] for entry in control.get("/journal", params=wanted).json()]

    calls = [entry.number for entry in sandbox.journal.calls]
    assert numbers(tpp=tpp.organisation_id) == [calls[0], calls[2]]
    assert numbers(operation="getAccounts") == calls[:2]
    assert numbers(operation="getAccounts", tpp=other.organisation_id) == [calls[1]]
    assert numbers(operation="getAccounts", last=1) == [calls[1]]
    assert numbers(status=404) == numbers(reason="RTE-02") == [calls[3]]
    assert numbers(status=200) == numbers(tpp="none") == numbers(reason="x") == []


def test_a_snapshot_brings_the_bank_back(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    taken = control.post("/snapshots").json()
    assert (taken["id"], taken["at"]) == (1, "2026-09-01T10:00:00Z")
    assert control.get("/snapshots").json() == [taken]
    assert control.get("/snapshots/1/changes").json() == []
    control.post("/tpps", json={"name": "Fjord Pay"})
    control.post("/clock", json={"advance": "P1D"})
    assert len(control.get("/snapshots/1/changes").json()) == 3
    assert control.post("/snapshots/1/restore").json() == {"now": "2026-09-01T10:00:00Z"}
    assert sandbox.clock.now() == NOW
    assert control.delete("/snapshots/1").status_code == 204
    for answer in (control.post("/snapshots/1/restore"), control.delete("/snapshots/1")):
        assert refused(answer) == (404, "there is no snapshot 1")


def test_a_hundred_snapshots_are_kept_and_no_more(control: httpx.Client) -> None:
    for _ in range(100):
        assert control.post("/snapshots").status_code == 201
    assert refused(control.post("/snapshots"))[0] == 507
    control.delete("/snapshots/50")
    assert control.post("/snapshots").json()["id"] == 101


def test_the_state_is_exported_edited_and_imported(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    state = control.get("/state").json()
    assert state == json.loads(sandbox.export_json())
    state["clock"] = "2026-09-05T10:00:00.000000Z"
    answer = control.put("/state", json=state)
    assert answer.status_code == 204, answer.text
    assert sandbox.clock.now() == datetime(2026, 9, 5, 10, tzinfo=timezone.utc)
    status, detail = refused(control.put("/state", json={**state, "customers": 1}))
    assert (status, "/customers" in detail) == (422, True)
    rows = control.get("/state/customers", params={"limit": 2}).json()
    assert rows == list(reversed(state["customers"]))[:2]
    assert refused(control.get("/state/secrets"))[0] == 422
    assert refused(control.get("/state/customers", params={"member": "id"}))[0] == 422
    assert refused(control.get("/state/customers", params={"member": "x", "value": "y"}))[0] == 422


def test_policies_consents_cards_and_the_rest_reach_the_sandbox(
    sandbox: xs2a.Sandbox, control: httpx.Client
) -> None:
    assert control.patch("/policy", json={"audit": True}).json()["audit"] is True
    assert sandbox.policy["audit"] is True
    assert refused(control.patch("/policy", json={"no_such": 1}))[0] == 422
    assert refused(control.patch("/policy", json=[]))[0] == 400
    assert control.get("/policy").json() == sandbox.policy

    tpp = sandbox.register_tpp("Fjord Pay")
    revocation = {"customerNumber": "13039319955", "tpp": tpp.organisation_id}
    assert control.post("/consents/revoke", json=revocation).status_code == 204
    assert refused(control.post("/consents/revoke", json={**revocation, "tpp": "X"}))[0] == 422

    demand = {"customerNumber": "13039319955", "demand": "demanded"}
    assert control.post("/sca-demand", json=demand).status_code == 204
    assert refused(control.post("/sca-demand", json={**demand, "demand": "often"}))[0] == 400

    assert refused(control.post("/cards/status", json={"cardAccountId": "x", "status": "blocked"}))[0] == 422
    assert refused(control.post("/payments/report", json={"paymentId": "x", "status": "CANC"}))[0] == 422
    assert refused(control.post("/release", json={"paymentId": "x"}))[0] == 422
    assert refused(control.post("/hold", json={"paymentId": "x", "why": "w" * 401}))[0] == 400
    assert control.get("/trust").json() == {"rootPem": sandbox.root_pem}
    assert control.post("/trust", json={"pem": sandbox.root_pem}).status_code == 204
    assert refused(control.post("/trust", json={"pem": "none"}))[0] == 422

    made = control.post("/populate", json={"persons": 2, "companies": 0, "months": 0}).json()
    assert len(made["customers"]) == 2
    assert control.get("/coverage").json() == sandbox.coverage().to_dict()
    assert control.get("/coverage", params={"family": "true"}).status_code == 200
    assert control.get("/bank/openapi.json").json() == xs2a.openapi()
    assert control.post("/initialize").status_code == 204
    assert len(control.get("/state/customers").json()) == len(sandbox.default_data()["customers"])


def test_a_control_interface_of_a_real_time_bank_follows_it(sandbox: xs2a.Sandbox) -> None:
    serving = sandbox.serve(real_time=True, control=True)
    with serving:
        clock = httpx.get(f"{serving.control_url}/clock").json()
    assert clock["followsRealTime"] is True
    shown = datetime.fromisoformat(clock["now"].replace("Z", "+00:00"))
    assert abs(shown - datetime.now(timezone.utc)) < timedelta(seconds=10) or shown == NOW


def test_new_entries_come_as_events(sandbox: xs2a.Sandbox, control: httpx.Client) -> None:
    number = sandbox.journal[-1].number
    with control.stream("GET", "/events", headers={"Last-Event-ID": str(number)}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        sandbox.handle("GET", "/v1/none", {})
        lines = stream.iter_lines()
        found = [line for _, line in zip(range(6), lines) if line]
    assert found[:3] == ["retry: 1000", f"id: {number + 1}", "event: entry"]
    entry = json.loads(found[3].removeprefix("data: "))
    assert (entry["target"], entry["status"], entry["headers"]) == ("/v1/none", 404, None)


def test_a_server_ends_while_a_browser_listens_to_events(sandbox: xs2a.Sandbox) -> None:
    serving = sandbox.serve(control=True)
    begun = datetime.now(timezone.utc)
    with serving, httpx.Client() as client:
        request = client.build_request("GET", f"{serving.control_url}/events")
        stream = client.send(request, stream=True)
        serving.__exit__(None, None, None)
        stream.close()
    assert datetime.now(timezone.utc) - begun < timedelta(seconds=5)


def test_streams_that_were_left_make_space_for_others(control: httpx.Client) -> None:
    with httpx.Client(base_url=control.base_url, limits=httpx.Limits(max_connections=None)) as browsers:
        streams = [browsers.send(browsers.build_request("GET", "/events"), stream=True) for _ in range(32)]
        assert [stream.status_code for stream in streams] == [200] * 32
        assert refused(control.get("/events"))[0] == 503
        for stream in streams:
            stream.close()
    until = time.monotonic() + 10
    while True:
        with control.stream("GET", "/events") as stream:
            if stream.status_code == 200:
                return
        assert time.monotonic() < until, "the server did not notice that the streams were left"
        time.sleep(0.05)
