#!/usr/bin/env bash
# Links the installed archive into a program with libraries that have the same symbols, position-independent and not.
#
#     run.sh PREFIX FOLDER
set -euo pipefail
prefix="$1" work="$2"
cd "$(dirname "$0")/../../.."
here=tests/install/neighbours
target="${CARGO_TARGET_DIR:-target}"
mkdir -p "$work"

skip() {
    echo "################################################################"
    echo "## SKIPPED: $1 is not here; the archive is NOT linked beside it."
    echo "################################################################"
    [ "${XS2A_INSTALL:-}" != required ] || exit 1
}
for header in openssl/sha.h sqlite3.h; do
    if ! echo "#include <$header>" | gcc -E -x c - > /dev/null 2>&1; then
        skip "$header"
        exit 0
    fi
done

# The AWS-LC that the library itself was built with: every name is the same.
aws_lc="$(find "$target/debug/build" -name 'libaws_lc_*_crypto.a' -print -quit)"
[ -n "$aws_lc" ] || { echo "no archive of AWS-LC in $target/debug/build"; exit 1; }
sha256="$(basename "$aws_lc" _crypto.a | sed 's/^lib//')_SHA256"

toolchains=(default)
if rustc +nightly --version > /dev/null 2>&1; then toolchains+=(nightly); fi
[ "${#toolchains[@]}" = 2 ] || echo "## SKIPPED: there is no nightly toolchain of Rust; only the default one is tested."
for toolchain in "${toolchains[@]}"; do
    choice=()
    [ "$toolchain" = default ] || choice=("+$toolchain")
    rustc "${choice[@]}" --edition 2021 --crate-type staticlib "$here/rust.rs" -o "$work/$toolchain.a"
    for position in -no-pie -pie; do
        program="$work/$toolchain$position"
        compile=(gcc -std=c11 -Wall -Wextra -Werror -I"$prefix/include" -DXS2A_NEIGHBOURS -DAWS_LC_SHA256="$sha256")
        [ "$position" = -pie ] && compile+=(-fPIE) || compile+=(-fno-PIE)
        "${compile[@]}" "$position" tests/install/payment.c "$here/neighbours.c" "$work/$toolchain.a" \
            "$prefix/lib/libxs2a_sandbox.a" "$aws_lc" -lsqlite3 -lcrypto -lpthread -ldl -lm -o "$program"
        [ "$("$program")" = '201 RCVD' ] || { echo "$program fails"; exit 1; }
        # In the other order too: which copy a linker finds first decides.
        "${compile[@]}" "$position" tests/install/payment.c "$here/neighbours.c" "$prefix/lib/libxs2a_sandbox.a" \
            -lcrypto -lsqlite3 "$aws_lc" "$work/$toolchain.a" -lpthread -ldl -lm -o "$program"
        [ "$("$program")" = '201 RCVD' ] || { echo "$program fails"; exit 1; }
        echo "Rust $("rustc" "${choice[@]}" --version | cut -d ' ' -f 2), $position"
    done
done

# A library that was made visible only by its functions catches its own panics too, and has the versions of its list.
sed 's/neighbour_catches/localised_catches/' "$here/rust.rs" > "$work/localised.rs"
printf '%s\n' '#[no_mangle]' 'pub extern "C" fn localised_later() -> u32 { 2 }' >> "$work/localised.rs"
printf '%s\n' 'localised_catches_a_panic 0.9' 'localised_later 0.10' > "$work/symbols"
rustc --edition 2021 --crate-type staticlib "$work/localised.rs" -o "$work/liblocalised.a"
packaging/link_library.sh "$work/liblocalised.a" "$work/symbols" 7 "$work/linked"
cat > "$work/localised.c" <<'EOF'
unsigned neighbour_catches_a_panic(unsigned number), localised_catches_a_panic(unsigned number), localised_later(void);
int main(void) {
    for (unsigned i = 0; i < 3; i++)
        if (neighbour_catches_a_panic(i) + localised_catches_a_panic(i) + localised_later() != 4) return 1;
    return 0;
}
EOF
gcc "$work/localised.c" "$work/default.a" "$work/linked/liblocalised.a" -lpthread -ldl -lm -o "$work/localised"
"$work/localised"
gcc "$work/localised.c" "$work/linked/liblocalised.a" "$work/default.a" -lpthread -ldl -lm -o "$work/localised"
"$work/localised"
gcc "$work/localised.c" "$work/default.a" "$work/linked/liblocalised.so.7" -Wl,-rpath,"$work/linked" \
    -lpthread -ldl -lm -o "$work/localised"
"$work/localised"
readelf -W --dyn-syms "$work/linked/liblocalised.so.7" | grep -q ' localised_catches_a_panic@@XS2A_0.9$'
readelf -W --dyn-syms "$work/linked/liblocalised.so.7" | grep -q ' localised_later@@XS2A_0.10$'
readelf -WV "$work/linked/liblocalised.so.7" | grep -A 1 'Name: XS2A_0.10' | grep -q 'Parent 1: XS2A_0.9'
printf 'localised_missing 0.1\n' > "$work/symbols"
if packaging/link_library.sh "$work/liblocalised.a" "$work/symbols" 7 "$work/linked" 2> "$work/log"; then
    echo "a function that the archive does not have is not missed"
    exit 1
fi
grep -q localised_missing "$work/log"
