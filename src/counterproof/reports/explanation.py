"""Explains one finding or hardening recommendation in plain text: flow, considered guards, validation, severity sum.

For a terminal: all text from the reviewed code is made inert here.
"""

from collections.abc import Iterable, Iterator

from counterproof.model.finding import Finding, Validation
from counterproof.model.posture import PostureEntry
from counterproof.model.report import Calibration, Report, ReportedFinding
from counterproof.reports import first_page, proofs, wording
from counterproof.reports.inert import MAX_BLOCK, MAX_TEXT, block, line
from counterproof.reports.screen import wrapped
from counterproof.reports.sections import posture
from counterproof.reports.sections.blocks import Block, Listing, Paragraph, Quote, Section, points, said, text
from counterproof.reports.text import write_text

MAX_LINES = 500
_BANDS = "5 or more is critical, 4 high, 2 medium, less is low"
_QUESTIONS = ("Is the flow complete?", "Is a defence missing?", "Can an attacker get there?", "What does it do?")


def explain(report: Report, row: ReportedFinding | PostureEntry) -> str:
    """The whole explanation of a finding or of a hardening recommendation, ending with a newline."""
    if isinstance(row, PostureEntry):
        head = (f"{row.number}  {row.severity.value.upper()}  {line(row.title)}",)
        entry = Section("posture", "Hardening recommendation, not counted as a finding", posture.entry(row))
        return write_text(head, (entry, *_exception(row)))
    finding = row.finding
    head = (
        f"{line(row.number)}  {row.severity.value.upper()}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{finding.cwe}  {finding.dimension.value} {finding.dimension.label}",
        *wrapped("; ".join(_origins(row)), limit=MAX_TEXT),
        f"fingerprint {line(row.fingerprint)}",
        *_labels(row),
        *_alike(report, row),
    )
    return write_text(head, _sections(row))


def _alike(report: Report, row: ReportedFinding) -> Iterator[str]:
    """The other findings that the report shows on the same line."""
    if others := first_page.alike(report, row):
        yield from wrapped(f"the same problem: {', '.join(f'{each.number} {each.finding.location}' for each in others)}")


def _sections(row: ReportedFinding) -> Iterator[Section]:
    finding = row.finding
    yield Section("code", "Code", (_code(finding),))
    yield from _lines("flow", "Flow", _flow(row))
    yield from _proved(finding)
    yield from points("validation", "Validation", _validation(finding.validation))
    yield from said("impact", "Impact", finding.impact)
    yield from _proof(finding)
    yield from said("remedy", "How it would be safe", finding.remedy)
    yield Section("severity", "Severity", tuple(_arithmetic(row.calibration, row)))
    yield from _exception(row)


def _exception(row: ReportedFinding | PostureEntry) -> Iterator[Section]:
    if not row.accepted:
        yield from _lines("exception", wording.EXCEPTION, (line(wording.exception_command(row.fingerprint)),))


def _code(finding: Finding) -> Quote | Listing:
    """The numbered code around the location; the quoted evidence if the engine did not read it."""
    place, shown = finding.location, finding.excerpt
    return Quote(place.path, shown, place.start, place.end) if shown else Listing(finding.evidence, MAX_BLOCK)


def _lines(key: str, title: str, lines: Iterable[str]) -> Iterator[Section]:
    """A section of unchanged lines."""
    if every := "\n".join(lines):
        yield Section(key, title, (Listing(every, MAX_LINES),))


def _proved(finding: Finding) -> Iterator[Section]:
    """The stated and checked proof; without one, the named guards."""
    proof = finding.proof
    if proof is None:
        yield from points("guards", "Guards considered", finding.guards or ("none recorded",))
        return
    yield from points("proof", f"Proof ({proofs.standing(proof)})", proofs.facts(proof))
    yield from points("open", "Open", proofs.assumptions(proof))
    yield from points("guards", "Guards considered", proofs.guards(proof) or ("none",))


def _origins(row: ReportedFinding) -> list[str]:
    finding = row.finding
    finders = [f"found by {', '.join(finding.found_by)}"] if finding.found_by else []
    rule = [f"rule {finding.rule}"] if finding.rule else []
    seen = wording.witnesses(finding)
    return [f"confidence {row.confidence.value}", *finders, *([seen] if seen else []), *rule]


def _labels(row: ReportedFinding) -> Iterator[str]:
    words = [*wording.labels(row), *(each for each in (row.history, row.accepted) if each)]
    if words:
        yield from wrapped("; ".join(words), limit=MAX_TEXT)


def _flow(row: ReportedFinding) -> Iterator[str]:
    flow = row.finding.flow
    if flow is None:
        return
    for number, step in enumerate(flow.steps, 1):
        note = f": {line(step.note)}" if step.note else ""
        yield f"{number}. {step.kind.value} at {line(str(step.location))}{note}"
        yield from (f"     {each}" for each in block(step.code, 1))
    if flow.broken_by:
        yield f"The flow {flow.broken_by.words}."


def _validation(validation: Validation) -> Iterator[str]:
    for question, step in zip(_QUESTIONS, validation.steps, strict=True):
        place = f" ({step.at})" if step.at else ""
        yield f"{step.result.value}: {question} {step.reason}{place}"


def _proof(finding: Finding) -> Iterator[Section]:
    if finding.poc:
        yield Section("poc", "Proof of concept", (Listing(finding.poc, MAX_BLOCK, widest=MAX_TEXT),))
    elif finding.no_poc_reason:
        yield from said("poc", "Proof of concept", f"none: {wording.no_proof(finding)}")


def _arithmetic(calibration: Calibration, row: ReportedFinding) -> Iterator[Block]:
    sums = [f"{term.points:+3}  {line(term.name)}: {line(term.value)}" for term in calibration.terms]
    yield Listing("\n".join([*sums, f"{calibration.total:3}  in sum: {calibration.level.value} ({_BANDS})"]), MAX_LINES)
    for what, words in (("rating dispute", row.dispute), *(("said of it", word) for word in row.said)):
        if words:
            yield Paragraph(text(f"{what}: {words}"))
    yield Paragraph(text(f"shown as {row.severity.value}; the finder said {row.finding.severity.value}"))
