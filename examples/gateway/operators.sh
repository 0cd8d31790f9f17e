# What the bank's operators ask and do, at their own port. Read by run.sh, in its folder of work.

tpp=PSDNO-FSA-123456

# ask <status> <method> <path> <curl argument>…: a request of an operator; the status it must have.
ask() {
    fetch "$2 $3" -X "$2" "${@:4}" "$operators$3"
    [ "$status" = "$1" ] || fail "$2 $3: $status and not $1: $(cat body)"
}

# answered_with <what>…: each of these is in the last answer.
answered_with() {
    local what
    for what in "$@"; do
        grep -qF -e "$what" body || fail "no $what in $(cat body)"
    done
}

# reads <status>: the TPP reads the list of Kari's accounts; the status it must get.
reads() {
    call "$1" GET /v1/accounts nothing 'TPP-Session-ID: session-2' "PSU-ID: $psu" 'PSU-IP-Address: 192.0.2.1' \
        'x-accept-fix;'
}

# For compliance: who read what of Kari, from the audit.
evidence() {
    reads 200
    local id from to
    id="$(sed -nE 's/^X-Request-ID: //Ip' headers)"
    from="$(date -u -d yesterday +%FT%TZ)" to="$(date -u -d tomorrow +%FT%TZ)"
    # Not in the transcript: what was read by chance is in it.
    transcript=/dev/null ask 200 GET "/audit/$from/$to"
    grep -F '"event":"account.read"' body | grep -F '"psu":"kari"' | grep -F "\"tpp\":\"$tpp\"" |
        grep -F '"psuPresent":true' | grep -F "\"requestId\":\"$id\"" > line ||
        fail "no evidence of the read $id: $(cat body)"
    [ "$(wc -l < line)" = 1 ] || fail "evidence of one read: $(cat line)"
    transcript=/dev/null ask 200 GET "/audit/$from/$from"
    [ ! -s body ] || fail "an audit of no time: $(cat body)"
    ask 400 GET /audit/then/now
    ask 400 GET /audit/2026-09-01T00:00:00Z
    # One export at a time, and the next after it.
    curl --no-progress-meter --parallel --parallel-max 20 -o nowhere -w '%{http_code}\n' \
        "$operators/audit/$from/$to#[1-20]" > many
    if ! grep -q 200 many || grep -vE '200|503' many; then fail "exports at a time: $(sort many | uniq -c)"; fi
    transcript=/dev/null ask 200 GET "/audit/$from/$to"
}

# For support: what a customer approved.
questions() {
    local id last
    ask 200 GET /consents/kari
    answered_with "\"tpp\":\"$tpp\"" '"state":"valid"' '"tppName":"Demo TPP AS"'
    last="$(member id)"
    ask 200 GET "/consents/kari/$last"
    [ "$(cat body)" = '[]' ] || fail "a page behind the last row: $(cat body)"
    ask 200 GET /consents/ola
    ask 400 GET /consents/k%61ri
    ask 400 GET /consents/
    ask 200 GET /payments/kari
    id="$(member id)"
    answered_with '"status":"ACSC"' '"psu":"kari"'
    ask 200 GET "/payments/kari/$id"
    if grep -qF "$id" body; then fail "the next page has the row before it: $(cat body)"; fi
    ask 400 GET /payments/kari/unknown
    ask 200 GET "/payment/$id"
    answered_with "$id" '"events":['
    ask 404 GET /payment/unknown
}

# A TPP, and one certificate of it, blocked and unblocked.
blocks() {
    local fingerprint
    ask 200 PUT "/blocks/$tpp" --data 'phishing, case 4711'
    reads 403
    explained
    WHO=other reads 403
    ask 200 GET /blocks
    answered_with "\"tpp\":\"$tpp\"" '"why":"phishing, case 4711"'
    ask 200 DELETE "/blocks/$tpp"
    answered_with '{"unblocked":true}'
    ask 200 DELETE "/blocks/$tpp"
    answered_with '{"unblocked":false}'
    reads 200
    fingerprint="$(openssl x509 -in tpp.pem -outform DER | openssl dgst -sha256 -r | cut -d' ' -f1)"
    ask 200 PUT "/blocks/$fingerprint"
    reads 403
    explained
    WHO=other reads 200
    ask 200 DELETE "/blocks/$fingerprint"
    reads 200
    ask 400 PUT /blocks/
    # What would block no caller is no block.
    ask 400 PUT /blocks/123456
    ask 400 PUT "/blocks/${fingerprint}0"
    ask 400 PUT "/blocks/${fingerprint:1}"
    ask 400 PUT "/blocks/${tpp/-/%2D}"
    ask 400 PUT "/blocks/$tpp?"
    ask 400 PUT $'/blocks/PSDNO-FSA-\xc3\xa5'
    ask 400 DELETE /blocks/123456
    ask 400 DELETE "/blocks/$tpp%20"
    # The hyphen decides, and not the length.
    local long
    long="PSDNO-FSA-$(printf '1%.0s' {1..54})"
    ask 200 PUT "/blocks/$long"
    ask 200 GET /blocks
    answered_with "\"tpp\":\"$long\""
    ask 200 DELETE "/blocks/$long"
    answered_with '{"unblocked":true}'
    ask 200 PUT /blocks/PSDNO-FSA-400 --data "$(printf 'x%.0s' {1..400})"
    ask 400 PUT /blocks/PSDNO-FSA-401 --data "$(printf 'x%.0s' {1..401})"
    ask 400 PUT /blocks/PSDNO-FSA-401 --data "$(printf 'x%.0s' {1..4097})"
    ask 400 PUT /blocks/PSDNO-FSA-401 --data $'\xff'
    ask 200 DELETE /blocks/PSDNO-FSA-400
    ask 200 GET /blocks
    [ "$(cat body)" = '[]' ] || fail "blocks that are left: $(cat body)"
}

# A certificate is revoked by a file, and valid again without it.
revoked_certificates() {
    openssl x509 -in tpp.pem -outform DER -out revoked/tpp.der
    reads 400
    explained
    WHO=other reads 200
    # Where it cannot be determined, no certificate is accepted.
    mv revoked away
    WHO=other reads 500
    mv away revoked
    rm revoked/tpp.der
    # A file that can be no certificate's DER would revoke nothing: the log has its name.
    cp tpp.pem revoked/in-pem
    cannot_determine in-pem
    (printf '\x30' && head -c 65536 /dev/zero) > revoked/too-large
    cannot_determine too-large
    (printf '\x30' && head -c 65535 /dev/zero) > revoked/large
    : > revoked/.unfinished
    reads 200
    rm revoked/large revoked/.unfinished
    reads 200
}
# cannot_determine <file>: with that file in the folder no certificate is accepted; then it is removed.
cannot_determine() {
    reads 500
    until_true grep -qF "revoked/$1 is not the DER" log
    rm "revoked/$1"
}

# The page of Kari's permissions: what was opened and read above, revoked by its button.
permissions_page() {
    local page="$operators/consents?person=kari" tpp
    curl --silent --show-error "$page" > consents
    grep -qE '<td>[^<]+</td><td>account information</td><td>95360573002[^<]*</td>(<td>20[0-9-]{8}</td>){3}' consents ||
        fail "no consent of Kari: $(cat consents)"
    tpp="$(sed -nE 's/.*name="tpp" value="([^"]*)".*/\1/p' consents)"
    [ -n "$tpp" ] || fail "no button that revokes: $(cat consents)"
    curl --silent --show-error --location --data-urlencode 'person=kari' --data-urlencode "tpp=$tpp" \
        "$operators/consents" > consents
    grep -qE '<td>revoked 20[0-9-]{8}</td>' consents || fail "the consent is not revoked: $(cat consents)"
    if grep -q '<button>' consents; then fail "a revoked consent has a button: $(cat consents)"; fi
    local wrong
    for wrong in 'person=unknown' '' 'person=kari&after=none'; do
        status="$(curl --silent --show-error -o nowhere -w '%{http_code}' "$operators/consents?$wrong")"
        [ "$status" = 400 ] || fail "consents of $wrong: $status"
    done
}

# Kari's consent is revoked: by the page where there is one, and by the route for programs.
permissions() {
    if [ "$language" = python ]; then
        permissions_page
    else
        transcript=/dev/null ask 200 DELETE "/consents/kari/$tpp"
        answered_with '{"revoked":true}'
    fi
    ask 200 DELETE "/consents/kari/$tpp"
    answered_with '{"revoked":false}'
    reads 403
    answered_with CONSENT_UNKNOWN
    ask 200 GET /consents/kari
    answered_with '"endedWhy":"revoked"'
}

# corrected <status>: the payment's order in the core's books is corrected by hand; the gateway is not running.
corrected() {
    printf '{"paymentId":"%s","status":"%s","day":"%s",%s}\n' "$id" "$1" "$(date -u +%F)" \
        '"debtor":"95360573002","creditor":"95360573037","amount":"10.00","creditorName":"To","remittance":""' \
        >> "$name.ledger"
}
is_dead_letter() {
    ask 200 GET /dead-letters
    grep -qF "$id" body
}

# The core's books have a status that no order can get: a dead letter. They are corrected, and it is delivered again.
dead_letter() {
    ask 200 GET /dead-letters
    [ "$(cat body)" = '[]' ] || fail "dead letters: $(cat body)"
    ask 404 POST /dead-letters/unknown
    stop TERM
    start false
    pay "$instant" 10.00
    approve
    stop TERM
    corrected RCVD
    start true
    transcript=/dev/null until_true is_dead_letter
    ask 200 GET /dead-letters
    answered_with 'the bank answered RCVD'
    retried_at_the_end
    start true
    transcript=/dev/null until_true is_dead_letter
    stop TERM
    corrected ACSC
    start true
    ask 200 POST "/dead-letters/$id"
    until_true has_status ACSC
    ask 200 GET /dead-letters
    [ "$(cat body)" = '[]' ] || fail "dead letters: $(cat body)"
}

# SIGTERM while the body of an operator's request is still to come: it is answered, and the upkeep is there to be woken.
retried_at_the_end() {
    local line
    exec 3<> "/dev/tcp/127.0.0.1/${operators##*:}"
    printf 'POST /dead-letters/%s HTTP/1.1\r\nHost: bank.example\r\nContent-Length: 1\r\n%s\r\n\r\n' "$id" \
        'Expect: 100-continue' >&3
    read -r line <&3
    [[ "$line" == *" 100 "* ]] || fail "the operators' port does not wait for a body: $line"
    kill -TERM "$pid"
    until_true refuses "$operators"
    printf '1' >&3
    # Behind the empty line of the 100.
    { read -r line && read -r line; } <&3 || line="no answer"
    [[ "$line" == *" 200 "* ]] || fail "an operator's request under way at SIGTERM: $line"
    exec 3>&-
    stop TERM
}

# SIGTERM while three orders are delivered by a slow core: the first one ends, the others are delivered after the next
# start.
ended_early() {
    stop TERM
    ORDER_SECONDS=40 start false
    for amount in 1.01 1.02 1.03; do
        pay "$instant" "$amount"
        approve
    done
    stop TERM
    ORDER_SECONDS=2 start true
    until_true delivered 1
    stop TERM
    delivered 1 || fail "SIGTERM did not end the run: $(cat "$name.ledger")"
    start true
    until_true delivered 3
}
# delivered <count>: so many of these orders are in the core's books.
delivered() {
    [ "$(grep -cE '"amount":"1.0[123]"' "$name.ledger")" = "$1" ]
}
