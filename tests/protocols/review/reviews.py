"""Findings, positions and teams in a few words, for the tests of the review protocol."""

from counterproof.model.backing import FULL, Backing
from counterproof.model.location import Location, at
from counterproof.model.review.finding import ReviewFinding, Trust
from counterproof.model.review.position import Position, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.model.severity import Confidence, Severity

EVIDENCE = (
    "The value that comes in at line 3 is used at line 9 without a check, and the caller at line 20 passes what a user sent it, "
    "as the handler at line 31 shows."
)

ONE, OTHER = "alpha:one", "beta:two"
"""Models of two providers."""

SEC = Specialist("SEC", "security", ("injection", "auth"), ("input-validation",))
CORR = Specialist("CORR", "correctness", ("logic", "races"), ("null-safety",))
PERF = Specialist("PERF", "performance", ("io", "memory"), ("concurrency",))
TEAM = Profile("code", (SEC, CORR, PERF), ("SEC", "CORR"))


def finding(
    number: int = 1,
    specialist: str = "SEC",
    severity: Severity = Severity.HIGH,
    place: Location | None = None,
    kind: str = "sql-injection",
    domain: str = "injection",
    evidence: str = EVIDENCE,
    trust: Trust = Trust.NONE,
    confidence: Confidence = Confidence.HIGH,
    verified: bool = True,
    fix: str = "",
    model: str = "",
) -> ReviewFinding:
    where = place or at("app.py", 9)
    return ReviewFinding(
        f"{specialist}-{number:03}", specialist, kind, "A title", domain, severity, confidence, trust, where, evidence, fix=fix,
        verified_at=where if verified else None, model=model,
    )  # fmt: skip


def position(
    specialist: str,
    stance: Stance,
    severity: Severity = Severity.HIGH,
    of: str = "SEC-001",
    model: str = ONE,
    backing: Backing = FULL,
) -> Position:
    """A model's position, as good as one can be."""
    agreed = severity if stance is Stance.AGREE else None
    return Position(specialist, of, stance, agreed, "because of line 9", at("app.py", 9), model=model, backing=backing)
