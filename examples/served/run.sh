#!/usr/bin/env bash
# Runs the suite of ten tests in Java, Node and Go against `xs2a serve`, each steered by the control interface. `xs2a`
# on the PATH is the command of the package. Java 17, Node 18 and Go 1.19 are the oldest that are taken; a language
# whose toolchain is missing is left out, unless XS2A_LANGUAGES is `required`.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# major_of: the first number in a text such as `javac 17.0.15`, `v20.1.0` or `go version go1.19`.
major_of() { sed -n '1s/^[^0-9]*\([0-9]*\).*/\1/p'; }

has_java() { command -v javac > /dev/null && [ "$(javac -version 2>&1 | major_of)" -ge 17 ]; }
has_node() { command -v node > /dev/null && [ "$(node --version | major_of)" -ge 18 ]; }
has_go() { command -v go > /dev/null && [ "$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')" -ge 19 ]; }

run_java() {
    javac -Xlint:all -Werror --release 17 -d "$work/classes" "$here"/java/*.java
    java -cp "$work/classes" Suite
}
run_node() { node --test-reporter=tap "$here/node/suite.test.mjs"; }
run_go() { (cd "$here/go" && go test -count=1 -v ./...); }

# names <language>: the tests that passed, in lower case and without anything between the words.
names() {
    sed -nE 's/^ok( [0-9]+)? - (.*)/\2/p; s/^--- PASS: Test([A-Za-z]+) .*/\1/p' "$work/$1.out" \
        | tr -d ' ' | tr '[:upper:]' '[:lower:]' | sort
}

ran=()
for language in java node go; do
    if "has_$language"; then
        printf '\n== the suite in %s\n' "$language"
        "run_$language" | tee "$work/$language.out"
        names "$language" > "$work/$language.names"
        ran+=("$language")
    elif [ "${XS2A_LANGUAGES:-}" = required ]; then
        echo "XS2A_LANGUAGES=required, and no toolchain for $language here" >&2
        exit 1
    else
        echo "################################################################"
        echo "## SKIPPED: there is no toolchain for $language on this machine."
        echo "## A served bank is NOT tested from $language."
        echo "################################################################"
    fi
done
for language in "${ran[@]}"; do
    [ "$(wc -l < "$work/$language.names")" = 10 ]
    diff "$work/${ran[0]}.names" "$work/$language.names"
done
printf '\n%s languages: the same ten tests passed\n' "${#ran[@]}"
