#!/usr/bin/env bash
# The fuzz targets, guided by coverage: fuzz.sh [record] [TARGET…] runs each, or those, for XS2A_FUZZ_SECONDS (4 by
# default). With `record` a line for each is added to tests/results/fuzz.csv. With `proof` the patches of `faults` are
# applied to a copy of the tree, and each target must fail there by an assertion of its own; what
# tests/results/fuzz_faults.csv holds for the present targets and faults is not done again. CARGO_FUZZ: the program.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${XS2A_FUZZ_SECONDS:-4}
fuzz=${CARGO_FUZZ:-cargo-fuzz}
record=
built=$PWD/fuzz/libfuzzer/target
results=tests/results/fuzz.csv
faults=tests/results/fuzz_faults.csv

missing=
cargo +nightly --version >/dev/null 2>&1 || missing="nightly toolchain"
command -v "$fuzz" >/dev/null || missing=${missing:+$missing and no }cargo-fuzz
if [ -n "$missing" ]; then
    echo "## SKIPPED: there is no $missing here; the fuzz targets are NOT run."
    [ "${XS2A_FUZZ:-}" != required ]
    exit
fi
fuzz=$(realpath "$(command -v "$fuzz")")

# Arguments: the tree, and the folder that gets its program and its first inputs. The crates of others are built once,
# for every tree.
build() {
    (cd "$1" && RUSTUP_TOOLCHAIN=nightly "$fuzz" build --fuzz-dir fuzz/libfuzzer --target-dir "$built")
    mkdir -p "$2"
    mv "$built/x86_64-unknown-linux-gnu/release/fuzz_target" "$2/program"
    "$1/fuzz/seeds.py" "$2/corpus"
}

# Arguments: the folder of the program, a target, seconds.
run() {
    local corpus=$1/corpus/$2 artifacts=$1/artifacts/$2
    mkdir -p "$corpus" "$artifacts"
    # SQLite has constants of one name in several parts.
    XS2A_FUZZ_TARGET=$2 ASAN_OPTIONS=detect_odr_violation=0 "$1/program" "$corpus" -artifact_prefix="$artifacts/" \
        -max_total_time="$3" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 > "$artifacts.log" 2>&1
}

run_and_report() {
    local target=$1 start=$SECONDS artifacts=$folder/artifacts/$1
    if ! run "$folder" "$target" "$seconds"; then
        grep -v '^#' "$artifacts.log" | head -n 60
        echo "FAILED: $target; its input is in $artifacts"
        return 1
    fi
    local executions edges corpus
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$artifacts.log")
    edges=$(grep -oE 'cov: [0-9]+' "$artifacts.log" | tail -n 1 | cut -d ' ' -f 2)
    corpus=$(grep -oE 'corp: [0-9]+' "$artifacts.log" | tail -n 1 | cut -d ' ' -f 2)
    echo "$target: $executions executions, $edges edges, $corpus inputs"
    if [ -n "$record" ]; then
        echo "$(date -u +%F),$target,$((SECONDS - start)),$executions,$edges,$corpus" >> "$results"
    fi
}

# A copy of the tree with every fault, built once.
build_faults() {
    rm -rf "$copy"
    mkdir -p "$copy/tree"
    git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create |
        tar --extract --touch --directory="$copy/tree"
    for patch in fuzz/faults/*.patch; do
        patch --directory="$copy/tree" --strip=1 --batch --forward --silent < "$patch"
    done
    build "$copy/tree" "$copy" > "$copy.log" 2>&1 || { tail -n 40 "$copy.log" >&2; return 1; }
}

# Argument: a target. Prints the assertion of the target that failed. A failure elsewhere is not what it looks for.
find_fault() {
    local target=$1
    if run "$copy" "$target" 900; then
        echo "NOT FOUND by $target" >&2
        return 1
    fi
    # The message of a panic is on the line after its place.
    grep -A 1 -m 1 -E "panicked at .*fuzz/src/(targets/$target|walk|trust)" "$copy/artifacts/$target.log" |
        tr '\n,' '  ' | sed -E 's|^.* panicked at .*fuzz/src/||' | cut -c 1-120 |
        sed 's/ *$//'
}

# Argument: a target. What its proof consists of: the results of another target or fault do not count.
proof_key() {
    git ls-files fuzz | grep -vE "^fuzz/(tests|found)/|^fuzz/(src/targets|faults)/" |
        grep -E '\.(rs|toml)$' | cat - <(printf 'fuzz/%s\n' "src/targets/$1.rs" "faults/$1.patch") |
        sort | xargs cat | sha256sum | cut -c1-12
}

prove() {
    local key target found start is_built=
    for patch in fuzz/faults/*.patch; do
        target=$(basename "$patch" .patch)
        key=$(proof_key "$target")
        if grep -q ",$key,$target," "$faults"; then
            echo "$target: found before"
            continue
        fi
        [ -n "$is_built" ] || build_faults
        is_built=yes
        start=$SECONDS
        found=$(find_fault "$target")
        echo "$target: $found"
        echo "$(date -u +%F),$key,$target,$((SECONDS - start)),$found" >> "$faults"
    done
}

if [ "${1:-}" = proof ]; then
    copy=$PWD/target/fuzz_proof
    prove
    exit
fi
if [ "${1:-}" = record ]; then
    record=yes
    shift
fi
folder=target/fuzz
build . "$folder"
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    mapfile -t targets < <(basename --suffix=.rs fuzz/src/targets/*.rs)
fi
failed=0
for target in "${targets[@]}"; do
    run_and_report "$target" || failed=1
done
exit $failed
