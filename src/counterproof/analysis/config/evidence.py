"""A match as a finding: quoted evidence, severity calculation, and the four validation steps as far as known."""

from dataclasses import replace

from counterproof.analysis.project import Project
from counterproof.analysis.proofs import fact_at, stored_value, unknown_reach
from counterproof.analysis.ruleset import Match, RuleInfo
from counterproof.analysis.secrets.redaction import quote
from counterproof.model.finding import MAX_EVIDENCE_LINES, Finding, StepResult, Validation, ValidationStep
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape
from counterproof.model.severity import Complexity, Confidence, Impact, Rating, Reach, Severity

MAX_LOOKED_AT = 20
NO_POC = "The weakness is a value in the code; there is no request that shows it without the running system."
_WEIGHT = {Impact.LOCAL: 1, Impact.PARTIAL: 2, Impact.FULL: 3}


def finding_of(project: Project, info: RuleInfo, match: Match, location: Location) -> Finding:
    info = replace(info, severity=match.severity) if match.severity else info
    return Finding(
        id="",
        rule=info.id,
        title=info.title,
        dimension=info.dimension,
        cwe=info.cwe,
        severity=info.severity,
        confidence=match.confidence,
        location=location,
        evidence=_quoted(project, match, location),
        impact=f"{info.consequence} {match.detail}".strip(),
        rating=rating(info),
        function=match.function,
        sink=match.item,
        remedy=info.remedy,
        no_poc_reason=NO_POC,
        validation=_validation(info, match, location),
        also=tuple(at(location.path, line) for line in match.also),
        proof=_proof(project, info, match, location),
        posture=info.posture,
    )


def _proof(project: Project, info: RuleInfo, match: Match, location: Location) -> Proof:
    """The proof of a check. A sink alone does not show whose data reaches it or who can send it: those two stay open."""
    guesses = info.guesses or ((Guess.NAME,) if match.confidence.rank <= Confidence.MEDIUM.rank else ())
    where = at(location.path, location.start)
    assumed = tuple(Assumption(guess, match.item, where) for guess in guesses)
    if info.shape is not Shape.FLOW:
        assumed += unknown_reach(None)[:1] if assumed else ()  # a suggestive name, in code that may be unreachable
        line = _telling_line(project, match, location)
        if line != location.start:
            return stored_value(project, at(location.path, line), fact_at(project, where), assumed=assumed)
        return stored_value(project, location, *match.used, assumed=assumed)
    sink = fact_at(project, location)
    links = (Link(Part.SINK, sink),) if sink else ()
    return Proof(Shape.FLOW, links, assumptions=(*assumed, *unknown_reach(None)))


def _telling_line(project: Project, match: Match, location: Location) -> int:
    """The line of a call that contains the reported value; the first line if unknown."""
    lines = range(location.start, min(location.end, location.start + MAX_LOOKED_AT) + 1) if match.secret else ()
    return next((each for each in lines if match.secret in project.line(location.path, each)), location.start)


def _quoted(project: Project, match: Match, location: Location) -> str:
    """The first lines of the location, redacted. The quote ends at a truncated line, so that it stays contiguous."""
    quoted: list[str] = []
    telling = _telling_line(project, match, location)
    first = location.start if telling - location.start < MAX_EVIDENCE_LINES else telling
    for number in range(first, min(location.end, first + MAX_LOOKED_AT) + 1):
        line = project.line(location.path, number)
        shown = quote(line, match.secret)
        if shown:
            quoted.append(shown)
        if len(quoted) == MAX_EVIDENCE_LINES or (line and shown != quote(line)) or len(shown) >= 400:
            break
    return "\n".join(quoted) or match.item


def rating(info: RuleInfo) -> Rating:
    """The rule's severity as calibration inputs.

    A setting does not show who can reach its service, and nothing protects it. The attacker's preconditions differ: none for
    high, one more step for medium, a privileged position or luck for low."""
    if info.severity.rank >= Severity.HIGH.rank:
        return Rating(Reach.ANONYMOUS, info.impact)
    if info.severity is Severity.MEDIUM:
        heavy = info.impact is Impact.FULL
        return Rating(Reach.ANONYMOUS, info.impact, Complexity.STRONG_PRECONDITIONS if heavy else Complexity.MULTI_STEP)
    return Rating(Reach.ANONYMOUS, info.impact, Complexity.STRONG_PRECONDITIONS, stringent_conditions=_WEIGHT[info.impact])


def _validation(info: RuleInfo, match: Match, location: Location) -> Validation:
    """The validation that the check itself provides. Whether the deployment overrides the value is not visible in the code."""
    where = at(location.path, location.start)
    return Validation(
        flow=ValidationStep(StepResult.PASS, f"{match.item}: {match.verdict}", where),
        defence=ValidationStep(StepResult.PARTIAL, "nothing here corrects the value; the deployment was not seen", where),
        reach=ValidationStep(StepResult.PARTIAL, "the value takes effect when this code runs", where),
        impact=ValidationStep(StepResult.PASS, info.consequence, where),
    )
