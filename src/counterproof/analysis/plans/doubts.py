"""A doubt: one contradiction between a plan and its repository, or within the plan. Agents turn doubts into challenges.

Invariant: a doubt names the plan's lines and the contradicting evidence: locations in the repository, other lines of the plan, or
words that a search over all code does not find (P20). The kind of evidence alone decides the severity, on the scale that models
are given too: BLOCKING if code fails afterwards, SIGNIFICANT if a step or a statement is wrong, MINOR for questions.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.plan.challenge import Weight

MAX_QUESTIONS = 5


class Evidence(StrEnum):
    """The kind of evidence that contradicts the plan."""

    REMOVED = "code outside the plan's files imports or calls what the plan removes or renames"
    UNSAID = "a file that the plan changes uses what it removes or renames, and no line says that this changes"
    USED = "tests outside the plan's files import or call what the plan removes or renames"
    LIVE_COLUMN = "an SQL statement of the code names a column of its table that the plan drops or renames"
    COLUMN = "code names a column that the plan drops or renames"
    LEFT_CALLER = "a block changes what a function takes, and a file outside the plan calls it the old way"
    DEPARTED = "the plan changes a file that a commit removed or renamed"
    ABSENT_PATH = "the plan changes a file that is not there and that no step makes"
    OTHER_PLAN = "the plan changes a file that is not there, and refers to another plan that may make it"
    MISFIT = "code of the plan calls a function with arguments that it does not take"
    STATED = "the plan states a line or a name that a line of the code contradicts"
    EARLY = "a step uses a file that only a later step makes"
    EARLY_NAME = "a step imports a file that only a later step makes"
    REPLACED = "the plan creates a file that is there"
    UNIMPORTED = "code for a file uses a name that the plan gives no import for, though it gives the file's imports"
    SCRIPT_UNIMPORTED = "a script for a file uses a name that the plan gives no import for, though it gives the file's imports"
    UNLINTED = "the plan expects a clean linter, and a file that it writes has unused imports"
    MISCOUNTED = "the plan expects another number of passing tests than its blocks contain"
    DECISION = "the user decided otherwise on an earlier plan"


QUESTIONS = frozenset(
    [
        Evidence.UNSAID,
        Evidence.USED,
        Evidence.COLUMN,
        Evidence.OTHER_PLAN,
        Evidence.EARLY_NAME,
        Evidence.REPLACED,
        Evidence.SCRIPT_UNIMPORTED,
    ]
)
"""Kinds of evidence that are only questions: MINOR."""
BREAKING = frozenset(
    [
        Evidence.REMOVED,
        Evidence.LEFT_CALLER,
        Evidence.LIVE_COLUMN,
        Evidence.MISFIT,
        Evidence.UNIMPORTED,
        Evidence.DECISION,
    ]
)
"""Kinds of evidence after which code fails, and an earlier decision of the user: BLOCKING."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubt. `lines` are the plan's lines; `places` contradict them, as `file:line` or `plan:line`; `search` are words or
    paths that no file contains. `alternative` is the smallest change of the plan that resolves it; `reach` counts the affected
    files."""

    evidence: Evidence
    subject: str
    claim: str
    concern: str
    scenario: str
    alternative: str
    lines: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    reach: int = 1

    @property
    def weight(self) -> Weight:
        return Weight.MINOR if self.is_question else Weight.BLOCKING if self.evidence in BREAKING else Weight.SIGNIFICANT

    @property
    def is_question(self) -> bool:
        return self.evidence in QUESTIONS


_MARKED = re.compile(r"`([^`]{1,200})`")


def subject_of(claim: str) -> str:
    """The subject of a claim in our own format; '' for other sentences."""
    match = _MARKED.search(claim)
    return match[1] if match else ""


def shown(places: Iterable[tuple[str, int]], most: int = 3) -> str:
    """Locations as text for a sentence."""
    listed = [f"{path}:{line}" for path, line in places]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")
