"""Read-only copies of the surveyed files, in a private folder, for a program that must not access the target itself.

Invariant: a copy contains exactly the surveyed bytes; no ignore file, configuration or link of the target is copied; names are
kept, because rules may filter by path, unless the program would not read the file under its name. Files that could not be copied
are reported.
"""

import errno
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from counterproof.analysis.source.reading import TargetChanged, read_bytes
from counterproof.model.baseline import Unparsed
from counterproof.model.survey import Language, SourceFile

MAX_TOTAL_BYTES = 1 << 30

_SILENCING = frozenset((".semgrepignore", ".gitignore", ".git", ".semgrep", ".semgrep.yml", ".semgrep.yaml", ".gitmodules"))

_KNOWN = {
    Language.PYTHON: (".py", ".pyi"),
    Language.JAVASCRIPT: (".js", ".jsx", ".mjs", ".cjs"),
    Language.TYPESCRIPT: (".ts", ".tsx"),
    Language.JAVA: (".java",),
    Language.GO: (".go",),
    Language.PHP: (".php", ".phtml"),
    Language.RUBY: (".rb",),
}
"""Semgrep's extensions per language; the first is appended to files that we recognise by other means."""


class NoRoom(Exception):
    """Raised if the copies do not fit on the disk."""


@dataclass(frozen=True, slots=True)
class Staged:
    """`originals` maps the name of a copy to the surveyed file; `unparsed` are files without a copy."""

    originals: dict[str, SourceFile]
    unparsed: tuple[Unparsed, ...]


def stage(root: Path, files: Iterable[SourceFile], tree: Path) -> Staged:
    """Copy into `tree`, which must be empty. Raises `NoRoom` only."""
    originals: dict[str, SourceFile] = {}
    unparsed: list[Unparsed] = []
    left = MAX_TOTAL_BYTES
    for index, file in enumerate(sorted(files, key=lambda each: each.path)):
        if _SILENCING.intersection(file.path.split("/")):
            continue
        if file.size > left:
            unparsed.append(Unparsed(file.path, "more source than one scan takes"))
            continue
        try:
            originals[_copy(tree, file, index, read_bytes(root, file))] = file
        except TargetChanged:
            unparsed.append(Unparsed(file.path, "changed since the survey"))
            continue
        left -= file.size
    return Staged(originals, tuple(unparsed))


def _copy(tree: Path, file: SourceFile, index: int, data: bytes) -> str:
    """Copy under its own name if the file system and Semgrep accept it, else under a number."""
    suffix = _wanted_suffix(file)
    plain = f"renamed-{index:06}/file{suffix}"
    for name in (_own_name(file, suffix), plain):
        if name is None:
            continue
        try:
            _write(tree / name, data)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT) or name == plain:
                raise NoRoom(error.strerror) from error
        else:
            return name
    raise AssertionError("the plain name always works or raises")


def _own_name(file: SourceFile, suffix: str) -> str | None:
    try:
        file.path.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return file.path if file.path.endswith(suffix) else file.path + suffix


def _wanted_suffix(file: SourceFile) -> str:
    own = PurePosixPath(file.path).suffix
    if file.language is None:
        return own if own.isascii() else ""
    known = _KNOWN[file.language]
    return own if own in known else known[0]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(data)
    path.chmod(0o400)
