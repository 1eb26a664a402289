"""Baseline hits as leads: confirmed, rejected, or left to a person (A35).

Invariant: a hit is confirmed because the analysts report it and the checker bears it out, never because a pattern matched.
"""

from dataclasses import dataclass, replace

from counterproof.analysis.project import Project
from counterproof.analysis.validation.findings import judge_finding
from counterproof.analysis.validation.record import flow_rules, reported_at, sinks_met_at
from counterproof.model.baseline import Hit
from counterproof.model.finding import StepResult
from counterproof.model.judgement import HitJudgement, HitVerdict, Verdict
from counterproof.model.ledger import Trace
from counterproof.model.recon import EntryPoint

MAX_REASON = 500


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """The judgement of a hit with the record of the work behind it."""

    judgement: HitJudgement
    files: tuple[str, ...]
    traces: tuple[Trace, ...] = ()


def judge_hit(project: Project, entry_points: tuple[EntryPoint, ...], hit: Hit) -> JudgedHit:
    """Confirm a hit that the analysts report and the checker bears out, reject a harmless one, leave the others open (A35)."""
    project.checkpoint()
    if hit.path not in project.files:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, f"{hit.path} is not part of the reviewed code"), ())
    if project.files[hit.path].test:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, f"{hit.path} is test code"), (hit.path,))
    rules = flow_rules("", hit.cwe)
    met = sinks_met_at(project, entry_points, hit.location, rules)
    if met.harmless:
        return JudgedHit(_hit_verdict(hit, HitVerdict.REJECTED, met.why), (hit.path,), met.traces)
    reported = reported_at(project, entry_points, hit.location, hit.cwe)
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
