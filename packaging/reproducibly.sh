#!/usr/bin/env bash
# Runs a command of Cargo such that what it builds names no folder of this machine and is the same, byte for byte,
# wherever the sources, Cargo's home and its target folder are.
#
#     reproducibly.sh COMMAND…
set -euo pipefail
sources="$(cd "$(dirname "$0")/.." && pwd -P)"
cargo_home="$(realpath "${CARGO_HOME:-$HOME/.cargo}")"
toolchains="$(rustc --print sysroot)"
built="$(realpath -m "${CARGO_TARGET_DIR:-$sources/target}")"

# The last one that fits counts, both for rustc and for gcc: a target folder may be in the sources.
shown_as=("$toolchains=/rust" "$cargo_home=/cargo" "$sources=/xs2a" "$built=/target")
# Separated by the character that Cargo reads, because a path may have a space.
flags="${CARGO_ENCODED_RUSTFLAGS:-$(tr ' ' '\037' <<< "${RUSTFLAGS:-}" | tr -d '\n')}"
for pair in "${shown_as[@]}"; do
    flags="$flags${flags:+$'\037'}--remap-path-prefix=$pair"
    # The crates that build C quote nothing, so a path with a space stays as it is in their debug symbols.
    case "$pair" in *' '*) ;; *) c_flags="${c_flags:+$c_flags }-ffile-prefix-map=$pair" ;; esac
done
CARGO_ENCODED_RUSTFLAGS="$flags" CFLAGS="${CFLAGS:+$CFLAGS }$c_flags" CARGO_INCREMENTAL=0 exec "$@"
