"""Findings as SARIF results: place, level, flow, fingerprint. Every text passes through `inert` on its way in."""

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
"""Code scanning keeps so many steps of a flow. Of a longer one we send both ends."""

MAX_PLACES: Final = 100
"""Places of one entry of posture."""

_FINGERPRINT = "counterproof/v2"
_GITHUB = "primaryLocationLineHash"
"""What GitHub matches alerts by. Its own action would hash the line's text; ours is our fingerprint in the same form, so
that an upload without that action keeps its alerts too when lines move."""
_STATES: Final = {NEW: "new", PERSISTING: "unchanged"}
_ESSENTIAL = (StepKind.SOURCE, StepKind.SINK)


def result(
    each: ReportedFinding, rule_index: dict[str, int], taxa: dict[int, int], chained: Chained, excusing: bool = False
) -> Result:
    """`excusing` says that the run has exceptions: then every result tells whether one holds for it."""
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
    """Posture is corrected only by a change at every one of its places."""
    return tuple(SarifLocation(place(where)) for where in each.finding.also[:MAX_PLACES]) if each.finding.posture else ()


def _suppressions(each: ReportedFinding) -> tuple[Suppression, ...]:
    return (Suppression(line(each.accepted)),) if each.accepted else ()


def _text(each: ReportedFinding) -> str:
    """First the title, which lists show; then what it means and what to do."""
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
    state = f"broken by: {flow.broken_by.value}" if flow.broken_by else "complete" if flow.complete else "incomplete"
    return CodeFlow((ThreadFlow(tuple(_step(step) for step in steps)),), Message(state))


def _step(step: FlowStep) -> ThreadFlowLocation:
    text = message(f"{step.kind.value}: {step.note}" if step.note else step.kind.value)
    importance = "essential" if step.kind in _ESSENTIAL else "important"
    return ThreadFlowLocation(SarifLocation(place(step.location, step.code), Message(text)), (step.kind.value,), importance)
