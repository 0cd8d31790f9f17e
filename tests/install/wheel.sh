#!/usr/bin/env bash
# Installs the wheel and the sources of target/dist as users do, and makes a signed payment with each.
#
#     wheel.sh TOOLS    the programs of packaging/requirements.txt
set -euo pipefail
tools="$(realpath -s "$1")"
cd "$(dirname "$0")/../.."
wheel="$(realpath target/dist/*.whl)"
sources="$(realpath target/dist/*.tar.gz)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

"$tools/auditwheel" show "$wheel" | tee "$work/audit"
grep -q '"manylinux_2_28_x86_64"' "$work/audit"

export PIPX_HOME="$work/pipx" PIPX_BIN_DIR="$work/bin"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
[ "$("$tools/pipx" run --quiet --spec "$wheel" xs2a --version)" = "xs2a $version" ]

# From a folder without the sources.
cp tests/install/payment.py "$work"
# The sources are compiled without optimisation; their target folder is thrown away.
for package in "$wheel" "$sources"; do
    python3 -m venv "$work/environment"
    CARGO_TARGET_DIR="$work/target" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
        "$work/environment/bin/pip" install --quiet --disable-pip-version-check "$package"
    [ "$(cd "$work" && environment/bin/python payment.py)" = '201 RCVD' ]
    rm -rf "$work/environment"
    echo "$(basename "$package"), $(stat -c %s "$package") bytes: installed, and paid with"
done
