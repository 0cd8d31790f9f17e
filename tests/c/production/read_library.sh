#!/usr/bin/env bash
# Reads the built production library: it exports what its header declares, and has no key of the test PKI, no function
# of the sandbox and no page of the simulated bank. Each text that it must not have is found in the other library, so
# that looking for it can fail.
#
#     read_library.sh LIBXS2A LIBXS2A_SANDBOX
set -euo pipefail
cd "$(dirname "$0")/../../.."
production="$1" sandbox="$2"

# functions <header>…: the names that headers declare, without those in comments.
functions() { grep -hvE '^ *//' "$@" | grep -oE '\bxs2a_[a-z0-9_]+\(' | tr -d '(' | sort -u; }
exported() { nm -D --defined-only "$1" | awk '{print $3}' | grep '^xs2a_' | sort -u; }

diff <(functions include/xs2a.h) <(exported "$production")
diff <(functions include/xs2a.h include/xs2a_sandbox.h) <(exported "$sandbox")

# absent <what> <text>: the text is in the library with the sandbox alone.
absent() {
    grep -qaF -- "$2" "$sandbox" || { echo "not even in libxs2a_sandbox: $1"; exit 1; }
    if grep -qaF -- "$2" "$production"; then echo "in libxs2a: $1"; exit 1; fi
}

keys=0
for key in core/src/sandbox/keys/*.key.pem; do
    while read -r line; do absent "a line of $key" "$line"; done < <(grep -v -- '-----' "$key")
    keys=$((keys + 1))
done
[ "$keys" -ge 10 ] || { echo "$keys keys, which are too few"; exit 1; }
absent "the root of the test PKI" "$(sed -n 2p core/src/sandbox/keys/root.pem)"
absent "the style of the pages" "$(grep -m 1 '{' core/src/sandbox/page/style.css)"
absent "a route of the sandbox" /v1/sandbox/initialize
absent "a schema of the sandbox's routes" MockCustomer

# Of the library's own functions, by their mangled names: crate, then module.
of_sandbox() { nm "$1" | grep -cE '4xs2a7sandbox|4xs2a15sandbox_control' || true; }
[ "$(of_sandbox "$sandbox")" -gt 0 ] || { echo "no symbol of the sandbox is found in libxs2a_sandbox"; exit 1; }
[ "$(of_sandbox "$production")" -eq 0 ] || { echo "symbols of the sandbox in libxs2a"; exit 1; }
echo "$(functions include/xs2a.h | wc -l) functions, none of $keys test keys"
