"""Where the stubs of ``Table`` and ``Population`` have their runtime: the type checker compares them."""

from xs2a._native import Population as Population
from xs2a._native import Table as Table
