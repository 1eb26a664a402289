"""Whether removed lines had a documented reason: the commit that added them, and whether its message says that it fixed
something.

That old code had a reason is an assumption, which is rarely true for deliberate commits. A fixing commit is evidence for it.
Invariant: only the history before the change is used, never the change's own description; if that history is missing or
truncated, the question stays open. A commit subject is untrusted text: it is searched for known words and shown as a one-line
quotation without secrets.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum

from counterproof.analysis.git import History, HistoryError, NoHistory, open_history
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.analysis.secrets.redaction import redact
from counterproof.model.location import Location
from counterproof.model.review.scope import ScopeKind

MAX_ASKED = 40
"""Locations of one change for which the history is read."""
MAX_LINES = 60
MAX_TITLE = 100
"""Characters of a subject shown in a finding."""
NEAR = 3
"""Lines between a location and the edit that it concerns."""
WORDS = "fix|bug|regress|crash|revert|cve-|ghsa-|vulnerab|security|leak|deadlock|race|hang|prevent|broken|wrong|guard against"
"""Git's search words for messages about fixes; `mending` checks them more precisely."""
_MENDING = re.compile(
    r"(?<!auto-)\b(?:bug ?)?(?:hot)?fix(?:e[sd]|ing)?\b|\bbugs?\b|\bregress|\bcrash|\brevert|\bcve-\d|\bghsa-|\bvulnerab"
    r"|\bsecurity\b|\bleak|\bdeadlock|\brace condition|\bhangs?\b|\bprevent|\bbroken\b|\bwrong|\bguard against\b",
    re.IGNORECASE,
)
_TRIFLING = re.compile(
    r"\b(?:typos?|docs?|docstrings?|documentation|lint(?:er|ing)?|pylint|eslint|flake8?|mypy|ruff|pyright|style|styling|spelling|wording"
    r"|format(?:ting)?|indent(?:ation)?|whitespace|tests?|ci|build|changelog|readme|typing|type hints?|types|comments?"
    r"|translations?|merge conflicts?|deprecat\w*|warnings?|refactor\w*)\b",
    re.IGNORECASE,
)
"""Words for fixes of things that do not run."""


def mending(subject: str) -> bool:
    """Return True if a commit message says that it fixed running code."""
    return bool(_MENDING.search(subject)) and not _TRIFLING.search(subject)


class Reason(Enum):
    """The history's answer for removed lines."""

    FIXED = "fixed"
    NONE = "none"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Found:
    """`commit` is the fixing commit, with its subject."""

    reason: Reason
    commit: str = ""


def quoted(commit: str, subject: str) -> str:
    """A commit as shown in a finding."""
    words = " ".join("".join(each if each.isprintable() else " " for each in redact(subject)).split())
    return f"{commit[:12]} (“{words[:MAX_TITLE]}{'…' if len(words) > MAX_TITLE else ''}”)"


def reasons(view: View, places: tuple[Location, ...]) -> tuple[Found, ...]:
    """For each location on the newer side, the reason for the lines removed around it."""
    if not places or view.scope.kind is not ScopeKind.DIFF or not view.scope.base:
        return (Found(Reason.OPEN),) * len(places)
    history = open_history(view.project.root)
    if isinstance(history, NoHistory):
        return (Found(Reason.OPEN),) * len(places)
    with closing(history):
        asked = tuple(_reason(view, history, each) for each in places[:MAX_ASKED])
    return (*asked, *(Found(Reason.OPEN) for _ in places[MAX_ASKED:]))


def _reason(view: View, history: History, place: Location) -> Found:
    view.project.checkpoint()
    try:
        brought = [
            each
            for start, end in _taken_away(view, place)
            for each in history.blame(view.scope.base, place.path, start, min(end, start + MAX_LINES))
        ]
    except HistoryError:
        return Found(Reason.OPEN)
    fixed = next((each for each in brought if mending(each.subject)), None)
    if fixed is not None:
        return Found(Reason.FIXED, quoted(fixed.commit, fixed.subject))
    return Found(Reason.OPEN if not brought or (history.cut and any(each.first for each in brought)) else Reason.NONE)


def _taken_away(view: View, place: Location) -> Iterator[tuple[int, int]]:
    """Lines of the older text, counted from 1, that the edits around a location removed or rewrote."""
    before = lines_of(view.before.get(place.path) or "")
    for first, last, low, high in replaced(before, lines_of(view.project.text(place.path))):
        if first < last and low - NEAR < place.end and place.start <= high + NEAR:
            yield first + 1, last
