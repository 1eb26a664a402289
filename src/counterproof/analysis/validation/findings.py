"""Judging findings by the checker, and claims by the analysts' findings at their location (A36, A37, A38, A53).

Invariant: an undecided step is partial, never a pass. Not handled here: severities.
"""

from dataclasses import dataclass, replace

from counterproof.analysis import facts
from counterproof.analysis.project import Project
from counterproof.analysis.validation.record import flow_rules, reported_at, sinks_met_at
from counterproof.model.finding import SKIPPED, Finding, StepResult, Validation, ValidationStep
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.proof import NO_SENDER, Assumption, Guess, Proof, Shape
from counterproof.model.proof import Verdict as GuardVerdict
from counterproof.model.recon import EntryPoint
from counterproof.model.root_cause import meet

_DEFENCE = (Guess.UNSEEN_GUARD, Guess.NO_SIBLING)
_REACH = (Guess.UNKNOWN_REACH, Guess.UNKNOWN_CALLER, Guess.UNKNOWN_AUTHOR, Guess.FILE_ROLE, *NO_SENDER)
_IMPACT = (Guess.UNKNOWN_USE, Guess.UNSEEN_SETTING)
"""The open points of the impact step; every other one leaves the flow open."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement with the record of its work."""

    judgement: Judgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


def judge_finding(project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding, steps: int = 4) -> Judged:
    """Judge one finding by its first `steps` steps (A36)."""
    project.checkpoint()
    met = sinks_met_at(project, entry_points, finding.location, flow_rules(finding.rule, finding.cwe))
    files = {finding.location.path}
    if met.harmless and not finding.rule:
        validation = _failed(met.why, finding.location)
    else:
        stated = finding if finding.rule else reported_at(project, entry_points, finding.location, finding.cwe)
        proof = _checked(project, stated)
        files |= {link.fact.at.path for link in proof.links} if proof is not None else set()
        validation = _validated(finding.location, stated, proof)
    return Judged(_judgement(finding, validation, steps), tuple(sorted(files)), met.traces)


def _failed(why: str, place: Location) -> Validation:
    """A failed flow step, after which no other step is needed."""
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
    if stated.rule and proof.shape is Shape.FLOW and not any(meet(stated.location, each.fact.at) for each in proof.links):
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
        return ValidationStep(StepResult.PARTIAL, f"the flow {broken.words}", place)
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
    """A pass, unless the proof leaves open one of the step's points."""
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
