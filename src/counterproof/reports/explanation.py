"""One finding explained in plain text: the flow, the guards considered, the validation, the severity arithmetic.

For a terminal: everything that comes from the reviewed code is made inert here. The words are the report's own.
"""

from counterproof.model.finding import Finding, Validation
from counterproof.model.report import Calibration, ReportedFinding
from counterproof.reports import proofs, wording
from counterproof.reports.inert import MAX_TEXT, block, line, numbered
from counterproof.reports.screen import wrapped

_BANDS = "5 or more is critical, 4 high, 2 medium, less is low"
_QUESTIONS = ("Is the flow complete?", "Is a defence missing?", "Can an attacker get there?", "What does it do?")


def explain(row: ReportedFinding) -> str:
    """The whole explanation, ending in a newline."""
    finding = row.finding
    parts = [
        f"{line(row.number)}  {row.severity.value.upper()}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{finding.cwe}  {finding.dimension.value} {finding.dimension.label}",
        *_prose("; ".join(_origins(row)), ""),
        f"fingerprint {line(row.fingerprint)}",
        *_labels(row),
        "",
        *_section("Code", [f"  {each}" for each in code_around(finding)]),
        *_section("Flow", _flow(row)),
        *_proved(finding),
        *_section("Validation", _validation(finding.validation)),
        *_section("Impact", _prose(finding.impact)),
        *_section("Proof of concept", _proof(row)),
        *_section("What would make it safe", _prose(finding.remedy)),
        *_section("Severity", _arithmetic(row.calibration, row)),
        *_section("To accept it for a while (--exceptions FILE)", _exception(row)),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def code_around(finding: Finding) -> tuple[str, ...]:
    """The code around the place, numbered; the quoted evidence where nobody read it again."""
    place, shown = finding.location, finding.excerpt
    return numbered(shown.first, shown.lines, place.start, place.end) if shown else block(finding.evidence)


def _exception(row: ReportedFinding) -> list[str]:
    return [] if row.accepted else [f"  {each}" for each in wording.exception_for(line(row.fingerprint))]


def _proved(finding: Finding) -> list[str]:
    """The proof as it was stated and checked; without one, the guards that were named."""
    proof = finding.proof
    if proof is None:
        return _section("Guards considered", _listed(finding.guards) or ["  none recorded"])
    return [
        *_section(f"Proof ({proofs.standing(proof)})", _listed(proofs.facts(proof))),
        *_section("Open", _listed(proofs.assumptions(proof))),
        *_section("Guards considered", _listed(proofs.guards(proof)) or ["  none"]),
    ]


def _origins(row: ReportedFinding) -> list[str]:
    finding = row.finding
    finders = [f"found by {', '.join(finding.found_by)}"] if finding.found_by else []
    rule = [f"rule {finding.rule}"] if finding.rule else []
    seen = wording.witnesses(finding)
    return [f"confidence {row.confidence.value}", *finders, *([seen] if seen else []), *rule]


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *lines, ""] if lines else []


def _prose(text: str, indent: str = "  ") -> list[str]:
    return list(wrapped(text, indent, indent, MAX_TEXT)) if text.strip() else []


def _listed(items: tuple[str, ...]) -> list[str]:
    return [each for text in items for each in wrapped(text, "  - ", "    ", MAX_TEXT)]


def _labels(row: ReportedFinding) -> list[str]:
    said = [*wording.labels(row), *(each for each in (row.history, row.accepted) if each)]
    return _prose("; ".join(said), "")


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
        lines.append(f"  The flow is broken by {flow.broken_by.value}.")
    return lines


def _validation(validation: Validation) -> list[str]:
    lines: list[str] = []
    for question, step in zip(_QUESTIONS, validation.steps, strict=True):
        lines.append(f"  {step.result.value:8}{question}")
        place = f" ({step.at})" if step.at else ""
        lines.extend(_prose(f"{step.reason}{place}", " " * 10))
    return lines


def _proof(row: ReportedFinding) -> list[str]:
    if row.finding.poc:
        return [f"  {each}" for each in block(row.finding.poc)]
    return _prose(f"none: {wording.no_proof(row.finding)}") if row.finding.no_poc_reason else []


def _arithmetic(calibration: Calibration, row: ReportedFinding) -> list[str]:
    lines = [f"  {term.points:+3}  {line(term.name)}: {line(term.value)}" for term in calibration.terms]
    lines.append(f"  {calibration.total:3}  in sum: {calibration.level.value} ({_BANDS})")
    said = [("said of it", word) for word in row.said]
    for what, text in (("rating dispute", row.dispute), *said):
        lines.extend(_prose(f"{what}: {text}", " " * 7) if text else [])
    lines.append(f"       shown as {row.severity.value}; the finder said {row.finding.severity.value}")
    return lines
