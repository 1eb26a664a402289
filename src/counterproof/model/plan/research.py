"""Research results: resolved and unresolved unknowns, context that the plan missed, and probed risks (P4, P11)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.plan.challenge import Weight, checked_id
from counterproof.model.text import checked_text

_VERIFIED = re.compile(r"\[VERIFIED: (?P<source>[^|\n]{1,500}) \| (?P<finding>[^|\n]{1,1000}) \| (?P<impact>[^|\n]{1,500})\]\Z")

_QUOTED = re.compile(r"“([^“”\n]{1,400})”")
MAX_QUOTE = 300
MEMORY = "memory:"
"""The prefix of a source that is an earlier decision of the user."""


class ResearchMode(StrEnum):
    """The researcher's three ways of working."""

    RESOLVE = "resolve"
    SURFACE = "surface"
    PROBE = "probe"


class UnknownType(StrEnum):
    """The kind of an unknown."""

    FILE_MISSING = "FILE_MISSING"
    API_BEHAVIOR = "API_BEHAVIOR"
    PRIOR_DECISION = "PRIOR_DECISION"
    STALE_KNOWLEDGE = "STALE_KNOWLEDGE"
    INTEGRATION_UNKNOWN = "INTEGRATION_UNKNOWN"


class UnknownResolution(StrEnum):
    """How an unknown ended."""

    CONFIRMED = "CONFIRMED"
    REFUTED = "REFUTED"
    UNRESOLVABLE = "UNRESOLVABLE"
    PARTIALLY_RESOLVED = "PARTIALLY_RESOLVED"


@dataclass(frozen=True, slots=True)
class Verified:
    """The three parts of a verified finding line."""

    source: str
    finding: str
    impact: str

    def __str__(self) -> str:
        return f"[VERIFIED: {self.source} | {self.finding} | {self.impact}]"

    @classmethod
    def of(cls, source: str, quote: str, finding: str, impact: str) -> "Verified":
        """A finding that starts with the quotation from its source. Text cannot break out of its part."""
        said = finding.replace("“", '"').replace("”", '"')
        parts = (source, f"{quotation(quote)} {said}" if quote.strip() else said, impact)
        clean = [plain(text) for text in parts]
        return cls(clean[0][:480], clean[1][:900], clean[2][:480])


def plain(text: str) -> str:
    """A text made safe for use inside a finding line."""
    return " ".join(text.replace("|", "/").replace("]", ")").split())


def quoted(finding: str) -> str:
    """The quotation in a finding, between “ and ”; '' if there is none (P19)."""
    match = _QUOTED.search(finding)
    return match[1].strip() if match else ""


def quotation(text: str, most: int = MAX_QUOTE) -> str:
    """A text shortened to the form of a quotation in a finding."""
    return "“" + " ".join(text.replace("“", '"').replace("”", '"').split())[:most] + "”"


def verified(text: str) -> Verified | None:
    """Parse `[VERIFIED: source | finding | impact]`; None for any other text."""
    match = _VERIFIED.match(text.strip())
    return Verified(match["source"].strip(), match["finding"].strip(), match["impact"].strip()) if match else None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something that must be known. Only an unresolvable unknown may lack a verified finding; it gives the reason instead."""

    id: str
    description: str
    type: UnknownType
    affects_challenge: str
    suggested_query: str
    resolution: UnknownResolution
    finding: str

    def __post_init__(self) -> None:
        checked_id(self.id, "U")
        checked_id(self.affects_challenge, "C")
        checked_text(self.description, "description")
        checked_text(self.suggested_query, "suggested_query", needed=False)
        checked_text(self.finding, "finding")
        if self.resolution is not UnknownResolution.UNRESOLVABLE and verified(self.finding) is None:
            raise InvalidValue(f"{self.id} is {self.resolution} without [VERIFIED: source | finding | impact]")


class ContextSource(StrEnum):
    """Where context was found."""

    MEMORY = "memory"
    CODEBASE = "codebase"
    CLAUDE_MD = "claude_md"
    GIT_HISTORY = "git_history"


class ContextImpact(StrEnum):
    """The effect of surfaced context on the plan."""

    CHANGES_NEEDED = "changes_needed"
    CONFIRMS_APPROACH = "confirms_approach"
    CONTRADICTS_PLAN = "contradicts_plan"


@dataclass(frozen=True, slots=True)
class SurfacedContext:
    """Context that the plan did not take into account. `generates_challenge` is a challenge's id or "null"."""

    id: str
    source: ContextSource
    location: str
    relevance: str
    impact: ContextImpact
    generates_challenge: str = "null"

    def __post_init__(self) -> None:
        checked_id(self.id, "S")
        checked_text(self.location, "location")
        checked_text(self.relevance, "relevance")
        _checked_reference(self.generates_challenge)


class Probability(StrEnum):
    """How likely a probed risk is. A likely problem is a challenge instead."""

    LOW = "LOW"
    MED = "MED"


@dataclass(frozen=True, slots=True)
class ProbedRisk:
    """A risk: the failure, its condition and its consequence."""

    id: str
    risk: str
    trigger: str
    cascade: str
    probability: Probability
    severity: Weight
    generates_challenge: str = "null"

    def __post_init__(self) -> None:
        checked_id(self.id, "P")
        for field, text in (("risk", self.risk), ("trigger", self.trigger), ("cascade", self.cascade)):
            checked_text(text, field)
        _checked_reference(self.generates_challenge)


def _checked_reference(text: str) -> None:
    if text != "null":
        checked_id(text, "C")


class DirectiveKind(StrEnum):
    """The requests that a synthesiser may make for the next iteration."""

    RE_SWEEP = "RE-SWEEP"
    RE_PROBE = "RE-PROBE"
    BUDGET = "BUDGET"


class Trigger(StrEnum):
    """The conditions for such a request: four for another research round (P8), one for calls beyond the budget (P10)."""

    NEW_BLOCKING_CONTRADICTS_CONTEXT = "new blocking contradicts context"
    USER_CHANGED_SCOPE = "user changed scope"
    UNKNOWN_REVEALED_DEPENDENCY = "unknown revealed dependency"
    UNRESOLVED_CASCADES = "unresolved cascades"
    BUDGET_USED_UP = "budget used up"


@dataclass(frozen=True, slots=True)
class Directive:
    """A request for more research. `about` names the ids that make its condition true, or the tools whose budget ran out."""

    kind: DirectiveKind
    trigger: Trigger
    about: tuple[str, ...]
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.trigger} ({', '.join(self.about)})"
