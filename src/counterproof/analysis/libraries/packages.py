"""The package that declares an imported name, from `packages.toml`. Not handled here: what packages do."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def declared_name(imported: str) -> str:
    """The package that provides an import; the import's own name if nothing else is known."""
    return _table()["declared_as"].get(imported, imported)


def is_brought_along(imported: str) -> bool:
    """Return True if a test runner or runtime provides it, so that no manifest has to declare it."""
    return imported in _table()["brought_along"]
