#!/usr/bin/env bash
# Compares the C interface with the recorded one, ffi/interface.abi: types, layouts and functions, as a C compiler reads
# them in the headers, by libabigail (Debian: abigail-tools). symbols.sh compares the headers with the libraries.
#
#     UPDATE=1 abi.sh    records the present interface, unless it breaks programs and XS2A_ABI_VERSION is the same
set -euo pipefail
cd "$(dirname "$0")/../.."
recorded=ffi/interface.abi
if ! command -v abidiff > /dev/null; then
    echo "################################################################"
    echo "## SKIPPED: abidiff is not on this machine (Debian: abigail-tools)."
    echo "## The C interface is NOT compared with the recorded one."
    echo "################################################################"
    [ "${XS2A_INSTALL:-}" != required ] || exit 1
    exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# with_bodies <header>…: the declared functions as definitions, which a compiler describes in its debug information.
with_bodies() {
    sed -E '/^ *\/\//d' "$@" | awk '
        /^[a-z].*xs2a_[a-z0-9_]+\(/ {is_open = 1}
        is_open {
            text = text " " $0
            if (/\);$/) {sub(/;$/, " { __builtin_trap(); }", text); print text; text = ""; is_open = 0}
        }'
}
# The soname has the version of the interface: libabigail reports another one as incompatible.
abi="$(sed -n 's/^#define XS2A_ABI_VERSION //p' include/xs2a.h)"
{ echo '#include "xs2a_sandbox.h"'; with_bodies include/xs2a.h include/xs2a_sandbox.h; } > "$work/interface.c"
declared="$(cat ffi/symbols.txt ffi/sandbox/symbols.txt | grep -vc '^#')"
found="$(grep -c __builtin_trap "$work/interface.c")"
[ "$declared" = "$found" ] || { echo "$found functions of $declared are read in the headers"; exit 1; }
gcc -std=c11 -g -shared -fPIC -Iinclude "$work/interface.c" -Wl,-soname,"libxs2a_sandbox.so.$abi" \
    -o "$work/interface.so"
abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$work/interface.so" > "$work/interface.abi"

# abidiff ends with a sum: 4 for a change, 8 for one that breaks programs.
differs=0
[ ! -e "$recorded" ] || abidiff "$recorded" "$work/interface.abi" > "$work/report" || differs=$?
[ "$differs" = 0 ] || cat "$work/report"
if [ -n "${UPDATE:-}" ]; then
    if [ $((differs & 8)) != 0 ] && grep -q "soname='libxs2a_sandbox.so.$abi'" "$recorded"; then
        echo "This breaks existing programs: change XS2A_ABI_VERSION, and libxs2a.so.$abi in ffi with it." >&2
        exit 1
    fi
    cp "$work/interface.abi" "$recorded"
    exit 0
fi
[ -e "$recorded" ] && [ "$differs" = 0 ] ||
    { echo "the interface is not the recorded one: UPDATE=1 tests/install/abi.sh, and review $recorded" >&2; exit 1; }
echo "$found functions, as recorded"
