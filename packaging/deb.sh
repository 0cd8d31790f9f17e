#!/usr/bin/env bash
# Makes the Debian packages of what is committed: libxs2aN and libxs2a-sandboxN, libxs2a-dev, python3-xs2a. lintian
# checks them. `make deb` runs it.
#
#     PROFILE=release deb.sh WHEEL FOLDER
#
# WHEEL: the Python package. FOLDER: gets the packages. Needs Debian's debhelper, dh-python, help2man,
# lintian and python3-installer.
set -euo pipefail
wheel="$(realpath "$1")"
mkdir -p "$2"
folder="$(realpath "$2")"
cd "$(dirname "$0")/.."
CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR WHEEL="$wheel"

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
abi="$(sed -n 's/^#define XS2A_ABI_VERSION //p' include/xs2a.h)"
[ -e "packaging/debian/libxs2a$abi.install" ] ||
    { echo "packaging/debian names packages of another ABI than $abi" >&2; exit 1; }
# Always the same folder: Cargo builds sources in another one again.
work="$CARGO_TARGET_DIR/packages"
sources="$work/xs2a-$version"
rm -rf "$work"
mkdir -p "$sources"
git archive HEAD | tar -x -C "$sources"
cp -r packaging/debian "$sources/debian"

# The time of the commit, so that two builds are the same.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
maintainer="$(sed -n 's/^Maintainer: //p' packaging/debian/control)"
printf 'xs2a (%s) unstable; urgency=medium\n\n  * Release %s. CHANGELOG.md has what changed.\n\n -- %s  %s\n' \
    "$version" "$version" "$maintainer" "$(date -uRd "@$SOURCE_DATE_EPOCH")" > "$sources/debian/changelog"
# The licence in the form of this file: indented, a point for an empty line.
sed 's/^$/./; s/^/ /' LICENSE-MIT > "$work/licence"
sed -i -e "/@LICENSE-MIT@/{r $work/licence" -e 'd}' "$sources/debian/copyright"

# The cargo and rustc that build may be others than Debian's, so only what debhelper needs is checked: -d.
(cd "$sources" && dpkg-buildpackage --build=binary --no-sign -d)
lintian --fail-on error,warning --suppress-tags-from-file packaging/debian/lintian-not-asked "$work"/*.changes
cp "$work"/*.deb "$folder"
ls -l "$folder"/*.deb
