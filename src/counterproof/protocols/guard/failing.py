"""Which findings fail a run (A69): one table for audits and reviews, by severity and confidence.

Invariant: total and pure; `suspected` never counts; unconfirmed findings fail a run only if the user lowered the threshold, or
in a quick audit, which has no validation. Not handled here: exceptions and earlier runs (`acceptance`), coverage.
"""

from dataclasses import dataclass
from enum import Enum

from counterproof.model.confidence import Confidence
from counterproof.model.severity import Severity


class Effect(Enum):
    """The effect of a finding on the result of a run. FAILS: exit 1. LEAVES_OPEN: exit 3, because it is unvalidated."""

    FAILS = "fails"
    LEAVES_OPEN = "leaves open"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Terms:
    """`unvalidated`: the run has no phase that validates models' claims."""

    fail_on: Severity = Severity.HIGH
    min_confidence: Confidence = Confidence.VALIDATED
    unvalidated: bool = False


def effect(severity: Severity, confidence: Confidence, terms: Terms, *, by_model: bool) -> Effect:
    """The effect of one finding. `by_model`: a model found it and no analyst came to the same result."""
    if counts(confidence, terms, by_model=by_model) and severity.rank >= terms.fail_on.rank:
        return Effect.FAILS
    claimed = by_model and confidence is Confidence.CLAIMED and not terms.unvalidated
    return Effect.LEAVES_OPEN if claimed and severity.rank >= Severity.HIGH.rank else Effect.NOTHING


def counts(confidence: Confidence, terms: Terms, *, by_model: bool) -> bool:
    """True if a finding's confidence suffices to fail the run and to appear on the first page."""
    if confidence is Confidence.SUSPECTED:
        return False
    needed = Confidence.CLAIMED if terms.unvalidated and by_model else terms.min_confidence
    return confidence.rank >= needed.rank
