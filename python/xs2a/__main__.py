"""``python -m xs2a``: the same as the command ``xs2a``."""

import sys

from xs2a._command import main

if __name__ == "__main__":
    sys.exit(main())
