# The register of institutions: an extract in the form of the European Banking Authority's. Read by run.sh, in its
# folder of work.

# institution <number> <services>: an entry that is authorised.
institution() {
    printf '%s' '{"CA_OwnerID":"NO_FSA","EntityType":"PSD_PI","Properties":[{"ENT_NAT_REF_COD":"'"$1"'"},' \
        '{"ENT_NAM":"Demo TPP AS"},{"ENT_AUT":["2019-04-12"]}],"Services":['"$2"']}'
}
# extract <entry>…: the file of the register, in place of the one before.
extract() {
    local IFS=,
    printf '[[{"disclaimer":"as published"}],[%s]]' "$*" > register.new
    mv register.new register.json
}
# The TPP of these tests, with both services in the bank's country.
registered() {
    extract "$(institution 123456 '{"NO":["PS_070","PS_080"]}')"
}

# hang_up <text>: SIGHUP, and the log says that.
hang_up() {
    local before
    before="$(says "$1")"
    kill -HUP "$pid"
    until_true says_again "$1" "$before"
}
says() {
    grep -cF -e "$1" log || true
}
says_again() {
    [ "$(says "$1")" -gt "$2" ]
}

# pays <status>: the TPP creates a payment, which no customer approves.
pays() {
    order 1.00
    call "$1" POST "$instant?allowLogicalDuplicate=true" payment.json "${paying[@]}"
}

# An institution that is absent, one that lacks a service here, and extracts that cannot be used.
registers() {
    extract "$(institution 654321 '{"NO":["PS_070","PS_080"]}')"
    reads 200
    hang_up 'the register was replaced: institutions=1'
    reads 403
    explained
    pays 403
    explained
    # Payment initiation is for Sweden alone: it was not passported.
    extract "$(institution 123456 '{"SE":["PS_070","PS_080"]},{"NO":"PS_080"}')" "$(institution 654321 '')"
    hang_up 'the register was replaced: institutions=2'
    reads 200
    pays 403
    explained
    echo '[[],[{}]]' > register.json
    hang_up 'the register was not replaced'
    rm register.json
    hang_up 'the register was not replaced'
    reads 200
    pays 403
    registered
    hang_up 'the register was replaced: institutions=1'
    pays 201
    reads 200
}
