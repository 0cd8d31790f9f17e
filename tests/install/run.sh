#!/usr/bin/env bash
# Installs both C libraries into an empty prefix and uses them as others do: by CMake, make with pkg-config and Meson,
# static and shared, beside libraries that have the same symbols. The libraries are those of the debug profile.
#
# CMake, Meson, libabigail, OpenSSL and SQLite (Debian: cmake meson ninja-build abigail-tools libssl-dev libsqlite3-dev)
# are left out where they are missing, unless XS2A_INSTALL is `required`.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix"
export LC_ALL=C

step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
# is_here <name> <command>…: whether the command succeeds; if not, says that <name> is left out.
is_here() {
    local name="$1"
    shift
    if "$@" > /dev/null 2>&1; then return; fi
    echo "################################################################"
    echo "## SKIPPED: $name is not on this machine and is NOT tested."
    echo "################################################################"
    [ "${XS2A_INSTALL:-}" != required ] || exit 1
    return 1
}
# installs <target> <variable=value>…: the Makefile's target, with the debug libraries that are built. There is no
# Cargo, as with sudo.
installs() { make --no-print-directory PROFILE=dev CARGO=no-cargo-here "$@"; }
# prints <expected> <command>…
prints() {
    local expected="$1" printed
    shift
    printed="$("$@")" || fail "$* fails: $printed"
    [ "$printed" = "$expected" ] || fail "$* prints \`$printed\`, not \`$expected\`"
}
# fails_with <text> <command>…: the command fails, and its output has the text.
fails_with() {
    local text="$1" printed
    shift
    if printed="$("$@" 2>&1)"; then fail "$* succeeds"; fi
    grep -qF -- "$text" <<< "$printed" || fail "$* prints \`$printed\`, without \`$text\`"
}
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
abi="$(sed -n 's/^#define XS2A_ABI_VERSION //p' include/xs2a.h)"
# work_in <folder>: the two programs there, each static and shared.
work_in() {
    for kind in '' _static; do
        LD_LIBRARY_PATH="$prefix/lib" prints '201 RCVD' "$1/payment$kind"
        LD_LIBRARY_PATH="$prefix/lib" prints "$version" "$1/version$kind"
        local needed
        needed="$(readelf -d "$1/payment$kind" | grep -c "libxs2a_sandbox.so.$abi\]" || true)"
        [ "$needed" = "$([ -n "$kind" ] && echo 0 || echo 1)" ] || fail "$1/payment$kind is not linked as it says"
    done
}

step "make install"
make --no-print-directory PROFILE=dev libraries
installs install PREFIX="$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
(cd "$prefix" && find . ! -type d | sort)

step "symbols"
tests/install/symbols.sh "$prefix/lib"

step "the recorded interface"
tests/install/abi.sh

step "manual pages and notices"
for page in xs2a xs2a_sandbox; do
    warnings="$(groff -man -ww -z "$prefix/share/man/man3/$page.3" 2>&1)" || fail "groff: $warnings"
    [ -z "$warnings" ] || fail "$page.3: $warnings"
done
for function in $(awk '!/^#/ {print $1}' ffi/symbols.txt); do
    grep -q "$function(" "$prefix/share/man/man3/xs2a.3" || fail "xs2a.3 has no $function"
done
grep -q '^  AWS-LC [0-9]' "$prefix/share/doc/xs2a/THIRD-PARTY-NOTICES"
grep -q '^  SQLite 3\.' "$prefix/share/doc/xs2a/THIRD-PARTY-NOTICES"
for library in libxs2a libxs2a_sandbox; do
    sqlite="$(sed -n 's|.*"pkg:generic/sqlite@\(.*\)",|\1|p' "$prefix/share/doc/xs2a/$library.cdx.json" | tail -n 1)"
    grep -qaF "$sqlite" "$prefix/lib/$library.so" || fail "$library.so has no SQLite $sqlite"
done

step "plain make, with pkg-config"
prints "$version" pkg-config --modversion xs2a
cp -r tests/install "$work/projects"
make --no-print-directory -C "$work/projects/make" payment version payment_static version_static
work_in "$work/projects/make"

if is_here CMake cmake --version; then
    step "CMake, as C++17"
    configure=(cmake -S "$work/projects/cmake" -DCMAKE_PREFIX_PATH="$prefix")
    "${configure[@]}" -B "$work/by cmake" -DWANTED_VERSION="${version%.*}" > "$work/log" || fail "$(< "$work/log")"
    cmake --build "$work/by cmake" > "$work/log" 2>&1 || fail "$(< "$work/log")"
    work_in "$work/by cmake"
    fails_with XS2A_LIBRARY "${configure[@]}" -B "$work/both" -DLINK_BOTH=ON
    fails_with "version: $version" "${configure[@]}" -B "$work/newer" -DWANTED_VERSION=99.0
fi

if is_here Meson meson --version; then
    step "Meson"
    cp tests/install/*.c "$work/projects/meson"
    meson setup "$work/by meson" "$work/projects/meson" > "$work/log" || fail "$(< "$work/log")"
    ninja -C "$work/by meson" > "$work/log" || fail "$(< "$work/log")"
    work_in "$work/by meson"
fi

step "beside another Rust library, SQLite, OpenSSL and AWS-LC"
tests/install/neighbours/run.sh "$prefix" "$work/neighbours"

step "a library without a version that the program needs"
printf 'int main(void) { return 0; }\n' | gcc -shared -fPIC -x c - -Wl,-soname,"libxs2a.so.$abi" \
    -o "$work/libxs2a.so.$abi"
LD_LIBRARY_PATH="$work" fails_with "libxs2a.so.$abi" "$work/projects/make/version"

step "a process that loads both installed libraries is refused by both"
gcc -std=c11 -D_POSIX_C_SOURCE=200809L -I"$prefix/include" tests/c/both_libraries/main.c -ldl -o "$work/both_libraries"
for visible in global local; do
    "$work/both_libraries" "$visible" "$prefix/lib/libxs2a.so.$abi" "$prefix/lib/libxs2a_sandbox.so.$abi"
    "$work/both_libraries" "$visible" "$prefix/lib/libxs2a_sandbox.so.$abi" "$prefix/lib/libxs2a.so.$abi"
done

step "DESTDIR, and another LIBDIR"
installs install PREFIX=/opt/xs2a LIBDIR=/opt/xs2a/lib/of-a-machine DESTDIR="$work/stage"
grep -qx 'libdir=/opt/xs2a/lib/of-a-machine' "$work/stage/opt/xs2a/lib/of-a-machine/pkgconfig/xs2a.pc"
if grep -rIl "$work" "$work/stage"; then fail "these files name the stage"; fi
if is_here CMake cmake --version; then
    cmake -S "$work/projects/cmake" -B "$work/staged" -DCMAKE_PREFIX_PATH="$work/stage/opt/xs2a" \
        -Dxs2a_DIR="$work/stage/opt/xs2a/lib/of-a-machine/cmake/xs2a" > "$work/log" || fail "$(< "$work/log")"
    cmake --build "$work/staged" --target version > "$work/log" 2>&1 || fail "$(< "$work/log")"
    prints "$version" "$work/staged/version"
fi

step "make uninstall"
installs uninstall PREFIX=/opt/xs2a LIBDIR=/opt/xs2a/lib/of-a-machine DESTDIR="$work/stage"
installs uninstall PREFIX="$prefix"
[ -z "$(find "$prefix" "$work/stage" ! -type d)" ] || fail "left: $(find "$prefix" "$work/stage" ! -type d)"
[ ! -e "$prefix/lib/cmake/xs2a" ] || fail "the folder of CMake is left"

step "prefixes that cannot be"
fails_with 'give an absolute path' installs install PREFIX=relative
fails_with 'pkg-config cannot express' installs install PREFIX='/opt/a"quote'
mkdir "$work/read-only"
chmod 555 "$work/read-only"
# Root may write everywhere but in /proc.
[ -w "$work/read-only" ] && refused=/proc/xs2a || refused="$work/read-only/xs2a"
fails_with "$refused" installs install PREFIX="$refused"
cd "$root"
printf '\ninstalled, used and removed\n'
