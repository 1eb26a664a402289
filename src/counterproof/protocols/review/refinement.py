"""Self-refinement (R10 to R13): what a specialist's iteration must contain, and when it has converged. Agents do not decide
this."""

from collections.abc import Iterable

from counterproof.model.review.finding import ReviewFinding, Shown, Trust
from counterproof.model.severity import Severity
from counterproof.protocols.review.duplicates import identity

MIN_ITERATIONS = 2
MAX_ITERATIONS = 3
"""The limit for every preset, agent and configuration (R3, R24)."""

MAX_FINDINGS = 50

CEILING: dict[Trust, Shown] = {
    Trust.EXTERNAL: Shown.CRITICAL,
    Trust.AUTHENTICATED: Shown.CRITICAL,
    Trust.PRIVILEGED: Shown.IMPORTANT,
    Trust.INTERNAL: Shown.MINOR,
    Trust.NONE: Shown.CRITICAL,
}
_HIGHEST = {Shown.CRITICAL: Severity.CRITICAL, Shown.IMPORTANT: Severity.HIGH, Shown.MINOR: Severity.LOW}


def capped(finding: ReviewFinding) -> ReviewFinding:
    """The finding limited to the severity that the trust of its source allows (R13)."""
    return finding.at_most(_HIGHEST[CEILING[finding.trust]])


def verified_only(findings: Iterable[ReviewFinding], iteration: int) -> tuple[tuple[ReviewFinding, ...], tuple[str, ...]]:
    """From iteration 2 on a finding without verification at a line is withdrawn; its id is returned (R11)."""
    kept = tuple(each for each in findings if iteration < MIN_ITERATIONS or each.verified_at is not None or each.quote.strip())
    ids = {each.id for each in kept}
    return kept, tuple(each.id for each in findings if each.id not in ids)


def changes(before: Iterable[ReviewFinding], after: Iterable[ReviewFinding]) -> int:
    """How many findings differ between two iterations in identity or severity; wording is ignored (R12)."""
    return len(_keys(before) ^ _keys(after))


def _keys(findings: Iterable[ReviewFinding]) -> set[tuple[tuple[str, int, str], Severity]]:
    return {(identity(each), each.severity) for each in findings}


def converged(history: tuple[tuple[ReviewFinding, ...], ...], threshold: int = 0) -> bool:
    """True if nothing changed since the previous iteration. One iteration is never enough."""
    return len(history) >= MIN_ITERATIONS and changes(history[-2], history[-1]) <= threshold


def goes_on(history: tuple[tuple[ReviewFinding, ...], ...], cap: int, threshold: int = 0) -> bool:
    """True if a specialist gets another iteration."""
    return len(history) < min(cap, MAX_ITERATIONS) and not converged(history, threshold)
