#!/usr/bin/env bash
# Compares the public interface of the crate with core/public-api.txt; with UPDATE=1, writes that file.
#
#     core/tests/public_api.sh CARGO_PUBLIC_API
#
# The interface is read from rustdoc's JSON, which only a nightly toolchain writes. Without one the comparison is
# skipped, and the report says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

tool=$1
listed=core/public-api.txt

if ! rustup run nightly rustdoc --version >/dev/null 2>&1; then
    echo "################################################################"
    echo "## SKIPPED: there is no nightly toolchain (rustup toolchain install nightly)."
    echo "## The public interface was NOT compared with $listed."
    echo "################################################################"
    exit 0
fi

found=$(mktemp)
trap 'rm -f "$found"' EXIT
# Without what the compiler derives for every type: blanket, auto and derived implementations. The interface is the same
# with both backends of cryptography; this one needs no C compiler.
"$tool" public-api -p xs2a --no-default-features --features pure-rust,sandbox,postgres,conformance \
    -sss --color never >"$found"

if [[ ${UPDATE:-} == 1 ]]; then
    cp "$found" "$listed"
elif ! diff -u "$listed" "$found"; then
    echo "The public interface changed. If that is intended: UPDATE=1 make lint-api, and name it in CHANGELOG.md." >&2
    exit 1
fi
echo "$(wc -l <"$found") public items, as $listed has them"
