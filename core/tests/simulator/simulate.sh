#!/usr/bin/env bash
# The simulator. Without arguments it runs seeds for XS2A_SIMULATE_SECONDS, from XS2A_SIMULATE_SEED on; with `record` it
# also notes what was run in tests/results/simulator.csv. With the name of a patch in `faults`, or the path of one, it
# applies that to a copy of the tree, and succeeds if a rule is broken there. With `all-faults` it does so for every
# patch that tests/results/simulator_faults.csv does not hold for the present simulator, notes what was found, and fails
# in the end if one was not. PROFILE: of cargo, dev by default.
set -euo pipefail
cd "$(dirname "$0")/../../.."

repository=$PWD
folder=core/tests/simulator
results=tests/results/simulator_faults.csv
runs=tests/results/simulator.csv
profile=${PROFILE:-dev}
copy=$repository/target/simulator

# Arguments: the folder to run in.
simulate() {
    (cd "$1" && "${CARGO:-cargo}" test --profile "$profile" --quiet -p xs2a --features postgres --test simulator -- \
        --exact every_seed_keeps_every_rule --nocapture)
}

# A copy of the tree with the times of its files, so that cargo builds only what a patch changes.
copy_tree() {
    mkdir -p "$copy"
    git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create |
        tar --extract --directory="$copy"
    # What the patch before changed has its old time again: it is built again all the same.
    if [ -e "$copy/patched" ]; then
        (cd "$copy" && xargs --no-run-if-empty touch < patched)
    fi
}

# Argument: a patch. Prints the rule that its fault breaks; fails if none is broken.
find_fault() {
    local patch=$1 log=$copy.log
    copy_tree || return # where a caller asks for the result, a failure does not end the script
    patch --directory="$copy" --strip=1 --batch --forward --silent < "$patch" || return
    grep '^+++ ' "$patch" | sed -E 's|^\+\+\+ b/([^[:space:]]*).*|\1|' > "$copy/patched"
    # A target folder of its own: a faulty library must not be taken for the sound one.
    if CARGO_TARGET_DIR=$copy/target XS2A_SIMULATE_FAULT=1 \
        XS2A_SIMULATE_SECONDS=${XS2A_SIMULATE_SECONDS:-300} simulate "$copy" > "$log" 2>&1; then
        echo "NOT FOUND: $patch" >&2
        return 1
    fi
    if ! grep '^seed .* breaks a rule' "$log"; then
        tail -n 40 "$log" >&2
        echo "NOT BUILT, or not run: $patch" >&2
        return 1
    fi
}

# What a result is of: those of another simulator do not count.
version() {
    cat "$folder"/*.rs | sha256sum | cut -c1-12
}

# Argument: a name of the line that the simulator ends with.
figure() {
    sed -nE "s/^simulated: .*\b$1=([0-9]+).*/\1/p" "$copy.log"
}

case ${1:-} in
'')
    simulate .
    ;;
record)
    simulate . | tee "$copy.log"
    row="$(date -u +%F),$(version),${XS2A_SIMULATE_SEED:-1}"
    for name in seeds days quiet_days calls crashes points seconds; do
        row+=,$(figure "$name")
    done
    echo "$row" >> "$runs"
    ;;
all-faults)
    simulator=$(version)
    not_found=0
    for patch in "$folder"/faults/*.patch; do
        name=$(basename "$patch" .patch)
        if grep -q ",$simulator,$name," "$results"; then
            echo "$name: found before"
            continue
        fi
        start=$SECONDS
        if ! found=$(find_fault "$patch"); then
            not_found=1
            continue
        fi
        echo "$name: $found"
        seed=$(sed -E 's/^seed ([0-9]+) .*/\1/' <<< "$found")
        echo "$(date -u +%F),$simulator,$name,$seed,${found#*rule: },$((SECONDS - start))" >> "$results"
    done
    exit "$not_found"
    ;;
*)
    patch=$1
    [ -e "$patch" ] || patch=$folder/faults/$1.patch
    find_fault "$patch"
    ;;
esac
