#!/usr/bin/env bash
# A PostgreSQL server for tests and benchmarks: of the machine's own programs, in a folder of its own, on a Unix socket.
#
#   server.sh hold [synced]     starts one and says "ready FOLDER", or "none" where the machine has no program for it;
#                               takes `stop` (as a crash does) and `start` from standard input, and ends with it
#   server.sh run COMMAND...    runs a command beside one, whose folder is in XS2A_TEST_POSTGRES
#
# Unless it is `synced`, a power cut loses everything, which no test tries.
# Where there is no program, tests are left out, unless XS2A_POSTGRES is `required`.
set -euo pipefail

# The newest of Debian's, or what is on the path.
programs() {
    local folder
    for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -t/ -k5,5nr) ${PATH//:/ }; do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_ctl" ]; then
            echo "$folder"
            return
        fi
    done
}

# PostgreSQL refuses to run for root: then, a user with few permissions.
owner() {
    if [ "$(id -u)" -ne 0 ]; then
        id -un
    elif id postgres >/dev/null 2>&1; then
        echo postgres
    else
        echo nobody
    fi
}

as_owner() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    else
        setpriv --reuid "$(id -u "$owner")" --regid "$(id -g "$owner")" --clear-groups -- "$@"
    fi
}

start() {
    as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 -o "$options" start >/dev/null 2>&1 ||
        { cat "$folder/log"; exit 1; }
}

stop() {
    as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
}

gone() {
    stop
    rm -rf "$folder"
}

# Makes a server and starts it; `none` is in $folder where that cannot be.
make_server() {
    bin=$(programs)
    if [ -z "$bin" ]; then
        folder=none
        return
    fi
    owner=$(owner)
    folder=$(mktemp -d /tmp/xs2a-pg-XXXXXX) # short: the path of a socket has a hundred characters
    trap gone EXIT
    chown "$owner" "$folder"
    chmod 755 "$folder"
    cd "$folder"
    as_owner "$bin/initdb" --no-sync --auth=trust --encoding=UTF8 --locale=C --username=xs2a --wal-segsize=4 \
        --pgdata="$folder/data" >"$folder/made" 2>&1 || { cat "$folder/made"; exit 1; }
    # Not among the options: a test of TLS says otherwise.
    echo "listen_addresses = ''" >>"$folder/data/postgresql.conf"
    local synced=off
    [ "${1:-}" != synced ] || synced=on
    options="-c unix_socket_directories=$folder -c max_connections=300 -c shared_buffers=64MB"
    options+=" -c fsync=$synced -c full_page_writes=$synced -c deadlock_timeout=100ms"
    start
}

case "${1:-}" in
hold)
    make_server "${2:-}"
    [ "$folder" != none ] || { echo none; exit 0; }
    echo "ready $folder"
    while read -r command; do
        case "$command" in
        stop) stop ;;
        start) start ;;
        esac
        echo "done"
    done
    ;;
run)
    shift
    here=$PWD
    make_server
    if [ "$folder" = none ]; then
        if [ "${XS2A_POSTGRES:-}" = required ]; then
            echo "XS2A_POSTGRES=required, and no PostgreSQL server program here" >&2
            exit 1
        fi
        echo "################################################################"
        echo "## SKIPPED: no PostgreSQL server program on this machine."
        echo "## The PostgreSQL store is NOT tested (Debian: postgresql)."
        echo "################################################################"
        exec "$@"
    fi
    cd "$here"
    XS2A_TEST_POSTGRES="$folder" "$@"
    ;;
*)
    echo "usage: server.sh hold [synced] | server.sh run COMMAND..." >&2
    exit 2
    ;;
esac
