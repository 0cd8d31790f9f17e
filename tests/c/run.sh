#!/usr/bin/env bash
# Builds both libraries and their consumers, and runs them: tests and stories, static and shared, with the
# sanitizers of gcc and under valgrind. VECTORS: the folder of the shared vectors, if it is another.
set -euo pipefail
cd "$(dirname "$0")/../.."

cargo build --quiet -p xs2a-ffi
lib="$(realpath "${CARGO_TARGET_DIR:-target}")/debug"
out="$lib/c"
mkdir -p "$out"
vectors="${VECTORS:-tests/vectors}"

c_flags=(-std=c11 -Wall -Wextra -Werror -pedantic -g -D_POSIX_C_SOURCE=200809L -Iinclude)
static=("$lib/libxs2a.a" -lpthread -ldl -lm)
shared=("-L$lib" -lxs2a "-Wl,-rpath,$lib" -lpthread)

step() { printf '\n== %s\n' "$*"; }
# build <name> <flag>… -- <source>… : the program $out/<name>, static, and $out/<name>-shared.
build() {
    local name="$1" && shift
    gcc "${c_flags[@]}" "$@" "${static[@]}" -o "$out/$name"
    gcc "${c_flags[@]}" "$@" "${shared[@]}" -o "$out/$name-shared"
}

step "the header and the library have the same functions, and the tests use each"
declared=$(grep -oE '\bxs2a_[a-z0-9_]+\(' include/xs2a.h | grep -v '^xs2a_[a-z0-9_]*()' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$lib/libxs2a.so" | awk '{print $3}' | grep '^xs2a_' | sort -u)
diff <(echo "$declared") <(echo "$exported")
for name in $declared; do
    grep -qw "$name" tests/c/*.c || { echo "no test calls $name"; exit 1; }
done
echo "$(echo "$declared" | wc -l) functions"

step "tests"
build tests tests/c/*.c
"$out/tests" "$vectors"
"$out/tests-shared" "$vectors" > /dev/null

step "tests with the address and undefined-behaviour sanitizers"
gcc "${c_flags[@]}" -fsanitize=address,undefined -fno-sanitize-recover=all tests/c/*.c "${shared[@]}" \
    -o "$out/tests-sanitized"
"$out/tests-sanitized" "$vectors" > /dev/null

step "the shared library is closed before a thread that used it ends"
gcc "${c_flags[@]}" tests/c/unloading/main.c -lpthread -ldl -o "$out/unloading"
"$out/unloading" "$lib/libxs2a.so"

for story in examples/c/*.c; do
    name="$(basename "$story" .c)"
    step "$name"
    build "$name" "$story"
    "$out/$name" | tee "$out/$name.txt"
    "$out/$name-shared" | diff "$out/$name.txt" -
done

if ! command -v valgrind > /dev/null; then
    printf '\n!! valgrind is not here: leaks were looked for by the address sanitizer alone\n' >&2
    exit 0
fi
check=(valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=1)
for story in examples/c/*.c; do
    name="$(basename "$story" .c)"
    step "$name under valgrind"
    "${check[@]}" "$out/$name" | diff "$out/$name.txt" -
done
step "tests under valgrind"
"${check[@]}" "$out/tests" "$vectors"
