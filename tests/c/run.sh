#!/usr/bin/env bash
# Builds libxs2a and libxs2a_sandbox and their consumers, and runs them: tests and stories, static and shared, with the
# sanitizers of gcc, the short ones under valgrind (`make test-valgrind` runs the long one). VECTORS: the folder of the
# shared vectors, if it is another.
set -euo pipefail
cd "$(dirname "$0")/../.."

# One build for each: together they would share a core, and libxs2a would have the sandbox in it.
cargo build --quiet -p xs2a-ffi
cargo build --quiet -p xs2a-ffi-sandbox
lib="$(realpath "${CARGO_TARGET_DIR:-target}")/debug"
out="$lib/c"
mkdir -p "$out"
vectors="${VECTORS:-tests/vectors}"

c_flags=(-std=c11 -Wall -Wextra -Werror -pedantic -g -D_POSIX_C_SOURCE=200809L -Iinclude)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all)

step() { printf '\n== %s\n' "$*"; }
# static <library>, shared <library>: what a program is linked with.
static() { printf '%s\n' "$lib/lib$1.a" -lpthread -ldl -lm; }
shared() { printf '%s\n' "-L$lib" "-l$1" "-Wl,-rpath,$lib" -lpthread; }
# build <library> <name> <source>…: the program $out/<name>, static, and $out/<name>-shared.
build() {
    local library="$1" name="$2" with
    shift 2
    mapfile -t with < <(static "$library")
    gcc "${c_flags[@]}" "$@" "${with[@]}" -o "$out/$name"
    mapfile -t with < <(shared "$library")
    gcc "${c_flags[@]}" "$@" "${with[@]}" -o "$out/$name-shared"
}

step "libxs2a has the functions of its header, and nothing of the sandbox"
tests/c/production/read_library.sh "$lib/libxs2a.so" "$lib/libxs2a_sandbox.so"

step "the tests use each function"
declared=$(grep -hvE '^ *//' include/*.h | grep -oE '\bxs2a_[a-z0-9_]+\(' | tr -d '(' | sort -u)
for name in $declared; do
    grep -qw "$name" tests/c/*.c || { echo "no test calls $name"; exit 1; }
done
echo "$(echo "$declared" | wc -l) functions"

step "tests of libxs2a"
production=(tests/c/production/main.c tests/c/{check,plain_shapes,tools,vectors,explain,trust,toy_bank}.c)
build xs2a production "${production[@]}"
"$out/production" "$vectors"
"$out/production-shared" "$vectors" > /dev/null

step "tests of libxs2a_sandbox"
build xs2a_sandbox tests tests/c/*.c
"$out/tests" "$vectors"
"$out/tests-shared" "$vectors" > /dev/null

step "tests with the address and undefined-behaviour sanitizers"
mapfile -t with < <(shared xs2a_sandbox)
gcc "${c_flags[@]}" "${sanitizers[@]}" tests/c/*.c "${with[@]}" -o "$out/tests-sanitized"
"$out/tests-sanitized" "$vectors" > /dev/null

step "the shared library is closed before a thread that used it ends"
gcc "${c_flags[@]}" tests/c/unloading/main.c -lpthread -ldl -o "$out/unloading"
"$out/unloading" "$lib/libxs2a_sandbox.so"

step "a process that loads both libraries is refused by both"
gcc "${c_flags[@]}" tests/c/both_libraries/main.c -ldl -o "$out/both_libraries"
for visible in global local; do
    "$out/both_libraries" "$visible" "$lib/libxs2a.so" "$lib/libxs2a_sandbox.so"
    "$out/both_libraries" "$visible" "$lib/libxs2a_sandbox.so" "$lib/libxs2a.so"
done

for story in examples/c/*.c; do
    name="$(basename "$story" .c)"
    step "$name"
    build xs2a_sandbox "$name" "$story"
    "$out/$name" | tee "$out/$name.txt"
    "$out/$name-shared" | diff "$out/$name.txt" -
done

if ! command -v valgrind > /dev/null; then
    printf '\n!! valgrind is not here: leaks were looked for by the address sanitizer alone\n' >&2
    exit 0
fi
for story in examples/c/*.c; do
    name="$(basename "$story" .c)"
    step "$name under valgrind"
    tests/c/valgrind.sh "$out/$name" | diff "$out/$name.txt" -
done
step "tests of libxs2a under valgrind"
tests/c/valgrind.sh "$out/production" "$vectors"
