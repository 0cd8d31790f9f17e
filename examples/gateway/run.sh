#!/usr/bin/env bash
# Runs both gateways as a TPP meets them: certificates and signatures by the openssl command, requests by curl. The
# gateway in C, built with the sanitizers of gcc, and the one in Python must answer the same, byte for byte but for ids
# and times. `python` on the PATH must have the package xs2a; the C gateway needs libmicrohttpd (Debian:
# libmicrohttpd-dev). Where it is missing that gateway is left out, unless XS2A_GATEWAY is `required`.
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

# build: the C gateway as $work/gateway; false where libmicrohttpd is not here.
build() {
    echo '#include <microhttpd.h>' | gcc -E -x c - > /dev/null 2>&1 || return 1
    cargo build --quiet -p xs2a-ffi
    local lib
    lib="$(realpath "${CARGO_TARGET_DIR:-target}")/debug"
    gcc -std=c11 -Wall -Wextra -Werror -pedantic -g -D_DEFAULT_SOURCE -fsanitize=address,undefined \
        -fno-sanitize-recover=all -Iinclude examples/gateway/c/*.c "$lib/libxs2a.a" \
        -lmicrohttpd -lpthread -ldl -lm -o "$work/gateway"
}

languages=(python)
if build; then
    languages=(c python)
elif [ "${XS2A_GATEWAY:-}" = required ]; then
    echo "XS2A_GATEWAY=required, and no libmicrohttpd here" >&2
    exit 1
else
    echo "################################################################"
    echo "## SKIPPED: libmicrohttpd is not on this machine."
    echo "## The C gateway is NOT tested (Debian: libmicrohttpd-dev)."
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
for transcript in transcript.*; do
    diff "transcript.python.sqlite" "$transcript"
done
printf '\n%s transcripts of %s answers: the same\n' "$(find . -name 'transcript.*' | wc -l)" \
    "$(grep -c '^== ' transcript.python.sqlite)"
