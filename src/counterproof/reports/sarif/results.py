"""Findings as SARIF results: location, level, flow, fingerprint. Every text passes through `inert`."""

from typing import Final

from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.report import ReportedFinding
from counterproof.protocols.guard.acceptance import NEW, PERSISTING
from counterproof.reports import wording
from counterproof.reports.inert import line, message
from counterproof.reports.sarif.log import (
    CodeFlow,
    LogicalLocation,
    Message,
    Result,
    SarifLocation,
    Suppression,
    ThreadFlow,
    ThreadFlowLocation,
)
from counterproof.reports.sarif.places import place
from counterproof.reports.sarif.related import Chained, chain_properties, related, related_left_out
from counterproof.reports.sarif.rules import LEVELS, RANKS, SCORES, cwe_tag, rule_id, taxon_reference

MAX_STEPS: Final = 1_000
"""The most steps of a flow that code scanning keeps. Of a longer flow we send both ends."""

MAX_PLACES: Final = 100
"""The most locations of one posture entry."""

_FINGERPRINT = "counterproof/v2"
_GITHUB = "primaryLocationLineHash"
"""The fingerprint by which GitHub matches alerts. GitHub's action would hash the line's text; we set our own fingerprint in
the same form, so that uploads without the action keep their alerts when lines move."""
_STATES: Final = {NEW: "new", PERSISTING: "unchanged"}
_ESSENTIAL = (StepKind.SOURCE, StepKind.SINK)


def result(
    each: ReportedFinding, rule_index: dict[str, int], taxa: dict[int, int], chained: Chained, excusing: bool = False
) -> Result:
    """`excusing`: the run has exceptions, so every result states whether one applies."""
    finding = each.finding
    name = rule_id(finding)
    logical = (LogicalLocation(line(finding.function)),) if finding.function else ()
    return Result(
        rule_id=name,
        rule_index=rule_index[name],
        level=LEVELS[each.severity],
        message=Message(_text(each)),
        locations=(SarifLocation(place(finding.location, finding.evidence), logical_locations=logical), *_further(each)),
        partial_fingerprints={_FINGERPRINT: each.fingerprint, _GITHUB: f"{each.fingerprint[:16]}:1"},
        baseline_state=_STATES.get(each.history),
        suppressions=_suppressions(each) if excusing else None,
        code_flows=(_code_flow(finding.flow),) if finding.flow else (),
        related_locations=() if finding.posture else related(each, chained),
        taxa=(taxon_reference(finding.cwe, taxa),),
        rank=None if finding.posture else RANKS[each.confidence],
        properties={**_properties(each), **chain_properties(each, chained), **related_left_out(each, chained)},
    )


def _further(each: ReportedFinding) -> tuple[SarifLocation, ...]:
    """All locations of a posture entry, because all of them must change."""
    return tuple(SarifLocation(place(where)) for where in each.finding.also[:MAX_PLACES]) if each.finding.posture else ()


def _suppressions(each: ReportedFinding) -> tuple[Suppression, ...]:
    return (Suppression(line(each.accepted)),) if each.accepted else ()


def _text(each: ReportedFinding) -> str:
    """The title first, which lists show; then the meaning and the fix."""
    finding = each.finding
    parts = [finding.title.rstrip(". ") + ".", finding.impact, finding.remedy and f"Remedy: {finding.remedy}"]
    if each.labels:
        parts.append(f"Labels: {', '.join(wording.labels(each))}.")
    return message(" ".join(part for part in parts if part))


def _properties(each: ReportedFinding) -> dict[str, object]:
    finding = each.finding
    shown: dict[str, object] = {
        "number": line(each.number),
        "severity": each.severity.value,
        "security-severity": SCORES[each.severity],
        "confidence": each.confidence.value,
        "dimension": finding.dimension.value,
        "labels": [line(label) for label in each.labels],
        "tags": ["security", cwe_tag(finding.cwe)],
    }
    if each.history:
        shown["history"] = line(each.history)
    if finding.posture:
        shown["posture"] = True
    if each.dispute:
        shown["dispute"] = line(each.dispute)
    if each.said:
        shown["said"] = [line(word) for word in each.said]
    if finding.flow and len(finding.flow.steps) > MAX_STEPS:
        shown["flowStepsLeftOut"] = len(finding.flow.steps) - MAX_STEPS
    return shown


def _code_flow(flow: Flow) -> CodeFlow:
    steps = flow.steps
    if len(steps) > MAX_STEPS:
        steps = steps[: MAX_STEPS // 2] + steps[-MAX_STEPS // 2 :]
    state = flow.broken_by.words if flow.broken_by else "complete" if flow.complete else "incomplete"
    return CodeFlow((ThreadFlow(tuple(_step(step) for step in steps)),), Message(state))


def _step(step: FlowStep) -> ThreadFlowLocation:
    text = message(f"{step.kind.value}: {step.note}" if step.note else step.kind.value)
    importance = "essential" if step.kind in _ESSENTIAL else "important"
    return ThreadFlowLocation(SarifLocation(place(step.location, step.code), Message(text)), (step.kind.value,), importance)
