#!/usr/bin/env bash
# Builds the release of what is committed in two folders, and proves that the libraries are the same, byte for byte, and
# name no folder of this machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

for folder in "$work/first" "$work/another place/second"; do
    mkdir -p "$folder"
    git archive HEAD | tar -x -C "$folder"
    (cd "$folder" && env -u CARGO_TARGET_DIR make --silent libraries)
done
first="$work/first/target/release/installed" second="$work/another place/second/target/release/installed"
diff -r "$first" "$second"
home="$(realpath "${CARGO_HOME:-$HOME/.cargo}")"
for file in "$first"/*.so.* "$first"/*.a; do
    for folder in "$work" "$home" "$(rustc --print sysroot)"; do
        ! grep -qaF "$folder" "$file" || { echo "$(basename "$file") names $folder"; exit 1; }
    done
done
(cd "$first" && sha256sum -- *)
