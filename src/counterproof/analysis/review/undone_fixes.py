"""Fixes that a change takes back: commits that say they fixed something, and lines that read again as they did before them.

Harmful where what the commit brought goes and what it took away, if anything, is there again: whatever it fixed is most likely
broken again, as happens when a merge loses a fix, an old copy is pasted over, or a rewrite starts from an older version.
Harmless where the lines were moved, where something else is written in their place, where far more than them goes (a function is
retired), where they spoke of something that the change retires, and where the change itself speaks of what it takes away.

Always: only running code counts, and the lines that go must have come with that commit by blame. That the reason for the fix
still holds is an assumption.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass

from counterproof.analysis.git import History, HistoryError, NoHistory, Stretch, open_history
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.analysis.review.mending_commits import WORDS, mending, quoted
from counterproof.model.location import Location
from counterproof.model.review.scope import ScopeKind

MAX_FILES = 100
MAX_COMMITS = 200
"""Fixes of the changed files that are looked at, the newest first."""
MOST = 0.75
"""Share of a stretch of a fix that has to be undone."""
HALF = 0.5
"""Share of what the fix did to the file, likewise; and what may stand or go beside it for each word of the fix."""
MIN_WORDS = 3
ALIKE = 2
"""Other places that a change treats alike, from which on it is what the change is about."""
MAX_BLAMED = 200
_WORD = re.compile(r"\w+|[^\w\s]")
_ASIDE = re.compile(r"\s*(?:#|//|\*|/\*|import\b|from\b.*\bimport\b|__version__|version\b|@?pytest)|.*\brequire\(")
_MEANT = re.compile(
    r"\b(?:revert|undo|back(?:s|ed|ing)? out|roll(?:s|ed|ing)? back|no longer|unneeded|unneccessary|unnecessary|needless|obsolete"
    r"|redundant|work ?arounds?|hacks?|drop(?:s|ped|ping)?|simplif\w+|clean\w* ?up|not needed)\b",
    re.IGNORECASE,
)
"""What a change says of itself that takes old fixes back on purpose."""

Lines = Counter[str]


@dataclass(frozen=True, slots=True)
class UndoneFix:
    """One fix in one file: the commit as a finding names it, and where it was, in the newer text."""

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
    """One for each fix and file; none where the history cannot be read."""
    if view.scope.kind is not ScopeKind.DIFF or not view.scope.base or not change.files:
        return ()
    history = open_history(view.project.root)
    if isinstance(history, NoHistory):
        return ()
    texts = {file.path: (view.before.get(file.path) or "", view.project.text(file.path)) for file in change.files}
    view.project.checkpoint()
    with closing(history):
        try:
            return tuple(match_fixes(change, texts, history, view.scope.base, "\n".join(view.intent)))
        except HistoryError:
            return ()


def match_fixes(
    change: Change, texts: dict[str, tuple[str, str]], history: History, base: str, intent: str
) -> Iterator[UndoneFix]:
    """`texts` are the older and the newer text of every changed file of code, `intent` is what the change says of itself."""
    if _MEANT.search(intent):
        return
    hunks = {path: list(_hunks(*pair)) for path, pair in texts.items()}
    fixes: dict[tuple[str, str], list[Stretch]] = {}
    for each in history.stretches(base, tuple(texts)[:MAX_FILES], WORDS, MAX_COMMITS):
        if each.path in texts and mending(each.subject):
            fixes.setdefault((each.path, each.commit), []).append(each)
    said = {word.lower() for word in re.findall(r"\w{4,}", intent)}
    edits = {file.path: file for file in change.files}
    for (path, commit), stretches in fixes.items():
        found = _undone(edits[path], hunks, stretches, said, change)
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
    """Lines of code in one spelling; those that only import, comment or close something do not count."""
    spelt = (" ".join(_WORD.findall(line)) for line in lines if not _ASIDE.match(line))
    return Counter(line for line in spelt if re.search(r"\w", line))


def _weight(lines: Lines) -> int:
    return sum(len(re.findall(r"\w+", line)) * count for line, count in lines.items())


def _undone(
    file: FileEdit, everywhere: dict[str, list[_Hunk]], stretches: list[Stretch], said: set[str], change: Change
) -> tuple[list[_Hunk], bool] | None:
    """The places of the change that undo most of a fix, and whether nothing of it is left."""
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
    if _done_elsewhere(hit, stretches, change) or _systematic(hit, everywhere):
        return None
    return hit, undone >= 0.9 * total


def _beside(hunk: _Hunk, came: Lines, went: Lines, weight: int) -> bool:
    """Whether the change writes something else in the place of a fix, or takes far more away than it."""
    more = _weight(hunk.come - went)
    return more > HALF / 2 * weight or _weight(hunk.gone - came) > weight


def _runs(file: FileEdit, hunk: _Hunk) -> bool:
    """Whether a statement changes there, and not only what is said about it."""
    old = [row for edit in file.edits for row in (*edit.lost, *(one for one, _ in edit.reworded))]
    old += [row for unit in file.removed for row in unit.rows]
    new = [row for edit in file.edits for row in (*edit.gained, *(other for _, other in edit.reworded))]
    new += [row for unit in file.added for row in unit.rows]
    return _within(old, hunk.first, hunk.last) or _within(new, hunk.low, hunk.high)


def _within(rows: list[Row], first: int, last: int) -> bool:
    return any(row.line - 1 < last and first < row.end for row in rows)


def _speaks(hit: list[_Hunk], said: set[str]) -> bool:
    """Whether the change's own message names what it takes away or puts back."""
    words = {word.lower() for hunk in hit for line in (*hunk.gone, *hunk.come) for word in re.findall(r"\w{4,}", line)}
    return bool({word for word in words if "_" in word} & said) or len(words & said) > 1


def _done_elsewhere(hit: list[_Hunk], stretches: list[Stretch], change: Change) -> bool:
    """Whether half of the names that the fix brought stand in what the change writes: then it does so in another way."""
    before = {word for each in stretches for line in each.removed for word in re.findall(r"\w{4,}", line)}
    brought = {word for hunk in hit for line in hunk.gone for word in re.findall(r"\w{4,}", line)} - before
    return bool(brought) and len(brought & change.fresh_words) >= HALF * len(brought)


def _systematic(hit: list[_Hunk], everywhere: dict[str, list[_Hunk]]) -> bool:
    """Whether the same words go at other places too, which the fix did not touch."""
    others = [_words_gone(hunk) for hunks in everywhere.values() for hunk in hunks if hunk not in hit]
    return any(others.count(words) >= ALIKE for hunk in hit if (words := _words_gone(hunk)))


def _words_gone(hunk: _Hunk) -> frozenset[str]:
    gone, come = ({word for line in lines for word in re.findall(r"\w+", line)} for lines in (hunk.gone, hunk.come))
    return frozenset(gone - come)


def _came_with(history: History, base: str, path: str, hit: list[_Hunk], commit: str) -> bool:
    """By blame; where a fix only took away there is nothing to ask for."""
    asked = [hunk for hunk in hit if hunk.gone]
    return not asked or any(
        each.commit == commit
        for hunk in asked
        for each in history.blame(base, path, hunk.first + 1, min(hunk.last, hunk.first + MAX_BLAMED))
    )
