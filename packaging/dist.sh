#!/usr/bin/env bash
# Builds the Python package as it is published: a wheel for every Linux with the glibc of manylinux_2_28 or a newer one,
# and the sources. `make dist` runs it.
#
#     dist.sh TOOLS FOLDER    TOOLS: the programs of packaging/requirements.txt. FOLDER: is emptied, gets both
set -euo pipefail
tools="$(realpath -s "$1")"
mkdir -p "$2"
folder="$(realpath "$2")"
cd "$(dirname "$0")/.."
rm -f "$folder"/*

# maturin finds the linker of zig by the interpreter that it was installed with.
PATH="$tools:$PATH" packaging/reproducibly.sh "$tools/maturin" build --quiet --release --zig \
    --compatibility manylinux_2_28 --interpreter "$tools/python" --out "$folder"
"$tools/maturin" sdist --out "$folder"
ls -l "$folder"
