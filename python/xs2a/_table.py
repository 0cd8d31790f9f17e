"""Where the stub of ``xs2a.Table`` has its runtime: the type checker compares the two."""

from xs2a._native import Table as Table
