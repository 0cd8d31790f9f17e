#!/usr/bin/env bash
# The archive of the test vectors, for other implementations: the committed files of tests/vectors with the licences.
# The same bytes each time. Argument: the folder to put it in.
set -euo pipefail
cd "$(dirname "$0")/.."

format=$(sed -n 's/^ "format": \([0-9]*\),$/\1/p' tests/vectors/format.json)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=xs2a-vectors-$format-$version
mkdir -p "$1"
git ls-files tests/vectors LICENSE-APACHE LICENSE-MIT |
    tar --create --files-from=- --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --transform="s|^tests/vectors/||" --transform="s|^|$name/|" |
    gzip --no-name --best > "$1/$name.tar.gz"
echo "$1/$name.tar.gz"
