"""What a result depends on besides the code: the program, its rules and prompts, the user's settings and data.

Invariant: a file that an option names counts by its content, so that an edited list of exceptions is a new question. Does not
belong here: the code's own state.
"""

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Final

from counterproof.app import basis, osv_store
from counterproof.app.configuration import user_file
from counterproof.model.canonical import canonical, digest

_LARGEST: Final = 256_000_000
_PREFIX: Final = "COUNTERPROOF_AUDIT_"


def engine_for(options: tuple[str, ...]) -> str:
    """A digest over everything that an audit with these options takes from elsewhere than its target."""
    return digest(canonical([list(_installed()), [_content(value) for value in _values(options)]]))


@cache
def _installed() -> tuple[str, ...]:
    settings = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if name.startswith(_PREFIX)]
    data = _content(str(osv_store.folder())) if osv_store.kept() else ""
    return (*(f"{name}={value}" for name, value in basis.present()), _content(str(user_file())), data, *settings)


def _values(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.partition("=")[2] if each.startswith("--") else each for each in options)


@cache
def _content(value: str) -> str:
    """The digest of the file, or of the files in the folder, that a value names; '' where it names none."""
    path = Path(value)
    try:
        if not value or not path.exists():
            return ""
        files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
        total = hashlib.sha256()
        for each in files:
            with each.open("rb") as stream:
                total.update(f"{each.name}\n".encode("utf-8", "surrogatepass"))
                total.update(stream.read(_LARGEST))
        return total.hexdigest()
    except (OSError, ValueError):
        return ""
