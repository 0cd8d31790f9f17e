#!/usr/bin/env bash
# Compiles the binding by mcs into a folder: build.sh FOLDER. Xs2a.dll is over libxs2a; Xs2a.Sandbox.dll over
# libxs2a_sandbox, for tests. A program has one of them.
set -euo pipefail
folder="$(realpath -m "$1")"
cd "$(dirname "$0")"
mkdir -p "$folder"
flags=(-codepage:utf8 -warn:4 -warnaserror -target:library)
mcs "${flags[@]}" -out:"$folder/Xs2a.dll" src/*.cs
mcs "${flags[@]}" -d:XS2A_SANDBOX -out:"$folder/Xs2a.Sandbox.dll" src/*.cs
