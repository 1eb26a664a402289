"""One finding explained in plain text: the flow, the guards considered, the validation, the severity arithmetic.

For a terminal: everything that comes from the reviewed code is made inert here. The words are the report's own.
"""

from counterproof.model.finding import Validation
from counterproof.model.report import Calibration, ReportedFinding
from counterproof.reports.inert import block, line

_QUESTIONS = ("Is the flow complete?", "Is a defence missing?", "Can an attacker get there?", "What does it do?")


def explain(row: ReportedFinding) -> str:
    """The whole explanation, ending in a newline."""
    finding = row.finding
    parts = [
        f"{row.number}  {row.severity.value.upper()}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{finding.cwe}  {finding.dimension.value} {finding.dimension.label}",
        f"confidence {finding.confidence.value}; found by {line(', '.join(finding.found_by))}; rule {line(finding.rule)}",
        f"fingerprint {row.fingerprint}",
        *_labels(row),
        "",
        *_section("Evidence", [f"  {each}" for each in block(finding.evidence)]),
        *_section("Flow", _flow(row)),
        *_section("Guards considered", [f"  - {line(each)}" for each in finding.guards]),
        *_section("Validation", _validation(finding.validation)),
        *_section("Impact", [f"  {line(finding.impact)}"]),
        *_section("Proof of concept", _proof(row)),
        *_section("What would make it safe", [f"  {line(finding.remedy)}"] if finding.remedy else []),
        *_section("Severity", _arithmetic(row.calibration, row)),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *lines, ""] if lines else []


def _labels(row: ReportedFinding) -> list[str]:
    said = [*row.labels, *(each for each in (row.history, row.accepted, row.dispute) if each)]
    return [line("; ".join(said))] if said else []


def _flow(row: ReportedFinding) -> list[str]:
    flow = row.finding.flow
    if flow is None:
        return []
    lines: list[str] = []
    for number, step in enumerate(flow.steps, 1):
        note = f": {line(step.note)}" if step.note else ""
        lines.append(f"  {number}. {step.kind.value} at {line(str(step.location))}{note}")
        lines.extend(f"       {each}" for each in block(step.code, 1))
    if flow.broken_by:
        lines.append(f"  The flow is broken by {flow.broken_by.value}, so confidence is medium at most.")
    return lines


def _validation(validation: Validation) -> list[str]:
    lines: list[str] = []
    for question, step in zip(_QUESTIONS, validation.steps, strict=True):
        place = f" ({line(str(step.at))})" if step.at else ""
        lines.append(f"  {step.result.value:8}{question} {line(step.reason)}{place}")
    return lines


def _proof(row: ReportedFinding) -> list[str]:
    if row.finding.poc:
        return [f"  {each}" for each in block(row.finding.poc)]
    return [f"  none: {line(row.finding.no_poc_reason)}"] if row.finding.no_poc_reason else []


def _arithmetic(calibration: Calibration, row: ReportedFinding) -> list[str]:
    lines = [f"  {term.points:+3}  {term.name}: {line(term.value)}" for term in calibration.terms]
    lines.append(f"  {calibration.total:3}  gives {calibration.level.value} (6 critical, 4 high, 1 medium)")
    lines.extend(f"       {line(each)}" for each in (calibration.raised, calibration.cap) if each)
    lines.append(f"       shown as {row.severity.value}; the finder said {row.finding.severity.value}")
    return lines
