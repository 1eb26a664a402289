"""The finding model shared by every job and agent (A24, R35)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.excerpt import Excerpt
from counterproof.model.fact import Fact
from counterproof.model.flow import Flow
from counterproof.model.location import Location
from counterproof.model.proof import Proof
from counterproof.model.severity import Ground, Rating, Severity
from counterproof.model.text import lines_in

MAX_EVIDENCE_LINES = 3


class StepResult(StrEnum):
    """Outcome of one of the four validation steps."""

    PASS = "pass"  # noqa: S105 (an outcome, not a password)
    PARTIAL = "partial"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class ValidationStep:
    """One of the four questions of A38 with its own reason; `at` is the line that supports it, `fact` what the syntax of that
    line does. A model's reason counts by its fact alone; its prose is only displayed (A53)."""

    result: StepResult
    reason: str
    at: Location | None = None
    fact: Fact | None = None

    def __post_init__(self) -> None:
        if self.result is not StepResult.SKIP and not self.reason.strip():
            raise InvalidValue("a validation step needs a reason")


SKIPPED = ValidationStep(StepResult.SKIP, "")


@dataclass(frozen=True, slots=True)
class Validation:
    """The four steps: is the flow complete, is there no defence, can an attacker reach it, what is the impact."""

    flow: ValidationStep = SKIPPED
    defence: ValidationStep = SKIPPED
    reach: ValidationStep = SKIPPED
    impact: ValidationStep = SKIPPED

    @property
    def steps(self) -> tuple[ValidationStep, ...]:
        return (self.flow, self.defence, self.reach, self.impact)

    @property
    def passed(self) -> bool:
        return all(step.result is StepResult.PASS for step in self.steps)

    @property
    def shown(self) -> bool:
        """True if all four steps passed and each names the line that shows it."""
        return self.passed and all(step.at is not None for step in self.steps)


class Corroboration(StrEnum):
    """How the two witnesses compare on a model's claim: the agent, and the analysers, which read no prose (A29)."""

    UNCHECKED = ""
    BOTH = "reported by the agent and by the analysers"
    AGENT_ALONE = "reported by the agent alone"
    ANALYSERS_ALONE = "reported by the analysers alone"
    CONTRADICTED = "contradicted by the analysers"


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim about the code. `severity` is the finder's opinion; the engine calibrates the severity that the report shows.

    `function` is the qualified name of the enclosing function ("" at module level), used for deduplication. `also` are further
    locations of the same root cause. `corroboration` is set by the engine if a model took part, never by an agent. So is
    `unquoted`: a recorded run named a location without a quotation, and the engine attached the line. `proof` is the evidence
    for the claim (A55); only the checker decides whether its facts hold. `excerpt` is the code around the location, as the
    engine read it; `scope` is the function whose signature the claim cites, according to the grammar.
    """

    id: str
    rule: str
    title: str
    dimension: Dimension
    cwe: int
    severity: Severity
    confidence: Ground
    location: Location
    evidence: str
    impact: str
    rating: Rating
    function: str = ""
    source: str = ""
    sink: str = ""
    flow: Flow | None = None
    guards: tuple[str, ...] = ()
    remedy: str = ""
    poc: str = ""
    no_poc_reason: str = ""
    validation: Validation = Validation()
    found_by: tuple[str, ...] = ()
    also: tuple[Location, ...] = ()
    corroboration: Corroboration = Corroboration.UNCHECKED
    unquoted: bool = False
    proof: Proof | None = None
    posture: bool = False
    excerpt: Excerpt | None = None
    scope: Location | None = None

    def __post_init__(self) -> None:
        if not self.title.strip() or len(self.title) > 200:
            raise InvalidValue("a finding's title has 1 to 200 characters")
        if not 1 <= self.cwe <= 9999:
            raise InvalidValue(f"CWE-{self.cwe} is not a CWE id")
        if not self.evidence.strip():
            raise InvalidValue("a finding quotes its evidence")
        if len(lines_in(self.evidence)) > MAX_EVIDENCE_LINES:
            raise InvalidValue(f"evidence has at most {MAX_EVIDENCE_LINES} lines")

    @property
    def hearsay(self) -> bool:
        """True if nothing shows that the finder read the code, and no analyst came to the same result."""
        return self.unquoted and self.corroboration is not Corroboration.BOTH
