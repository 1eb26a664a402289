"""The walk over the tree: folder by folder, files before sub-folders, both by name.

Invariant: no recursion, a bound on depth, entries and files, and every unreviewed path is in the list of skipped paths. Files
nearer to the root come first, so a file limit always excludes the same files.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.kept import kept
from counterproof.analysis.source.archives import ARCHIVE, Archives
from counterproof.analysis.source.confined import LINK_ERRORS, opened_directory, opened_file, read_up_to
from counterproof.analysis.source.content import GONE, Manner, look_at
from counterproof.analysis.source.decoding import BrokenEncoding, declared_encoding, decode, is_utf16
from counterproof.analysis.source.gitignore import MAX_IGNORE_BYTES
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.listing import MAX_DEPTH, FileCounter, Listing, TooManyEntries, list_folder
from counterproof.analysis.source.origin import VERSION_CONTROL
from counterproof.analysis.source.reach import Ground, Reach, Reached, leads_on
from counterproof.analysis.source.references import references
from counterproof.analysis.source.scope import Folder, Out, Scope
from counterproof.analysis.source.skipping import SkipList
from counterproof.analysis.source.unread import unread_sources
from counterproof.analysis.source.unread_kinds import (
    Blocked,
    Searched,
    blocked_code,
    foreign_code,
    loaded_binaries,
    loaded_objects,
)
from counterproof.model.errors import InvalidValue
from counterproof.model.location import checked_path
from counterproof.model.survey import Language, Skipped, SkipReason, SourceFile, Unread
from counterproof.supervision import progress


class Imports:
    """Reads each file once.

    Parsers load only when needed."""

    def __init__(self, read: Callable[[SourceFile], bytes]) -> None:
        self._read = read

    def is_one(self, file: SourceFile, at: int) -> bool:
        """Return True if an import is at this byte offset; in doubt True, so that code is read."""
        spans = self._found(file)
        return spans is None or any(start <= at < end for start, end in spans)

    @kept
    def _found(self, file: SourceFile) -> tuple[tuple[int, int], ...] | None:
        try:
            data = self._read(file)
        except OSError:
            return None
        if is_utf16(data) or declared_encoding(data) not in ("", "utf-8", "utf8"):
            return None  # the parser's byte offsets are for another text
        from counterproof.analysis.syntax.python import import_spans

        return import_spans(data)


_ENTRIES_PER_FILE = 10


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of the walk. Both lists are sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    directories: int
    limitations: tuple[str, ...]
    has_git: bool
    unread: tuple[Unread, ...]


class Walk:
    """One walk over one tree."""

    def __init__(self, root: int, scope: Scope, max_files: int, max_file_bytes: int) -> None:
        self.root = root
        self.manner = Manner(max_file_bytes, bool(scope.include))
        self.ground = Ground()
        self.scope = scope
        self.max_files = max_files
        self.entries_left = max(100_000, _ENTRIES_PER_FILE * max_files)
        self.skips = SkipList()
        self.blocked = Blocked()
        self.counter = FileCounter()
        self.archives = Archives()
        self.directories = 0
        self.has_git = False

    def run(self) -> Walked:
        pending = [Folder("")]
        while pending:
            folder = pending.pop()
            if self.entries_left <= 0:
                self.skips.over_limit(self.counter.beneath(self.root, folder.path))
                continue
            pending.extend(reversed(self._visit(folder)))
        reached = Reach(self.ground, self._look, Imports(self._bytes).is_one, self._listed).run()
        for file in reached.files:
            self.skips.discard(file.path)
        self.blocked.submodules = self._submodules()
        return Walked(
            reached.files,
            self.skips.listed(),
            self.directories,
            self.skips.limitations() + self.scope.ignoring.limitations,
            self.has_git,
            tuple(self._unread(reached)),
        )

    def _unread(self, reached: Reached) -> Iterator[Unread]:
        """Code in scope that is not read, and whether the user accepts that."""
        for each, by in (*self._searched(reached.unread), *unread_sources(self.ground, reached), *self.skips.cut_off()):
            yield self._not_read(each, by)
        yield from self._unread_kinds(reached)

    def _not_read(self, each: Skipped, by: str = "", files: tuple[str, ...] = ()) -> Unread:
        """`files` are those that an entry stands for."""
        why = f"{each.reason}, {each.detail}" if each.detail else each.reason
        accepted = self.scope.accepts(files[0] if files else each.path)
        return Unread(each.path, why, by, accepted, packed=each.detail.startswith(ARCHIVE), files=files)

    def _unread_kinds(self, reached: Reached) -> Iterator[Unread]:
        """Code without an analyser, and inaccessible places (A64)."""
        files = {each.path: each for each in reached.files}
        told = {each.path for each, _ in reached.unread}
        searched = Searched(reached.files, self._bytes)
        yield from (self._not_read(each) for each in blocked_code(self.blocked, files, self._exists))
        foreign = foreign_code(reached.files, self.blocked, searched, self.scope.accepts)
        yield from (self._not_read(each, files=there) for each, there in foreign)
        loaded = (*loaded_binaries(self.ground.left_out, self.ground.folders, searched), *loaded_objects(reached.files, searched))
        yield from (self._not_read(each, by) for each, by in self._searched(loaded) if each.path not in told)

    def _searched(self, found: Iterable[tuple[Skipped, str]]) -> Iterator[tuple[Skipped, str]]:
        """Without archives that hold only data; the others with what is known of them."""
        for each, by in found:
            held = self._held(each.path) if each.reason is SkipReason.BINARY and language_of(each.path) is None else None
            if held != "":
                yield (replace(each, detail=held) if held else each), by

    def _held(self, path: str) -> str | None:
        folder, _, name = path.rpartition("/")
        try:
            with opened_directory(self.root, folder) as directory, opened_file(directory, name) as (descriptor, _):
                return self.archives.searched(descriptor, name)
        except OSError:
            return None

    def _exists(self, path: str) -> bool:
        try:
            os.stat(path or ".", dir_fd=self.root)
        except OSError:
            return False
        return True

    def _submodules(self) -> tuple[str, ...]:
        """The folders listed in `.gitmodules`."""
        try:
            with opened_file(self.root, ".gitmodules") as (descriptor, _):
                data = read_up_to(descriptor, MAX_IGNORE_BYTES)
        except OSError:
            return ()
        named = (line.partition(b"=") for line in data.split(b"\n"))
        paths = [value.strip().decode("utf-8", "replace") for key, _, value in named if key.strip() == b"path"]
        return tuple(path for path in paths if path and not path.startswith(("/", "..")))

    def _notice(self, path: str, data: bytes, language: Language | None) -> None:
        """Most files that must be reached are never reached: they are searched for references only when they are."""
        self.blocked.notice(path, data, language)
        if leads_on(path):
            self._refer(path, data, language)

    def _refer(self, path: str, data: bytes, language: Language | None) -> None:
        self.ground.references[path] = references(path, data, language)

    def _look(self, path: str, language: Language | None) -> SourceFile | Skipped:
        """Read a file regardless of its appearance."""
        manner = Manner(self.manner.max_bytes, generated=True, language=language)
        try:
            with opened_directory(self.root, path.rpartition("/")[0]) as directory:
                return _spared(path) or look_at(directory, path, manner, self._refer)
        except FileNotFoundError:
            return Skipped(path, SkipReason.UNREADABLE, detail=GONE)
        except (OSError, InvalidValue) as error:
            reason = SkipReason.SYMLINK if isinstance(error, OSError) and error.errno in LINK_ERRORS else SkipReason.UNREADABLE
            return Skipped(path, reason)

    def _listed(self, folder: str) -> tuple[str, ...]:
        """The code files in a folder, regardless of appearance."""
        try:
            with opened_directory(self.root, folder) as directory:
                return tuple(f"{folder}/{name}" for name in list_folder(directory).files if language_of(name))
        except OSError:
            return ()

    def _bytes(self, file: SourceFile) -> bytes:
        progress.at(file.path, surveying=True)
        folder, _, name = file.path.rpartition("/")
        with opened_directory(self.root, folder) as directory, opened_file(directory, name) as (descriptor, _):
            return read_up_to(descriptor, file.size + 1)

    def _skip(self, skipped: Skipped) -> None:
        self.ground.left_out[skipped.path] = skipped
        self.skips.add(skipped, source=language_of(skipped.path) is not None)

    def _visit(self, folder: Folder) -> list[Folder]:
        """Survey the files of one folder; return the sub-folders to enter."""
        try:
            with opened_directory(self.root, folder.path) as directory:
                listing = list_folder(directory)
                self.entries_left -= len(listing) + 1
                if out := self.scope.foreign(folder, listing.names):
                    self._leave_folder(folder.path, out)
                    return []
                self.directories += 1
                self.has_git = self.has_git or (not folder.path and ".git" in listing.names)
                folder = self._with_ignore_file(folder, directory, listing)
                self._files(folder, directory, listing)
        except TooManyEntries as error:
            self._block(Skipped(folder.path or ".", SkipReason.LIMIT, detail=error.strerror or ""))
            return []
        except OSError as error:
            if not folder.path:
                raise
            reason = SkipReason.SYMLINK if error.errno in LINK_ERRORS else SkipReason.UNREADABLE
            self._block(Skipped(folder.path, reason, detail=error.strerror or ""))
            return []
        return self._folders(folder, listing.folders)

    def _note_link(self, path: str, name: str, directory: int) -> None:
        try:
            self.blocked.links[path] = os.readlink(name, dir_fd=directory)
        except OSError:
            return  # no longer a link

    def _block(self, skipped: Skipped) -> None:
        """Record a folder that cannot be entered."""
        self.skips.add(skipped)
        self.blocked.folders.append(skipped)

    def _with_ignore_file(self, folder: Folder, directory: int, listing: Listing) -> Folder:
        if ".gitignore" not in listing.files or self.scope.tracked is None:
            return folder
        path = f"{folder.path}/.gitignore" if folder.path else ".gitignore"
        try:
            with opened_file(directory, ".gitignore") as (descriptor, _):
                data = read_up_to(descriptor, MAX_IGNORE_BYTES + 1)
            if len(data) > MAX_IGNORE_BYTES:
                self.scope.ignoring.refuse(path, "it is too large")
                return folder
            parsed = self.scope.ignoring.parse(path, decode(data, python=False))
        except (OSError, BrokenEncoding):
            self.scope.ignoring.refuse(path, "it cannot be read")
            return folder
        if parsed is None:
            return folder
        return Folder(folder.path, folder.parts, (*folder.ignore_files, parsed), folder.ignored, folder.included)

    def _files(self, folder: Folder, directory: int, listing: Listing) -> None:
        for name in listing.files:
            path = self._path(folder, name)
            if path:
                self._file(folder, directory, name, path)
        for names, reason in ((listing.links, SkipReason.SYMLINK), (listing.special, SkipReason.SPECIAL)):
            for name in names:
                if path := self._path(folder, name):
                    self._skip(Skipped(path, reason))
                    if reason is SkipReason.SYMLINK and self.scope.leave_out(folder, name) is None:
                        self._note_link(path, name, directory)

    def _file(self, folder: Folder, directory: int, name: str, path: str) -> None:
        out = self.scope.leave_out(folder, name)
        if out is not None:
            if out.reason is None:
                self.skips.not_included += 1
            else:
                self._skip(Skipped(path, out.reason, detail=out.detail))
        elif len(self.ground.files) >= self.max_files:
            self.skips.files_over_limit += 1
        else:
            seen = _spared(path) or look_at(directory, path, self.manner, self._notice)
            if isinstance(seen, SourceFile):
                self.ground.files[path] = seen
            else:
                self._skip(seen)

    def _folders(self, folder: Folder, names: tuple[str, ...]) -> list[Folder]:
        inner: list[Folder] = []
        for name in names:
            if name in VERSION_CONTROL:
                place = f"{folder.path}/{name}" if folder.path else name
                self.ground.folders[place] = SkipReason.SPECIAL
                if folder.path:
                    self._leave_folder(place, Out(SkipReason.SPECIAL, "version control data"))
                continue
            if not self._path(folder, name):
                continue
            entered = self.scope.enter(folder, name)
            if isinstance(entered, Folder) and len(entered.parts) > MAX_DEPTH:
                entered = Out(SkipReason.LIMIT, f"more than {MAX_DEPTH} levels deep")
                self.blocked.folders.append(Skipped(f"{folder.path}/{name}", SkipReason.LIMIT, detail=entered.detail))
            if isinstance(entered, Out):
                self._leave_folder(f"{folder.path}/{name}" if folder.path else name, entered)
            else:
                inner.append(entered)
        return inner

    def _path(self, folder: Folder, name: str) -> str:
        """The entry's path; "" if a report cannot name it. It is then listed and counted as source, because it may be
        anything."""
        path = f"{folder.path}/{name}" if folder.path else name
        try:
            return checked_path(path)
        except InvalidValue:
            self.skips.add(Skipped(path[:1_000], SkipReason.UNREADABLE, detail="its name cannot be used as a path"), source=True)
            if language_of(name) is not None:
                self.blocked.unnamed.append(
                    Skipped(folder.path or ".", SkipReason.UNREADABLE, detail="a file of code has no usable name")
                )
            return ""

    def _leave_folder(self, path: str, out: Out) -> None:
        self.ground.folders[path] = out.reason or SkipReason.EXCLUDED
        self.skips.add_folder(path, out.reason or SkipReason.EXCLUDED, out.detail, self.counter.beneath(self.root, path))


def _spared(path: str) -> Skipped | None:
    """A file that previously crashed a process while being read."""
    progress.at(path, surveying=True)
    known = progress.spared(path)
    return Skipped(path, SkipReason.UNREADABLE, detail=known.why) if known and known.surveying else None
