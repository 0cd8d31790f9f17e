#!/usr/bin/env bash
# Compiles the binding into a folder of classes: build.sh FOLDER. It needs a JDK of version 17 or later and JNA
# (Debian: libjna-java; JNA_JAR names another file).
set -euo pipefail
folder="$(realpath -m "$1")"
cd "$(dirname "$0")"
jna="${JNA_JAR:-/usr/share/java/jna.jar}"
mkdir -p "$folder"
"${JAVAC:-javac}" -encoding UTF-8 --release 17 -Xlint:all -Werror -cp "$jna" -d "$folder" src/xs2a/*.java
