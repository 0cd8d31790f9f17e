#!/usr/bin/env python3
"""Makes requests.json from recipes.json and from what real signers wrote (signers/output.json, made by
signers/run.sh), with pyca/cryptography and the standard library. Two runs make the same bytes.

    pip install cryptography==50.0.2
    python tests/vectors/mistakes/make.py                   # writes requests.json, and the counts of README.md
    python tests/vectors/mistakes/make.py --check           # compares them, writes nothing
    python tests/vectors/mistakes/make.py --keys FOLDER     # writes the test keys for the signers

Every request is verified by bank.py: one that is meant to be wrong must be refused for exactly the reason that its
recipe names, and proofs.py must find the evidence of its mistake in it.
"""
import base64
import collections
import json
import pathlib
import sys

import bank
import build
import proofs

HERE = pathlib.Path(__file__).parent
MARK = "<!-- counts: make.py writes them -->"


def read_text(name):
    return (HERE / name).read_text(encoding="utf-8")


def read(name):
    return json.loads(read_text(name))


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


def from_signer(entry, output):
    """A request with the fields that a real signer wrote."""
    request = build.Request(f"signer-{entry['recipe']['call']}", entry["recipe"])
    request.write_fields()
    request.signed = request.text(())
    request.set("TPP-Signature-Certificate", build.WHO()["seal"].line)
    case = case_of(entry)
    signed = signed_text(entry, request)
    for name, value in output[entry["id"]]:
        if name == "body":
            request.body = base64.b64decode(value)
        else:
            request.set(name, value)
    return {**case, **plain(request), "earlier": [], "signed": signed}


def faults_of(case):
    """What contradicts the entry of a request."""
    found = bank.reasons(case)
    if found != ([case["reason"]] if case["reason"] else []):
        yield f"{case['id']}: refused for {found}, not for {case['reason']}"
    elif case["mistake"] and not proofs.PROOFS[case["mistake"]][1](case):
        yield f"{case['id']}: no evidence of {case['mistake']}"


def make():
    output = read("signers/output.json")
    cases = [from_recipe(entry) for entry in read("recipes.json")]
    cases += [from_signer(entry, output) for entry in read("signers/cases.json")]
    faults = [fault for case in cases for fault in faults_of(case)]
    names = [case["id"] for case in cases]
    faults += [f"{name}: twice" for name in sorted({name for name in names if names.count(name) > 1})]
    if faults:
        sys.exit("\n".join(faults))
    return cases


def write_keys(folder):
    """What a signer needs: key, certificate and keyId of `seal`, and three requests that are not signed yet, each as
    JSON, as the fields to sign (a name and a value in a line) and as its body.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seal = build.WHO()["seal"]
    (folder / "seal.key").write_text(seal.key_pem, encoding="ascii")
    (folder / "seal.pem").write_text(seal.pem, encoding="ascii")
    (folder / "key-id").write_text(build.Request("", {}).key_id(), encoding="ascii")
    for call in ("payment", "accounts", "transactions"):
        request = build.Request(f"signer-{call}", {"call": call})
        request.write_fields()
        fields = "".join(f"{name}\t{request.value(name)}\n" for name in request.names())
        (folder / f"{call}.json").write_text(json.dumps(plain(request), ensure_ascii=False), encoding="utf-8")
        (folder / f"{call}.fields").write_text(fields, encoding="utf-8")
        (folder / f"{call}.body").write_bytes(request.body)


def kind(source):
    """What a source is, by its title."""
    for word in ("pull request", "issue"):
        if f" {word} " in source["title"]:
            return word
    return "source code" if source["address"] is None or "//github.com/" in source["address"] else "page"


def counts(cases):
    """The tables of README.md."""
    sources = {entry["source"]["title"]: kind(entry["source"]) for entry in read("recipes.json")}
    rows = ["| source | count |", "|---|---|"]
    rows += [f"| {one} | {number} |" for one, number in sorted(collections.Counter(sources.values()).items())]
    found = collections.Counter(case["mistake"] for case in cases if case["mistake"])
    rows += ["", "| mistake | requests |", "|---|---|"]
    rows += [f"| `{mistake}` | {found[mistake]} |" for mistake in proofs.PROOFS]
    right = sum(case["ok"] for case in cases)
    rows += [f"| none that has a name | {len(cases) - right - sum(found.values())} |", f"| none: right | {right} |"]
    return "\n".join(rows)


def readme_with(table):
    before, mark, rest = read_text("README.md").partition(MARK)
    return f"{before}{mark}\n\n{table}\n\n{mark}{rest.rpartition(MARK)[2]}"


def main(arguments):
    if arguments[:1] == ["--keys"]:
        write_keys(pathlib.Path(arguments[1]))
        return
    cases = make()
    texts = {"requests.json": json.dumps(cases, indent=1, ensure_ascii=False) + "\n",
             "README.md": readme_with(counts(cases))}
    for name, text in texts.items():
        if arguments != ["--check"]:
            (HERE / name).write_text(text, encoding="utf-8")
        elif read_text(name) != text:
            sys.exit(f"{name} is not what make.py makes")


if __name__ == "__main__":
    main(sys.argv[1:])
