"""The evidence for a standard or deep result: gates, rounds, controls, baseline scan, validation (A50).

Every function returns None if its section does not apply. Quick audits have only gates.
"""

from collections.abc import Iterator

from counterproof.model.report import BaselineEvidence, ControlEvidence, Report, RoundLine
from counterproof.reports import wording
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Inline,
    Mark,
    Paragraph,
    Section,
    Span,
    Table,
    code,
    listed,
    number,
    own,
    rows_of,
    sentence,
    strong,
    text,
)


def gates(report: Report) -> Section | None:
    if not report.gates and not report.waivers:
        return None
    blocks: list[Block] = []
    if report.gates:
        open_ = all(gate.passed for gate in report.gates)
        blocks.append(sentence("Every check passed." if open_ else "Not every check passed."))
        rows = tuple((text(each.name), _passed(each.passed), text(each.detail)) for each in report.gates)
        blocks.append(Table(("Check", "Passed", "Evidence"), rows))
    if report.waivers:
        blocks.append(sentence("Not met, but waived:"))
        blocks.append(Bullets(tuple(text(each) for each in report.waivers)))
    return Section("gates", "Gate evidence", tuple(blocks))


def _passed(passed: bool) -> Inline:
    return own("yes") if passed else strong("no")


def rounds(report: Report) -> tuple[Section, ...]:
    headings = ("Round", "Agents", "Covered", "Gaps", "Then", "Why")
    return rows_of("rounds", "Rounds", headings, map(_round, report.rounds))


def _round(each: RoundLine) -> tuple[Inline, ...]:
    emergency = " (emergency)" if each.emergency else ""
    return (
        own(f"{each.number}{emergency}"),
        listed(tuple(text(agent) for agent in each.agents), "–"),
        own(f"{each.covered} of {each.counted}"),
        listed(tuple(text(gap) for gap in each.gaps)),
        text(each.decision),
        text(each.reason),
    )


def control(report: Report) -> Section | None:
    if report.control is None:
        return None
    return Section("controls", "Control-driven evidence", (Bullets(tuple(_controls(report.control))),))


def _controls(each: ControlEvidence) -> Iterator[Inline]:
    endpoints = wording.counted(each.endpoints, "endpoint")
    rate = f" (EPR {wording.percent(each.verified, each.endpoints)})" if each.endpoints else ""
    yield own(f"Endpoints whose guard was verified in the code: {each.verified:,} of {endpoints}{rate}")
    kinds = wording.counted(each.resources, "resource type")
    yield own(f"CRUD consistency compared: {each.compared:,} of {kinds}")
    if each.compared:
        found = listed(tuple(code(name) for name in each.inconsistent))
        yield (Span("Inconsistent: ", Mark.OWN), *found)


def baseline(report: Report) -> Section | None:
    scan = report.baseline
    if scan is None:
        return None
    version = (Span(", version ", Mark.OWN), Span(scan.version)) if scan.version else ()
    status: Inline = (Span("Status: ", Mark.OWN), Span(scan.status, Mark.STRONG), *version)
    facts = [status]
    if scan.reason:
        facts.append((Span("Reason: ", Mark.OWN), Span(scan.reason)))
    blocks: list[Block] = [Bullets(tuple(facts))]
    if scan.total:
        blocks.extend(_archive(scan))
    return Section("semgrep", "Semgrep evidence", tuple(blocks))


def _archive(scan: BaselineEvidence) -> Iterator[Block]:
    verdicts = (("confirmed", scan.confirmed), ("rejected", scan.rejected), ("needs manual review", scan.needs_manual))
    yield _added("Verdict", verdicts, "Hits")
    if sum(count for _, count in verdicts) != scan.total:
        yield Paragraph(strong("These figures do not add up."))
    for title, spots in (("Rule", scan.rule_hotspots), ("File", scan.file_hotspots)):
        if spots:
            yield Table((title, "Hits"), tuple((code(name), number(count)) for name, count in spots), figures=(1,))


def _added(name: str, rows: tuple[tuple[str, int], ...], what: str = "Claims") -> Table:
    """Counts with their total."""
    total = sum(count for _, count in rows)
    lines = (*((own(word), number(count)) for word, count in rows), (strong("total"), strong(f"{total:,}")))
    return Table((name, what), lines, figures=(1,))


def validation(report: Report) -> Section | None:
    each = report.validation
    if each is None:
        return None
    routed = (
        ("validated in full", each.full),
        ("spot-checked", each.spot_checked),
        ("checked in a batch", each.batch),
        ("accepted without validation, at most Medium", each.accepted),
    )
    claims = sum(count for _, count in routed)
    judged = each.confirmed + each.downgraded + each.rejected + each.unvalidated
    verdicts = (
        ("confirmed", each.confirmed),
        ("left open", each.downgraded),
        ("rejected", each.rejected),
        ("left without a verdict", each.unvalidated),
        ("accepted without a verdict", claims - judged),
    )
    agents = (
        own(f"Merged as duplicates after validation: {each.duplicates:,}"),
        (Span("Validators: ", Mark.OWN), *listed(tuple(text(agent) for agent in each.validators))),
        (
            Span("Failed a spot check, so validated in full: ", Mark.OWN),
            *listed(tuple(text(agent) for agent in each.escalated)),
        ),
    )
    return Section(
        "validation",
        "Validation evidence",
        (
            sentence("Claims of findings and of hardening recommendations, before duplicates are merged."),
            _added("Route", routed),
            _added("Verdict", verdicts),
            Bullets(agents),
        ),
    )
