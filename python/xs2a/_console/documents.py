"""``/docs``: the interface of the bank and the control interface, shown by Swagger UI.

Its files come from the package swagger-ui-py (the extra ``docs``), which is not imported: the page loads them
from here, and nothing from elsewhere.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["POLICY", "renderer_file"]

_FILES = {
    "swagger-ui.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


def renderer_file(name: str) -> tuple[bytes, str] | None:
    """A file of the renderer and its media type; None if there is no such file, or no renderer."""
    folder = _folder()
    if folder is None or name not in _FILES:
        return None
    return (folder / name).read_bytes(), _FILES[name]


@lru_cache(maxsize=1)
def _folder() -> Path | None:
    found = find_spec("swagger_ui")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "static"
    return folder if all((folder / name).is_file() for name in _FILES) else None
