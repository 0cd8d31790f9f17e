"""How much memory an explanation takes beside its request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MIB = 1 << 20
# One process for each body: what an earlier search left behind would count.
PROGRAM = """
import sys
import xs2a

def memory(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(name))

with xs2a.Sandbox() as bank:
    headers = bank.register_tpp("Acme").sign("POST", "/v1/payments", (), b"signed")
xs2a.explain("POST", "/v1/payments", headers, b"warm")
size = 1 << 20
part = sys.argv[1].encode()
body = (part * (size // len(part) + 1))[:size]
body = {"json": b"[1" + b",1" * (size // 2 - 2) + b"]"}.get(sys.argv[1], body)
before = memory("VmRSS")
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")
found = xs2a.explain("POST", "/v1/payments", headers, body)
assert found.reason == "DIG-03", found
print(memory("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux shows the peak of a part")
@pytest.mark.parametrize("body", ["[", '{"a":', "x", "å", "\n", "\\u00e5", "json"])
def test_an_explanation_takes_four_mebibytes_beside_the_request(body: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, body], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) <= 4 * MIB, done.stdout
