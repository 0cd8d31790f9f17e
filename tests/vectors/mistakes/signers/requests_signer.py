"""Signs with requests-http-signature as its users do, and as they err: 0.2.0, the last release for the draft, and
2.0.0, which signs for RFC 9421. Prints lines of id, field, value.
"""
import base64
import json
import pathlib
import sys

import requests
import requests_http_signature as library

FOLDER = pathlib.Path(sys.argv[1])
KEY_ID = (FOLDER / "key-id").read_text()
KEY = (FOLDER / "seal.key").read_bytes()
NAMES = ["date", "digest", "x-request-id", "psu-id", "tpp-redirect-uri"]


def prepared(call, auth, **changes):
    sent = json.loads((FOLDER / f"{call}.json").read_text(encoding="utf-8"))
    data = {"data": base64.b64decode(sent["body"]) or None, **changes}
    request = requests.Request(sent["method"], "https://bank.example" + sent["target"], headers=dict(sent["headers"]),
                               auth=auth, **data)
    return request.prepare()


def show(id_, request, names=("Signature",)):
    for name in names:
        print(f"{id_}\t{name}\t{request.headers[name]}")


def of_the_draft():
    auth = library.HTTPSignatureHeaderAuth
    show("requests-right", prepared("payment", auth(KEY, KEY_ID, "rsa-sha256", ["(request-target)", *NAMES])))
    show("requests-default-headers", prepared("payment", auth(KEY, KEY_ID, "rsa-sha256")))
    show("requests-default-algorithm", prepared("payment", auth(KEY, KEY_ID, headers=NAMES)))
    body = json.loads(base64.b64decode(json.loads((FOLDER / "payment.json").read_text(encoding="utf-8"))["body"]))
    request = prepared("payment", auth(KEY, KEY_ID, "rsa-sha256", NAMES), data=None, json=body)
    show("requests-json-argument", request)
    print(f"requests-json-argument\tbody\t{base64.b64encode(request.body).decode()}")


def of_the_standard():
    auth = library.HTTPSignatureAuth(key=KEY, key_id="seal",
                                     signature_algorithm=library.algorithms.RSA_V1_5_SHA256)
    show("requests-new-standard", prepared("payment", auth), ["Signature-Input", "Signature"])


if hasattr(library, "algorithms"):
    of_the_standard()
else:
    of_the_draft()
