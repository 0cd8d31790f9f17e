"""No package that is built here asks for a newer Rust than the workspace says.

Reads what ``cargo metadata`` prints from standard input.
"""

import json
import sys


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))[:2]


metadata = json.load(sys.stdin)
packages = metadata["packages"]
ours = {package["rust_version"] for package in packages if package["source"] is None}
[said] = ours
newer = [
    f"{package['name']} {package['version']} needs Rust {package['rust_version']}"
    for package in packages
    if package["rust_version"] and number(package["rust_version"]) > number(said)
]
if newer:
    sys.exit(f"Cargo.toml says Rust {said}:\n" + "\n".join(newer))
print(f"{len(packages)} packages, none needs a newer Rust than {said}")
