"""Story 5: the sandbox as a test drives it: forks, snapshots, what differs between them, policies, faults."""

import json
from typing import Any

import xs2a

TARGET = "/v1/payments/norwegian-domestic-credit-transfers"
CUSTOMER = "13039319955"
HEADERS = [
    ("x-accept-fix", ""),
    ("TPP-Session-ID", "session-1"),
    ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
    ("PSU-Context", "PRIVATE"),
    ("PSU-IP-Address", "192.0.2.1"),
    ("Content-Type", "application/json"),
]
ORDER = {
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "creditorName": "Testodius To",
    "creditorAccount": {"bban": "95360573037", "currency": "NOK"},
    "creditorAddress": {"townName": "Oslo", "country": "NO"},
    "debtorAccount": {"bban": "95360573002", "currency": "NOK"},
    "remittanceInformationUnstructured": "Invoice 1001",
}


def show(what: str, sandbox: xs2a.Sandbox, tpp: xs2a.Tpp, created: dict[str, Any]) -> None:
    """Ask for the payment's status, and print what is answered."""
    target = created["_links"]["status"]["href"]
    answer = sandbox.handle("GET", target, tpp.sign("GET", target, HEADERS))
    print(f"{what}: {answer.status} {answer.json().get('transactionStatus', '-')}")


with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    print("5. drive the sandbox")
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
    body = json.dumps(ORDER).encode()
    created = sandbox.handle("POST", TARGET, tpp.sign("POST", TARGET, HEADERS, body), body).json()
    link = created["_links"]["scaRedirect"]["href"]
    show("created", sandbox, tpp, created)

    # A fork has the same past and a future of its own: there the customer approves, and a batch runs.
    with sandbox.fork() as fork:
        fork.authorise(link, customer_number=CUSTOMER)
        same_tpp = fork.tpp(tpp.organisation_id)
        show("approved in a fork", fork, same_tpp, created)
        fork.clock.advance_to_next_event()
        print(f"the fork's clock: {fork.clock.now():%Y-%m-%dT%H:%M:%SZ}")
        show("settled in the fork", fork, same_tpp, created)
    show("here", sandbox, tpp, created)

    # What an approval changes, in words; then back to before it.
    before = sandbox.snapshot()
    sandbox.authorise(link, customer_number=CUSTOMER)
    for line in xs2a.diff(before, sandbox.snapshot()):
        print("changed:", line)
    sandbox.restore(before)
    show("restored", sandbox, tpp, created)

    # A known issue of the field, switched on and off.
    sandbox.set_policy({"domestic_unreadable_before_approval": True})
    show("unreadable before approval", sandbox, tpp, created)
    sandbox.set_policy({"domestic_unreadable_before_approval": False})
    show("readable again", sandbox, tpp, created)

    # The bank has had enough, once.
    sandbox.faults.add("ACCESS_EXCEEDED", times=1)
    show("with a fault", sandbox, tpp, created)
    show("after it", sandbox, tpp, created)

    # The default data again; then everything as it was, from a text that could lie under version control.
    exported = sandbox.export_json()
    sandbox.initialize()
    show("initialized", sandbox, tpp, created)
    sandbox.import_json(exported)
    show("imported", sandbox, tpp, created)
    print("accounts that do not add up:", len(sandbox.reconcile()))
