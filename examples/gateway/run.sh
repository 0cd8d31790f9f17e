#!/usr/bin/env bash
# Runs both gateways as a TPP meets them: certificates and signatures by the openssl command, requests by curl. The
# gateway in C, built with the sanitizers of gcc, and the one in Python must answer the same, byte for byte but for ids
# and times. `python` on the PATH must have the package xs2a; the C gateway needs libmicrohttpd and the header of
# PKCS#11 (Debian: libmicrohttpd-dev, libp11-kit-dev). Where one is missing that gateway is left out, and without
# SoftHSM (softhsm2) the seal in a token, unless XS2A_GATEWAY is `required`.
#
# With XS2A_TEST_POSTGRES, the folder of a server's socket (core/tests/postgres_server/server.sh), also on PostgreSQL.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
if ! command -v curl > /dev/null; then
    echo "################################################################"
    echo "## SKIPPED: curl is not on this machine."
    echo "## The gateways are NOT tested."
    echo "################################################################"
    [ "${XS2A_GATEWAY:-}" != required ] || exit 1
    exit 0
fi
cd "$here/../.."
root="$PWD"
export LC_ALL=C

work="$(mktemp -d)"
pid=""
# shellcheck disable=SC2329 # the trap calls it
clean_up() {
    [ -z "$pid" ] || kill -9 "$pid" 2> /dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
. "$here/tpp.sh"
. "$here/day.sh"
. "$here/operators.sh"
. "$here/register.sh"
. "$here/seal.sh"

p11_kit=/usr/include/p11-kit-1

has_headers() {
    printf '#include <%s>\n' microhttpd.h p11-kit/pkcs11.h | gcc "-I$p11_kit" -E -x c - > /dev/null 2>&1
}
# build: the C gateway as $work/gateway. Not within a condition, where a command that fails does not end the script.
build() {
    cargo build --quiet -p xs2a-ffi
    local lib
    lib="$(realpath "${CARGO_TARGET_DIR:-target}")/debug"
    gcc -std=c11 -Wall -Wextra -Werror -pedantic -g -D_DEFAULT_SOURCE -fsanitize=address,undefined \
        -fno-sanitize-recover=all -Iinclude "-I$p11_kit" examples/gateway/c/*.c "$lib/libxs2a.a" \
        -lmicrohttpd -lpthread -ldl -lm -o "$work/gateway"
}

languages=(python)
if has_headers; then
    build
    languages=(c python)
elif [ "${XS2A_GATEWAY:-}" = required ]; then
    echo "XS2A_GATEWAY=required, and no libmicrohttpd or no p11-kit here" >&2
    exit 1
else
    echo "################################################################"
    echo "## SKIPPED: libmicrohttpd or p11-kit is not on this machine."
    echo "## The C gateway is NOT tested (Debian: libmicrohttpd-dev, libp11-kit-dev)."
    echo "################################################################"
fi

cd "$work"
make_certificates
for language in "${languages[@]}"; do
    a_day "$language" sqlite "sqlite://$work/$language.db"
done
if [ -n "${XS2A_TEST_POSTGRES:-}" ]; then
    psql=$(compgen -G '/usr/lib/postgresql/*/bin/psql' | tail -n 1 || command -v psql)
    name="gateway_$$"
    "$psql" -q -h "$XS2A_TEST_POSTGRES" -U xs2a -d postgres -c "CREATE DATABASE $name"
    a_day "${languages[0]}" postgresql "postgresql:///$name?host=$XS2A_TEST_POSTGRES&user=xs2a"
fi
! has_softhsm || make_seals
for language in "${languages[@]}"; do
    if has_softhsm && has_pkcs11 "$language"; then
        a_sealed_day "$language"
    elif [ "${XS2A_GATEWAY:-}" = required ]; then
        echo "XS2A_GATEWAY=required, and no SoftHSM or no python-pkcs11 here" >&2
        exit 1
    else
        echo "################################################################"
        echo "## SKIPPED: SoftHSM or python-pkcs11 is not on this machine."
        echo "## The seal in hardware is NOT tested in $language (Debian: softhsm2)."
        echo "################################################################"
    fi
done
# same <transcript>…: each is the same as the first.
same() {
    local transcript
    for transcript in "$@"; do
        diff "$1" "$transcript"
    done
}
same transcript.*
[ ! -e sealed.c ] || [ ! -e sealed.python ] || same sealed.*
printf '\n%s transcripts of %s answers: the same\n' "$(find . -name 'transcript.*' | wc -l)" \
    "$(grep -c '^== ' transcript.python.sqlite)"
