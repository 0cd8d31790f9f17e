#!/usr/bin/env bash
# Installs both C libraries, as `make install` does: headers, libraries, files for pkg-config and CMake, manual pages,
# licences, bills of materials, the schema of the questions to a bank.
#
#     PREFIX=/usr/local LIBDIR=/usr/local/lib DESTDIR= install.sh BUILT ABI_VERSION VERSION
#
# BUILT: the folder with the libraries that link_library.sh made, the manual pages and the notices.
set -euo pipefail
here="$(dirname "$0")"
. "$here/destination.sh"
built="$1" abi="$2" version="$3"

# fill <template> <file>: writes the template with its values.
fill() {
    local text
    text="$(< "$1")"
    text="${text//@PREFIX@/"$PREFIX"}"
    text="${text//@LIBDIR@/"$LIBDIR"}"
    text="${text//@VERSION@/"$version"}"
    text="${text//@ABI@/"$abi"}"
    text="${text//@POINTER_BYTES@/$(($(getconf LONG_BIT) / 8))}"
    text="${text//@LIBDIR_FROM_CMAKE@/../..}"
    text="${text//@INCLUDE_FROM_CMAKE@/"$(realpath -ms --relative-to="$LIBDIR/cmake/xs2a" "$PREFIX/include")"}"
    printf '%s\n' "$text" > "$2"
    chmod 644 "$2"
}

install -d "$include" "$libraries/pkgconfig" "$libraries/cmake/xs2a" "$documents" "$manual"
install -m 644 include/xs2a.h include/xs2a_sandbox.h "$include"
for library in libxs2a libxs2a_sandbox; do
    install -m 644 "$built/$library.a" "$libraries"
    install -m 755 "$built/$library.so.$abi" "$libraries"
    ln -sf "$library.so.$abi" "$libraries/$library.so"
done
fill "$here/xs2a.pc.in" "$libraries/pkgconfig/xs2a.pc"
fill "$here/xs2a-sandbox.pc.in" "$libraries/pkgconfig/xs2a-sandbox.pc"
fill "$here/xs2a-config.cmake.in" "$libraries/cmake/xs2a/xs2a-config.cmake"
fill "$here/xs2a-config-version.cmake.in" "$libraries/cmake/xs2a/xs2a-config-version.cmake"
install -m 644 "$built/xs2a.3" "$built/xs2a_sandbox.3" "$manual"
install -m 644 LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$built/THIRD-PARTY-NOTICES" "$documents"
install -m 644 docs/bank.schema.json docs/bank_exchanges.json "$documents"
install -m 644 "$built/libxs2a.cdx.json" "$built/libxs2a_sandbox.cdx.json" "$documents"
