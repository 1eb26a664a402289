"""The result contract for models (A24): typed fields with bounds, one shape for each role, and its JSON schema.

Invariant: unknown fields are rejected, so nothing can be added to the contract (no approval, no engine severity, no rule);
texts are bounded. `hand_in` converts wire values to domain values.
"""

from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from counterproof.agents.models.schemas import schema_text
from counterproof.model.contract import Role

MAX_FINDINGS = 50
MAX_STEPS = 40

Short = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=1_000)]
Long = Annotated[str, StringConstraints(max_length=2_000)]
Path = Annotated[str, StringConstraints(max_length=1_024)]
Line = Annotated[int, Field(ge=0, le=10_000_000)]
DimensionName = Literal["D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10"]


class Strict(BaseModel):
    """Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


OperationName = Literal[
    "call", "assign", "read", "parameter", "define", "return", "compare", "branch", "raise", "build", "decorate", "import",
    "literal", "mention",
]  # fmt: skip
"""What the syntax of a line does with a name; the words of `model.fact`."""


class WireStep(Strict):
    """One hop of a flow. `operation` and `symbol` say what the line does with which name; the program checks that."""

    file: Path
    line: Line
    kind: Literal["source", "assign", "build", "call", "return", "guard", "sink"]
    operation: OperationName | None = None
    symbol: Short = ""
    note: Annotated[str, StringConstraints(max_length=300)] = ""


class WireFlow(Strict):
    steps: Annotated[list[WireStep], Field(min_length=1, max_length=MAX_STEPS)]
    broken_by: (
        Literal["reflection", "dynamic dispatch", "callback", "async boundary", "external library", "depth limit"] | None
    ) = None


class WireCheck(Strict):
    """One of the four steps. `line` is 0 where no line supports it. It counts when the line does with `symbol` what `operation`
    says; `reason` is for people."""

    result: Literal["pass", "partial", "fail", "skip"]
    reason: Text = ""
    file: Path = ""
    line: Line = 0
    operation: OperationName | None = None
    symbol: Short = ""


_SKIPPED = WireCheck(result="skip")


class WireChecks(Strict):
    flow: WireCheck = _SKIPPED
    defence: WireCheck = _SKIPPED
    reach: WireCheck = _SKIPPED
    impact: WireCheck = _SKIPPED


class WireFinding(Strict):
    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    dimension: DimensionName
    cwe: Annotated[int, Field(ge=1, le=9999)]
    severity: Literal["critical", "high", "medium", "low"]
    confidence: Literal["high", "medium", "pattern"]
    file: Path
    start: Line
    end: Line
    evidence: Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
    function: Short = ""
    source: Text = ""
    sink: Text = ""
    flow: WireFlow | None = None
    impact: Text
    reach: Literal["anonymous", "low privilege", "admin"]
    harm: Literal["full", "partial", "local", "minor"]
    complexity: Literal["single request", "several steps", "strong preconditions"] = "single request"
    stringent_conditions: Annotated[int, Field(ge=0, le=20)] = 0
    default_config: bool | None = None
    remedy: Text = ""
    poc: Long = ""
    no_poc_reason: Text = ""
    checks: WireChecks = WireChecks()


class WireClaim(Strict):
    dimension: DimensionName
    status: Literal["covered", "shallow", "uncovered", "not applicable"]
    reason: Text = ""


class WireJudged(Strict):
    """The answer to an open item of the task, by its name, with the line that decides."""

    item: Short
    file: Path
    line: Line
    verdict: Literal["safe", "finding", "stated", "unclear"]
    reason: Text = ""


class WireExcluded(Strict):
    file: Path
    line: Line
    reason: Text


class WireJudgement(Strict):
    claim: Short
    verdict: Literal["confirmed", "downgraded", "rejected"]
    checks: WireChecks
    file: Path
    line: Line


class WireHit(Strict):
    hit: Short
    verdict: Literal["confirmed", "rejected", "needs_manual"]
    reason: Text
    finding: WireFinding | None = None


class _Header(Strict):
    """Whose result it is. It comes first, so that even a result that is cut off tells (A25)."""

    marker: Short
    agent_id: Short
    round: Annotated[int, Field(ge=0, le=100)]
    dimensions: Annotated[list[DimensionName], Field(max_length=10)] = []


class HunterResult(_Header):
    nothing_found: bool
    findings: Annotated[list[WireFinding], Field(max_length=MAX_FINDINGS)]
    coverage: Annotated[list[WireClaim], Field(max_length=10)] = []
    excluded: Annotated[list[WireExcluded], Field(max_length=100)] = []
    judged: Annotated[list[WireJudged], Field(max_length=400)] = []
    hardening: Annotated[list[Short], Field(max_length=50)] = []
    hotspots: Annotated[list[Short], Field(max_length=50)] = []
    gaps: Annotated[list[Text], Field(max_length=50)] = []


class DiverResult(_Header):
    nothing_found: bool
    findings: Annotated[list[WireFinding], Field(max_length=MAX_FINDINGS)]
    flows: Annotated[list[WireFlow], Field(max_length=MAX_FINDINGS)] = []
    gaps: Annotated[list[Text], Field(max_length=50)] = []


class ValidatorResult(_Header):
    judgements: Annotated[list[WireJudgement], Field(max_length=200)]


class VerifierResult(_Header):
    hits: Annotated[list[WireHit], Field(max_length=1_000)]


Result = HunterResult | DiverResult | ValidatorResult | VerifierResult

RESULTS: dict[Role, type[Result]] = {
    Role.HUNTER: HunterResult,
    Role.CHAIN_CHECKER: DiverResult,
    Role.DEEP_DIVER: DiverResult,
    Role.VALIDATOR: ValidatorResult,
    Role.HIT_VERIFIER: VerifierResult,
}


class Header(_Header):
    """The header alone, whatever other fields there are."""

    model_config = ConfigDict(extra="ignore", strict=True)


@cache
def schema_of(role: Role) -> str:
    """The JSON schema of a role's result, as text."""
    return schema_text(RESULTS[role].model_json_schema())
