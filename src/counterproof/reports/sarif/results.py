"""Findings as SARIF results: location, level, flow, fingerprint. Every text passes through `inert`."""

from typing import Final

from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.report import ReportedFinding
from counterproof.protocols.guard.acceptance import NEW, PERSISTING
from counterproof.reports import wording
from counterproof.reports.inert import line, message
from counterproof.reports.sarif.log import Node, filled, place, text
from counterproof.reports.sarif.related import MAX_RELATED, Chained, attack_chains, related
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
) -> Node:
    """`excusing`: the run has exceptions, so every result states whether one applies; without any it has no `suppressions`."""
    finding = each.finding
    name = rule_id(finding)
    own = place(finding.location, finding.evidence, function=finding.function)
    further = related(each, chained)
    node = filled(
        {
            "ruleId": name,
            "ruleIndex": rule_index[name],
            "level": LEVELS[each.severity],
            "message": text(_text(each)),
            "locations": [own, *_further(each)],
            "partialFingerprints": {_FINGERPRINT: each.fingerprint, _GITHUB: f"{each.fingerprint[:16]}:1"},
            "baselineState": _STATES.get(each.history),
            "suppressions": {} if excusing else None,
            "codeFlows": [_code_flow(finding.flow)] if finding.flow else [],
            "relatedLocations": [] if finding.posture else further[:MAX_RELATED],
            "taxa": [taxon_reference(finding.cwe, taxa)],
            "rank": None if finding.posture else RANKS[each.confidence],
            "properties": {**_properties(each), **_chained(each, chained, len(further))},
        }
    )
    return {**node, "suppressions": _suppressions(each)} if excusing else node


def _further(each: ReportedFinding) -> list[Node]:
    """All locations of a posture entry, because all of them must change."""
    return [place(where) for where in each.finding.also[:MAX_PLACES]] if each.finding.posture else []


def _chained(each: ReportedFinding, chained: Chained, places: int) -> Node:
    """Its attack chains, and the number of omitted related locations."""
    chains = attack_chains(each, chained)
    shown: Node = {"attackChains": chains} if chains else {}
    return {**shown, "relatedLocationsLeftOut": places - MAX_RELATED} if places > MAX_RELATED else shown


def _suppressions(each: ReportedFinding) -> list[Node]:
    """`external`: the decision is outside the reviewed code."""
    return [{"justification": line(each.accepted), "kind": "external", "status": "accepted"}] if each.accepted else []


def _text(each: ReportedFinding) -> str:
    """The title first, which lists show; then the meaning and the fix."""
    finding = each.finding
    parts = [finding.title.rstrip(". ") + ".", finding.impact, finding.remedy and f"Remedy: {finding.remedy}"]
    if each.labels:
        parts.append(f"Labels: {', '.join(wording.labels(each))}.")
    return message(" ".join(part for part in parts if part))


def _properties(each: ReportedFinding) -> Node:
    finding = each.finding
    shown: Node = {
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


def _code_flow(flow: Flow) -> Node:
    steps = flow.steps
    if len(steps) > MAX_STEPS:
        steps = steps[: MAX_STEPS // 2] + steps[-MAX_STEPS // 2 :]
    state = flow.broken_by.words if flow.broken_by else "complete" if flow.complete else "incomplete"
    return {"threadFlows": [{"locations": [_step(step) for step in steps]}], "message": text(state)}


def _step(step: FlowStep) -> Node:
    said = message(f"{step.kind.value}: {step.note}" if step.note else step.kind.value)
    importance = "essential" if step.kind in _ESSENTIAL else "important"
    return {"location": place(step.location, step.code, said), "kinds": [step.kind.value], "importance": importance}
