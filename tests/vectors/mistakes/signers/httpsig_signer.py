"""Signs with httpsig 1.3.0 as its users do, and as they err. Prints lines of id, field, value."""
import json
import pathlib
import sys

from httpsig.sign import HeaderSigner

FOLDER = pathlib.Path(sys.argv[1])
KEY_ID = (FOLDER / "key-id").read_text()
NAMES = ["date", "digest", "x-request-id", "psu-id", "tpp-redirect-uri"]


def sign(id_, call, names, path=None, algorithm="rsa-sha256", sent_date=None):
    request = json.loads((FOLDER / f"{call}.json").read_text(encoding="utf-8"))
    fields = dict(request["headers"])
    signer = HeaderSigner(KEY_ID, (FOLDER / "seal.key").read_text(), algorithm=algorithm, headers=names,
                          sign_header="Signature")
    signed = signer.sign(fields, method=request["method"], path=path or request["target"])
    print(f"{id_}\tSignature\t{signed['signature']}")
    if sent_date:
        print(f"{id_}\tDate\t{sent_date}")


TARGET = ["(request-target)", "date", "x-request-id", "psu-id", "tpp-redirect-uri"]
sign("httpsig-right", "payment", ["(request-target)", *NAMES])
sign("httpsig-default-headers", "accounts", None)
sign("httpsig-path-without-query", "accounts", TARGET, path="/v1/accounts")
sign("httpsig-whole-url", "accounts", TARGET, path="https://bank.example/v1/accounts?withBalance=true")
sign("httpsig-rsa-sha512", "payment", NAMES, algorithm="rsa-sha512")
sign("httpsig-date-set-later", "payment", NAMES, sent_date="Wed, 14 Oct 2026 09:30:01 GMT")
