#!/usr/bin/env bash
# Installs the Debian packages of target/deb in a fresh root of this release of Debian, and uses them there: a signed
# payment in C and in Python, the command, and removal without a trace. Needs root and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."
. /etc/os-release
work="$(mktemp -d)"
root="$work/root"
trap 'rm -rf --one-file-system "$work"' EXIT
# The archive that this machine uses.
mirror="$(apt-get indextargets --format '$(REPO_URI)' "Codename: $VERSION_CODENAME" | head -n 1)"
debootstrap --variant=minbase --include=python3 "$VERSION_CODENAME" "$root" "$mirror" > "$work/log" ||
    { tail -n 20 "$work/log"; exit 1; }
files_of_root() { (cd "$root" && find etc opt usr -not -path '*__pycache__*' | sort); }
files_of_root > "$work/before"

cp target/deb/*.deb "$root/tmp"
chroot "$root" sh -c 'dpkg -i /tmp/*.deb' > "$work/log" || { cat "$work/log"; exit 1; }
# The compiler is outside; headers and library are those of the packages.
multiarch="$(gcc -print-multiarch)"
gcc -std=c11 -I"$root/usr/include" tests/install/payment.c -L"$root/usr/lib/$multiarch" -lxs2a_sandbox \
    -o "$root/tmp/payment"
[ "$(chroot "$root" /tmp/payment)" = '201 RCVD' ]
cp tests/install/payment.py "$root/tmp"
[ "$(chroot "$root" python3 /tmp/payment.py)" = '201 RCVD' ]
chroot "$root" xs2a --help > /dev/null

chroot "$root" sh -c "dpkg --purge \$(dpkg-query --showformat '\${Package} ' --show '*xs2a*')" > "$work/log" ||
    { cat "$work/log"; exit 1; }
files_of_root | diff "$work/before" -
echo "the packages are installed, used and removed in Debian $VERSION_CODENAME"
