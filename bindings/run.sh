#!/usr/bin/env bash
# Tests the bindings: what is generated is up to date, the tests of each language, and its stories, which must print
# what those in C print. The debug libraries are installed into a prefix of their own and used from there.
#
#     run.sh [LANGUAGE]…    go, java, dotnet; none: all
#
# A language whose tools are missing is left out, unless XS2A_BINDINGS is `required` (Debian: golang-go, libjna-java and
# a JDK, mono-mcs and mono-runtime).
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

step() { printf '\n== %s\n' "$*"; }
# is_here <name> <command>…: whether the commands exist; if not, says that <name> is left out.
is_here() {
    local name="$1" missing=()
    shift
    for command in "$@"; do command -v "$command" > /dev/null || [ -e "$command" ] || missing+=("$command"); done
    [ "${#missing[@]}" -gt 0 ] || return 0
    echo "################################################################"
    echo "## SKIPPED: there is no ${missing[*]} here; the binding for $name is NOT tested."
    echo "################################################################"
    [ "${XS2A_BINDINGS:-}" != required ] || exit 1
    return 1
}
# same_stories <language>: run_<language> prints what the stories in C print.
same_stories() {
    local story
    for story in "${stories[@]}"; do
        "run_$1" "$story" > "$work/$story.$1"
        diff "$work/$story.c" "$work/$story.$1"
    done
    echo "${#stories[@]} stories print what they print in C"
}

step "what is generated from the headers"
python3 bindings/generator --check
gcc -std=c11 -fsyntax-only -Iinclude bindings/layout.c

step "the libraries in a prefix, and the stories in C"
prefix="$(bindings/prefix.sh)"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
mapfile -t stories < <(basename -s .c examples/c/[0-9][0-9]_*.c)
for story in "${stories[@]}"; do
    gcc -std=c11 -I"$prefix/include" "examples/c/$story.c" -L"$prefix/lib" -lxs2a_sandbox -o "$work/$story"
    "$work/$story" > "$work/$story.c"
done

run_go() { (cd bindings/go && go run -tags xs2a_sandbox "./stories/$1"); }
test_go() {
    is_here Go go pkg-config || return 0
    test -z "$(gofmt -l bindings/go)" || { gofmt -d bindings/go; exit 1; }
    # Without the tag it is over libxs2a, which has no sandbox.
    (cd bindings/go && go vet . && go test . && go vet -tags xs2a_sandbox ./... && go test -tags xs2a_sandbox .)
    same_stories go
}

jna="${JNA_JAR:-/usr/share/java/jna.jar}"
# The class of a story: 01_sign_and_verify.java has SignAndVerify.
run_java() { "${java[@]}" "$(sed -E 's/^[0-9]+//; s/_(.)/\U\1/g' <<< "$1")"; }
# run_classes_of_java: tests and stories by the command of `java`.
run_classes_of_java() {
    "${java[@]}" BindingTest
    "${java[@]}" BindingTest engine-alone
    "${java[@]}" "-Dxs2a.library=$work/other.so" BindingTest other-library
    same_stories java
}
test_java() {
    is_here Java java javac "$jna" || return 0
    local jdk
    jdk="$(bindings/java/newest_jdk.sh)"
    bindings/java/build.sh "$work/java"
    javac -encoding UTF-8 --release 17 -cp "$work/java:$jna" -d "$work/java" bindings/java/{tests,stories}/*.java
    java=(java -Dxs2a.jna=true -Dfile.encoding=UTF-8 -cp "$work/java:$jna")
    run_classes_of_java
    # No release of Debian 12 has such a JDK, so none is required.
    if [ -z "$jdk" ]; then
        echo "## SKIPPED: there is no JDK of version 22 or later here; java.lang.foreign is NOT tested."
        return 0
    fi
    # Without JNA.
    java=("$jdk/bin/java" --enable-native-access=ALL-UNNAMED -Dstdout.encoding=UTF-8 -cp "$work/java")
    run_classes_of_java
}

run_dotnet() { mono "$work/dotnet/$1.exe"; }
test_dotnet() {
    is_here .NET mcs mono || return 0
    bindings/dotnet/build.sh "$work/dotnet"
    local compile=(mcs -codepage:utf8 -warnaserror "-r:$work/dotnet/Xs2a.Sandbox.dll") story
    "${compile[@]}" -out:"$work/dotnet/test.exe" bindings/dotnet/tests/*.cs
    for story in "${stories[@]}"; do
        "${compile[@]}" -out:"$work/dotnet/$story.exe" bindings/dotnet/stories/{Story,"$story"}.cs
    done
    mono --debug "$work/dotnet/test.exe"
    mkdir "$work/other"
    cp "$work/other.so" "$work/other/libxs2a_sandbox.so.1"
    LD_LIBRARY_PATH="$work/other" mono --debug "$work/dotnet/test.exe" other-library
    mcs -warnaserror "-r:$work/dotnet/Xs2a.dll" -out:"$work/dotnet/alone.exe" bindings/dotnet/tests/engine_alone/*.cs
    mono --debug "$work/dotnet/alone.exe"
    same_stories dotnet
}

languages=("$@")
[ "${#languages[@]}" -gt 0 ] || languages=(go java dotnet)
# A library of another version of the binary interface.
gcc -shared -fPIC -x c - -o "$work/other.so" <<< 'unsigned xs2a_abi_version(void) { return 99; }'
for language in "${languages[@]}"; do
    step "$language"
    "test_$language"
done
printf '\nthe bindings work\n'
