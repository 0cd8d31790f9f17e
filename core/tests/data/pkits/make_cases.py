"""Makes the files beside this one: python3 make_cases.py FOLDER

FOLDER is NIST's PKITS as the package pyhanko-certvalidator carries it in its folder of test fixtures: the
published certificates and lists, and pkits.json with which of them each test uses and what is published.
"""

import base64
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
PARAMETERS = "params"


def number(case: dict, cases: list[dict]) -> str:
    """40103 is test 4.1.3; of a test in parts, one after the other, 4.8.1/2 is the second."""
    digits = case["id"]
    parts = [part for part in cases if part["id"] == digits]
    part = f"/{parts.index(case) + 1}" if len(parts) > 1 else ""
    return f"{digits[0]}.{int(digits[1:3])}.{int(digits[3:])}{part}"


def stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def armoured(label: str, der: bytes) -> str:
    text = base64.b64encode(der).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def main(source: Path) -> None:
    cases, certificates, lists = [], {"TrustAnchorRootCertificate"}, {"TrustAnchorRootCRL"}
    published = json.loads((source / "pkits.json").read_text())
    for case in published:
        made = {
            "test": number(case, published),
            "end": stem(case["cert"]),
            "authorities": [stem(name) for name in case.get("other_certs", [])],
            "lists": [stem(name) for name in case.get("crls", [])],
            "expected": "invalid" if "error" in case else "valid",
        }
        if PARAMETERS in case:
            made["parameters"] = True
        else:
            certificates.update([made["end"], *made["authorities"]])
            lists.update(made["lists"])
        cases.append(made)
    (HERE / "cases.json").write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    for file, label, folder, ending, names in [
        ("certificates.pem", "CERTIFICATE", "certs", "crt", certificates),
        ("lists.pem", "X509 CRL", "crls", "crl", lists),
    ]:
        read = {name: (source / folder / f"{name}.{ending}").read_bytes() for name in sorted(names)}
        (HERE / file).write_text("".join(f"# {name}\n{armoured(label, der)}" for name, der in read.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
