"""Calibrated severity (A40): an addition that anyone can check, then the caps: confidence, last what the proof bears (A55)."""

from counterproof.model.finding import Finding
from counterproof.model.proof import Proof, ceiling
from counterproof.model.report import CHAIN, Calibration, Term
from counterproof.model.severity import Complexity, Confidence, Impact, Reach, Severity

_REACH = {Reach.ANONYMOUS: 2, Reach.UNKNOWN: 1, Reach.LOW_PRIVILEGE: 1, Reach.ADMIN: 0}
_IMPACT = {Impact.FULL: 3, Impact.PARTIAL: 2, Impact.LOCAL: 1}
_COMPLEXITY = {Complexity.SINGLE_REQUEST: 0, Complexity.MULTI_STEP: -1, Complexity.STRONG_PRECONDITIONS: -2}
_DEFAULT = {None: 0, True: 1, False: -1}
_DEFAULT_TEXT = {None: "plays no part", True: "default configuration", False: "non-default configuration"}
_FRICTION_FLOOR = -3

CHAIN_MEMBER = 1
CHAIN_ROOT = 2


def level(total: int) -> Severity:
    """The level that a sum of points gives."""
    if total >= 6:
        return Severity.CRITICAL
    if total >= 4:
        return Severity.HIGH
    return Severity.MEDIUM if total >= 1 else Severity.LOW


def calibrate(finding: Finding, chain: int = 0) -> Calibration:
    """The arithmetic of one finding, before the caps. `chain` is 0, CHAIN_MEMBER or CHAIN_ROOT."""
    rating = finding.rating
    terms = (
        Term("reachability", rating.reach.value, _REACH[rating.reach]),
        Term("impact", rating.impact.value, _IMPACT[rating.impact]),
        Term("complexity", rating.complexity.value, _COMPLEXITY[rating.complexity]),
        Term(
            "defence friction",
            f"{rating.stringent_conditions} stringent conditions",
            max(_FRICTION_FLOOR, -rating.stringent_conditions),
        ),
        Term("configuration", _DEFAULT_TEXT[rating.default_config], _DEFAULT[rating.default_config]),
        Term(CHAIN, {0: "no chain", CHAIN_MEMBER: "member", CHAIN_ROOT: "root"}[chain], chain),
    )
    total = sum(term.points for term in terms)
    return Calibration(terms, total, level(total))


def capped(severity: Severity, confidence: Confidence) -> tuple[Severity, str]:
    """The severity that this confidence allows, and the cap in words ('' if none was needed)."""
    if confidence is Confidence.PATTERN and severity.rank > Severity.LOW.rank:
        return Severity.LOW, f"pattern-only confidence caps {severity.value} at low"
    if confidence is Confidence.MEDIUM and severity.rank > Severity.MEDIUM.rank:
        return Severity.MEDIUM, f"medium confidence caps {severity.value} at medium"
    return severity, ""


def borne(severity: Severity, proof: Proof | None) -> tuple[Severity, str]:
    """The severity that a proof bears (A55), and the cap in words ('' if none was needed)."""
    highest = ceiling(proof)
    if severity.rank <= highest.rank:
        return severity, ""
    return highest, f"{_weakness(proof)}: {severity.value} is held at {highest.value}"


def _weakness(proof: Proof | None) -> str:
    if proof is None:
        return "no proof was stated"
    if not proof.checked:
        return "the proof was not checked"
    return "the proof leaves open " + "; ".join(str(each) for each in proof.open_points)


def dispute(finding: Finding, calibrated: Severity) -> str:
    """A finder's severity two or more levels off the calibrated one is shown with both reasons."""
    if abs(finding.severity.rank - calibrated.rank) < 2:
        return ""
    return f"the finder says {finding.severity.value} ({finding.impact}); what was counted and checked bears {calibrated.value}"
