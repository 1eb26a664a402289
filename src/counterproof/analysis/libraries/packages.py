"""Under what name a manifest declares what code imports, as `packages.toml` says. What packages do is not said here."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def declared_name(imported: str) -> str:
    """The name of the package that brings what is imported; the same name where nothing else is known."""
    return _table()["declared_as"].get(imported, imported)


def is_brought_along(imported: str) -> bool:
    """Whether a test runner or a runtime brings it, so that no manifest has to declare it."""
    return imported in _table()["brought_along"]
