"""The control interface of a served sandbox: JSON over HTTP on a port of its own, and the console."""
