"""The findings, Critical first, each with everything a reader needs to believe it, to try it and to fix it (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.finding import Finding, StepResult, ValidationStep
from counterproof.model.flow import FlowStep
from counterproof.model.report import Calibration, Report, ReportedFinding
from counterproof.model.severity import Severity
from counterproof.reports import proofs, wording
from counterproof.reports.inert import cell, code, fenced, prose
from counterproof.reports.markdown.table import bullets, numbered, table
from counterproof.reports.weaknesses import weakness

MAX_STEPS: Final = 60
MAX_PLACES: Final = 20


def findings(report: Report) -> Iterator[str]:
    yield "## Findings"
    ordered = wording.by_severity(report)
    if not ordered:
        yield "None."
    for each in ordered:
        yield from _finding(each)


def _finding(each: ReportedFinding) -> Iterator[str]:
    finding = each.finding
    yield f"### {prose(each.number)} {prose(finding.title)}"
    yield bullets(_facts(each))
    yield from _flow(finding)
    yield "**Evidence**"
    yield fenced(finding.evidence)
    yield from _proved(finding)
    yield f"**Impact.** {prose(finding.impact) or 'Not stated.'}"
    yield from _proof(finding)
    yield f"**Remedy.** {prose(finding.remedy) or 'None proposed.'}"
    yield from _arithmetic(each)
    yield from _validation(finding)


def _proved(finding: Finding) -> Iterator[str]:
    """The proof as stated and checked (A55); without one, the guards that were named."""
    proof = finding.proof
    if proof is None:
        yield "**Guards considered**"
        yield bullets(prose(guard) for guard in finding.guards) if finding.guards else "None recorded."
        return
    yield f"**Proof** ({proofs.standing(proof)})"
    yield bullets(prose(each) for each in proofs.facts(proof))
    if proof.open_points:
        yield "**Assumed**"
        yield bullets(prose(each) for each in proofs.assumptions(proof))
    yield "**Guards considered**"
    yield bullets(prose(each) for each in proofs.guards(proof)) if proof.guards else "None."
    yield "**It is false if**"
    yield bullets(prose(each) for each in proofs.false_if(proof))


def _facts(each: ReportedFinding) -> Iterator[str]:
    finding = each.finding
    inside = f" in {code(finding.function)}" if finding.function else ""
    yield f"Where: {code(str(finding.location))}{inside}"
    yield f"Severity: **{each.severity.value}**, confidence: {finding.confidence.value}"
    yield f"Class: {weakness(finding.cwe)}, {finding.dimension.value} {finding.dimension.label}"
    if each.labels:
        yield f"Labels: {', '.join(f'**{prose(label)}**' for label in wording.labels(each))}"
    if each.history:
        yield f"Since the earlier run: **{prose(each.history)}**"
    if each.accepted:
        yield f"Exception: {prose(each.accepted)}"
    if each.dispute:
        yield f"Rating dispute: {prose(each.dispute)}"
    for word in each.said:
        yield f"Said of it: {prose(word)}"
    if finding.rule:
        yield f"Rule: {code(finding.rule)}"
    if finding.also:
        yield f"Same root cause also at: {_places(finding)}"
    if finding.found_by:
        yield f"Found by: {', '.join(prose(agent) for agent in finding.found_by)}"
    if witnesses := wording.witnesses(finding):
        yield f"Witnesses: {prose(witnesses)}"
    yield f"Fingerprint: {code(each.fingerprint)}"


def _places(finding: Finding) -> str:
    shown = [code(str(place)) for place in finding.also[:MAX_PLACES]]
    left = len(finding.also) - MAX_PLACES
    return ", ".join([*shown, f"and {left:,} more"] if left > 0 else shown)


def _flow(finding: Finding) -> Iterator[str]:
    if finding.source or finding.sink:
        yield " ".join(f"**{name}** {code(text)}" for name, text in wording.ends(finding))
    if finding.flow is None:
        yield "**Flow.** None: the finding rests on the quoted code alone."
        return
    yield f"**Flow** ({wording.completeness(finding.flow)})"
    steps = finding.flow.steps
    if len(steps) <= MAX_STEPS:
        yield numbered(_step(step) for step in steps)
        return
    half = MAX_STEPS // 2
    left = len(steps) - 2 * half
    middle = f"… ({left:,} more steps; the JSON report lists them all)"
    yield numbered([*map(_step, steps[:half]), middle, *map(_step, steps[-half:])])


def _step(step: FlowStep) -> str:
    note = f" ({prose(step.note)})" if step.note else ""
    return f"{step.kind.value} {code(str(step.location))}: {code(step.code)}{note}"


def _proof(finding: Finding) -> Iterator[str]:
    if finding.poc:
        yield "**Proof of concept**"
        yield fenced(finding.poc)
    else:
        yield f"**Proof of concept.** None: {prose(wording.no_proof(finding))}."


def _arithmetic(each: ReportedFinding) -> Iterator[str]:
    calibration = each.calibration
    yield "**Severity arithmetic**"
    rows = [[cell(term.name), cell(term.value), f"{term.points:+d}"] for term in calibration.terms]
    yield table(["Term", "Value", "Points"], [*rows, ["**sum**", _level(calibration.level), f"**{calibration.total:+d}**"]])
    notes = list(_corrections(calibration))
    notes.append(f"The finder's own opinion was {each.finding.severity.value}; shown: **{each.severity.value}**.")
    yield bullets(notes)


def _level(level: Severity) -> str:
    return f"gives **{level.value}**"


def _corrections(calibration: Calibration) -> Iterator[str]:
    if calibration.raised:
        yield f"Raised: {prose(calibration.raised)}"
    if calibration.cap:
        yield f"Capped: {prose(calibration.cap)}"


def _validation(finding: Finding) -> Iterator[str]:
    if all(step.result is StepResult.SKIP for step in finding.validation.steps):
        yield "**Validation.** No step was taken."
        return
    yield "**Validation**"
    yield bullets(f"{name}: {_judged(step)}" for name, step in zip(wording.STEPS, finding.validation.steps, strict=True))


def _judged(step: ValidationStep) -> str:
    place = f" {code(str(step.at))}" if step.at else ""
    reason = f": {prose(step.reason)}" if step.reason else ""
    return f"{step.result.value}{place}{reason}"
