"""A specialist's claim (R10). Severity uses the scale of all jobs; a review displays it in three words (R35)."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.excerpt import Excerpt
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity
from counterproof.model.text import checked_text

MAX_TITLE, MAX_EVIDENCE, MAX_CHAIN, MAX_FIX = 200, 2_000, 500, 1_000
_NUMBERED = re.compile(r"[A-Z][A-Z0-9]{1,7}-[0-9]{3,5}\Z")


class Shown(StrEnum):
    """The words that a review uses for severities."""

    CRITICAL = "Critical"
    IMPORTANT = "Important"
    MINOR = "Minor"

    @property
    def rank(self) -> int:
        """Critical highest."""
        return 2 - list(Shown).index(self)


def shown(severity: Severity) -> Shown:
    """High and Medium are Important; Low is Minor."""
    if severity is Severity.CRITICAL:
        return Shown.CRITICAL
    return Shown.MINOR if severity is Severity.LOW else Shown.IMPORTANT


class Trust(StrEnum):
    """Where the data behind a finding comes from. NONE: no data flow is involved."""

    EXTERNAL = "External"
    AUTHENTICATED = "Authenticated"
    PRIVILEGED = "Privileged"
    INTERNAL = "Internal"
    NONE = "N/A"


class Failure(StrEnum):
    """The effect of a defect, from a fixed list, so that several agents' claims can be compared; '' for an analyst."""

    UNSAID = ""
    ERROR = "error"
    WRONG = "wrong behaviour"
    LOSS = "data loss"
    ACCESS = "unauthorized access"
    COST = "resource use"
    UPKEEP = "maintainability"


@dataclass(frozen=True, slots=True)
class Twin:
    """The same problem as reported by another agent: the agent, the location and the text."""

    specialist: str
    location: Location
    title: str
    text: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class ReviewFinding:
    """One claim. `kind` is the kind of problem. `model` is the claiming model as provider:model, '' for an analyst; `context`
    that of a coding agent which played the model (R45). `ceiling` is the highest severity that the guardrails allow, whatever the
    votes (R37). `flow`: the claim is about data reaching a location, and so needs a traced source (R13). `sources` are all
    specialists who reported it. `function` is the enclosing function and `mark` the sink or the missing guard, if the audit's
    analysis named them. `breaks` is an unchanged line that this line breaks; `older`: the defect existed before the change (R46).
    `excerpt` is the code around the location, as the engine read it. `failure` is the effect of the defect; `twins` are the texts
    and locations of findings merged into this one (R22). `conversion` converts it to the shared finding model."""

    id: str
    specialist: str
    kind: str
    title: str
    domain: str
    severity: Severity
    confidence: Confidence
    trust: Trust
    location: Location
    evidence: str
    impact_chain: str = ""
    fix: str = ""
    quote: str = ""
    flow: bool = False
    traced_source: Location | None = None
    verified_at: Location | None = None
    sources: tuple[str, ...] = ()
    function: str = ""
    model: str = ""
    ceiling: Severity = Severity.CRITICAL
    breaks: Location | None = None
    older: bool = False
    context: str = ""
    excerpt: Excerpt | None = None
    mark: str = ""
    failure: Failure = Failure.UNSAID
    twins: tuple[Twin, ...] = ()

    def __post_init__(self) -> None:
        if not _NUMBERED.match(self.id) or not self.id.startswith(f"{self.specialist}-"):
            raise InvalidValue(f"{self.id[:40]!r} is not an id of {self.specialist[:10]}, such as {self.specialist[:10]}-001")
        if not self.kind.strip() or len(self.kind) > MAX_TITLE:
            raise InvalidValue("a finding says what kind it is")
        checked_text(self.title, "title", MAX_TITLE)
        checked_text(self.evidence, "evidence", MAX_EVIDENCE)
        checked_text(self.impact_chain, "impact chain", MAX_CHAIN, needed=False)
        checked_text(self.fix, "fix", MAX_FIX, needed=False)
        if self.flow and (self.traced_source is None or self.trust is Trust.NONE):
            raise InvalidValue(f"{self.id} claims that data reaches a place without tracing its source")

    @property
    def shown(self) -> Shown:
        return shown(self.severity)

    def at_most(self, ceiling: Severity) -> "ReviewFinding":
        """The finding with this severity ceiling, which it keeps."""
        lowest = min((self.ceiling, ceiling), key=lambda each: each.rank)
        return replace(self, ceiling=lowest, severity=min((self.severity, lowest), key=lambda each: each.rank))
