#!/usr/bin/env bash
# Prints the folder of a JDK of version 22 or later: the newest of JAVA_HOME and those in /usr/lib/jvm; nothing, if
# there is none.
set -euo pipefail
newest=21 found=''
for jdk in ${JAVA_HOME:+"$JAVA_HOME"} /usr/lib/jvm/*; do
    [ -x "$jdk/bin/javac" ] || continue
    version="$("$jdk/bin/javac" -version 2>&1 | sed -E 's/^javac ([0-9]+).*/\1/')"
    if [ "$version" -gt "$newest" ]; then newest="$version" found="$jdk"; fi
done
printf '%s\n' "$found"
