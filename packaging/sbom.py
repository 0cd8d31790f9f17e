"""Prints the software bill of materials of a package, as CycloneDX 1.5: sbom.py PACKAGE NAME.

PACKAGE: of this workspace. NAME: of the file that is made of it, such as libxs2a. The bill has neither a time
nor a random number, so that two builds print the same.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import components


def described(component: components.Component) -> dict[str, object]:
    """A component as CycloneDX has it."""
    found: dict[str, object] = {
        "type": "library",
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
        "licenses": [{"expression": component.licence}],
    }
    if component.sha256 is not None:
        found["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    return found


def bill(package: str, name: str) -> dict[str, object]:
    linked = components.of_package(package)
    own = next(component for component in linked if component.name == package)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": described(own) | {"name": name}},
        "components": [described(component) for component in linked if component != own],
    }


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {Path(sys.argv[0]).name} PACKAGE NAME")
    print(json.dumps(bill(sys.argv[1], sys.argv[2]), indent=1))
