# A day of a gateway: it is started, called, killed, started again, and ended. Read by run.sh, in its folder of work.

instant=/v1/payments/instant-norwegian-domestic-credit-transfers-straks
domestic=/v1/payments/norwegian-domestic-credit-transfers
bulk=/v1/bulk-payments/norwegian-domestic-credit-transfers
base=/psd2

# config <upkeep: true or false> <port> <file of the core's books>; its base path has a slash too much. ORDER_SECONDS:
# how long the core takes for an order.
config() {
    printf '%s' '{"address":"127.0.0.1","port":'"$2"',"operators_port":0,"threads":4,"upkeep":'"$1" \
        ',"order_seconds":'"${ORDER_SECONDS:-0}"',"revoked":"'"$work"'/revoked"' \
        ',"register":"'"$work"'/register.json","trust_anchors":"'"$work"'/root.pem","ledger":"'"$work/$3"'",' \
        '"policy":{"base_path":"'"$base"'/","sca_origin":"https://sca.bank.example"}}'
}

# start <upkeep: true or false>: the gateway in $language over $database, on free ports.
start() {
    config "$1" 0 "$name.ledger" > config.json
    begin
}
# begin: the same by config.json.
begin() {
    : > said
    "${program[@]}" config.json "$database" > said 2>> log &
    pid=$!
    until_true listening
    public="http://127.0.0.1:$(sed -E 's/.* at ([0-9]+),.*/\1/' said)"
    operators="http://127.0.0.1:$(sed -E 's/.* at ([0-9]+)$/\1/' said)"
}
listening() {
    kill -0 "$pid" 2> /dev/null || fail "the gateway has ended"
    grep -q '^listening' said
}

# cannot_be <what> <config> [<database>]: a gateway that cannot be does not start, and its log says why.
cannot_be() {
    local result=0
    printf '%s' "$2" > wrong.json
    timeout 60 "${program[@]}" wrong.json "${3:-sqlite::memory:}" > said.wrong 2> log.wrong || result=$?
    [ "$result" = 1 ] && [ ! -s said.wrong ] && grep -qE '"level": ?"error"' log.wrong ||
        fail "$1: $result, $(cat said.wrong log.wrong)"
}
mistakes() {
    local good
    good="$(config true 0 other.ledger)"
    cannot_be "no JSON" '{"address":'
    cannot_be "nothing in it" '{}'
    cannot_be "a port that is none" "${good/\"port\":0/\"port\":70000}"
    cannot_be "a policy that is not there" "${good/sca_origin/sca_orign}"
    cannot_be "a policy that is none" "${good/\"policy\":*/\"policy\":[]\}}"
    cannot_be "no anchors" "${good/root.pem/none.pem}"
    cannot_be "no folder of revoked certificates" "${good/revoked\",/nothing\",}"
    cannot_be "a folder without a name" "${good/\"revoked\":\"*\/revoked\"/\"revoked\":\"\"}"
    cannot_be "no extract of the register" "${good/register.json/none.json}"
    cannot_be "an extract that is none" "${good/register.json/root.pem}"
    local seconds
    for seconds in 41 -1 1.5 true; do
        cannot_be "$seconds seconds for an order" "${good/\"order_seconds\":0/\"order_seconds\":$seconds}"
    done
    cannot_be "no books" "${good/other.ledger/none/ledger}"
    cannot_be "another database" "$good" 'mysql://db.example/gateway'
    cannot_be "a folder that is not there" "$good" "sqlite://$work/none/gateway.db"
    # While another gateway runs:
    cannot_be "the other's port" "$(config true "${public##*:}" other.ledger)"
    cannot_be "the other's books" "$(config true 0 "$name.ledger")"
}

# stop <signal>: sends it; by TERM the gateway ends well.
stop() {
    local result=0
    kill "-$1" "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || result=$?
    pid=""
    [ "$1" != TERM ] || [ "$result" = 0 ] || fail "SIGTERM: the gateway ended with $result"
}

# order <amount>: the body of a payment from Kari to Ola, in payment.json. CREDITOR: another name.
order() {
    printf '%s' '{"instructedAmount":{"amount":"'"$1"'","currency":"NOK"},' \
        '"creditorName":"'"${CREDITOR:-Testodius & To}"'",' \
        '"creditorAccount":{"bban":"95360573037","currency":"NOK"},"creditorAddress":{"townName":"Oslo",' \
        '"country":"NO"},"debtorAccount":{"bban":"95360573002","currency":"NOK"},' \
        '"remittanceInformationUnstructured":"Invoice '"$1"'"}' > payment.json
}
paying=('x-accept-fix;' 'TPP-Session-ID: session-1' 'PSU-Context: PRIVATE' 'PSU-IP-Address: 192.0.2.1'
    'Content-Type: application/json')

# pay <product> <amount>: creates a payment; its path in $payment, the path of its SCA page in $page.
pay() {
    order "$2"
    call 201 POST "$1?allowLogicalDuplicate=true" payment.json "${paying[@]}"
    id="$(member paymentId)"
    payment="$1/$id"
    sca_page
}
sca_page() {
    page="$(sed -nE 's#.*https://sca.bank.example([^"]*).*#\1#p' body)"
    [ -n "$page" ] || fail "no link to the SCA page: $(cat body)"
}

# approve: Kari says yes on the SCA page.
approve() {
    fetch "the SCA page" "$public$page"
    [ "$status" = 200 ] || fail "the SCA page: $status"
    fetch "approve" --data 'person=kari&outcome=approved' "$public$page"
    [ "$status" = 303 ] || fail "approve: $status"
}

# has_status <status>: whether the payment has that status. Not in the transcript: how often it is asked is chance.
has_status() {
    transcript=/dev/null call 200 GET "$payment/status" nothing
    [ "$(member transactionStatus)" = "$1" ]
}

# ledger <what>…: each of these is in the toy bank's books.
ledger() {
    curl --silent --show-error "$operators/ledger" > books
    local what
    for what in "$@"; do
        grep -qF "$what" books || fail "no $what in $(cat books)"
    done
}
# How often the journal of the core has the payment as booked.
booked() {
    grep -F "\"paymentId\":\"$id\"" "$name.ledger" | grep -c '"status":"ACSC"' || true
}

# explained: the log's line of the request that was just refused, and what docs/reasons.md says of its reason.
explained() {
    local reason
    until_true grep -qF "$(sed -nE 's/^X-Request-ID: //Ip' headers)" log
    reason="$(grep -F "$(sed -nE 's/^X-Request-ID: //Ip' headers)" log | sed -nE 's/.*"reason": ?"([^"]*)".*/\1/p')"
    grep -F "| $reason |" "$root/docs/reasons.md" >> "$transcript" || fail "no reason $reason in docs/reasons.md"
    echo "$status $reason: $(tail -n 1 "$transcript" | cut -c1-100)"
}

payments() {
    pay "$instant" 250.00
    approve
    until_true has_status ACSC
    ledger '"95360573002":"750.00"' '"95360573037":"450.00"'
    fetch "the link is used" "$public$page"
    [ "$status" = 404 ] || fail "a link that was used: $status"

    # Not enough money: the core rejects it.
    pay "$instant" 9999.00
    approve
    until_true has_status RJCT

    # One that waits for the core's batch, which reports to the engine; the payee's name is the word null.
    CREDITOR=null pay "$domestic" 50.00
    approve
    until_true has_status PDNG
    until_true pending_in_core
    fetch "the batch" -X POST "$operators/batch"
    [ "$status" = 200 ] || fail "the batch: $status"
    has_status ACSC || fail "the engine did not get the report of the batch"
    ledger '"95360573002":"700.00"'

    pay "$instant" 1.00
    fetch "cancel" --data 'person=kari&outcome=aborted' "$public$page"
    [ "$status" = 303 ] || fail "cancel: $status"
    has_status RCVD || fail "a payment that was not approved went on"
}

# Every payment of a bulk is shown, for any name of a payee.
shows_a_bulk() {
    local amount entries=""
    for amount in 3.00 4.00; do
        CREDITOR='{[\\,\"]}, '"$amount" order "$amount"
        entries+="${entries:+,}$(sed -E 's/,"debtorAccount":\{[^}]*\}//' payment.json)"
    done
    printf '%s' '{"debtorAccount":{"bban":"95360573002","currency":"NOK"},"payments":['"$entries"']}' > payment.json
    call 201 POST "$bulk" payment.json "${paying[@]}"
    sca_page
    fetch "the SCA page of a bulk" "$public$page"
    for amount in 3.00 4.00; do
        grep -qF "<li>$amount NOK to {[\\,&quot;]}, $amount, account 95360573037</li>" body ||
            fail "a payment of a bulk is not shown: $(cat body)"
    done
}
pending_in_core() {
    curl --silent --show-error "$operators/ledger" | grep -qF "\"paymentId\":\"$id\",\"status\":\"PDNG\""
}

accounts() {
    call 201 POST /v1/bank-offered-consents nothing 'TPP-Session-ID: session-2'
    sca_page
    approve
    psu="$(sed -nE 's/^location: .*psu-id=([0-9a-f-]*).*/\1/Ip' answered | tr -d '\r')"
    local asked=('TPP-Session-ID: session-2' "PSU-ID: $psu" 'PSU-IP-Address: 192.0.2.1')
    # A header that comes twice is signed as one; a target is signed as it was sent.
    SIGN=x-accept-fix call 200 GET '/v1/accounts?withBalance=%74rue' nothing "${asked[@]}" \
        'x-accept-fix: amount-as-string' 'x-accept-fix: longer-names'
    local account
    account="$(member resourceId)"
    [ -n "$account" ] || fail "no account: $(cat body)"
    call 200 GET "/v1/accounts/$account/transactions?bookingStatus=booked" nothing "${asked[@]}"
    grep -qF '"-250.00"' body || fail "the payment is not on the account: $(cat body)"
    local transaction
    transaction="$(member transactionId)"
    call 200 GET "/v1/accounts/$account/transactions/$transaction" nothing "${asked[@]}" 'x-accept-fix;'
    call 404 GET "/v1/accounts/$account/transactions/t-99999999" nothing "${asked[@]}" 'x-accept-fix;'
}

refusals() {
    # Signed for another query than is sent.
    signed tpp GET "$base/v1/accounts" nothing
    fetch "signed for another target" -H @headers "$public$base/v1/accounts?withBalance=true"
    [ "$status" = 400 ] || fail "a wrong signature: $status"
    explained
    WHO=stranger call 400 GET /v1/accounts nothing
    explained
    call 404 GET /v1/nothing nothing
    explained
    call 404 POST /v1/sandbox/initialize nothing

    # A body of 1 MiB is read, one byte more is not: with and without `Expect: 100-continue`.
    head -c 1048577 /dev/zero > large
    head -c 1048576 large > largest
    local asks
    for asks in 'Expect: 100-continue' 'Expect:'; do
        signed tpp POST "$base$instant" nothing 'Content-Type: application/json'
        fetch "1 MiB, $asks" -H @headers -H "$asks" --data-binary @largest "$public$base$instant"
        [ "$status" = 400 ] || fail "a body of 1 MiB: $status"
        signed tpp POST "$base$instant" nothing 'Content-Type: application/json'
        fetch "1 MiB and 1 byte, $asks" -H @headers -H "$asks" --data-binary @large "$public$base$instant"
        [ "$status" = 413 ] || fail "a body of 1 MiB and 1 byte: $status"
    done
    explained

    fetch "a body with two lengths" -H 'Content-Length: 3' -H 'Content-Length: 4' --data abcd "$public$base$instant"
    [ "$status" = 400 ] && [ ! -s body ] || fail "a body with two lengths: $status"

    local page
    for page in "$base/sca/unknown" "$base/sca/" "$base/sca/%00"; do
        fetch "no such link" "$public$page"
        [ "$status" = 404 ] || fail "$page: $status"
    done
    fetch "no such form" --data 'person=unknown' "$public$base/sca/unknown"
    [ "$status" = 400 ] || fail "a form that is none: $status"
    # Forty at a time: as many answers.
    curl --no-progress-meter --parallel --parallel-max 40 -o nowhere -w '%{http_code}\n' \
        "$public$base/v1/accounts?[1-40]" > many
    [ "$(sort many | uniq -c | tr -s ' ')" = ' 40 400' ] || fail "forty at a time: $(sort many | uniq -c)"

    fetch "operators alone" "$public/health"
    [ "$status" = 404 ] || fail "the public reaches what is for operators: $status"
    fetch "no such route" "$operators/nothing"
    [ "$status" = 404 ] || fail "a route for operators that is not there: $status"
}

# raw <statuses> <line>…: the answer to a head that is sent as it is has one of them; `none`: the connection ends.
raw() {
    local line=""
    exec 3<> "/dev/tcp/127.0.0.1/${public##*:}"
    # A server that refuses the first line does not wait for the others.
    (printf '%s\r\n' "${@:2}" 'Host: bank.example' '' >&3) 2> /dev/null || true
    read -r -t 60 line <&3 || line=" none "
    exec 3>&-
    [[ "$line" =~ \ ($1)\  ]] || fail "$2: $line"
}
heads() {
    # A path that is not there: 404 where the head is read.
    local post="POST $base/v1/nothing HTTP/1.1"
    raw 404 "$post"
    raw 400 "$post" 'X-Request-ID 1'
    # The target goes through as it came.
    raw 404 "GET /$base/v1/accounts HTTP/1.1"
    raw 404 "GET $base/sca/"$'\xff'" HTTP/1.1"
    # The end of these bodies cannot be determined.
    raw 400 "$post" 'Transfer-Encoding : chunked'
    raw '400|411' "$post" 'Transfer-Encoding: gzip, chunked'
    raw '400|411' "$post" 'Transfer-Encoding: identity'
    raw 413 "POST $base$instant HTTP/1.1" 'Expect: 100-continue' "Content-Length: $(printf '9%.0s' {1..5000})"
    # The log has neither an id of the SCA page nor a query.
    raw '400|none' "GET $base/sca/secret more HTTP/1.1"
    raw '400|none' "GET $base/v1/accounts?secret more HTTP/1.1"
    if grep -F secret log; then fail "the log has a secret"; fi
}

# After the commit of the SCA, and before the core receives the payment: a gateway without upkeep does not deliver it.
killed() {
    stop TERM
    start false
    pay "$instant" 25.00
    approve
    [ "$(booked)" = 0 ] || fail "without upkeep nothing is delivered"
    stop KILL
    start true
    until_true has_status ACSC
    [ "$(booked)" = 1 ] || fail "booked $(booked) times"
    # What is over is not done again, by the next start either.
    stop KILL
    start true
    has_status ACSC || fail "what was booked is not booked any more"
    [ "$(booked)" = 1 ] || fail "booked $(booked) times"
    ledger '"95360573002":"675.00"' '"95360573037":"525.00"'
    # Neither is in the transcript: they have times.
    transcript=/dev/null fetch "health" "$operators/health"
    [ "$status" = 200 ] || fail "health: $(cat body)"
    grep -F '"ok":true' body > /dev/null || fail "health: $(cat body)"
    transcript=/dev/null fetch "figures" "$operators/metrics"
    [ "$status" = 200 ] || fail "figures: $status"
    grep -E '^xs2a_requests_total\{operation="getPaymentStatus",status="200"\} [1-9]' body > /dev/null ||
        fail "figures: $(cat body)"
    # The day in Oslo is that of UTC or the next.
    local first last
    first=$(date -u +%F) last=$(date -u -d tomorrow +%F)
    transcript=/dev/null fetch "statistics" "$operators/statistics/$first/$last"
    [ "$status" = 200 ] || fail "statistics: $status"
    [ "$(wc -l < body)" = 3 ] || fail "statistics: $(cat body)"
    grep -E "^($first|$last),100.0000,0.000,([0-9.]+,){5}[1-9]" body > /dev/null || fail "statistics: $(cat body)"
    transcript=/dev/null fetch "erasure" -X DELETE "$operators/persons/unknown"
    [ "$status" = 200 ] || fail "erasure: $status"
    grep -E '"kept": ?\[' body > /dev/null || fail "erasure: $(cat body)"
    transcript=/dev/null fetch "statistics" "$operators/statistics/$last/$first"
    [ "$status" = 400 ] || fail "statistics of no day: $status"
}

# SIGTERM while the body of a request is still to come: it is answered, no other is, and the gateway ends well.
ended() {
    order 2.00
    signed tpp POST "$base$instant" payment.json "${paying[@]}"
    exec 3<> "/dev/tcp/127.0.0.1/${public##*:}"
    printf 'POST %s HTTP/1.1\r\nHost: bank.example\r\nContent-Length: %s\r\nExpect: 100-continue\r\n' \
        "$base$instant" "$(stat -c %s payment.json)" >&3
    # As curl does: the semicolon is for a header without a value.
    sed -E -e 's/^([A-Za-z-]+);$/\1:/' -e 's/$/\r/' headers >&3
    printf '\r\n' >&3
    local line
    read -r line <&3
    [[ "$line" == *" 100 "* ]] || fail "the gateway does not wait for a body: $line"
    kill -TERM "$pid"
    until_true grep -q 'no new connections' log
    until_true refuses "$public"
    cat payment.json >&3
    read -r line <&3
    read -r line <&3
    [[ "$line" == *" 201 "* ]] || fail "a request under way at SIGTERM: $line"
    exec 3>&-
    stop TERM
}
# refuses <origin>: no new connection is accepted there.
refuses() {
    ! curl --silent --max-time 1 -o nowhere "$1/"
}

# a_day <language> <store> <database>
a_day() {
    language="$1" database="$3"
    name="$1.$2"
    transcript="$work/transcript.$name"
    : > "$transcript"
    : > log
    program=("$work/gateway")
    [ "$language" = c ] || program=(python "$here/python/serve_gateway.py")
    printf '\n== the gateway in %s, on %s\n' "$1" "$2"
    local began=$SECONDS
    registered
    start true
    mistakes
    payments
    shows_a_bulk
    accounts
    evidence
    questions
    blocks
    revoked_certificates
    registers
    permissions
    refusals
    heads
    killed
    dead_letter
    ended_early
    ended
    # What an operator mistook is no alert, and the day has nothing else that failed.
    grep -qE "\"level\": ?\"warn\".*an operator's request failed" log || fail "no 400 of an operator is in the log"
    if grep -E "\"level\": ?\"error\".*an operator's request failed" log; then
        fail "what an operator mistook is logged as an error"
    fi
    if grep -v '^{' log | grep -v '^[[:space:]]*$'; then fail "the log is not JSON"; fi
    echo "$(grep -c '^== ' "$transcript") answers in $((SECONDS - began)) s; killed twice, and nothing lost"
}
