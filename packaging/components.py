"""What a package of this workspace is linked of: its crates, and the C libraries that two of them compile."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

CARGO = os.environ.get("CARGO", "cargo")


@dataclass(frozen=True)
class Component:
    """A crate, or a C library inside of one."""

    name: str
    version: str
    licence: str
    #: The folder with its sources.
    folder: Path
    #: https://github.com/package-url/purl-spec
    purl: str
    #: Of the crate's archive, in hexadecimal digits; absent for a member of this workspace.
    sha256: str | None = None


#: Crate, C library, header within the crate, the text before its version, licence (None: the crate's).
C_LIBRARIES = [
    ("aws-lc-sys", "AWS-LC", "aws-lc/include/openssl/base.h", "#define AWSLC_VERSION_NUMBER_STRING", None),
    ("libsqlite3-sys", "SQLite", "sqlite3/sqlite3.h", "#define SQLITE_VERSION ", "blessing"),
]


def cargo(*arguments: str) -> str:
    return subprocess.run([CARGO, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def of_package(package: str) -> list[Component]:
    """The components that are linked into a package, the package itself included, by name and version."""
    tree = cargo("tree", "--locked", "-p", package, "-e", "normal", "--prefix", "none", "-f", "{p}")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    found = []
    for crate in json.loads(cargo("metadata", "--locked", "--format-version", "1"))["packages"]:
        if (crate["name"], "v" + crate["version"]) not in linked:
            continue
        component = Component(
            crate["name"],
            crate["version"],
            # An SPDX expression; older crates separate the choices by a slash.
            (crate["license"] or "LicenseRef-see-its-licence-file").replace("/", " OR "),
            Path(crate["manifest_path"]).parent,
            f"pkg:cargo/{crate['name']}@{crate['version']}",
            checksums().get((crate["name"], crate["version"])),
        )
        found += [component, *c_libraries(component)]
    if len({(component.name, component.version) for component in found}) < len(linked):
        raise SystemExit(f"cargo metadata does not list every crate of {package}")
    return sorted(found, key=lambda component: (component.name.lower(), component.version))


def c_libraries(crate: Component) -> list[Component]:
    """The C libraries whose sources a crate holds and compiles."""
    found = []
    for holder, name, header, definition, licence in C_LIBRARIES:
        if crate.name != holder:
            continue
        version = re.search(re.escape(definition) + r'\s*"([^"]+)"', (crate.folder / header).read_text())
        if version is None:
            raise SystemExit(f"{crate.folder / header}: the version of {name} is not found")
        folder = (crate.folder / header).parents[len(Path(header).parts) - 2]
        purl = f"pkg:generic/{name.lower()}@{version[1]}"
        found.append(Component(name, version[1], licence or crate.licence, folder, purl))
    return found


def checksums() -> dict[tuple[str, str], str]:
    """Of each crate of a registry, as Cargo.lock has them."""
    lock = Path(__file__).parent.parent.joinpath("Cargo.lock").read_text()
    form = r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"'
    return {(name, version): checksum for name, version, checksum in re.findall(form, lock)}
