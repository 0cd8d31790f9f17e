#!/usr/bin/env python3
"""Makes requests.json from recipes.json and from what real signers wrote (signers/output.json), with
pyca/cryptography and the standard library. Two runs make the same bytes.

    pip install cryptography==50.0.2
    python tests/vectors/mistakes/make.py                   # writes requests.json
    python tests/vectors/mistakes/make.py --check           # compares it, writes nothing
    python tests/vectors/mistakes/make.py --keys FOLDER     # writes the test keys for the signers

Every request is verified by bank.py: one that is meant to be wrong must be refused for exactly the reason that its
recipe names, and proofs.py must find the evidence of its mistake in it.
"""
import base64
import json
import pathlib
import sys

import bank
import build
import proofs

HERE = pathlib.Path(__file__).parent


def escaped(data):
    """A text; bytes that are not UTF-8 as `\\xNN`."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte < 128 else f"\\x{byte:02X}" for byte in data)


def plain(request):
    return {"method": request.method, "target": request.target, "headers": request.fields,
            "body": base64.b64encode(request.body).decode()}


def signed_text(entry, request):
    """The text that was signed, or whose digest was sent, in place of the right one."""
    proof = proofs.PROOFS.get(entry["mistake"])
    if proof is None:
        return None
    if proof[1] is proofs.digest_of_signed:
        digest = entry["recipe"].get("digest", {})
        return escaped(digested_earlier(entry) or request.digested(digest.get("of", "compact")))
    return escaped(request.signed) if proof[1] is proofs.holds_other_text else None


def digested_earlier(entry):
    if entry["recipe"].get("digest_of_earlier"):
        return build.request(f"{entry['id']}/earlier/0", entry["recipe"]["earlier"][0])[0].body
    return None


def case_of(entry):
    """The members that a request of a recipe and one of a signer have in common."""
    context = entry.get("context", {})
    mistake = entry["mistake"]
    return {
        "id": entry["id"], "mistake": mistake, "or": entry.get("or", []), "ok": entry["reason"] is None,
        "reason": entry["reason"],
        "proof": list(proofs.PROOFS[mistake][0]) if mistake else [],
        "now": build.NOW.isoformat().replace("+00:00", "Z"),
        "certificates": [build.WHO()[one].pem for one in context.get("certificates", [])],
        "base_paths": context.get("base_paths", []), "policy": context.get("policy"),
    }


def from_recipe(entry):
    request, earlier = build.request(entry["id"], entry["recipe"])
    case = {**case_of(entry), **plain(request), "earlier": [plain(one) for one in earlier]}
    return {**case, "signed": signed_text(entry, request)}


def from_signer(entry):
    """A request that a real signer wrote; the text that it signed is the entry's."""
    return {**case_of(entry), **entry["request"], "earlier": [], "signed": entry["signed"]}


def faults_of(case):
    """What contradicts the entry of a request."""
    found = bank.reasons(case)
    if found != ([case["reason"]] if case["reason"] else []):
        yield f"{case['id']}: refused for {found}, not for {case['reason']}"
    elif case["mistake"] and not proofs.PROOFS[case["mistake"]][1](case):
        yield f"{case['id']}: no evidence of {case['mistake']}"


def make():
    recipes = json.loads((HERE / "recipes.json").read_text(encoding="utf-8"))
    signers = json.loads((HERE / "signers" / "output.json").read_text(encoding="utf-8"))
    cases = [from_recipe(entry) for entry in recipes] + [from_signer(entry) for entry in signers]
    faults = [fault for case in cases for fault in faults_of(case)]
    names = [case["id"] for case in cases]
    faults += [f"{name}: twice" for name in sorted({name for name in names if names.count(name) > 1})]
    if faults:
        sys.exit("\n".join(faults))
    return json.dumps(cases, indent=1, ensure_ascii=False) + "\n"


def write_keys(folder):
    """What a signer needs: the key and certificate of `seal`, its issuer's certificate, and three plain requests."""
    folder.mkdir(parents=True, exist_ok=True)
    who = build.WHO()
    (folder / "seal.key").write_text(who["seal"].key_pem, encoding="ascii")
    for label in ("seal", "seal-ca"):
        (folder / f"{label}.pem").write_text(who[label].pem, encoding="ascii")
    for call in ("payment", "accounts", "transactions"):
        request = build.Request(f"signer-{call}", {"call": call})
        request.write_fields()
        (folder / f"{call}.json").write_text(json.dumps(plain(request), ensure_ascii=False), encoding="utf-8")


def main(arguments):
    if arguments[:1] == ["--keys"]:
        write_keys(pathlib.Path(arguments[1]))
        return
    path, text = HERE / "requests.json", make()
    if arguments == ["--check"]:
        if path.read_text(encoding="utf-8") != text:
            sys.exit("requests.json is not what make.py makes")
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
