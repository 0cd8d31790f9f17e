# What a TPP does, by openssl and curl. Read by run.sh, in its folder of work.

fail() {
    echo "FAILED: $*" >&2
    [ ! -e log ] || tail -n 20 log >&2
    exit 1
}

# until_true <command>…: tries until it succeeds, for 60 seconds at most.
until_true() {
    local end=$((SECONDS + 60))
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "it is still not so: $*"
        sleep 0.05
    done
}

# issue <name> <subject> <section> [<issuer>]: a key and a certificate, and what headers say of it; without an issuer
# it signs itself.
issue() {
    openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr" 2> made || { cat made; exit 1; }
    local signer=(-signkey "$1.key")
    [ $# -lt 4 ] || signer=(-CA "$4.pem" -CAkey "$4.key" -CAcreateserial)
    openssl x509 -req -in "$1.csr" "${signer[@]}" -sha256 -days 30 -extfile "$here/pki.cnf" -extensions "$3" \
        -out "$1.pem" 2> made || { cat made; exit 1; }
    openssl x509 -in "$1.pem" -outform DER | openssl base64 -A > "$1.line"
    printf 'SN=%s,CA=%s' "$(openssl x509 -in "$1.pem" -noout -serial | cut -d= -f2)" \
        "$(openssl x509 -in "$1.pem" -noout -issuer -nameopt RFC2253 | cut -d= -f2-)" > "$1.key_id"
}

# An authority that the bank trusts, a TPP with two certificates, and one with a certificate of its own making.
make_certificates() {
    issue root "/C=NO/O=Demo Tillit AS/CN=Root" authority
    issue tpp "/C=NO/O=Demo TPP AS/organizationIdentifier=PSDNO-FSA-123456/CN=Demo TPP" seal root
    issue other "/C=NO/O=Demo TPP AS/organizationIdentifier=PSDNO-FSA-123456/CN=Demo TPP 2" seal root
    issue stranger "/C=NO/O=Stranger AS/organizationIdentifier=PSDNO-FSA-654321/CN=Stranger" seal
    : > nothing
    mkdir revoked
}

# signed <who> <method> <target> <body file> <header>…: the headers of a request, signed, in the file `headers`. One
# that is given more than once is in it as often, and is signed as one. SIGN: further names to sign.
signed() {
    local who="$1" method="$2" target="$3" body="$4" id date name value
    id="$(cat /proc/sys/kernel/random/uuid)"
    date="$(date -u '+%a, %d %b %Y %H:%M:%S GMT')"
    printf '%s\n' "${@:5}" "Date: $date" "X-Request-ID: $id" "TPP-Redirect-URI: https://tpp.example/cb?state=42" \
        "TPP-Signature-Certificate: $(< "$who.line")" > headers
    if [ -s "$body" ]; then
        printf 'Digest: SHA-256=%s\n' "$(openssl dgst -sha256 -binary "$body" | openssl base64 -A)" >> headers
    fi
    local names=""
    : > signing_string
    for name in '(request-target)' date digest x-request-id psu-id tpp-redirect-uri ${SIGN:-}; do
        if [ "$name" = '(request-target)' ]; then
            value="$(printf '%s' "$method" | tr '[:upper:]' '[:lower:]') $target"
        else
            value="$(sed -n "s/^$name: //Ip" headers | awk 'NR > 1 {printf ", "} {printf "%s", $0}')"
        fi
        [ -n "$value" ] || continue
        # No newline behind the last line.
        [ -z "$names" ] || printf '\n' >> signing_string
        printf '%s: %s' "$name" "$value" >> signing_string
        names="${names:+$names }$name"
    done
    local signature
    signature="$(openssl dgst -sha256 -sign "$who.key" signing_string | openssl base64 -A)"
    printf 'Signature: keyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"\n' \
        "$(< "$who.key_id")" "$names" "$signature" >> headers
}

# fetch <what> <curl argument>…: one request; the status in `status`, the body in `body`. What came is written to the
# transcript, without what is never the same (times, ids) and what is of the connection.
fetch() {
    local what="$1"
    status="$(curl --silent --show-error --max-time 60 -D answered -o body -w '%{http_code}' "${@:2}")" ||
        fail "curl: $what"
    {
        printf '\n== %s: %s\n' "$what" "$status" | hide
        tr -d '\r' < answered | grep -viE '^(HTTP/|date:|connection:|$)' | sort -f | hide
        hide < body
        printf '\n'
    } >> "$transcript"
}

# Ids, times, days, the psu-id that a TPP gets, and what the bank signs: times are in it.
hide() {
    sed -E -e 's/^(digest: SHA-256=).*/\1DIGEST/I' -e 's/^(signature: .*signature=").*/\1SIGNATURE"/I' \
        -e 's/enc!![A-Za-z0-9=_!-]+/ID/g' -e 's#/sca/[A-Za-z0-9=_!-]+#/sca/ID#g' \
        -e 's/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/UUID/g' \
        -e 's/20[0-9]{2}-[0-9]{2}-[0-9]{2}/DAY/g' -e 's/DAYT[0-9:.]+Z/TIME/g'
}

# call <status> <method> <target> <body file> <header>…: a signed call of the TPP; the status it must have.
call() {
    local expected="$1" method="$2" target="$3" body="$4"
    signed "${WHO:-tpp}" "$method" "$base$target" "$body" "${@:5}"
    local data=()
    [ ! -s "$body" ] || data=(--data-binary "@$body")
    fetch "$method $target" -X "$method" -H @headers "${data[@]}" "$public$base$target"
    [ "$status" = "$expected" ] || fail "$method $target: $status and not $expected: $(cat body)"
}

# member <name>: the text of the first member of that name in the last answer.
member() {
    grep -oE "\"$1\":\"?[^\",}]*" body | sed -nE '1 s/^"[^"]*":"?//p'
}
