#!/usr/bin/env bash
# Runs the numbered stories in Rust, C and Python, and compares what they print: one engine, three interfaces, the same
# bytes. `python` on the PATH must have the package xs2a.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --quiet -p xs2a-ffi-sandbox
target="$(realpath "${CARGO_TARGET_DIR:-target}")"
outputs="$target/stories"
mkdir -p "$outputs"

run_rust() { cargo run --quiet -p xs2a-examples --bin "$1"; }
run_python() { python "examples/python/$1.py"; }
run_c() {
    gcc -std=c11 -Wall -Wextra -Werror -Iinclude "examples/c/$1.c" "$target/debug/libxs2a_sandbox.a" \
        -lpthread -ldl -lm -o "$outputs/$1"
    "$outputs/$1"
}

# The Rust story leads: it exists for every number.
for path in examples/rust/[0-9][0-9]_*.rs; do
    story="$(basename "$path" .rs)"
    for language in rust c python; do
        printf '\n== %s, in %s\n' "$story" "$language"
        "run_$language" "$story" | tee "$outputs/$story.$language"
    done
    diff "$outputs/$story.rust" "$outputs/$story.c"
    diff "$outputs/$story.rust" "$outputs/$story.python"
done
printf '\nthe three languages printed the same\n'
