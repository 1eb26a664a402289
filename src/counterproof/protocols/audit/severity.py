"""The severity of a finding (A40): a sum that anyone can check.

Invariant: severity is the level of the sum, computed only here. The number of finders, the length of the flow, chains and
confidence are not terms. Not handled here: confidence, which `confidence` decides.
"""

from counterproof.model.finding import Finding
from counterproof.model.proof import Guess
from counterproof.model.report import Calibration, Term
from counterproof.model.severity import Complexity, Impact, Reach, Severity

_REACH = {Reach.ANONYMOUS: 2, Reach.LOW_PRIVILEGE: 1, Reach.ADMIN: 0}
_IMPACT = {Impact.FULL: 3, Impact.PARTIAL: 2, Impact.LOCAL: 1, Impact.MINOR: -1}
_COMPLEXITY = {Complexity.SINGLE_REQUEST: 0, Complexity.MULTI_STEP: -1, Complexity.STRONG_PRECONDITIONS: -2}
_CONFIGURATION = {None: 0, True: 0, False: -1}
_CONFIGURATION_TEXT = {None: "plays no part", True: "default configuration", False: "non-default configuration"}
_FRICTION_FLOOR = -3

CHAIN_POINTS = 2
"""The points that a chain adds to its most severe member; the members keep their own severity."""


def level(total: int) -> Severity:
    """The severity level of a sum of points."""
    if total >= 5:
        return Severity.CRITICAL
    if total >= 4:
        return Severity.HIGH
    return Severity.MEDIUM if total >= 2 else Severity.LOW


def points(reach: Reach) -> int:
    """The points that a reach adds to the severity sum."""
    return _REACH[reach]


def calibrate(finding: Finding) -> Calibration:
    """The severity sum of one finding."""
    rating = finding.rating
    terms = (
        Term("reachability", _reach_text(finding), _REACH[rating.reach]),
        Term("impact", rating.impact.value, _IMPACT[rating.impact]),
        Term("complexity", rating.complexity.value, _COMPLEXITY[rating.complexity]),
        Term(
            "defence friction",
            f"{rating.stringent_conditions} stringent conditions",
            max(_FRICTION_FLOOR, -rating.stringent_conditions),
        ),
        Term("configuration", _CONFIGURATION_TEXT[rating.default_config], _CONFIGURATION[rating.default_config]),
    )
    total = sum(term.points for term in terms)
    return Calibration(terms, total, level(total))


def _reach_text(finding: Finding) -> str:
    """Unknown reach is stated as open, with the value used for the rating (A55)."""
    if finding.rating.entry:
        return f"{finding.rating.reach.value}: {finding.rating.entry}"
    open_points = finding.proof.open_points if finding.proof else ()
    unknown = next((each for each in open_points if each.guess is Guess.UNKNOWN_REACH), None)
    reach = finding.rating.reach.value
    return f"attacker not known ({unknown.about}), rated as {reach}" if unknown else reach


def dispute(finding: Finding, calibrated: Severity) -> str:
    """A finder's severity that differs by two or more levels from the calibrated one is shown with both reasons."""
    if abs(finding.severity.rank - calibrated.rank) < 2:
        return ""
    return f"the finder says {finding.severity.value} ({finding.impact}); the calibrated severity is {calibrated.value}"
