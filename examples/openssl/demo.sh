#!/usr/bin/env bash
# The main job with a client this library knows nothing of: the certificates are made and the requests are
# signed by the openssl command. The same request goes in through Rust, C and Python, and the same bytes come
# out. `python` on the PATH must have the package xs2a.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
cd "$here/../.."

cargo build --quiet -p xs2a-ffi-sandbox -p xs2a-examples
target="$(realpath "${CARGO_TARGET_DIR:-target}")"
gcc -std=c11 -Wall -Wextra -Werror -Iinclude -Iexamples/c "$here/send.c" "$target/debug/libxs2a_sandbox.a" \
    -lpthread -ldl -lm -o "$target/debug/send_c"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

# issue <name> <subject> <section> [<issuer>]: a key and a certificate; without an issuer it signs itself.
issue() {
    openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr" 2> log || { cat log; exit 1; }
    local signer=(-signkey "$1.key")
    [ $# -lt 4 ] || signer=(-CA "$4.pem" -CAkey "$4.key" -CAcreateserial)
    openssl x509 -req -in "$1.csr" "${signer[@]}" -sha256 -days 3650 -extfile "$here/pki.cnf" -extensions "$3" \
        -out "$1.pem" 2> log || { cat log; exit 1; }
}

# signed <method> <target> <body file> <request id> <header>…: the request's headers, signed, in `headers`.
signed() {
    local body="$3" id="$4"
    printf '%s\n' "${@:5}" "Date: $date" "X-Request-ID: $id" "TPP-Redirect-URI: https://tpp.example/cb?state=42" \
        "TPP-Signature-Certificate: $(openssl x509 -in client.pem -outform DER | openssl base64 -A)" > headers
    printf 'date: %s\n' "$date" > signing_string
    local names="date"
    if [ -s "$body" ]; then
        local digest="SHA-256=$(openssl dgst -sha256 -binary "$body" | openssl base64 -A)"
        printf 'Digest: %s\n' "$digest" >> headers
        printf 'digest: %s\n' "$digest" >> signing_string
        names="$names digest"
    fi
    # The last line of the signing string ends without a newline.
    printf 'x-request-id: %s\ntpp-redirect-uri: https://tpp.example/cb?state=42' "$id" >> signing_string
    names="$names x-request-id tpp-redirect-uri"
    local signature serial issuer
    signature="$(openssl dgst -sha256 -sign client.key signing_string | openssl base64 -A)"
    serial="$(openssl x509 -in client.pem -noout -serial | cut -d= -f2)"
    issuer="$(openssl x509 -in client.pem -noout -issuer -nameopt RFC2253 | cut -d= -f2-)"
    printf 'Signature: keyId="SN=%s,CA=%s",algorithm="rsa-sha256",headers="%s",signature="%s"\n' \
        "$serial" "$issuer" "$names" "$signature" >> headers
}

export LC_ALL=C
payments=/v1/payments/instant-norwegian-domestic-credit-transfers-straks

issue root "/C=NO/O=Demo Tillit AS/CN=Root" authority
issue issuing "/C=NO/O=Demo Tillit AS/CN=Issuing" authority root
issue client "/C=NO/O=Demo Client AS/organizationIdentifier=PSDNO-FSA-123456/CN=Demo Client" seal issuing
cat root.pem issuing.pem > trusted.pem
# Not before the certificates: they are valid from the second they were made.
date="$(date -u '+%a, %d %b %Y %H:%M:%S GMT')"
now="$(date -u -d "$date" '+%Y-%m-%dT%H:%M:%SZ')"

printf '%s' '{"instructedAmount":{"amount":"250.00","currency":"NOK"},"creditorName":"Testodius To",' \
    '"creditorAccount":{"bban":"95360573037","currency":"NOK"},"creditorAddress":{"townName":"Oslo","country":"NO"},' \
    '"debtorAccount":{"bban":"95360573002","currency":"NOK"},"remittanceInformationUnstructured":"Invoice 1001"}' > body
signed POST "$payments" body 4eba4445-1a4b-47b8-bdd5-4e56ef026b19 'x-accept-fix: ' 'TPP-Session-ID: session-1' \
    'PSU-Context: PRIVATE' 'PSU-IP-Address: 192.0.2.1' 'Content-Type: application/json'
printf '== the request, signed by openssl\nPOST %s\n' "$payments"
cut -c1-110 headers
printf '\n%s\n' "$(cat body)"

for language in rust c python; do
    case $language in
        rust) send=("$target/debug/send") ;;
        c) send=("$target/debug/send_c") ;;
        python) send=(python "$here/send.py") ;;
    esac
    "${send[@]}" "$language.db" "$now" trusted.pem POST "$payments" headers body > "answer.$language"
done
printf '\n== the answer, the same bytes through Rust, C and Python\n'
cmp answer.rust answer.c
cmp answer.rust answer.python
cat answer.rust

printf '\n== the customer approves at the bank, and is sent back\n'
python "$here/approve.py" python.db answer.python
payment="$(sed -n 's/.*"paymentId":"\([^"]*\)".*/\1/p' answer.python)"

: > nothing
signed GET "$payments/$payment/status" nothing 5f0c1d2e-0000-4000-8000-000000000001
printf '\n== the status, asked for in another signed request\n'
python "$here/send.py" python.db "$now" trusted.pem GET "$payments/$payment/status" headers nothing

printf '\n== the two bookings\n'
python "$here/bookings.py" python.db 95360573002 95360573037
