"""Control findings put into words: one description per weakness, and the finding made from it.

Always holds: the quoted line is the line as it stands; the four steps say what was really checked. Does not belong here: deciding
that there is a finding.
"""

from dataclasses import dataclass

from counterproof.analysis.flow.quoting import Quotes
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity


@dataclass(frozen=True, slots=True)
class Weakness:
    """What every finding of a kind has in common."""

    id: str
    title: str
    dimension: Dimension
    cwe: int
    severity: Severity
    impact: Impact
    consequence: str
    remedy: str
    complexity: Complexity = Complexity.SINGLE_REQUEST


MISSING_LOGIN = Weakness(
    "missing-authentication", "Endpoint without the login that its neighbours ask for", Dimension.D3, 306, Severity.HIGH,
    Impact.PARTIAL, "Anyone can call it, without being known to the application.",
    "Guard it the way the other endpoints of the same part are guarded.",
)  # fmt: skip
OPEN_DESTRUCTION = Weakness(
    "unguarded-destruction", "Endpoint that destroys data without a login", Dimension.D3, 306, Severity.HIGH, Impact.FULL,
    "Anyone can wipe or change the stored data with one request.",
    "Ask for a login and for the right to do this, or remove the endpoint.",
)  # fmt: skip
MISSING_ROLE = Weakness(
    "missing-role-check", "Administrative endpoint without the role check of its neighbours", Dimension.D3, 285, Severity.HIGH,
    Impact.PARTIAL, "A caller without the administrative role gets what only administrators should.",
    "Check the caller's role the way the other administrative endpoints do.",
)  # fmt: skip
MISSING_OWNER = Weakness(
    "missing-ownership-check", "Object looked up by an id from the request, without asking whose it is", Dimension.D3, 639,
    Severity.HIGH, Impact.PARTIAL, "A logged-in caller reads or changes what belongs to others by changing the id.",
    "Look the object up together with the caller's own id, or compare its owner with the caller.",
)  # fmt: skip
SPOOFABLE = Weakness(
    "spoofable-guard", "Guard that a header of the request's own can switch off", Dimension.D3, 290, Severity.HIGH,
    Impact.PARTIAL, "Anyone who adds the header to a request gets past the check of who they are.",
    "Decide by the caller's session or token alone; strip such headers at the edge and verify them.",
)  # fmt: skip
MASS_ASSIGNMENT = Weakness(
    "mass-assignment", "Fields of an object chosen by the sender", Dimension.D9, 915, Severity.HIGH, Impact.PARTIAL,
    "The sender sets fields that were never meant to be theirs, such as a role or a balance.",
    "Take only the fields named in a fixed list from the request.",
)  # fmt: skip
CHECK_THEN_ACT = Weakness(
    "check-then-act", "Checked and changed in two steps that others can come between", Dimension.D9, 362, Severity.MEDIUM,
    Impact.LOCAL, "Two requests at the same moment both pass the check, so that a limit is exceeded.",
    "Check and change in one statement, or lock the row until the change is written.", Complexity.MULTI_STEP,
)  # fmt: skip
UNCHECKED_AMOUNT = Weakness(
    "unchecked-amount", "Amount from the request used without checking its sign or size", Dimension.D9, 840, Severity.HIGH,
    Impact.PARTIAL, "A negative or huge amount turns a price, a stock or a balance to the sender's favour.",
    "Refuse amounts outside the range that makes sense, and take prices from your own data.",
)  # fmt: skip
REPEATABLE_CREDIT = Weakness(
    "repeatable-credit", "Money given back without checking that it has not been before", Dimension.D9, 841, Severity.HIGH,
    Impact.PARTIAL, "The same request sent again gives the amount again.",
    "Change the state only from the one state that allows it, and give the money only if that change happened.",
)  # fmt: skip
REGEX_DENIAL = Weakness(
    "regex-denial", "Regular expression that can take exponential time on request data", Dimension.D9, 1333, Severity.MEDIUM,
    Impact.LOCAL, "A short crafted text keeps the process busy for minutes or longer.",
    "Rewrite the pattern so that its repeated parts cannot match the same text in two ways, or bound the length first.",
)  # fmt: skip

NO_POC = "Showing it takes accounts and data of the running system."


def finding(
    quotes: Quotes,
    weakness: Weakness,
    place: Location,
    entry: EntryPoint | None,
    why: str,
    function: str,
    confidence: Confidence = Confidence.HIGH,
) -> Finding:
    where = quotes.location(place.path, place.start, min(place.end, place.start + 1))
    evidence = quotes.evidence(where)
    return Finding(
        id="",
        rule=weakness.id,
        title=weakness.title,
        dimension=weakness.dimension,
        cwe=weakness.cwe,
        severity=weakness.severity,
        confidence=confidence,
        location=where,
        evidence=evidence,
        impact=f"{weakness.consequence} {why}",
        rating=Rating(_reach(entry), weakness.impact, weakness.complexity),
        function=function,
        remedy=weakness.remedy,
        no_poc_reason=NO_POC,
        validation=_steps(weakness, where, entry, why),
    )


def _reach(entry: EntryPoint | None) -> Reach:
    return Reach.LOW_PRIVILEGE if entry is not None and entry.guard is Guard.PRESENT else Reach.ANONYMOUS


def _steps(weakness: Weakness, where: Location, entry: EntryPoint | None, why: str) -> Validation:
    here = at(where.path, where.start)
    if entry is None:
        reach = ValidationStep(StepResult.PARTIAL, "which entry point leads here was not settled", here)
    else:
        route = f"{entry.method} {entry.path}".strip()
        result = StepResult.PARTIAL if entry.guard is Guard.UNKNOWN else StepResult.PASS
        reach = ValidationStep(result, f"reached through {route}, guard {entry.guard.value}", entry.handler)
    return Validation(
        ValidationStep(StepResult.PASS, why, here),
        ValidationStep(StepResult.PARTIAL, "no check was seen here; one outside the code was not looked for", here),
        reach,
        ValidationStep(StepResult.PASS, weakness.consequence, here),
    )
