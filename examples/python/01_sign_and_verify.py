"""Story 1: a TPP signs a request, and the bank's side verifies it."""

import xs2a

TARGET = "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
BODY = b'{"instructedAmount":{"amount":"250.00","currency":"NOK"}}'

with xs2a.Sandbox(now="2026-09-01T10:00:00Z", seed=1) as sandbox:
    print("1. sign and verify")
    now = sandbox.clock.now()
    tpp = sandbox.register_tpp("Acme Pay", roles=("AISP", "PISP"))
    headers = tpp.sign("POST", TARGET, [("TPP-Redirect-URI", "https://tpp.example/callback?state=42")], BODY)

    # What was signed: the headers that Signature lists, in its order.
    signature = next(value for name, value in headers if name == "Signature")
    names = signature.split('headers="')[1].split('"')[0].split()
    print("signing string:")
    print(xs2a.signing_string("POST", TARGET, headers, names))

    found = xs2a.verify_signature("POST", TARGET, headers, BODY, now=now)
    print("verified:", str(found.ok).lower())

    # One bit of X-Request-ID: its last hex digit, plus or minus one.
    changed = [
        (name, f"{value[:-1]}{int(value[-1], 16) ^ 1:x}" if name == "X-Request-ID" else value)
        for name, value in headers
    ]
    print("one bit changed:", xs2a.verify_signature("POST", TARGET, changed, BODY, now=now).reason)
    print("body changed:", xs2a.verify_signature("POST", TARGET, headers, BODY + b" ", now=now).reason)
