#!/bin/bash
# Signs with the openssl command as scripts do, and as they err. Prints lines of id, field, value.
set -euo pipefail
folder=$1
key=$folder/seal.key
key_id=$(cat "$folder/key-id")
field() { sed -n "s/^$2\t//p" "$folder/$1.fields"; }
names() { cut -f1 "$folder/$1.fields" | paste -sd ' '; }
text() { sed 's/\t/: /' "$folder/$1.fields"; }
show() { # id call signature [key id]
    printf '%s\tSignature\tkeyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"\n' \
        "$1" "${4:-$key_id}" "$(names "$2")" "$3"
}
sign() { openssl dgst "${1:--sha256}" -sign "$key" | openssl base64 -A; }

show openssl-right payment "$(printf %s "$(text payment)" | sign)"
show openssl-echo payment "$(echo "$(text payment)" | sign)"
show openssl-sha512 accounts "$(printf %s "$(text accounts)" | sign -sha512)"
show openssl-base64-in-lines accounts \
    "$(printf %s "$(text accounts)" | openssl dgst -sha256 -sign "$key" | openssl base64 | paste -sd ' ')"
printf %s "$(text accounts)" | openssl dgst -sha256 -binary > "$folder/hash"
show openssl-pkeyutl accounts "$(openssl pkeyutl -sign -inkey "$key" -in "$folder/hash" | openssl base64 -A)"
show openssl-hash-as-printed payment "$(printf %s "$(text payment)" | openssl dgst -sha256 | sign)"
show openssl-echo-e accounts "$(sh -c 'echo -n -e "$1"' - "$(text accounts)" | sign)"
serial=$(openssl x509 -in "$folder/seal.pem" -noout -serial | cut -d= -f2)
issuer=$(openssl x509 -in "$folder/seal.pem" -noout -issuer | sed 's/^issuer=//')
show openssl-issuer-as-printed payment "$(printf %s "$(text payment)" | sign)" "SN=$serial,CA=$issuer"

digest=$(openssl dgst -sha256 "$folder/payment.body" | sed 's/^.*= //')
printf '%s\tDigest\tSHA-256=%s\n' openssl-digest-in-hex "$digest"
with_digest() { text payment | sed "s|^digest: .*|digest: SHA-256=$1|"; }
show openssl-digest-in-hex payment "$(printf %s "$(with_digest "$digest")" | sign)"
digest=$(echo "$(cat "$folder/payment.body")" | openssl dgst -sha256 -binary | openssl base64 -A)
printf '%s\tDigest\tSHA-256=%s\n' openssl-digest-by-echo "$digest"
show openssl-digest-by-echo payment "$(printf %s "$(with_digest "$digest")" | sign)"
