#!/usr/bin/env bash
# Runs a program under valgrind; an error of the memory or a leak fails: valgrind.sh PROGRAM [ARGUMENT…]
set -euo pipefail
exec valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=1 "$@"
