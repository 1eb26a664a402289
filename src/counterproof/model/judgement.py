"""The results of validators: judgements of others' findings (A37, A38) and of hits of the baseline scan (A35)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.finding import Finding, StepResult, Validation
from counterproof.model.location import Location


class Verdict(StrEnum):
    """A validator's verdict on a finding. It never sets a severity."""

    CONFIRMED = "confirmed"
    DOWNGRADED = "downgraded"
    REJECTED = "rejected"

    @property
    def words(self) -> str:
        """The verdict as reports show it. A downgraded finding keeps its severity: some step was not confirmed."""
        return "left open" if self is Verdict.DOWNGRADED else self.value


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict with its own four steps and the line that decided it. `first` is what a model concluded before it saw the
    claim (A53); None if it was not asked blind."""

    finding_id: str
    verdict: Verdict
    validation: Validation
    at: Location | None
    first: Verdict | None = None

    def counts(self, steps: int) -> bool:
        """True if the judgement names a line and the first `steps` steps have reasons of their own."""
        judged = self.validation.steps[:steps]
        if self.at is None or any(step.result is StepResult.SKIP or not step.reason.strip() for step in judged):
            return False
        failed = any(step.result in (StepResult.FAIL, StepResult.PARTIAL) for step in judged)
        return not failed if self.verdict is Verdict.CONFIRMED else failed


class HitVerdict(StrEnum):
    """The verdict under which a baseline hit is archived."""

    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    NEEDS_MANUAL = "needs_manual"


@dataclass(frozen=True, slots=True)
class HitJudgement:
    """The archive entry of one hit. A confirmed hit comes with the finding made from it."""

    hit_id: str
    verdict: HitVerdict
    reason: str
    finding: Finding | None = None
