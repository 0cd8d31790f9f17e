# The seal in hardware: a token of SoftHSM (Debian: softhsm2) has the private key. Read by run.sh, in its folder of
# work.

softhsm_module=""
for module in /usr/lib/softhsm/libsofthsm2.so /usr/lib/*/softhsm/libsofthsm2.so; do
    [ ! -e "$module" ] || softhsm_module="$module"
done

has_softhsm() {
    command -v softhsm2-util > /dev/null && [ -n "$softhsm_module" ]
}
# has_pkcs11 <language>: whether the gateway in that language can use a token here.
has_pkcs11() {
    [ "$1" = c ] || python -c 'import pkcs11' 2> /dev/null
}

# make_seals: certificates seal, seal2 and seal3, and a token.
make_seals() {
    local name
    mkdir -p tokens backup
    printf 'directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n' "$work/tokens" > softhsm2.conf
    export SOFTHSM2_CONF="$work/softhsm2.conf"
    softhsm2-util --init-token --free --label bank --pin 1234 --so-pin 5678 > made
    printf '1234\n' > pin
    printf '4321\n' > wrong_pin
    printf '\n' > no_pin
    for name in seal seal2 seal3; do
        issue "$name" "/C=NO/O=Demo Bank AS/organizationIdentifier=PSDNO-FSA-937000000/CN=$name" seal root
    done
    mv seal.key seal2.key backup
}
# put_key <label> <id> <file>: the token gets a private key.
put_key() {
    softhsm2-util --import "$3" --token bank --label "$1" --id "$2" --pin 1234 > made
}
# The keys of three seals, and two with one label.
fill_token() {
    put_key seal 01 backup/seal.key
    put_key seal2 02 backup/seal2.key
    put_key seal3 03 seal3.key
    put_key twice 04 seal3.key
    put_key twice 05 seal3.key
}
empty_token() {
    find tokens -name '*.object' -not -name token.object -delete
}

# token_flags <byte>: bits 16 to 23 of the token's flags, in its file: SoftHSM sets none of those that precede the lock
# of a PIN. 2 is CKF_USER_PIN_FINAL_TRY, 4 is CKF_USER_PIN_LOCKED.
token_flags() {
    printf '%b' "\\x0$1" | dd of="$(find tokens -name token.object)" bs=1 seek=125 conv=notrunc status=none
}

# sealed <member of the seal>…: the configuration.
sealed() {
    local rest
    rest="$(config true 0 "$name.ledger")"
    printf '{"seal":{%s},%s' "$1" "${rest#\{}"
}
# in_token <certificate> [<label of the key>]: members of a seal. MODULE, TOKEN, PIN: a file, a label, and a file in
# place of the right ones.
in_token() {
    printf '"certificate":"%s","pkcs11":{"module":"%s","token":"%s","key":"%s","pin_file":"%s"}' \
        "$work/$1.pem" "${MODULE:-$softhsm_module}" "${TOKEN:-bank}" "${2:-$1}" "$work/${PIN:-pin}"
}
# in_file <certificate> [<key>]: members of a seal.
in_file() {
    printf '"certificate":"%s","private_key":"%s"' "$work/$1.pem" "$work/${2:-$1}.key"
}

# next_config <what the log says> <configuration>: it is read at SIGHUP.
next_config() {
    printf '%s' "$2" > config.new
    mv config.new config.json
    hang_up "$1"
}
# next_seal <what the log says> <member of the seal>…: the configuration has another seal.
next_seal() {
    next_config "$1" "$(sealed "$2")"
}

# verified <certificate>: by openssl, the signature of the answer in `answered` and `body`.
verified() {
    local name value
    : > signing_string
    for name in date digest x-request-id; do
        value="$(tr -d '\r' < answered | sed -n "s/^$name: //Ip")"
        [ ! -s signing_string ] || printf '\n' >> signing_string
        printf '%s: %s' "$name" "$value" >> signing_string
    done
    [ "$(tr -d '\r' < answered | sed -n 's/^digest: //Ip')" = \
        "SHA-256=$(openssl dgst -sha256 -binary body | openssl base64 -A)" ] || return 1
    tr -d '\r' < answered | sed -nE 's/^signature: .*signature="([^"]*)".*/\1/Ip' | openssl base64 -A -d > signature
    openssl x509 -in "$1.pem" -noout -pubkey > public.pem
    openssl dgst -sha256 -verify public.pem -signature signature signing_string > made 2>&1
}
# signed_by <certificate>: an answer of the gateway is.
signed_by() {
    reads_status 200
    verified "$1" || fail "the answer is not signed by $1: $(cat answered)"
}
reads_status() {
    call "$1" GET "$payment/status" nothing
}

# refused <what> <text of the log> <seal>: no gateway starts with it.
refused() {
    cannot_be "$1" "$(sealed "$3")"
    grep -qE -e "$2" log.wrong || fail "$1: no '$2' in $(cat log.wrong)"
}
no_seals() {
    local none='No such file or directory' flags
    refused "a key that the token does not have" 'no RSA key .* the label `none`' "$(in_token seal none)"
    refused "a label of two keys" 'more than one RSA key .* the label `twice`' "$(in_token seal3 twice)"
    refused "the certificate of another key" 'does not verify with the key of the certificate' "$(in_token seal2 seal)"
    refused "no certificate" "$none" "$(in_token none seal)"
    cp pin text.pem
    : > empty.pem
    : > empty.key
    refused "an empty certificate" 'empty.pem` is empty|there is no certificate in it' "$(in_token empty seal)"
    refused "an empty certificate, its key in a file" 'empty.pem` is empty|there is no certificate in it' \
        "$(in_file empty seal3)"
    refused "an empty key" 'empty.key` is empty|no unencrypted RSA key' "$(in_file seal3 empty)"
    refused "a certificate that is none" 'there is no certificate in it' "$(in_token text seal)"
    refused "no such token" '0 tokens have the label `none`|NoSuchToken' "$(TOKEN=none in_token seal)"
    refused "a label longer than those of tokens" '/seal/pkcs11/token is .* too long|NoSuchToken' \
        "$(TOKEN="bank$(printf '%29s' '')" in_token seal)"
    refused "another PIN" 'CKR_PIN_INCORRECT|PinIncorrect' "$(PIN=wrong_pin in_token seal)"
    for flags in 2 4; do
        token_flags "$flags"
        refused "a PIN that one more failure locks, or that is locked" 'no login: the token `bank`' "$(in_token seal)"
    done
    token_flags 0
    refused "an empty PIN" '/no_pin` is empty' "$(PIN=no_pin in_token seal)"
    refused "no PIN" "$none" "$(PIN=none in_token seal)"
    refused "no module" 'is no PKCS#11 module|while loading' "$(MODULE="$work/none" in_token seal)"
    refused "a module that is none" 'is no PKCS#11 module|while loading' "$(MODULE="$work/root.pem" in_token seal)"
    refused "no token named" '/seal/pkcs11/module is absent|TypeError' \
        "\"certificate\":\"$work/seal.pem\",\"pkcs11\":{}"
    refused "neither token nor key" '/seal/private_key is absent|KeyError' "\"certificate\":\"$work/seal.pem\""
    refused "the key of another certificate" 'the private key is not that of the certificate' "$(in_file seal3 tpp)"
}

# Calls without a signature until the file `stop` exists, in rounds of 40: each round has a line in `rounds`.
load() {
    local round=0 id
    id="$(cat /proc/sys/kernel/random/uuid)"
    until [ -e stop ]; do
        curl --no-progress-meter --parallel --parallel-max 8 --include -H "X-Request-ID: $id" \
            -o "answers/$round.#1" -w '%{http_code}\n' "$public$base/v1/accounts?[1-40]" >> many
        round=$((round + 1))
        echo "$round" >> rounds
    done
}
has_rounds() {
    [ "$(wc -l < rounds)" -ge "$1" ]
}
# signed_by_its_certificate <file>: an answer of the load; the name of the certificate is in `signers`.
signed_by_its_certificate() {
    local line signer
    sed '/^\r$/q' "$1" > answered
    sed '1,/^\r$/d' "$1" > body
    line="$(tr -d '\r' < answered | sed -n 's/^aspsp-signature-certificate: //Ip')"
    signer="$(grep -lxF -e "$line" seal.line seal2.line seal3.line)" || fail "no certificate of a seal: $(cat answered)"
    echo "${signer%.line}" >> signers
    verified "${signer%.line}" || fail "under load, not signed by $signer: $(cat answered)"
}
# Each answer is signed by a seal that was in place during its call, while one replaces the other. A round ends between
# two replacements: the C gateway keeps one seal before the present one.
replaced_under_load() {
    local load next answer
    rm -rf stop answers
    mkdir answers
    : > many
    : > rounds
    : > signers
    load &
    load=$!
    for next in seal2 seal3 seal seal2 seal3 seal seal2; do
        next_seal 'the seal was replaced' "$(in_token "$next")"
        # Unchanged: calls in progress may still be signed by the seal before it.
        hang_up 'the seal was replaced'
        until_true has_rounds $(($(wc -l < rounds) + 1))
    done
    kill -0 "$load" || fail "the load ended before the last replacement"
    : > stop
    wait "$load" || fail "the load: $?"
    if grep -vqxF 400 many; then fail "answers while seals change: $(sort many | uniq -c)"; fi
    for answer in answers/*.*1; do
        signed_by_its_certificate "$answer"
    done
    [ "$(sort -u signers | wc -l)" = 3 ] || fail "signed under load by: $(sort signers | uniq -c)"
}

# The token has no key any more: no answer has data. Then it has the keys again, under new handles.
token_is_reset() {
    empty_token
    reads_status 500
    explained
    reads_status 500
    explained
    if grep -i '^signature:' answered; then fail "an answer has a signature of no key"; fi
    transcript=/dev/null fetch "health" "$operators/health"
    [ "$status" = 503 ] && grep -qF '"signs":false' body || fail "health without a key: $(cat body)"
    fill_token
    signed_by seal
    transcript=/dev/null fetch "health" "$operators/health"
    grep -qF '"signs":true' body || fail "health: $(cat body)"
}

# A wrong PIN is tried once, also by many calls: a token locks it. The gateway tries again at SIGHUP.
pin_is_refused() {
    # The process has made no login yet.
    next_seal 'the seal was not replaced' "$(PIN=wrong_pin in_token seal)"
    signed_by seal3
    cp pin present_pin
    next_seal 'the seal was replaced' "$(PIN=present_pin in_token seal)"
    signed_by seal
    # The login is lost with the keys.
    cp wrong_pin present_pin
    empty_token
    reads_status 500
    fill_token
    cp pin present_pin
    reads_status 500
    reads_status 500
    hang_up 'the seal was replaced'
    signed_by seal
}

# seals_are_replaced: by keys of a token and a key in a file, while the gateway runs.
seals_are_replaced() {
    # A payment goes on under another key.
    next_seal 'the seal was replaced' "$(in_token seal2)"
    approve
    until_true has_status ACSC
    signed_by seal2
    # Seals that are refused: the present one stays.
    next_seal 'the seal was not replaced' "$(in_token seal none)"
    next_seal 'the seal was not replaced' "$(in_token seal2 seal)"
    next_seal 'the seal was not replaced' "$(in_file seal3 tpp)"
    next_seal 'the seal was not replaced' '"certificate":1'
    # The extract is read all the same.
    extract "$(institution 123456 '{"NO":["PS_070","PS_080"]}')" "$(institution 654321 '')"
    next_seal 'the register was replaced: institutions=2' "$(in_token seal none)"
    registered
    signed_by seal2
    next_config 'neither seal nor register was replaced' '{'
    next_config 'has none of them' '{"policy":{}}'
    next_seal 'the seal was replaced' "$(in_file seal3)"
    signed_by seal3
    next_seal 'the seal was replaced' "$(in_token seal)"
    signed_by seal
    replaced_under_load
    signed_by seal2
}

# a_sealed_day <language>: answers are signed by a token, and the seal is replaced while the gateway runs.
a_sealed_day() {
    language="$1" database="sqlite://$work/seal.$1.db" name="seal.$1"
    transcript="$work/sealed.$1"
    : > "$transcript"
    : > log
    program=("$work/gateway")
    [ "$language" = c ] || program=(python "$here/python/serve_gateway.py")
    printf '\n== the gateway in %s, with its seal in a token\n' "$1"
    empty_token
    fill_token
    no_seals
    sealed "$(in_token seal)" > config.json
    begin
    pay "$instant" 25.00
    verified seal || fail "openssl does not verify the signature of the token"
    seals_are_replaced
    next_seal 'the seal was replaced' "$(in_token seal)"
    token_is_reset
    stop TERM
    sealed "$(in_file seal3)" > config.json
    begin
    pin_is_refused
    stop TERM
    echo "$(grep -c '^== ' "$transcript") answers; signed by a token, and the seal replaced while it ran"
}
