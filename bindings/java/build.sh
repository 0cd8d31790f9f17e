#!/usr/bin/env bash
# Compiles the binding into a folder of classes: build.sh FOLDER. It needs a JDK of version 17 or later and JNA
# (Debian: libjna-java; JNA_JAR names another file). If newest_jdk.sh finds a JDK of version 22 or later, the folder
# also has the class for the foreign function and memory API, which Java 22 and later use instead of JNA.
set -euo pipefail
folder="$(realpath -m "$1")"
cd "$(dirname "$0")"
jna="${JNA_JAR:-/usr/share/java/jna.jar}"
mkdir -p "$folder"
javac -encoding UTF-8 --release 17 -Xlint:all -Werror -cp "$jna" -d "$folder" src/xs2a/*.java
jdk="$(./newest_jdk.sh)"
if [ -n "$jdk" ]; then
    "$jdk/bin/javac" -encoding UTF-8 --release 22 -Xlint:all,-restricted -Werror -cp "$folder" -d "$folder" \
        src22/xs2a/*.java
fi
