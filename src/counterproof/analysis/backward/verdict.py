"""A second witness on a finding: its place is judged anew, from the sink backwards or by reading the value again.

Confirmed only if every step that was asked for passes; rejected if a defence stands on every way or every value is a literal;
otherwise downgraded: not to see a sender refutes nothing. Always holds: the finder's own flow and steps are not believed, only
its place and its kind.
"""

from dataclasses import dataclass, replace

from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward, backward_of
from counterproof.analysis.backward.families import flow_rule, script_rule
from counterproof.analysis.backward.rereading import reread
from counterproof.analysis.backward.rereading.behaviour import BEHAVIOUR
from counterproof.analysis.backward.rereading.passage import uncommented
from counterproof.analysis.backward.scripts import judge_script
from counterproof.analysis.backward.steps import steps_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.finding import SKIPPED, Finding, StepResult, Validation, ValidationStep
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.ledger import Trace
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement with the record of the work behind it."""

    judgement: Judgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


def judge(project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding, steps: int = 4) -> Judged:
    """One finding, judged apart from whoever found it."""
    backward = backward_of(project, entry_points)
    walked = _walked(project, entry_points, finding)
    if walked is not None:
        validation, decided, files = walked
        return Judged(_judgement(finding, validation, decided, steps), files)
    rules = () if _is_check(finding.rule) else flow_rule(finding.rule, finding.cwe)
    held = backward.program.holds(finding.location.path)
    derivations = _derivations(backward, finding, rules)
    if not rules or not (held or derivations):
        validation, decided = reread(backward, finding)
        return Judged(_judgement(finding, validation, decided, steps), (finding.location.path,))
    if not derivations:
        return Judged(_judgement(finding, *_without_sink(backward, finding, rules), steps), (finding.location.path,))
    best = min(derivations, key=lambda each: (not each.open_ways, not each.certain, not each.stopped_ways))
    validation = steps_of(backward.program, best)
    files = tuple(sorted({hop.path for each in derivations for way in each.ways for hop in way.hops} | {finding.location.path}))
    traces = tuple(trace_of(each) for each in derivations)
    return Judged(_judgement(finding, validation, _decided(validation, best.at), steps), files, traces)


def _walked(
    project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding
) -> tuple[Validation, Location, tuple[str, ...]] | None:
    """A finding of a flow rule in JavaScript or TypeScript, walked back from its place; None for all others."""
    rule = script_rule(finding.rule)
    return judge_script(project, entry_points, finding, rule) if rule is not None else None


def _is_check(rule: str) -> bool:
    """Whether a rule that follows no data reported it; a flow rule for the same CWE has nothing to say about it then."""
    return any(each.rule.id == rule and not isinstance(each.rule, FlowRule) for each in load_rules())


def _derivations(backward: Backward, finding: Finding, rules: tuple[FlowRule, ...]) -> list[Derivation]:
    """Sinks at the claimed place; failing that, the one that the claim's flow ends in, if a way to it passes the place."""
    place = finding.location
    here = [found for rule in rules for found in backward.at(rule, place)]
    if here or finding.flow is None:
        return here
    led = [found for rule in rules for found in backward.at(rule, finding.flow.sink.location)]
    return [each for each in led if any(_passes(way, place) for way in each.ways)]


def _passes(way: Way, place: Location) -> bool:
    return any(hop.path == place.path and place.start <= hop.line <= place.end for hop in way.hops)


def _without_sink(backward: Backward, finding: Finding, rules: tuple[FlowRule, ...]) -> tuple[Validation, Location]:
    """A claim that names none of these rules may mean behaviour that shows without a flow: what the sinks leave open is then read
    again. A setting, such as one that switches escaping off, does no harm by itself where there is no sink."""
    found = _no_sink(backward, finding, rules)
    is_open = found[0].flow.result is StepResult.PARTIAL and all(each.id != finding.rule for each in rules)
    return reread(backward, finding) if is_open and finding.cwe in BEHAVIOUR else found


def _no_sink(backward: Backward, finding: Finding, rules: tuple[FlowRule, ...]) -> tuple[Validation, Location]:
    """The place holds no sink of the kind. Where it holds no code at all, or a call made safely, the claim is refuted."""
    place = finding.location
    safely = next((name for rule in rules for name in backward.sinks.harmless(rule, place.path, place.start, place.end)), "")
    lines = backward.quotes.lines(place.path)[place.start - 1 : place.end]
    code = any(uncommented(line).strip() for line in lines)
    text = f"no call at {place} is one that CWE-{finding.cwe} is about"
    if safely:
        text = f"{safely} at {place} is called in the way that does no harm"
    result = StepResult.PARTIAL if code and not safely else StepResult.FAIL
    step = ValidationStep(result, text, at(place.path, place.start))
    rest = ValidationStep(StepResult.PARTIAL, f"there is no sink at {place} to judge", at(place.path, place.start))
    return Validation(step, rest, rest, rest), at(place.path, place.start)


def _decided(validation: Validation, otherwise: Location) -> Location:
    """The line that decided: that of the first step that did not pass."""
    for wanted in (StepResult.FAIL, StepResult.PARTIAL):
        for step in validation.steps:
            if step.result is wanted and step.at is not None:
                return step.at
    return otherwise


def _judgement(finding: Finding, validation: Validation, decided: Location, steps: int) -> Judgement:
    asked = validation.steps[:steps]
    if any(step.result is StepResult.FAIL for step in asked):
        verdict = Verdict.REJECTED
    elif any(step.result is not StepResult.PASS for step in asked):
        verdict = Verdict.DOWNGRADED
    else:
        verdict = Verdict.CONFIRMED
    given = validation if steps > 3 else replace(validation, impact=SKIPPED)
    return Judgement(finding.id, verdict, given, decided)


def trace_of(derivation: Derivation) -> Trace:
    """The record of one walk."""
    rule = derivation.rule
    dimension: Dimension = rule.dimension
    if derivation.broken is not None or not derivation.ways:
        why = derivation.broken.value if derivation.broken else "nothing variable was found"
        if not derivation.ways:
            return Trace(dimension, rule.kind, derivation.at, True, origin="literal")
        return Trace(dimension, rule.kind, derivation.at, False, broken_by=why)
    kinds = ", ".join(dict.fromkeys(origin.kind.value for origin in derivation.origins))
    return Trace(dimension, rule.kind, derivation.at, True, origin=kinds)
