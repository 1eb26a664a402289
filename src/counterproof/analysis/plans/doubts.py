"""A doubt: one reason, found in plan and code, why a plan may fail. Agents turn doubts into challenges.

Always: a doubt names what contradicts the plan: places in the repository, lines of the plan, or words that a search over all code
does not find (P20). Absence alone proves nothing: what is not there may be new, or come with other work. So a doubt is above
MINOR only where something that is there stands against the plan, or shows that it is for this tree and relies on the thing;
`evidence` says what, and what that is worth. Finding doubts does not belong here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.model.plan.challenge import Confidence, Weight

MAX_SUBJECT = 150


class Kind(StrEnum):
    """What is doubted; the value opens the claim."""

    FILE = "The plan works on the file"
    SYMBOL = "The plan relies on the name"
    HOME = "The plan looks in another file for"
    IMPORT = "The plan imports"
    COMMAND = "The plan runs"
    DEPENDENCY = "The plan relies on the package"
    VERSION = "The plan takes for granted a version of"
    ORDER = "The plan uses too early"
    EXISTING = "The plan creates"
    REMOVAL = "The plan removes"
    SIGNATURE = "The plan asks more of the callers of"
    UNUSED = "The plan says that nothing else uses"
    COUNT = "The plan counts the callers of"
    VALUE = "The plan takes for granted the value of"
    SAID = "The plan says what does not hold of"
    CALL = "The plan calls with other arguments"
    MEMBER = "The plan reads what is not there:"
    MISSHAPEN = "The plan writes what does not fit:"
    UNBOUND = "The plan's code uses without a definition"
    QUOTE = "The plan quotes what does not stand in"
    SETTING = "The plan reads from the environment"
    MIGRATION = "The plan adds without a migration"
    ROLLBACK = "The plan changes stored data without a way back"
    FAILURE = "The plan expects an outside system to answer"
    UNCOMMITTED = "The plan lists for a task and never commits"
    TOTAL = "The plan expects another number of tests than it writes:"
    OUTCOME = "The plan expects"
    INTERFACE = "The plan states an interface that its code does not have:"
    DECISION = "The plan goes against a decision on"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubt. `lines` are the plan's that it is about; `places` contradict them, as `file:line` or `plan:line`; `search` are
    words or paths that stand nowhere. `alternative` is the smallest change of the plan that settles it."""

    kind: Kind
    subject: str
    rest: str
    concern: str
    scenario: str
    alternative: str
    weight: Weight = Weight.SIGNIFICANT
    confidence: Confidence = Confidence.HIGH
    lines: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    evidence: Evidence = Evidence.LINES
    grade: Grade = Grade.STANDS

    @property
    def claim(self) -> str:
        where = f" (plan line {self.lines[0]})" if self.lines else ""
        subject = self.subject[:MAX_SUBJECT].replace("`", "'")
        return f"{self.kind} `{subject}`{f' {self.rest}' if self.rest else ''}{where}"


_CLAIM = re.compile(r"(?P<lead>[A-Z][^`]{3,80}) `(?P<subject>[^`]{1,200})`(?P<rest>.{0,300})", re.DOTALL)


def read_claim(claim: str) -> tuple[Kind, str] | None:
    """Kind and subject of a claim in our own form; None for any other sentence."""
    match = _CLAIM.match(claim)
    kind = next((kind for kind in Kind if match and match["lead"] == kind.value), None)
    return (kind, match["subject"]) if match and kind else None


def shown(places: Iterable[tuple[str, int]], most: int = 5) -> str:
    """Places for a sentence."""
    listed = [f"{path}:{line}" for path, line in places]
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def in_files(places: Iterable[tuple[str, int]]) -> str:
    """In how many files, in words."""
    count = len({path for path, _ in places})
    return "1 file" if count == 1 else f"{count} files"
