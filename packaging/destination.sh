# Read by install.sh and uninstall.sh: checks PREFIX and LIBDIR, and sets the folders in DESTDIR.

: "${PREFIX:=/usr/local}"
: "${LIBDIR:=$PREFIX/lib}"
for name in PREFIX LIBDIR; do
    case "${!name}" in
        /*) ;;
        *) echo "$name is \`${!name}\`: give an absolute path" >&2; exit 1 ;;
    esac
    case "${!name}" in
        *[\"\$\\\`]* | *$'\n'*)
            echo "$name is \`${!name}\`: pkg-config cannot express quotes, dollar signs and line breaks" >&2
            exit 1 ;;
    esac
done

include="${DESTDIR:-}$PREFIX/include"
libraries="${DESTDIR:-}$LIBDIR"
documents="${DESTDIR:-}$PREFIX/share/doc/xs2a"
manual="${DESTDIR:-}$PREFIX/share/man/man3"
