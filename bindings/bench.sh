#!/usr/bin/env bash
# Builds a program that pays by four threads in C and in each language that is on this machine, and measures them
# against each other. The libraries are those for release, as `make libraries` builds them.
set -euo pipefail
cd "$(dirname "$0")/.."
built="$(realpath "${CARGO_TARGET_DIR:-target}")"
out="$built/bindings/bench"
libraries="${LIBRARIES:-$built/release/installed}"
mkdir -p "$out/lib"
cp "$libraries/libxs2a_sandbox.so.1" "$out/lib"
ln -sf libxs2a_sandbox.so.1 "$out/lib/libxs2a_sandbox.so"
export LD_LIBRARY_PATH="$out/lib"
here() {
    if command -v "$1" > /dev/null; then return; fi
    echo "## SKIPPED: there is no $1 here; its language is NOT measured." >&2
    return 1
}

gcc -std=c11 -O2 -Wall -Wextra -Werror -Iinclude bench/c_threads.c -L"$out/lib" -lxs2a_sandbox -lpthread -o "$out/c"
programs=("C=$out/c")
if here go; then
    printf 'Name: xs2a\nDescription: measured\nVersion: 0\nCflags: -I%s\nLibs: -L%s -lxs2a_sandbox\n' \
        "$PWD/include" "$out/lib" > "$out/xs2a-sandbox.pc"
    (cd bindings/go && PKG_CONFIG_PATH="$out" go build -tags xs2a_sandbox -o "$out/go" ./bench)
    programs+=("Go=$out/go")
fi
if here javac; then
    jna="${JNA_JAR:-/usr/share/java/jna.jar}"
    bindings/java/build.sh "$out/java"
    javac -encoding UTF-8 --release 17 -cp "$out/java" -d "$out/java" bindings/java/{stories,bench}/*.java
    programs+=("Java, JNA=java -Dxs2a.jna=true -cp $out/java:$jna Threads")
    jdk="$(bindings/java/newest_jdk.sh)"
    [ -z "$jdk" ] || programs+=(
        "Java, java.lang.foreign=$jdk/bin/java --enable-native-access=ALL-UNNAMED -cp $out/java Threads")
fi
if here mcs; then
    bindings/dotnet/build.sh "$out/dotnet"
    mcs -codepage:utf8 -optimize -r:"$out/dotnet/Xs2a.Sandbox.dll" -out:"$out/dotnet/threads.exe" \
        bindings/dotnet/stories/Story.cs bindings/dotnet/bench/Threads.cs
    programs+=("C#=mono -O=all $out/dotnet/threads.exe")
fi
python3 bench/bindings.py ${ROUNDS:+--rounds "$ROUNDS"} "${programs[@]}"
