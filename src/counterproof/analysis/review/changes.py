"""The files and lines that a change touches: the work tree compared with a commit, by content and not by git's index.

Invariant: the older text comes from the clean mirror, the newer one from the survey, or also from the mirror if the change ends
with a commit that the work tree does not contain: then that commit's bytes are saved and reviewed (R40). Unreadable source in the
change is distinguished from files excluded on purpose.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from counterproof.analysis.git import History, HistoryError
from counterproof.analysis.git.history import MAX_FILE
from counterproof.analysis.project import Project
from counterproof.analysis.review.line_diff import Ranges, changed_lines
from counterproof.analysis.source.confined import opened_directory, opened_file, opened_root, read_up_to
from counterproof.analysis.source.content import Manner, judge
from counterproof.analysis.source.decoding import decode_as
from counterproof.analysis.source.git_index import IndexUnknown, read_tracked
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.reading import read_bytes
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.survey import Skipped, SkipReason, SourceFile
from counterproof.model.text import real_name

MAX_HASHED = 64_000_000
MAX_GONE = 200
"""Limit on the deleted files that are read."""
UNREAD = (SkipReason.TOO_LARGE, SkipReason.LONG_LINES, SkipReason.UNREADABLE, SkipReason.ENCODING, SkipReason.LIMIT)
"""Reasons why source is unread without a decision. Generated, vendored and ignored files are excluded on purpose (R4)."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed file. `before` is None for a new one; `lines` are the changed ranges of the newer text."""

    path: str
    before: str | None
    lines: Ranges


@dataclass(slots=True)
class Edits:
    """A whole change. `gone` are the older texts of deleted source; `left_out` files of the change that are not reviewed, with
    the reason; `unread` those of them that are source and should have been; `elsewhere` files with the bytes of the commit
    `head`, not of the work tree."""

    base: str
    head: str = ""
    files: list[Edit] = field(default_factory=list[Edit])
    deleted: list[str] = field(default_factory=list[str])
    gone: dict[str, str] = field(default_factory=dict[str, str])
    left_out: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    unread: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    elsewhere: list[str] = field(default_factory=list[str])

    def miss(self, path: str, why: str) -> None:
        """Record a file of the change that could not be read."""
        self.left_out.append((path, why[:200]))
        if language_of(path):
            self.unread.append((path, why[:200]))


def edits(project: Project, history: History, wanted: str) -> Edits:
    """The change that the user selects: '' is everything since HEAD, `A` since A, `A..B` and `A...B` the commits in B."""
    base, head = ends(history, wanted)
    before = history.files(base)
    found = Edits(base, head)
    upto = history.files(head) if head else None
    tracked = _tracked(project)
    skipped = {each.path: each for each in project.survey.skipped}
    for path in sorted({*before, *(upto or ()), *project.files, *skipped}):
        if upto is not None:
            if before.get(path) != upto.get(path):
                _compare_commits(project, history, found, path, before, upto, skipped)
        elif path in project.files:
            _compare(project, history, found, path, before, tracked)
        elif path in skipped:
            _missed(project, found, skipped[path], before)
        elif not (project.root / real_name(path)).exists():
            found.deleted.append(path)
    found.gone = dict(_gone(history, found))
    return found


def _gone(history: History, found: Edits) -> Iterator[tuple[str, str]]:
    """The content of deleted source: code that was moved from there existed before. A file that a survey would leave out, such as
    a built bundle, counts as missing."""
    for path in [each for each in found.deleted if language_of(each)][:MAX_GONE]:
        try:
            data = history.show_file(found.base, path)
        except HistoryError:
            continue
        if isinstance(judge(path, data, "", Manner(MAX_FILE)), SourceFile):
            yield path, data.decode("utf-8", "replace")


def ends(history: History, wanted: str) -> tuple[str, str]:
    """The first and last commit of the change; '' means the work tree."""
    first, dots, last = wanted.partition("...") if "..." in wanted else wanted.partition("..")
    base = history.resolve(first or "HEAD")
    if not base:
        raise UserError(f"{first[:80]!r} is not a commit of this repository", "give a branch, a tag, a hash, or A..B")
    if not dots:
        return base, ""
    head = history.resolve(last or "HEAD")
    if not head:
        raise UserError(f"{last[:80]!r} is not a commit of this repository", "give a branch, a tag, a hash, or A..B")
    if dots == "...":
        base = history.merge_base(base, head)
        if not base:
            raise UserError(f"{wanted[:80]} have no commit in common", "use two dots")
    return base, head


def _tracked(project: Project) -> frozenset[str] | None:
    try:
        with opened_root(project.root) as top:
            return read_tracked(top).files
    except (IndexUnknown, OSError):
        return None


def _compare(
    project: Project, history: History, found: Edits, path: str, before: dict[str, str], tracked: frozenset[str] | None
) -> None:
    """Compare the work tree's copy with the older one."""
    data = _bytes(project, path) or _again(project, found, path)
    if data is None:
        return
    if path not in before and tracked is not None and path not in tracked:
        found.left_out.append((path, "not tracked by git; name it or `git add` it"))
    elif blob_hash(data, len(found.base)) != before.get(path):
        _changed(history, found, path, project.text(path), path in before)


def _bytes(project: Project, path: str) -> bytes | None:
    try:
        return read_bytes(project.root, project.files[path])
    except (CounterproofError, OSError):
        return None


def _again(project: Project, found: Edits, path: str) -> bytes | None:
    """The current content of a file that changed since the survey: nothing was derived from it yet, so these bytes are saved."""
    data = _read_now(project, path, MAX_FILE)
    if data is None:
        found.miss(path, "it cannot be read any more")
        return None
    file = judge(path, data, hashlib.sha256(data).hexdigest(), Manner(MAX_FILE))
    if isinstance(file, Skipped):
        _left_out(found, file)
        return None
    project.freeze({path: decode_as(data, file.language)}, (file,))
    return data


def _read_now(project: Project, path: str, most: int) -> bytes | None:
    folder, _, name = path.rpartition("/")
    try:
        with (
            opened_root(project.root) as top,
            opened_directory(top, folder) as directory,
            opened_file(directory, name) as (descriptor, _),
        ):
            return read_up_to(descriptor, most)
    except OSError:
        return None


def _compare_commits(
    project: Project,
    history: History,
    found: Edits,
    path: str,
    before: dict[str, str],
    upto: dict[str, str],
    skipped: dict[str, Skipped],
) -> None:
    """The files of a commit. If the work tree has different content, the commit's own bytes are saved and reviewed."""
    if path not in upto:
        found.deleted.append(path)
        return
    here = _bytes(project, path) if path in project.files else None
    if here is None or blob_hash(here, len(found.base)) != upto[path]:
        if path in skipped and skipped[path].reason not in UNREAD:
            found.left_out.append((path, skipped[path].reason.value))
            return
        if not _kept(project, history, found, path):
            return
    _changed(history, found, path, project.text(path), path in before)


def _kept(project: Project, history: History, found: Edits, path: str) -> bool:
    """Save a commit's content of a file."""
    try:
        data = history.show_file(found.head, path)
    except HistoryError as error:
        found.miss(path, str(error))
        return False
    file = judge(path, data, hashlib.sha256(data).hexdigest(), Manner(MAX_FILE))
    if isinstance(file, Skipped):
        _left_out(found, file)
        return False
    project.freeze({path: decode_as(data, file.language)}, (file,))
    found.elsewhere.append(path)
    return True


def _left_out(found: Edits, file: Skipped) -> None:
    if file.reason in UNREAD:
        found.miss(file.path, file.reason.value)
    else:
        found.left_out.append((file.path, file.reason.value))


def _missed(project: Project, found: Edits, file: Skipped, before: dict[str, str]) -> None:
    """Record unreadable source as part of the change if its bytes differ from the older ones, as far as known."""
    if file.reason not in UNREAD or not language_of(file.path) or file.path not in before:
        return
    data = _read_now(project, file.path, MAX_HASHED) or b""
    if blob_hash(data, len(found.base)) != before[file.path]:
        _left_out(found, file)


def _changed(history: History, found: Edits, path: str, text: str, existed: bool) -> None:
    old = None
    if existed:
        try:
            old = history.show_file(found.base, path).decode("utf-8", "replace")
        except HistoryError as error:
            found.miss(path, str(error))
            return
    lines = changed_lines(old, text)
    if lines:
        found.files.append(Edit(path, old, lines))


def blob_hash(data: bytes, length: int) -> str:
    """Git's hash of these contents."""
    kind = hashlib.sha256 if length == 64 else hashlib.sha1
    return kind(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
