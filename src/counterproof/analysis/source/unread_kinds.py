"""First-party code that is not read, by class (A64): other languages, broken folders and links, missing submodules, pointers to
large files, archives and bytecode that the program names.

Invariant: tests, samples, documentation and development files do not count; images, fonts and other data never do. Not handled
here: whether the user accepts it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from counterproof.analysis.source.archives import LOADABLE
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.origin import folder_reason, is_served
from counterproof.analysis.source.other_languages import SHELLS, ending_of, other_language
from counterproof.analysis.source.roles import role_of
from counterproof.model.survey import FileRole, Language, Skipped, SkipReason, SourceFile, Unread

HEAD = 4_096
MAX_LISTED = 8
"""Files of one language in one folder that are listed individually; more become one entry."""
MAX_SEARCHED = 60_000_000
"""Bytes of source searched for the names of scripts and archives."""
_LFS = b"version https://git-lfs.github.com/spec/"
_IMPORTED = frozenset([".pyc", ".pyo", ".so", ".pyd", ".node", ".whl", ".egg"])
"""Extensions of files that an `import` alone loads."""
_MEDIA = frozenset(
    [
        ".gif", ".png", ".jpg", ".jpeg", ".webp", ".ico", ".bmp", ".tif", ".tiff", ".svg", ".avif", ".woff", ".woff2", ".ttf",
        ".eot", ".otf", ".mp3", ".mp4", ".ogg", ".wav", ".webm", ".mov", ".avi", ".pdf", ".psd", ".heic", ".flac", ".m4a",
        ".cur", ".mo", ".mmdb", ".db", ".sqlite", ".sqlite3", ".parquet",
    ]
)  # fmt: skip


@dataclass(slots=True)
class Blocked:
    """Places that a walk could not enter or read: folders, links with their targets, submodules, other languages."""

    folders: list[Skipped] = field(default_factory=list[Skipped])
    links: dict[str, str] = field(default_factory=dict[str, str])
    submodules: tuple[str, ...] = ()
    unnamed: list[Skipped] = field(default_factory=list[Skipped])
    foreign: dict[str, str] = field(default_factory=dict[str, str])
    """Files in unsupported languages, by path."""
    pointers: set[str] = field(default_factory=set[str])
    """Git LFS pointers in place of source."""

    def notice(self, path: str, data: bytes, language: Language | None) -> None:
        """Examine a file that is being read."""
        if data.startswith(_LFS):
            if language is not None or other_language(path, b""):
                self.pointers.add(path)
        elif language is None and (told := other_language(path, data[:HEAD])):
            self.foreign[path] = told


def is_media(path: str) -> bool:
    """Return True if a file is an image, a font, audio, a database or similar, by its name."""
    return PurePosixPath(path).suffix.lower() in _MEDIA


def blocked_code(blocked: Blocked, files: dict[str, SourceFile], exists: Callable[[str], bool]) -> Iterator[Skipped]:
    """Inaccessible folders, links to code that is read nowhere else, missing submodules."""
    for each in blocked.folders:
        if _is_own(f"{each.path}/code.py"):
            yield each
    yield from blocked.unnamed
    for path, target in sorted(blocked.links.items()):
        inside = _inside(path, target)
        if inside in files or any(each.startswith(f"{inside}/") for each in files) if inside is not None else False:
            continue
        code = language_of(path) is not None or bool(other_language(path, b"")) or not PurePosixPath(path).suffix
        if code and _is_own(path if language_of(path) else f"{path}/code.py") and (inside is None or exists(inside)):
            yield Skipped(path, SkipReason.SYMLINK, detail=f"to {target[:200]}, which is not part of the review")
    for path in blocked.submodules:
        if not any(each.startswith(f"{path}/") for each in files) and _is_own(f"{path}/code.py"):
            yield Skipped(path, SkipReason.UNREADABLE, detail="a git submodule that is not checked out")


def _inside(path: str, target: str) -> str | None:
    """The target of a link beneath the root; None if it leads out."""
    if target.startswith("/"):
        return None
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _is_own(path: str) -> bool:
    """Return True if a path is in a location for the program's own code."""
    if role_of(path)[0] is not FileRole.RUNTIME or is_served(path):
        return False
    return all(folder_reason(part, ()) is None for part in path.split("/")[:-1])


class Searched:
    """The text of runtime source, searched for names; read only when needed."""

    def __init__(self, files: Iterable[SourceFile], read: Callable[[SourceFile], bytes]) -> None:
        self._files = [each for each in files if each.language is not None and each.role is FileRole.RUNTIME]
        self._read = read
        self._data: list[tuple[str, bytes]] | None = None

    def naming(self, name: str, apart: str = "") -> str:
        """The first file that mentions a name; '' if none."""
        if self._data is None:
            self._data = list(self._all())
        wanted = name.encode("utf-8", "surrogateescape")
        return next((path for path, data in self._data if wanted in data and path != apart), "")

    def running(self, script: str) -> str:
        """The first file that may run a script. Without an extension the name must end a path or a string."""
        name = script.rpartition("/")[2]
        if "." in name or not self.naming(name):
            return self.naming(name)
        run = re.compile(rb"[/'\"]%b(?![\w.-]|['\"]\s{0,4}:)" % re.escape(name.encode("utf-8", "surrogateescape")))
        return next((path for path, data in self._data or () if run.search(data)), "")

    def _all(self) -> Iterator[tuple[str, bytes]]:
        total = 0
        for each in self._files:
            total += each.size
            if total > MAX_SEARCHED:
                return
            try:
                yield each.path, self._read(each)
            except OSError:
                continue


def foreign_code(
    files: Iterable[SourceFile], blocked: Blocked, searched: Searched, accepts: Callable[[str], bool]
) -> Iterator[tuple[Skipped, tuple[str, ...]]]:
    """Source in unsupported languages, with its files, and large-file pointers in place of source; many of a kind as one entry,
    in which the user accepts all or none."""
    found: dict[tuple[str, str, bool], list[SourceFile]] = {}
    for each in files:
        if each.path not in blocked.foreign and each.path not in blocked.pointers:
            continue
        if each.role is not FileRole.RUNTIME or not each.lines or not _is_own(each.path):
            continue
        if each.path in blocked.pointers:
            yield Skipped(each.path, SkipReason.UNREADABLE, detail="a pointer of Git LFS; its content was not fetched"), ()
            continue
        language = blocked.foreign[each.path]
        if each.language is None and (language not in SHELLS or searched.running(each.path)):
            top = each.path.partition("/")[0] if "/" in each.path else ending_of(each.path)
            found.setdefault((language, top, accepts(each.path)), []).append(each)
    for (language, *_), there in sorted(found.items()):
        parts = [[each] for each in there] if len(there) <= MAX_LISTED else [there]
        for part in parts:
            count = len(part)
            path = part[0].path if count == 1 else _common(part)
            yield Skipped(path, SkipReason.LANGUAGE, count, detail=_told(language, part)), tuple(each.path for each in part)


def _told(language: str, files: list[SourceFile]) -> str:
    lines = sum(each.lines for each in files)
    counted = f"{len(files):,} files, " if len(files) > 1 else ""
    endings = {ending_of(each.path) for each in files}
    accept = (
        _literal(files[0].path) if len(files) == 1 else endings.pop() if len(endings) == 1 else f"{_literal(_common(files))}/**"
    )
    return f"{counted}{lines:,} lines of {language}; --accept-unread '{accept}' accepts this"


_ACCEPT = re.compile(r"--accept-unread '(.+)' accepts this$")


def accepting_glob(each: Unread) -> str:
    """The glob that accepts unread code."""
    named = _ACCEPT.search(each.why)
    return named[1] if named else _literal(each.path) if each.path != "." else "**"


def _literal(path: str) -> str:
    """The glob that matches this path alone."""
    return re.sub(r"([\\*?\[]|^[!#])", r"\\\1", path)


def _common(files: list[SourceFile]) -> str:
    """The common parent folder."""
    parts = [each.path.split("/")[:-1] for each in files]
    shared: list[str] = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared) or "."


_OBJECTS = frozenset((".pkl", ".pickle", ".marshal"))
"""Extensions of files that hold code even as text: an unpickler calls what they name."""


def loaded_objects(files: Iterable[SourceFile], searched: Searched) -> Iterator[tuple[Skipped, str]]:
    """Pickles that are text and that running code names, with the referring file."""
    for each in files:
        name = each.path.rpartition("/")[2]
        held = each.language is None and PurePosixPath(name).suffix.lower() in _OBJECTS and _is_own(each.path)
        by = searched.naming(name) if held else ""
        if by:
            yield Skipped(each.path, SkipReason.BINARY, detail="objects that the program loads"), by


def loaded_binaries(left_out: dict[str, Skipped], folders: Iterable[str], searched: Searched) -> Iterator[tuple[Skipped, str]]:
    """Archives and bytecode that running code names or imports, with the referring file."""
    for path in sorted(each for each in folders if each.rpartition("/")[2] == "__pycache__"):
        if by := searched.naming("__pycache__/"):
            yield Skipped(path, SkipReason.BINARY, detail="bytecode that the program loads"), by
    for path, skipped in sorted(left_out.items()):
        name = path.rpartition("/")[2]
        suffix = PurePosixPath(name).suffix.lower()
        if skipped.reason is not SkipReason.BINARY or suffix not in LOADABLE or not _is_own(path):
            continue
        by = searched.naming(name)
        stem = name.partition(".")[0]
        if not by and suffix in _IMPORTED and stem:
            by = searched.naming(f"import {stem}") or searched.naming(f"from {stem} ") or searched.naming(f"from .{stem} ")
        if by:
            yield Skipped(path, SkipReason.BINARY, detail="an archive or bytecode that the program loads"), by
