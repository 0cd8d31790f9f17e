#!/usr/bin/env bash
# Makes what is installed of a static library that Cargo built: an archive in which only the functions of its header are
# visible, and a shared library with a soname and a version for each symbol. ADR 37 says why.
#
#     link_library.sh ARCHIVE SYMBOLS… ABI_VERSION FOLDER
#
# ARCHIVE: such as target/release/libxs2a.a. SYMBOLS: files whose lines are a function and the version that it came
# with. FOLDER: gets libNAME.a, libNAME.so.ABI_VERSION without debug symbols, and those as libNAME.so.ABI_VERSION.debug.
# LINKER: the compiler that links the shared library, gcc by default. It decides which glibc the library needs.
set -euo pipefail
archive="$1" symbols=("${@:2:$#-3}") abi="${*: -2:1}" folder="${*: -1}"
library="$(basename "$archive" .a)"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# version_script: one node for each version, the oldest first; each inherits from the one before it.
version_script() {
    local version before=''
    for version in $(awk '{print $2}' "$work/symbols" | sort -uV); do
        printf 'XS2A_%s {\nglobal:\n' "$version"
        awk -v version="$version" '$2 == version {print "    " $1 ";"}' "$work/symbols"
        [ -n "$before" ] || printf 'local:\n    *;\n'
        printf '}%s;\n' "${before:+ XS2A_$before}"
        before="$version"
    done
}
grep -hv '^#' "${symbols[@]}" > "$work/symbols"
awk '{print $1}' "$work/symbols" > "$work/functions"
sed 's/^/--require-defined=/' "$work/functions" > "$work/required"
version_script > "$work/versions"

# One object of everything. --force-group-allocation ends the groups of sections, because a linker merges equal groups
# of two Rust libraries even if their symbols are local: the first panic that is caught then crashes. --gc-sections
# would make the object smaller, but makes weak references strong (binutils 2.40).
ld -r --whole-archive --force-group-allocation "@$work/required" "$archive" -o "$work/visible.o"
# objcopy and ar get the format of the linker, because without one they ask the plugins for LLVM bitcode first, which
# abort on some machines.
format="$(ld --print-output-format)"
objcopy -I "$format" --keep-global-symbols="$work/functions" "$work/visible.o" "$work/$library.o"
rm "$work/visible.o"

rm -f "$folder/$library.a"
ar crsD --target="$format" "$folder/$library.a" "$work/$library.o"
# nodelete: a thread that used the library runs code of it when it ends, so dlclose() must not unmap that.
read -ra linker <<< "${LINKER:-gcc}"
"${linker[@]}" -shared "$work/$library.o" -o "$work/$library.so" -Wl,-soname,"$library.so.$abi" \
    -Wl,--version-script="$work/versions" -Wl,--gc-sections -Wl,-z,nodelete -Wl,-z,relro,-z,now -Wl,--no-undefined \
    -lpthread -ldl -lm

symbols_apart="$folder/$library.so.$abi.debug"
objcopy -I "$format" --only-keep-debug "$work/$library.so" "$symbols_apart"
chmod 644 "$symbols_apart"
objcopy -I "$format" --strip-unneeded --add-gnu-debuglink="$symbols_apart" "$work/$library.so" \
    "$folder/$library.so.$abi"
