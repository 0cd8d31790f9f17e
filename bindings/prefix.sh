#!/usr/bin/env bash
# Installs the debug libraries into target/bindings/prefix, for the bindings' tests and for pages that show their use.
set -euo pipefail
cd "$(dirname "$0")/.."
built="$(realpath "${CARGO_TARGET_DIR:-target}")"
mkdir -p "$built/bindings"
# What an earlier run installed, and is not installed any more, is not there.
rm -rf "$built/bindings/prefix"
make --no-print-directory PROFILE=dev PREFIX="$built/bindings/prefix" install \
    > "$built/bindings/log" 2>&1 || { cat "$built/bindings/log" >&2; exit 1; }
echo "$built/bindings/prefix"
