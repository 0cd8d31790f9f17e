"""Where the stub of ``xs2a.Engine`` has its runtime: the type checker compares the two."""

from xs2a._native import Engine as Engine
