#!/usr/bin/env bash
# Compares headers, lists of symbols and installed libraries: each has the same functions, the shared libraries with the
# version of the list, and the archives show nothing else.
#
#     symbols.sh FOLDER_OF_THE_LIBRARIES
set -euo pipefail
cd "$(dirname "$0")/../.."
libraries="$1"
abi="$(sed -n 's/^#define XS2A_ABI_VERSION //p' include/xs2a.h)"

declared() { grep -hvE '^ *//' "$@" | grep -oE '\bxs2a_[a-z0-9_]+\(' | tr -d '(' | sort -u; }
listed() { grep -hv '^#' "$@" | sed 's/ / XS2A_/' | sort; }
functions() { listed "$@" | awk '{print $1}'; }
# What a program can link, with its version. readelf, because nm asks the plugins for LLVM bitcode first.
exported() {
    readelf -W --dyn-syms "$1" | awk '$7 != "UND" && $4 == "FUNC" {sub("@@", " ", $8); print $8}' | sort
}
visible() { readelf -Ws "$1" | awk '($5 == "GLOBAL" || $5 == "WEAK") && $7 != "UND" {print $8}' | sort; }

compare() {
    local library="$1" headers=() lists=()
    shift
    while [ "$1" != -- ]; do headers+=("$1"); shift; done
    lists=("${@:2}")
    diff <(declared "${headers[@]}") <(functions "${lists[@]}") || { echo "$library: header and list differ"; exit 1; }
    diff <(listed "${lists[@]}") <(exported "$libraries/$library.so.$abi") ||
        { echo "$library: list and shared library differ"; exit 1; }
    diff <(functions "${lists[@]}") <(visible "$libraries/$library.a") ||
        { echo "$library: list and archive differ"; exit 1; }
    [ "$(readelf -d "$libraries/$library.so.$abi" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')" = "$library.so.$abi" ]
    [ "$(readlink "$libraries/$library.so")" = "$library.so.$abi" ]
    echo "$library: $(functions "${lists[@]}" | wc -l) functions"
}
compare libxs2a include/xs2a.h -- ffi/symbols.txt
compare libxs2a_sandbox include/xs2a.h include/xs2a_sandbox.h -- ffi/symbols.txt ffi/sandbox/symbols.txt
