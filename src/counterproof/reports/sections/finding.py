"""One finding of an audit: its facts, its evidence, the checks of it, and its severity sum, for every format."""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.model.finding import Finding, Validation
from counterproof.model.posture import PostureEntry
from counterproof.model.report import Calibration, ReportedFinding
from counterproof.reports import proofs, wording
from counterproof.reports.inert import MAX_BLOCK, MAX_TEXT, block, line
from counterproof.reports.sections.blocks import (
    Block,
    Inline,
    Listing,
    Paragraph,
    Quote,
    Section,
    code,
    few,
    listed,
    own,
    points,
    said,
    strong,
    text,
)
from counterproof.reports.weaknesses import weakness

MAX_LINES: Final = 500
MAX_STEPS: Final = 60
MAX_PLACES: Final = 20
_BANDS = "5 or more is critical, 4 high, 2 and 3 medium, less is low"
_QUESTIONS = ("Is the flow complete?", "Is a defence missing?", "Can an attacker get there?", "What does it do?")


def facts(each: ReportedFinding) -> Iterator[Inline]:
    """Location, severity, class, and where the finding comes from."""
    finding = each.finding
    inside = (*own(" in "), *code(finding.function)) if finding.function else ()
    yield (*own("Where: "), *code(str(finding.location)), *inside)
    sure = (*strong(each.severity.value), *own(", confidence: "), *strong(each.confidence.value))
    yield (*own("Severity: "), *sure, *own(", reach: "), *text(wording.reach(each) or "not stated"))
    yield own(f"Class: {weakness(finding.cwe)}, {finding.dimension.value} {finding.dimension.label}")
    if each.labels:
        yield (*own("Labels: "), *listed(tuple(map(strong, wording.labels(each)))))
    if each.history:
        yield (*own("Since the earlier run: "), *strong(each.history))
    named = (("Exception", each.accepted), ("Rating dispute", each.dispute), *(("Said of it", word) for word in each.said))
    yield from ((*own(f"{name}: "), *text(words)) for name, words in named if words)
    if finding.rule:
        yield (*own("Rule: "), *code(finding.rule))
    if finding.also:
        yield (*own("Same root cause also at: "), *few([code(str(place)) for place in finding.also], MAX_PLACES))
    if finding.found_by:
        yield (*own("Found by: "), *listed(tuple(map(text, finding.found_by))))
    if witnesses := wording.witnesses(finding):
        yield (*own("Witnesses: "), *text(witnesses))


def in_full(row: ReportedFinding, link: str = "") -> Iterator[Section]:
    """Everything that a reader needs to check and fix it. `link` is the web address of its line, '' if unknown."""
    finding = row.finding
    yield Section("evidence", "Code", (_code(finding, link),))
    yield from said("impact", "Impact", finding.impact)
    yield from _lines("flow", "Flow", _flow(row))
    yield from _proved(finding)
    yield from points("validation", "Validation", _validation(finding.validation))
    yield from _proof(finding)
    yield from said("remedy", "How to fix it", finding.remedy)
    yield Section("severity", "Severity", tuple(_arithmetic(row.calibration, row)))
    yield from exception(row)


def exception(row: ReportedFinding | PostureEntry) -> Iterator[Section]:
    """The command that accepts it."""
    if not row.accepted:
        yield from _lines("exception", wording.EXCEPTION, (line(wording.exception_command(row.fingerprint)),))


def _code(finding: Finding, link: str) -> Quote | Listing:
    """The numbered code around the location; the quoted evidence if the engine did not read it."""
    place, shown = finding.location, finding.excerpt
    if shown is None:
        return Listing(finding.evidence, MAX_BLOCK, link)
    return Quote(place.path, shown, place.start, place.end, link)


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


def _flow(row: ReportedFinding) -> Iterator[str]:
    """Every step; of a long flow both ends."""
    flow = row.finding.flow
    if flow is None:
        return
    steps, half = list(enumerate(flow.steps, 1)), MAX_STEPS // 2
    long = len(steps) > MAX_STEPS
    for number, step in (*steps[:half], *steps[-half:]) if long else steps:
        if long and number == len(steps) - half + 1:
            yield f"… {len(steps) - 2 * half:,} more steps; the JSON report lists them all"
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
