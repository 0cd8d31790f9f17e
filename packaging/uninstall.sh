#!/usr/bin/env bash
# Removes what install.sh installed with the same PREFIX, LIBDIR and DESTDIR.
#
#     PREFIX=/usr/local LIBDIR=/usr/local/lib DESTDIR= uninstall.sh ABI_VERSION
set -euo pipefail
. "$(dirname "$0")/destination.sh"
abi="$1"

rm -f "$include/xs2a.h" "$include/xs2a_sandbox.h"
for library in libxs2a libxs2a_sandbox; do
    rm -f "$libraries/$library.a" "$libraries/$library.so.$abi" "$libraries/$library.so"
done
rm -f "$libraries/pkgconfig/xs2a.pc" "$libraries/pkgconfig/xs2a-sandbox.pc"
rm -f "$libraries/cmake/xs2a/xs2a-config.cmake" "$libraries/cmake/xs2a/xs2a-config-version.cmake"
rm -f "$manual/xs2a.3" "$manual/xs2a_sandbox.3"
rm -f "$documents/LICENSE-APACHE" "$documents/LICENSE-MIT" "$documents/CHANGELOG.md" "$documents/THIRD-PARTY-NOTICES"
rm -f "$documents/bank.schema.json" "$documents/bank_exchanges.json"
rm -f "$documents/libxs2a.cdx.json" "$documents/libxs2a_sandbox.cdx.json"
# Folders of its own; what others put there stays.
for folder in "$libraries/cmake/xs2a" "$documents"; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
done
