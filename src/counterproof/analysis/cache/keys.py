"""What a result depends on, as one key: the program, the files, and whatever else went in.

Invariant: two runs have the same key only if they would give the same result. The program counts by the content of its source,
by the user's libraries and by the versions of its parsers, so that an edited rule never meets an old result. Not handled here:
storage.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib import metadata

import counterproof
from counterproof.analysis.libraries import own_contents
from counterproof.analysis.own_files import own_files
from counterproof.model.survey import SourceFile

_PARTS = ("analysis", "model", "knowledge")
_PARSERS = ("tree-sitter", "tree-sitter-python", "tree-sitter-javascript", "tree-sitter-typescript", "tree-sitter-java",
            "tree-sitter-go", "tree-sitter-php", "tree-sitter-ruby")  # fmt: skip


def digest_of(name: str, files: Iterable[SourceFile], more: str = "") -> str:
    """The key of one result: its name, the files that it may depend on, and further input as text."""
    total = hashlib.sha256(f"{name}\n{program_digest()}\n{len(more)}\n{more}".encode("utf-8", "surrogatepass"))
    for file in files:
        row = f"{file.path}\0{file.language}\0{file.role}\0{file.lines}\0{file.loc}\0{file.sha256}\n"
        total.update(row.encode("utf-8", "surrogatepass"))
    return total.hexdigest()


@cache
def program_digest() -> str:
    """The program that works results out."""
    total = hashlib.sha256(f"{counterproof.__version__} {sys.version_info[:2]}".encode())
    folders = _installed()
    for name in _PARSERS:
        total.update(f"{name} {folders.get(name.replace('-', '_')) or _version(name)}\n".encode())
    for path, data in (*own_files(*_PARTS), *own_contents()):
        total.update(f"{path}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def _installed() -> dict[str, str]:
    """Versions of packages by the names of their folders. Asking for the metadata instead means parsing a mail for each."""
    found: dict[str, str] = {}
    for place in sys.path:
        with contextlib.suppress(OSError):
            for folder in os.listdir(place or "."):
                name, _, version = folder.removesuffix(".dist-info").partition("-")
                if folder.endswith(".dist-info"):
                    found.setdefault(name, version)
    return found


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
