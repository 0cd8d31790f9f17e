#!/usr/bin/env bash
# Runs the examples with two workers, and compares what they count with one that has none. What is missing is reported.
#
#     run.sh PYTHON [PERSONS]
set -euo pipefail

folder=$(dirname "$0")
python=$1
default_persons=200
persons=${2:-$default_persons}

skipped() {
    printf '## SKIPPED: %s\n' "$1"
}

expected=$("$python" - "$persons" <<'PYTHON'
import sys

import pyarrow
import pyarrow.compute as pc
import xs2a

population = xs2a.Population(
    persons=int(sys.argv[1]), companies=8, months=2, now="2026-09-01T10:00:00Z", seed=7
)
rows = pyarrow.table(population.table("transactions", columns=["id", "account_id"]))
ids, accounts = (pc.count_distinct(rows[name]) for name in ("id", "account_id"))
print(f"rows={rows.num_rows} ids={ids} accounts={accounts}")
PYTHON
)

if ((persons == default_persons)) && ! grep -qxF "$expected" "$folder/README.md"; then
    printf 'README.md has another line than: %s\n' "$expected" >&2
    exit 1
fi

compare() {
    local counted
    counted=$("$python" "$folder/$1" "$persons" | tail -n 1)
    if [[ $counted != "$expected" ]]; then
        printf '%s: %s, and without workers: %s\n' "$1" "$counted" "$expected" >&2
        exit 1
    fi
    printf '%s: %s\n' "$1" "$counted"
}

if "$python" -c 'import dask.dataframe' 2>/dev/null; then
    compare with_dask.py
else
    skipped 'Dask is not installed here.'
fi
if ! "$python" -c 'import pyspark' 2>/dev/null; then
    skipped 'PySpark is not installed here.'
elif ! command -v java >/dev/null; then
    skipped 'there is no Java here, which Spark needs.'
else
    export PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1
    compare with_spark.py
fi
