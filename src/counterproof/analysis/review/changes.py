"""Which files and lines a change touches: the work tree held against a commit, by contents and not by what git's index claims.

Always: the older text comes from the clean mirror, the newer one from the survey. Lines are compared here, within a bound; past
it everything between the first and the last difference counts as changed.
"""

import difflib
import hashlib
from dataclasses import dataclass, field

from counterproof.analysis.git import History, HistoryError
from counterproof.analysis.project import Project
from counterproof.analysis.source.confined import opened_root
from counterproof.analysis.source.git_index import IndexUnknown, read_tracked
from counterproof.analysis.source.reading import read_bytes
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.text import real_name

MAX_COMPARED = 4_000_000
"""Pairs of lines that are compared with each other."""

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed file. `before` is None for a new one; `lines` are the changed ranges of the newer text."""

    path: str
    before: str | None
    lines: Ranges


@dataclass(slots=True)
class Edits:
    """A change as a whole. `left_out` are files of the change that are not looked at, with the reason."""

    base: str
    files: list[Edit] = field(default_factory=list[Edit])
    deleted: list[str] = field(default_factory=list[str])
    left_out: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def edits(project: Project, history: History, wanted: str) -> Edits:
    """The change that the user means: '' is everything since HEAD, `A` since A, `A..B` and `A...B` what B brought."""
    base, head = _ends(history, wanted)
    before = history.files(base)
    found = Edits(base)
    upto = history.files(head) if head else None
    tracked = _tracked(project)
    for path in sorted({*before, *(upto or ()), *project.files}):
        if upto is not None and before.get(path) == upto.get(path):
            continue
        _compare(project, history, found, path, before, upto, tracked)
    return found


def _ends(history: History, wanted: str) -> tuple[str, str]:
    """The commit that the change starts from, and the one it ends with; '' means the work tree."""
    first, dots, last = wanted.partition("...") if "..." in wanted else wanted.partition("..")
    base = history.resolve(first or "HEAD")
    if not base:
        raise UserError(f"{first[:80]!r} is no commit of this repository", "give a branch, a tag, a hash, or A..B")
    if not dots:
        return base, ""
    head = history.resolve(last or "HEAD")
    if not head:
        raise UserError(f"{last[:80]!r} is no commit of this repository", "give a branch, a tag, a hash, or A..B")
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
    project: Project,
    history: History,
    found: Edits,
    path: str,
    before: dict[str, str],
    upto: dict[str, str] | None,
    tracked: frozenset[str] | None,
) -> None:
    if path not in project.files:
        if path in before and (upto is None or path not in upto) and not (project.root / real_name(path)).exists():
            found.deleted.append(path)
        return
    try:
        data = read_bytes(project.root, project.files[path])
    except (CounterproofError, OSError) as error:
        found.left_out.append((path, str(error)[:200]))
        return
    now = blob_hash(data, len(found.base))
    if upto is not None and now != upto.get(path):
        found.left_out.append((path, "the working copy is not what the range ends with"))
    elif path not in before and tracked is not None and path not in tracked:
        found.left_out.append((path, "not tracked by git; name it or `git add` it"))
    elif now != before.get(path):
        _changed(history, found, path, project.text(path), path in before)


def _changed(history: History, found: Edits, path: str, text: str, existed: bool) -> None:
    old = None
    if existed:
        try:
            old = history.show_file(found.base, path).decode("utf-8", "replace")
        except HistoryError as error:
            found.left_out.append((path, str(error)[:200]))
            return
    lines = changed_lines(old, text)
    if lines:
        found.files.append(Edit(path, old, lines))


def blob_hash(data: bytes, length: int) -> str:
    """The hash that git would give these contents."""
    kind = hashlib.sha256 if length == 64 else hashlib.sha1
    return kind(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def changed_lines(old: str | None, new: str) -> Ranges:
    """Ranges of the newer text that are new or stand where something was taken away."""
    after = [line.rstrip("\r") for line in new.split("\n")]
    if after and not after[-1]:
        after.pop()
    if not after:
        return ()
    if old is None:
        return ((1, len(after)),)
    before = [line.rstrip("\r") for line in old.split("\n")]
    if before and not before[-1]:
        before.pop()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < min(len(before), len(after)) - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    older, newer = before[start : len(before) - tail], after[start : len(after) - tail]
    if not older and not newer:
        return ()
    if len(older) * len(newer) > MAX_COMPARED:
        return ((start + 1, max(start + 1, len(after) - tail)),)
    return _ranges(older, newer, start, len(after))


def _ranges(older: list[str], newer: list[str], start: int, total: int) -> Ranges:
    found: list[tuple[int, int]] = []
    for kind, _, _, low, high in difflib.SequenceMatcher(None, older, newer, autojunk=False).get_opcodes():
        if kind != "equal":
            first = min(start + low + 1, total)
            found.append((first, max(first, start + high)))
    return tuple(found)
