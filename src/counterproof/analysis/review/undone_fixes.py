"""Reverted fixes: commits that say they fixed something, and lines that are again as before them.

Reported if the lines that a fix added are removed and those it removed, if any, are back: the bug is probably back too, as after
a merge that loses a fix, a pasted old copy, or a rewrite from an older version. Not reported if the lines were moved or replaced
by something else, if far more than them is removed (a retired function), or if the change's own message mentions what it removes.

Invariant: only running code counts, and the removed lines must come from that commit by blame. That the reason for the fix still
applies is an assumption.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from counterproof.analysis.git import History, HistoryError, NoHistory, Stretch, open_history
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.edits.alignment import Change, FileEdit
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.analysis.review.mending_commits import WORDS, mending, quoted
from counterproof.model.location import Location
from counterproof.model.review.scope import ScopeKind

MAX_FILES = 100
MAX_COMMITS = 200
"""Fixing commits examined for the changed files, newest first."""
MOST = 0.75
"""Share of a block of a fix that must be undone."""
HALF = 0.5
"""The same share for the whole fix in the file; also the limit on additional changes per word of the fix."""
MIN_WORDS = 3
MAX_BLAMED = 200
_WORD = re.compile(r"\w+|[^\w\s]")
_ASIDE = re.compile(r"\s*(?:#|//|\*|/\*|import\b|from\b.*\bimport\b|__version__|version\b|@?pytest)|.*\brequire\(")
_MEANT = re.compile(
    r"\b(?:revert|undo|back(?:s|ed|ing)? out|roll(?:s|ed|ing)? back|no longer|unneeded|unneccessary|unnecessary|needless|obsolete"
    r"|redundant|work ?arounds?|hacks?|drop(?:s|ped|ping)?|simplif\w+|clean\w* ?up|not needed)\b",
    re.IGNORECASE,
)
"""Words with which a change says that it reverts old fixes on purpose."""

Lines = Counter[str]


@dataclass(frozen=True, slots=True)
class UndoneFix:
    """One fix in one file: the commit as shown in a finding, and its location in the newer text."""

    fix: str
    places: tuple[Location, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class _Hunk:
    """One place of the change: `first` to `last` of the older lines, `low` to `high` of the newer ones, from 0, half open."""

    first: int
    last: int
    low: int
    high: int
    gone: Lines
    come: Lines


def find_undone_fixes(view: View, change: Change) -> tuple[UndoneFix, ...]:
    """One for each fix and file; empty if the history cannot be read."""
    if view.scope.kind is not ScopeKind.DIFF or not view.scope.base or not change:
        return ()
    history = open_history(view.project.root)
    if isinstance(history, NoHistory):
        return ()
    texts = {file.path: (view.before.get(file.path) or "", view.project.text(file.path)) for file in change}
    view.project.checkpoint()
    with closing(history):
        try:
            return tuple(match_fixes(change, texts, history, view.scope.base, "\n".join(view.intent)))
        except HistoryError:
            return ()


def match_fixes(
    change: Change, texts: dict[str, tuple[str, str]], history: History, base: str, intent: str
) -> Iterator[UndoneFix]:
    """`texts` are the older and newer text of every changed code file, `intent` is the change's own description."""
    if _MEANT.search(intent):
        return
    hunks = {path: list(_hunks(*pair)) for path, pair in texts.items()}
    fixes: dict[tuple[str, str], list[Stretch]] = {}
    for each in history.stretches(base, tuple(texts)[:MAX_FILES], WORDS, MAX_COMMITS):
        if each.path in texts and mending(each.subject):
            fixes.setdefault((each.path, each.commit), []).append(each)
    said = {word.lower() for word in re.findall(r"\w{4,}", intent)}
    edits = {file.path: file for file in change}
    for (path, commit), stretches in fixes.items():
        found = _undone(edits[path], hunks, stretches, said)
        if found is not None and _came_with(history, base, path, found[0], commit):
            ends = len(lines_of(texts[path][1])) or 1
            places = (Location(path, min(h.low + 1, ends), min(max(h.low + 1, h.high), ends)) for h in found[0])
            yield UndoneFix(quoted(commit, stretches[0].subject), tuple(sorted(set(places))), found[1])


def _hunks(before: str, after: str) -> Iterator[_Hunk]:
    old, new = lines_of(before), lines_of(after)
    for first, last, low, high in replaced(old, new):
        gone, come = _counted(old[first:last]), _counted(new[low:high])
        yield _Hunk(first, last, low, high, gone - come, come - gone)


def _counted(lines: Iterable[str]) -> Lines:
    """Normalised lines of code, without imports, comments and closing brackets."""
    spelt = (" ".join(_WORD.findall(line)) for line in lines if not _ASIDE.match(line))
    return Counter(line for line in spelt if re.search(r"\w", line))


def _weight(lines: Lines) -> int:
    return sum(len(re.findall(r"\w+", line)) * count for line, count in lines.items())


def _undone(
    file: FileEdit, everywhere: dict[str, list[_Hunk]], stretches: list[Stretch], said: set[str]
) -> tuple[list[_Hunk], bool] | None:
    """The places of the change that undo most of a fix, and whether nothing of it remains."""
    hunks = everywhere[file.path]
    written = sum((hunk.come for each in everywhere.values() for hunk in each), Lines())
    hit: list[_Hunk] = []
    total = undone = 0
    for each in stretches:
        came, went = _counted(each.added), _counted(each.removed)
        came, went = came - went, went - came
        weight = _weight(came) + _weight(went)
        total += weight
        if weight < MIN_WORDS:
            continue
        for hunk in hunks:
            back = _weight((came & hunk.gone) - written) + _weight(went & hunk.come)
            if back >= MOST * weight and not _beside(hunk, came, went, weight) and _runs(file, hunk):
                undone += back
                hit += [hunk] if hunk not in hit else []
                break
    if not hit or undone < HALF * total or _speaks(hit, said):
        return None
    return hit, undone >= 0.9 * total


def _beside(hunk: _Hunk, came: Lines, went: Lines, weight: int) -> bool:
    """Return True if the change writes something else in place of a fix, or removes far more than it."""
    more = _weight(hunk.come - went)
    return more > HALF / 2 * weight or _weight(hunk.gone - came) > weight


def _runs(file: FileEdit, hunk: _Hunk) -> bool:
    """Return True if a statement changes there, and not only comments."""
    old = [row for edit in file.edits for row in (*edit.lost, *(one for one, _ in edit.reworded))]
    old += [row for unit in file.removed for row in unit.rows]
    new = [row for edit in file.edits for row in (*edit.gained, *(other for _, other in edit.reworded))]
    new += [row for unit in file.added for row in unit.rows]
    return _within(old, hunk.first, hunk.last) or _within(new, hunk.low, hunk.high)


def _within(rows: list[Row], first: int, last: int) -> bool:
    return any(row.line - 1 < last and first < row.end for row in rows)


def _speaks(hit: list[_Hunk], said: set[str]) -> bool:
    """Return True if the change's own message names what it removes or restores."""
    words = {word.lower() for hunk in hit for line in (*hunk.gone, *hunk.come) for word in re.findall(r"\w{4,}", line)}
    return bool({word for word in words if "_" in word} & said) or len(words & said) > 1


def _came_with(history: History, base: str, path: str, hit: list[_Hunk], commit: str) -> bool:
    """Return True if blame confirms the commit; for a fix that only removed lines there is nothing to check."""
    asked = [hunk for hunk in hit if hunk.gone]
    return not asked or any(
        each.commit == commit
        for hunk in asked
        for each in history.blame(base, path, hunk.first + 1, min(hunk.last, hunk.first + MAX_BLAMED))
    )
