"""Baseline hits: each one is a lead, judged by the backward method or by the check rule of the same weakness (A35).

Confirmed hits bring the finding they stand for; what could not be settled needs a person. Always holds: a hit is never
confirmed because a pattern matched, only because a second reading of the code agrees.
"""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.backward.derive import backward_of
from counterproof.analysis.backward.families import check_rule, flow_rule
from counterproof.analysis.backward.findings import finding_of
from counterproof.analysis.backward.steps import steps_of
from counterproof.analysis.backward.verdict import trace_of
from counterproof.analysis.config.evidence import finding_of as finding_of_match
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match
from counterproof.model.baseline import Hit
from counterproof.model.finding import Finding, StepResult, Validation
from counterproof.model.judgement import HitJudgement, HitVerdict
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint

MAX_REASON = 500


@dataclass(frozen=True, slots=True)
class VerifiedHit:
    """A hit's judgement with the record of the work behind it."""

    judgement: HitJudgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


def verify(project: Project, entry_points: tuple[EntryPoint, ...], hit: Hit) -> VerifiedHit:
    """Confirm, reject or leave a hit to a person."""
    if hit.path not in project.files:
        return VerifiedHit(_entry(hit, HitVerdict.REJECTED, f"{hit.path} is not part of the reviewed code"), ())
    if project.files[hit.path].test:
        return VerifiedHit(_entry(hit, HitVerdict.REJECTED, f"{hit.path} is test code"), (hit.path,))
    backward = backward_of(project, entry_points)
    rules = flow_rule(hit.rule, hit.cwe)
    if rules and backward.program.holds(hit.path):
        derivations = [found for rule in rules for found in backward.at(rule, hit.location)]
        if derivations:
            best = min(derivations, key=lambda each: (not each.open_ways, not each.certain, not each.stopped_ways))
            files = tuple(sorted({hop.path for each in derivations for way in each.ways for hop in way.hops} | {hit.path}))
            judged = _by_flow(hit, steps_of(backward.program, best), lambda: finding_of(backward, best))
            return VerifiedHit(judged, files, tuple(trace_of(each) for each in derivations))
    matched = _by_check(project, hit)
    if matched is not None:
        return VerifiedHit(matched, (hit.path,))
    text = f"no rule of ours reads CWE-{hit.cwe} at {hit.path}:{hit.start}; a person has to look"
    return VerifiedHit(_entry(hit, HitVerdict.NEEDS_MANUAL, text), (hit.path,))


def _entry(hit: Hit, verdict: HitVerdict, reason: str) -> HitJudgement:
    return HitJudgement(hit.id, verdict, reason[:MAX_REASON])


def _by_flow(hit: Hit, steps: Validation, made: Callable[[], Finding]) -> HitJudgement:
    failed = [step for step in steps.steps if step.result is StepResult.FAIL]
    if failed:
        return _entry(hit, HitVerdict.REJECTED, failed[0].reason)
    open_steps = [step for step in steps.steps if step.result is not StepResult.PASS]
    if open_steps:
        return _entry(hit, HitVerdict.NEEDS_MANUAL, open_steps[0].reason)
    return HitJudgement(hit.id, HitVerdict.CONFIRMED, steps.flow.reason[:MAX_REASON], made())


def _by_check(project: Project, hit: Hit) -> HitJudgement | None:
    """What the check rule of the same weakness says about the same lines."""
    for rule in check_rule(hit.rule, hit.cwe):
        if not rule.applies(hit.path):
            continue
        for match in rule.check(project, hit.path):
            if match.line <= hit.end and match.end_line >= hit.start:
                return _matched(project, hit, rule, match)
    return None


def _matched(project: Project, hit: Hit, rule: CheckRule, match: Match) -> HitJudgement:
    if not match.finding:
        return _entry(hit, HitVerdict.REJECTED, f"{match.item} at {hit.path}:{match.line} was read: {match.verdict}")
    lines = project.files[hit.path].lines
    place = Location(hit.path, match.line, max(match.line, min(match.end_line, lines)))
    reason = f"{match.item} at {hit.path}:{match.line} was read: {match.verdict}"
    return HitJudgement(hit.id, HitVerdict.CONFIRMED, reason[:MAX_REASON], finding_of_match(project, rule, match, place))
