"""Where the stub of ``xs2a.trusted_list_anchors`` has its runtime: the type checker compares the two."""

from xs2a._native import trusted_list_anchors as trusted_list_anchors
