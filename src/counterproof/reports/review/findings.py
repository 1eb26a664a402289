"""One finding of a review in full: its statement, all positions on it, the vote, changes of its severity.

The same content for every format. Nothing is decided here.
"""

from collections.abc import Iterator

from counterproof.model.report import ReportedFinding
from counterproof.model.review.conversion import as_finding, as_older, as_reported, fingerprint, said
from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.position import Position, Resolution, Resolved, Stance
from counterproof.model.review.report import ReviewReport
from counterproof.model.severity import Severity
from counterproof.reports.inert import MAX_BLOCK, line
from counterproof.reports.sections import blocks
from counterproof.reports.sections.blocks import Block, Card, Inline, Listing, Mark, Quote, Section, Span, code, own, text
from counterproof.reports.text import write_text
from counterproof.reports.wording import counted, source_link

LEVELS = {Shown.CRITICAL: "critical", Shown.IMPORTANT: "high", Shown.MINOR: "low"}
"""The style name of each severity."""
STANCES = {Stance.AGREE: "agrees", Stance.CHALLENGE: "challenges", Stance.ABSTAIN: "abstains"}
MIN_FINGERPRINT = 6
_SEVERITY_GUARDS = ("source trust", "scope", "evidence")
"""Guardrails that lower a severity (R13, R23, R26)."""
_OPEN = {
    Resolution.ESCALATED: "The specialists leave the decision to you.",
    Resolution.DISPUTED: "Disputed: an analyst found this and an agent objects without a defence that could be confirmed."
    " It counts until a defence is confirmed.",
}


def find(report: ReviewReport, name: str) -> tuple[Resolved | ReportedFinding, ...]:
    """The findings with this id or fingerprint prefix, including dismissed ones and older defects."""
    prints = _fingerprints(report)

    def named(number: str, print_: str) -> bool:
        return number == name.strip().upper() or (len(name) >= MIN_FINGERPRINT and print_.startswith(name.strip().lower()))

    voted = (each for each in report.resolved if named(each.finding.id, prints[each.finding.id]))
    return (*voted, *(each for each in as_older(report) if named(each.number, each.fingerprint)))


def explain(report: ReviewReport, each: Resolved | ReportedFinding) -> str:
    """The whole explanation for a terminal, ending in a newline."""
    if isinstance(each, ReportedFinding):
        return _explain_older(each)
    shown_as = card(report, each)
    finding = each.finding
    head = (
        f"{finding.id}  {shown_as.word.upper()}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{as_finding(finding).cwe}  {line(finding.domain)}",
        f"fingerprint {_fingerprints(report)[finding.id]}",
    )
    return write_text(head, (*shown_as.parts, *shown_as.record))


def _explain_older(row: ReportedFinding) -> str:
    finding = row.finding
    head = (
        f"{row.number}  {line(finding.title)}",
        f"{line(str(finding.location))}  CWE-{finding.cwe}",
        "older than the change: not voted on and not counted",
        f"fingerprint {row.fingerprint}",
    )
    evidence = Section("evidence", "Code", (Listing(finding.evidence, MAX_BLOCK),))
    return write_text(
        head,
        (*blocks.said("impact", "What is wrong", finding.impact), evidence, *blocks.said("remedy", "Fix", finding.remedy)),
    )


def card(report: ReviewReport, each: Resolved) -> Card:
    """The finding with its current status; its history is the record."""
    finding, word = each.finding, shown(each.severity)
    labels = tuple((Span(label, Mark.LABEL),) for label in (each.label, "" if each.kept else "dismissed") if label)
    return Card(
        finding.id,
        LEVELS[word],
        word.value,
        finding.title,
        (code(str(finding.location)), text(finding.domain), own(f"confidence: {finding.confidence.value}"), *labels),
        tuple(_parts(report, each)),
        tuple(_record(report, each)),
        area=finding.specialist,
        path=finding.location.path,
    )


def _fingerprints(report: ReviewReport) -> dict[str, str]:
    standing = {row.number: row.fingerprint for row in as_reported(report)}
    gone = {each.finding.id: fingerprint(each.finding, 0) for each in report.resolved if not each.kept}
    return standing | gone


def _parts(report: ReviewReport, each: Resolved) -> Iterator[Section]:
    finding = each.finding
    yield from blocks.said("impact", "What is wrong", said(finding))
    yield from blocks.said("chain", "Leads to", finding.impact_chain)
    yield Section("evidence", "Code", (_code(report, each),))
    if finding.traced_source:
        yield from blocks.said("source", "Source", str(finding.traced_source))
    yield Section("remedy", "Fix", (blocks.Paragraph(blocks.remark(finding.fix or "None proposed.")),))
    told = (f"{each.specialist} at {each.location}: {each.title}. {each.text}" for each in finding.twins)
    yield from blocks.points("twins", "Also told as", told)
    yield from blocks.points("positions", "Positions", _positions(each))
    yield from blocks.points("notes", "Notes", _notes(report, each))


def _code(report: ReviewReport, each: Resolved) -> Block:
    """The code around the location; the claim's quotation if the engine did not read it."""
    finding, place = each.finding, each.finding.location
    link = source_link(report.source_url, place)
    if finding.excerpt is None:
        return Listing(finding.quote or as_finding(finding).evidence or "No line is quoted.", MAX_BLOCK, link)
    return Quote(place.path, finding.excerpt, place.start, place.end, link)


def _record(report: ReviewReport, each: Resolved) -> Iterator[Section]:
    finding = each.finding
    yield from blocks.said("origin", "Origin", _origin(each))
    yield from blocks.points("vote", "Vote", _vote(report, each))
    yield from blocks.points("severity", "Severity", _severity(report, each))
    touched = [f"{guardrail}: {words}" for guardrail, words in _touching(report, finding.id)]
    yield from blocks.points("guardrails", "Guardrails", touched or ["none touched it"])
    yield from blocks.points("course", "Course", _course(report, finding.id))


def _origin(each: Resolved) -> str:
    finding = each.finding
    others = [name for name in finding.sources if name != finding.specialist]
    also = f", seen by {', '.join(others)} too" if others else ""
    return f"found by {finding.specialist}{also}; confidence {finding.confidence.value}; source trust {finding.trust.value}"


def _positions(each: Resolved) -> list[str]:
    rows = [*map(_position, each.positions), *(f"{_position(one)}, without a vote" for one in each.unvoted)]
    if each.defence:
        stands = "stands by it" if each.defence.stands else "withdraws it"
        place = f" ({each.defence.at})" if each.defence.at else ""
        rows.append(f"{each.finding.specialist} {stands}: {each.defence.text}{place}")
    return rows


def _position(one: Position) -> str:
    level = f" as {_level(one.severity)}" if one.severity else ""
    why = f": {one.evidence}" if one.evidence.strip() else ""
    place = f" ({one.at})" if one.at else f' ("{one.quote}")' if one.quote.strip() else ""
    by = f" ({one.model})" if one.model else ""
    reason = f" [{one.reason}]" if one.reason else ""
    return f"{one.specialist}{by} {STANCES[one.stance]}{level}{why}{place}{reason}"


def _level(severity: Severity) -> str:
    """The review's word for the severity, with that of the shared scale if it is more precise."""
    word = shown(severity).value
    return word if word.lower() == severity.value else f"{word} ({severity.value})"


def _vote(report: ReviewReport, each: Resolved) -> list[str]:
    against = sum(one.stance is Stance.CHALLENGE for one in each.positions)
    silent = [one.code for one in report.profile.specialists if one.code not in each.pool]
    rows = [f"{each.label}: {len(each.pool) - against} for it, its finder included, {against} against it"]
    if silent:
        rows.append(f"no vote from {', '.join(silent)}")
    if each.withdrawn:
        rows.append("dismissed because its finder withdrew it, regardless of votes")
    return rows


def _severity(report: ReviewReport, each: Resolved) -> list[str]:
    """The guardrails' reductions, each vote, and the displayed severity."""
    mine = each.finding
    before = [words for name, words in _touching(report, mine.id) if name in _SEVERITY_GUARDS]
    agreed = [f"{one.specialist} {_level(one.severity)}" for one in each.positions if one.severity]
    rows = [*before, f"{mine.specialist}, its finder, votes {_level(mine.severity)}"]
    rows += [f"those who agree say {', '.join(agreed)}"] if agreed else []
    rows += ["the most frequent one counts; in a tie, the highest"] if each.severities_differ else []
    return [*rows, f"shown as {_level(each.severity)}"]


def _touching(report: ReviewReport, name: str) -> Iterator[tuple[str, str]]:
    """Each guardrail trip once, even if several iterations repeat it."""
    yield from dict.fromkeys((guardrail, words) for guardrail, finding, words in report.trips if finding == name)


def _course(report: ReviewReport, name: str) -> list[str]:
    rows = [f"{one.what} by {one.who} in iteration {one.iteration}" for one in report.life if one.finding_id == name]
    return rows + [f"since the previous review: {change.value}" for found, change in report.changes if found == name]


def _notes(report: ReviewReport, each: Resolved) -> Iterator[str]:
    name = each.finding.id
    yield from each.notes
    if each.resolution in _OPEN:
        yield _OPEN[each.resolution]
    shared = [other for group in report.together if name in group for other in group if other != name]
    if shared:
        yield f"{counted(len(shared), 'other finding')} on the same lines: {', '.join(shared)}"


def vote_row(report: ReviewReport, each: Resolved) -> tuple[Inline, ...]:
    """The finding, every specialist's position, and the outcome."""
    stances = {one.specialist: STANCES[one.stance] for one in each.positions} | {each.finding.specialist: "found it"}
    votes = ((Span(stances[one.code], Mark.LABEL),) if one.code in stances else own("·") for one in report.profile.specialists)
    name = (Span(each.finding.id, Mark.CARD),)
    return (name, own(shown(each.severity).value), blocks.remark(each.finding.title), *votes, own(each.label))
