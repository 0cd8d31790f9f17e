"""The package of the crate holds its sources, migrations, licences and README, and nothing else.

Reads what ``cargo package --list`` prints from standard input.
"""

import sys

NEEDED = {"Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT", "src/lib.rs"}
FOLDERS = ("src/", "migrations/")
# Cargo adds these.
OF_CARGO = {"Cargo.toml.orig", "Cargo.lock", ".cargo_vcs_info.json"}

files = set(sys.stdin.read().split())
missing = NEEDED - files
unexpected = {file for file in files - NEEDED - OF_CARGO if not file.startswith(FOLDERS)}
if missing or unexpected:
    sys.exit(f"missing: {sorted(missing)}; unexpected: {sorted(unexpected)}")
print(f"{len(files)} files in the package")
