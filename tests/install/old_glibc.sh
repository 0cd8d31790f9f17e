#!/usr/bin/env bash
# Links the shared libraries with zig for an old glibc, proves from their symbol versions that they need no newer one,
# and runs a signed payment with them.
#
#     old_glibc.sh PYTHON    an interpreter that has packaging/requirements.txt
set -euo pipefail
python="$(realpath -s "$1")"
cd "$(dirname "$0")/../.."
glibc=2.28
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LINKER="$python -m ziglang cc -target x86_64-linux-gnu.$glibc" ZIG_GLOBAL_CACHE_DIR="$work/cache"
abi="$(sed -n 's/^#define XS2A_ABI_VERSION //p' include/xs2a.h)"
built="$(realpath "${CARGO_TARGET_DIR:-target}")/debug"

cargo build --quiet -p xs2a-ffi
cargo build --quiet -p xs2a-ffi-sandbox
packaging/link_library.sh "$built/libxs2a.a" ffi/symbols.txt "$abi" "$work"
packaging/link_library.sh "$built/libxs2a_sandbox.a" ffi/symbols.txt ffi/sandbox/symbols.txt "$abi" "$work"
for library in libxs2a libxs2a_sandbox; do
    ln -s "$library.so.$abi" "$work/$library.so"
    newest="$(readelf -WV "$work/$library.so" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)"
    [ "$(printf '%s\n' "$newest" "GLIBC_$glibc" | sort -V | tail -n 1)" = "GLIBC_$glibc" ] ||
        { echo "$library needs $newest"; exit 1; }
    echo "$library needs $newest"
done
tests/install/symbols.sh "$work"
gcc -std=c11 -Iinclude tests/install/payment.c -L"$work" -lxs2a_sandbox -Wl,-rpath,"$work" -o "$work/payment"
[ "$("$work/payment")" = '201 RCVD' ]
