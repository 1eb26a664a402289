"""Code that reviewed code reaches is reviewed, whatever its name (X21).

The appearance of a file (a test-like name, a vendored folder, a generated marker, an odd extension, an ignore file) may exclude
it, or give it another role, only if nothing that runs imports, includes, mounts or starts it. References are followed from every
runtime file to excluded files; those are then read as runtime, and followed in turn.

Invariant: a reached file that cannot be read is listed as unread, with the file that reaches it; files that the user excluded
stay excluded. Bounded by the number of references. Not handled here: finding the references in a file.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from counterproof.analysis.kept import kept
from counterproof.analysis.source.content import GONE, NO_SCRIPT
from counterproof.analysis.source.references import Kind, Reference, starts_programs
from counterproof.analysis.source.roles import role_of
from counterproof.analysis.source.unread_kinds import is_media
from counterproof.model.survey import FileRole, Language, Skipped, SkipReason, SourceFile

MAX_REACHED = 20_000
_PYTHON_ENDINGS = (".py", "/__init__.py", ".pyw")
_PATH_ENDINGS = (
    "", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".es6", "/index.js", "/index.ts", "/index.mjs", "/index.cjs", "/index.tsx",
    ".php", ".rb", ".py",
)  # fmt: skip
_ENDINGS = frozenset((*_PYTHON_ENDINGS, *_PATH_ENDINGS))
_CODE_LIKE = (FileRole.TEST, FileRole.SAMPLE, FileRole.DOCUMENTATION, FileRole.DEVELOPMENT, FileRole.GENERATED, FileRole.CI)
_DATA = (
    ".json", ".css", ".scss", ".less", ".sass", ".svg", ".png", ".node", ".html", ".vue", ".svelte", ".graphql", ".txt", ".md",
    ".toml", ".yml", ".yaml", ".ini", ".cfg", ".lock", ".xml", ".csv", ".env", ".wasm", ".sql",
)  # fmt: skip
"""Extensions that script loaders treat as data."""

_SPEAKS = {"package.json": Language.JAVASCRIPT}
"""Manifests, and the language of the files they start."""

_RUNS = (Kind.LOADED, Kind.RUN)
"""References that make their target code."""

_CHOSEN = (SkipReason.EXCLUDED,)
"""Reasons chosen by the user."""

Look = Callable[[str, Language | None], SourceFile | Skipped]
"""Opens a file regardless of its appearance; the language is that of the referring file, for names that do not show it."""


@dataclass(slots=True)
class Ground:
    """The result of a walk: files with their references, and the excluded files and folders."""

    files: dict[str, SourceFile] = field(default_factory=dict[str, SourceFile])
    references: dict[str, tuple[Reference, ...]] = field(default_factory=dict[str, tuple[Reference, ...]])
    left_out: dict[str, Skipped] = field(default_factory=dict[str, Skipped])
    folders: dict[str, SkipReason] = field(default_factory=dict[str, SkipReason])


@dataclass(frozen=True, slots=True)
class Reached:
    """Files as finally read, and reached files that cannot be read, with the referring file."""

    files: tuple[SourceFile, ...]
    unread: tuple[tuple[Skipped, str], ...]


class Reach:
    """One pass over one tree."""

    def __init__(
        self, ground: Ground, look: Look, confirm: Callable[[SourceFile, int], bool], listed: Callable[[str], tuple[str, ...]]
    ) -> None:
        """`listed` returns the code files in a folder."""
        self._ground, self._look, self._confirm, self._listed = ground, look, confirm, listed
        self._files = {path: _with_role(file) for path, file in ground.files.items()}
        self._aside = {path for path, file in self._files.items() if file.role in _CODE_LIKE and file.language}
        self._unread: dict[str, tuple[Skipped, str]] = {}
        self._asked: set[str] = set()
        self._names = self._hidden_names()
        plain = (path for path, file in self._files.items() if file.language is None)
        self._bases = {base for path in (*self._aside, *ground.left_out, *plain) for base in _bases(path)}
        self._foreign = {folder for folder, reason in ground.folders.items() if reason not in _CHOSEN}
        self._nowhere: set[tuple[str, Kind, str]] = set()
        """References that lead to no hidden file from a folder, or with '' from anywhere; valid because the set of hidden files
        only shrinks."""
        self._searched = tuple(dict.fromkeys(self._search_folders()))

    def run(self) -> Reached:
        samples = [path for path, file in sorted(self._files.items()) if file.role is FileRole.SAMPLE]
        runs = [p for p, file in sorted(self._files.items()) if file.role is FileRole.RUNTIME or starts_programs(p)]
        pending = samples + runs
        reached = 0
        while pending and reached < MAX_REACHED:
            path = pending.pop()
            for target in self._followed(path):
                reached += 1
                pending.append(target)
        return Reached(tuple(sorted(self._files.values(), key=lambda file: file.path)), tuple(self._unread.values()))

    def _hidden_names(self) -> frozenset[str]:
        """Stems and folders of all hidden files: a reference without any of them leads to none."""
        found: set[str] = set()
        for path in (*self._aside, *self._ground.left_out, *self._ground.folders):
            folder, _, name = path.rpartition("/")
            stem = name.partition(".")[0] or name
            found |= {stem, name, folder.rpartition("/")[2]}
        return frozenset(found)

    def _followed(self, path: str) -> Iterator[str]:
        file, folder = self._files[path], path.rpartition("/")[0]
        for reference in self._ground.references.get(path, ()):
            if file.role is FileRole.DEVELOPMENT and file.language is Language.PYTHON and reference.kind is not Kind.OFFERED:
                continue  # a build script does not run with the program; its outputs do
            beside = reference.kind in _RUNS or self._may_lead(reference.text)
            tried = (folder if beside else "", reference.kind, reference.text)
            if tried in self._nowhere:
                continue
            meant = (*(self._beside(reference, path) if beside else ()), *self._searched_for(reference))
            found = [each for each in meant if self._is_hidden(each) or self._is_code_by_use(each, reference)]
            if not found:
                self._nowhere.add(tried)
            for candidate in found:
                if self._is_open(candidate) and self._is_meant(file, reference) and self._taken(candidate, file, reference.kind):
                    yield candidate

    def _is_open(self, path: str) -> bool:
        """Return True if the path was not tried yet, and its parent is not a file."""
        return path not in self._asked and not any(each in self._files or each in self._unread for each in _above(path))

    def _beside(self, reference: Reference, path: str) -> Iterator[str]:
        """The paths that a reference may mean relative to its file."""
        if reference.kind is Kind.EVERY:
            yield from (each for folder in _folders(reference.text, path) for each in self._listed(folder))
        else:
            yield from self._endings(candidates(reference, path))

    def _searched_for(self, reference: Reference) -> Iterator[str]:
        """The paths that a reference may mean in module search folders, wherever it is."""
        if reference.kind in (Kind.IMPORT, Kind.MODULE):
            for folder in self._searched:
                yield from self._endings(_modules(reference.text, folder, True))

    def _endings(self, bases: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
        """The paths of bases that a hidden file, or a file without a code name, may have."""
        for base, endings in bases:
            if base in self._bases or (self._foreign and self._is_foreign(base)):
                yield from (base + ending for ending in endings)

    def _search_folders(self) -> Iterator[str]:
        """Folders, including hidden ones, that running code adds to the module search path."""
        for path, file in self._files.items():
            for reference in self._ground.references.get(path, ()) if file.role is FileRole.RUNTIME else ():
                if reference.kind is Kind.SEARCHED:
                    yield from (each for each in _folders(reference.text, path) if self._is_hidden(f"{each}/x"))

    def _may_lead(self, text: str) -> bool:
        parts = text.replace("/", ".").split(".")
        return any(part in self._names for part in parts) or text.rpartition("/")[2] in self._names

    def _is_hidden(self, path: str) -> bool:
        if path in self._asked:
            return False
        if path in self._aside:
            return True
        if path in self._files:
            return False
        if path in self._ground.left_out:
            return self._ground.left_out[path].reason not in _CHOSEN
        return bool(self._foreign) and self._is_foreign(path.rpartition("/")[0])

    @kept
    def _is_foreign(self, folder: str) -> bool:
        """Return True if a folder is inside one that was excluded as a whole."""
        above = folder
        while above and above not in self._foreign:
            above = above.rpartition("/")[0]
        return bool(above)

    def _is_code_by_use(self, path: str, reference: Reference) -> bool:
        """Return True if a file that does not look like code is loaded as code."""
        file = self._files.get(path) if reference.kind in _RUNS and path not in self._asked else None
        return file is not None and file.language is None and (reference.kind is Kind.RUN or not path.endswith(_DATA))

    def _is_meant(self, file: SourceFile, reference: Reference) -> bool:
        return reference.kind is not Kind.IMPORT or self._confirm(file, reference.at)

    def _taken(self, path: str, by: SourceFile, kind: Kind) -> bool:
        """Return True if a hidden file exists and is now read."""
        self._asked.add(path)
        known = self._files.get(path)
        language = by.language or _SPEAKS.get(posixpath.basename(by.path))
        looked = self._look(path, language)  # whatever its appearance, and for its references
        seen = known if known and known.language else looked
        if isinstance(seen, Skipped):
            if _is_there(seen) and (kind in _RUNS or seen.reason is not SkipReason.BINARY or not is_media(path)):
                self._unread[path] = (seen, by.path)
            return False
        if seen.language is None:
            return False  # data that is read is not code
        self._files[path] = replace(
            seen,
            role=by.role if by.role is FileRole.SAMPLE else FileRole.RUNTIME,
            role_reason=f"{by.path} reaches it",
            reached_from=by.path,
        )
        return True


def leads_on(path: str) -> bool:
    """Return True if a file's references are followed although nothing reaches it."""
    return role_of(path)[0] in (FileRole.SAMPLE, FileRole.RUNTIME) or starts_programs(path)


def _bases(path: str) -> Iterator[str]:
    """The names by which code may refer to a file: its path, without an optional extension."""
    return (path.removesuffix(ending) for ending in _ENDINGS if path.endswith(ending))


def candidates(reference: Reference, origin: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The paths beneath the root that a reference may mean, each with its possible extensions."""
    folder = posixpath.dirname(origin)
    if reference.kind in (Kind.PATH, *_RUNS):
        yield from _paths(reference.text, folder)
    elif reference.kind in (Kind.IMPORT, Kind.MODULE, Kind.OFFERED):
        yield from _modules(reference.text, folder, reference.kind is Kind.MODULE)


def _folders(text: str, origin: str) -> Iterator[str]:
    """The folders beneath the root that a string may mean."""
    for base in dict.fromkeys((posixpath.dirname(origin), "")):
        path = posixpath.normpath(posixpath.join(base, text.lstrip("/")))
        if path not in (".", "..") and not path.startswith("../"):
            yield path


def _paths(text: str, folder: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    relative = text.startswith((".", "/")) and not text.startswith("/")
    bare = text.lstrip("@~").lstrip("/") if text[:1] in "@~/" else text
    for base in (folder,) if relative else (folder, "", "src"):
        path = posixpath.normpath(posixpath.join(base, bare))
        if path in (".", "..") or path.startswith(("../", "/")):
            continue
        yield path, _PATH_ENDINGS


def _modules(text: str, folder: str, in_text: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    bare = text.lstrip(".")
    level = len(text) - len(bare)
    parts = [part for part in bare.split(".") if part]
    above = folder.split("/") if folder else []
    if level:
        bases = ["/".join(above[: len(above) - level + 1])] if level - 1 <= len(above) else []
    else:
        bases = ["/".join(above[:count]) for count in range(len(above), -1, -1)] + ["src"]
    inner = ["/".join(parts[:count]) for count in range(len(parts), 0 if not in_text else min(1, len(parts) - 1), -1)]
    for base in bases:
        for each in inner:
            yield f"{base}/{each}" if base and each else base or each, _PYTHON_ENDINGS


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _with_role(file: SourceFile) -> SourceFile:
    role, reason = role_of(file.path)
    return replace(file, role=role, role_reason=reason, reached_from="")


def _is_there(seen: Skipped) -> bool:
    """Return True if the skipped entry is unread code."""
    return seen.detail not in (GONE, NO_SCRIPT)
