"""The second reading of findings and baseline hits (A35, A37, A38, A53).

An analyst's finding is validated by the checker, which re-reads every fact of its proof and shares no table with the hunters. A
claim of anybody else, and a baseline hit, is held against the record of the analysts: what they report at the place, and where
data was followed to every origin without harm.

Always holds: a finder's flow and steps are not believed; what could not be settled is partial, never a pass. Does not belong
here: severities, looking for weaknesses.
"""

from dataclasses import dataclass, replace

from counterproof.analysis import facts, families
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.model.baseline import Hit
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.fact import Operation
from counterproof.model.finding import SKIPPED, Finding, StepResult, Validation, ValidationStep
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.proof import Assumption, Guess, Proof, Shape, strength
from counterproof.model.proof import Verdict as GuardVerdict
from counterproof.model.recon import EntryPoint

MAX_REASON = 500
_NAMING = (Operation.CALL, Operation.ASSIGN, Operation.DEFINE)
"""What names do on a line without being read for their value."""

_KIN = (
    (89, 564, 943),
    (78, 77, 88),
    (79, 80, 83, 87, 116),
    (94, 95, 96, 1336),
    (22, 23, 35, 36, 73, 98, 434),
    (611, 827, 776),
    (918, 441),
    (643, 91),
)
"""CWE numbers that different finders give the same weakness."""

_DEFENCE = (Guess.UNSEEN_GUARD, Guess.NO_SIBLING)
_REACH = (Guess.UNKNOWN_REACH, Guess.UNKNOWN_CALLER, Guess.UNKNOWN_AUTHOR, Guess.INTENDED_USE, Guess.FILE_ROLE)
_IMPACT = (Guess.UNKNOWN_USE, Guess.UNSEEN_SETTING)
"""The step that an open point belongs to; every other one leaves the flow open."""

_REPORTED = ("request ", "literal", "internal", "configuration")
"""Origins that the flow engine reports for every rule, or that harm nobody. About stored data, the command line and what callers
pass it is silent for most rules, so that its silence is no answer."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement with the record of the work behind it."""

    judgement: Judgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """The same for a baseline hit."""

    judgement: HitJudgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


def judge_finding(project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding, steps: int = 4) -> Judged:
    """Judge one finding by its first `steps` steps (A36)."""
    project.checkpoint()
    met = _met_at(project, entry_points, finding.location, _flow_rules(finding.rule, finding.cwe))
    files = {finding.location.path}
    if met.harmless and not finding.rule:
        validation = _failed(met.why, finding.location)
    else:
        stated = finding if finding.rule else _reported_at(project, entry_points, finding.location, finding.cwe)
        proof = _checked(project, stated)
        files |= {link.fact.at.path for link in proof.links} if proof is not None else set()
        validation = _validated(finding.location, stated, proof)
    return Judged(_judgement(finding, validation, steps), tuple(sorted(files)), met.traces)


def judge_hit(project: Project, entry_points: tuple[EntryPoint, ...], hit: Hit) -> JudgedHit:
    """Confirm a hit that the analysts report and the checker bears out, reject a harmless one, leave the others open (A35)."""
    project.checkpoint()
    if hit.path not in project.files:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, f"{hit.path} is not part of the reviewed code"), ())
    if project.files[hit.path].test:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, f"{hit.path} is test code"), (hit.path,))
    rules = _flow_rules("", hit.cwe)
    met = _met_at(project, entry_points, hit.location, rules)
    if met.harmless:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, met.why), (hit.path,), met.traces)
    reported = _reported_at(project, entry_points, hit.location, hit.cwe)
    if reported is None:
        text = f"no analyst reports CWE-{hit.cwe} at {hit.path}:{hit.start}"
        return JudgedHit(_hit_verdict(hit, HitVerdict.NEEDS_MANUAL, text), (hit.path,), met.traces)
    judged = judge_finding(project, entry_points, reported)
    validation = judged.judgement.validation
    if judged.judgement.verdict is Verdict.CONFIRMED:
        given = replace(reported, id="", validation=validation)
        found = HitJudgement(hit.id, HitVerdict.CONFIRMED, validation.flow.reason[:MAX_REASON], given)
    else:
        still_open = next(step for step in validation.steps if step.result is not StepResult.PASS)
        found = _hit_verdict(hit, HitVerdict.NEEDS_MANUAL, still_open.reason)
    return JudgedHit(found, judged.files, met.traces)


def _hit_verdict(hit: Hit, verdict: HitVerdict, reason: str) -> HitJudgement:
    return HitJudgement(hit.id, verdict, reason[:MAX_REASON])


def _flow_rules(rule: str, cwe: int | None) -> tuple[FlowRule, ...]:
    """The flow rules that speak for a claim: the one it names, or those of its weakness where it names none of ours."""
    if rule:
        return tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and each.rule.id == rule)
    return tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and _are_kin(each.rule.cwe, cwe))


def _are_kin(one: int | None, other: int | None) -> bool:
    return one is not None and (one == other or any(one in group and other in group for group in _KIN))


@dataclass(frozen=True, slots=True)
class _Met:
    """The sinks of a weakness that the flow engine met at a place. `harmless`: a sender's data that arrives was made harmless on
    the way, or nothing but literals arrives."""

    traces: tuple[Trace, ...] = ()
    harmless: bool = False

    @property
    def why(self) -> str:
        origins = ", ".join(dict.fromkeys(each.origin for each in self.traces))
        return f"data was followed from every origin ({origins}) to {self.traces[0].sink}, and none arrives there unchecked"


def _met_at(project: Project, entry_points: tuple[EntryPoint, ...], place: Location, rules: tuple[FlowRule, ...]) -> _Met:
    if not rules:
        return _Met()
    flows = families.flows(project, entry_points, ALL_DIMENSIONS)
    ids, kinds = {each.id for each in rules}, {each.kind for each in rules}
    met = tuple(each for each in flows.traces if each.kind in kinds and _meet(place, each.sink))
    if not met or any(each.rule in ids and _passes(each, place) for each in flows.findings):
        return _Met(met)
    return _Met(met, all(_is_harmless(each) for each in met) or _reads_nothing(project, place))


def _is_harmless(trace: Trace) -> bool:
    """Whether a sender's data arrives at a sink, and no other than that and the program's own."""
    sent = trace.complete and "request " in trace.origin
    return sent and all(each.startswith(_REPORTED) for each in trace.origin.split(", "))


def _reads_nothing(project: Project, place: Location) -> bool:
    """Whether the lines hold one call, and read no variable: `os.system("ls")`."""
    index = facts.index_of(project, place.path)
    said = [each for line in range(place.start, place.end + 1) for each in index.get(line, ())]
    spoken = {part for operation, name in said if operation in _NAMING for part in (name, *name.split("."))}
    alone = len({name for operation, name in said if operation is Operation.CALL and name}) == 1
    return alone and all(name in spoken or not name for operation, name in said if operation is Operation.READ)


def _reported_at(project: Project, entry_points: tuple[EntryPoint, ...], place: Location, cwe: int | None) -> Finding | None:
    """The analysts' finding of the same weakness at a place, or one whose flow passes it; the one whose proof shows most."""
    kin = [each for each in families.findings(project, entry_points) if _are_kin(each.cwe, cwe) and _passes(each, place)]
    here = [each for each in kin if _meet(place, each.location)]
    return max(here or kin, key=lambda each: strength(each.proof), default=None)


def _passes(finding: Finding, place: Location) -> bool:
    return any(_meet(place, each) for each in _places_of(finding))


def _places_of(finding: Finding) -> tuple[Location, ...]:
    return (finding.location, *finding.also, *((step.location for step in finding.flow.steps) if finding.flow else ()))


def _meet(one: Location, other: Location) -> bool:
    return one.path == other.path and one.start <= other.end and other.start <= one.end


def _failed(why: str, place: Location) -> Validation:
    """The flow does not hold, so that nothing is left to ask."""
    rest = ValidationStep(StepResult.PARTIAL, "the flow does not hold", place)
    return Validation(ValidationStep(StepResult.FAIL, why, place), rest, rest, rest)


def _checked(project: Project, stated: Finding | None) -> Proof | None:
    if stated is None or stated.proof is None:
        return None
    return facts.checked(project, replace(stated.proof, checked=False, refuted=()))


def _validated(place: Location, stated: Finding | None, proof: Proof | None) -> Validation:
    if stated is None or proof is None:
        text = "no analyst reports this weakness here" if stated is None else "the finding states no facts to check"
        nothing = ValidationStep(StepResult.PARTIAL, text, place)
        return Validation(nothing, nothing, nothing, nothing)
    if proof.refuted:
        return _failed(f"the source does not bear out: {proof.refuted[0]}", proof.refuted[0].at)
    if stated.rule and proof.shape is Shape.FLOW and not any(_meet(stated.location, each.fact.at) for each in proof.links):
        return _failed(f"the proof says nothing about {stated.location}", stated.location)
    return Validation(
        _flow(stated, proof, place),
        _defence(proof, place),
        _step(proof, _REACH, f"rated as reached by: {stated.rating.reach.value}", place),
        _step(proof, _IMPACT, stated.impact or stated.title, place),
    )


def _flow(stated: Finding, proof: Proof, place: Location) -> ValidationStep:
    broken = stated.flow.broken_by if stated.flow is not None else None
    if broken is not None:
        return ValidationStep(StepResult.PARTIAL, f"the flow is broken by {broken.value}", place)
    of_flow = tuple(each for each in Guess if each not in (*_DEFENCE, *_REACH, *_IMPACT))
    read = "1 fact" if len(proof.links) == 1 else f"{len(proof.links)} facts"
    return _step(proof, of_flow, f"{read} of the proof re-read in the source", place)


def _defence(proof: Proof, place: Location) -> ValidationStep:
    stops = next((each for each in proof.guards if each.verdict is GuardVerdict.STOPS), None)
    if stops is not None:
        return ValidationStep(StepResult.FAIL, f"{stops.name} stops it", stops.at or place)
    met = "; ".join(f"{each.name}: {each.verdict.value}" for each in proof.guards)
    return _step(proof, _DEFENCE, met or "no guard or sanitiser on the way", place)


def _step(proof: Proof, guesses: tuple[Guess, ...], text: str, place: Location) -> ValidationStep:
    """A pass, unless the proof leaves open one of the points that the step is about."""
    found: Assumption | None = next((each for each in proof.open_points if each.guess in guesses), None)
    if found is None:
        return ValidationStep(StepResult.PASS, text, place)
    return ValidationStep(StepResult.PARTIAL, str(found), found.at or place)


def _judgement(finding: Finding, validation: Validation, steps: int) -> Judgement:
    """The verdict of the first steps, at the line of the first that did not pass."""
    asked = validation.steps[:steps]
    failed = next((step for step in asked if step.result is StepResult.FAIL), None)
    doubted = next((step for step in asked if step.result is not StepResult.PASS), None)
    deciding = failed or doubted
    verdict = Verdict.REJECTED if failed else Verdict.DOWNGRADED if doubted else Verdict.CONFIRMED
    place = (deciding.at if deciding is not None else None) or finding.location
    given = validation if steps > 3 else replace(validation, impact=SKIPPED)
    return Judgement(finding.id, verdict, given, place)
