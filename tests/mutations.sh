#!/usr/bin/env bash
# A million random mutations of signed requests: no mistake is named whose proof does not hold. Ten parts, each with a
# seed of its own; a part that tests/results/mutations.csv holds for the present search is not run again, so the script
# may be interrupted. PARTS: which seeds, "0 1 2 3 4 5 6 7 8 9" by default. CASES: how many mutations in each part,
# 100000 by default. PROFILE: of cargo, release by default.
set -euo pipefail
cd "$(dirname "$0")/.."

results=tests/results/mutations.csv
cases=${CASES:-100000}
profile=${PROFILE:-release}
# What the search consists of: the results of another search do not count.
search=$(git ls-files core/src/explain core/src/crypto/rsa_block.rs | sort | xargs cat | sha256sum | cut -c1-12)

for seed in ${PARTS:-0 1 2 3 4 5 6 7 8 9}; do
    if grep -q ",$search,$seed,$cases," "$results"; then
        echo "seed $seed: done before"
        continue
    fi
    start=$SECONDS
    printed=$(XS2A_MUTATIONS=$cases XS2A_MUTATIONS_SEED=$seed cargo test --profile "$profile" --quiet -p xs2a \
        --test explain -- --exact mutations::no_name_is_wrong --nocapture)
    counted=$(grep -oE 'mutations=[0-9]+ named=[0-9]+ wrong=[0-9]+' <<< "$printed" | sed -E 's/[a-z]+=//g; s/ /,/g')
    echo "$(date -u +%F),$search,$seed,$counted,$profile,$((SECONDS - start))" | tee -a "$results"
done
