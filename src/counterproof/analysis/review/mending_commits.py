"""Whether what a change takes away had a reason: which commit brought those lines, and whether it says it fixed something.

That old code had a reason is a belief; of commits that are meant as they are it is nearly never true. A commit that fixed
something is evidence for it. Always: only the history before the change is asked, never what the change says of itself; where
that history is missing or cut short, the question stays open. A subject is the committer's own text: it is asked for known words
and shown as a quotation, without secrets, in one line.
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
"""Places of one change that the history is asked about."""
MAX_LINES = 60
MAX_TITLE = 100
"""Letters of a subject that a finding shows."""
NEAR = 3
"""Lines between a place and the edit that it speaks of."""
WORDS = "fix|bug|regress|crash|revert|cve-|ghsa-|vulnerab|security|leak|deadlock|race|hang|prevent|broken|wrong|guard against"
"""What a message that speaks of mending holds, for git; `mending` looks closer."""
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
"""What is fixed where nothing that runs was broken."""


def mending(subject: str) -> bool:
    """Whether a commit says that it fixed what runs."""
    return bool(_MENDING.search(subject)) and not _TRIFLING.search(subject)


class Reason(Enum):
    """What the history says of lines that go."""

    FIXED = "fixed"
    NONE = "none"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Found:
    """`commit` is the one that fixed something, and what it says of itself."""

    reason: Reason
    commit: str = ""


def quoted(commit: str, subject: str) -> str:
    """A commit as a finding names it."""
    words = " ".join("".join(each if each.isprintable() else " " for each in redact(subject)).split())
    return f"{commit[:12]} (“{words[:MAX_TITLE]}{'…' if len(words) > MAX_TITLE else ''}”)"


def reasons(view: View, places: tuple[Location, ...]) -> tuple[Found, ...]:
    """For each place of the newer side, why the lines were there that the change takes away around it."""
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
    """Lines of the older text, from 1, that the edits around a place removed or wrote anew."""
    before = lines_of(view.before.get(place.path) or "")
    for first, last, low, high in replaced(before, lines_of(view.project.text(place.path))):
        if first < last and low - NEAR < place.end and place.start <= high + NEAR:
            yield first + 1, last
