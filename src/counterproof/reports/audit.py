"""The report of an audit as a document: summary, findings, combinations, coverage, limits, map, record (A50).

Invariant: sections that do not apply are left out. Not handled here: layout, which the writers decide.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from counterproof.model.receipt import Exit
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.groups import fate
from counterproof.reports import first_page, triage, wording
from counterproof.reports.map.content import sections as of_the_map
from counterproof.reports.map.document import document as map_document
from counterproof.reports.sections import by_root, caveats, combinations, finding, opening, posture, record
from counterproof.reports.sections.blocks import (
    Bullets,
    Card,
    Cards,
    Document,
    Mark,
    Section,
    Span,
    code,
    more,
    own,
    sentence,
    text,
)
from counterproof.reports.weaknesses import weakness

MAX_FINDINGS: Final = 5_000
"""The most findings on a page. Omitted ones are counted, and are in the other formats."""
_FATES: Final = ("new", "persisting", "accepted")


def document(report: Report) -> Document:
    """The whole document."""
    code, verdict, scale = report.outcome.exit, wording.verdict(report), report.scale
    asked = "" if report.mode == report.requested_mode else f" (asked for: {report.requested_mode})"
    groups = first_page.groups(report)
    advice, since = triage.to_complete(report), triage.since(report)
    counts = wording.severity_counts(groups.confirmed)
    return Document(
        kind=f"{report.mode} audit{asked}",
        about="Security audit of ",
        target=report.target,
        facts=(
            f"{wording.counted(scale.loc, 'line')} of code in {wording.counted(scale.files, 'file')}",
            report.project_type,
            *(wording.framework(each) for each in report.frameworks[:4]),
        ),
        result=verdict[:1].upper() + verdict[1:],
        tone={Exit.CLEAN: "good", Exit.FINDINGS: "poor"}.get(code, "fair"),
        said=(
            f"Exit code {code.value}: {wording.meaning(code)}.",
            *(reason.text for reason in wording.unsaid_reasons(report)),
            since and f"Compared and accepted: {since}",
            advice and f"To complete it: {advice}",
            f"Confirmed findings only; {'; '.join(groups.counts[1:])}." if groups.counts[1:] else "",
        ),
        counts=tuple((level.value, level.value.capitalize(), number) for level, number in counts),
        notices=report.banners,
        sections=tuple(_sections(report)),
        version=report.version,
    )


def _sections(report: Report) -> Iterator[Section]:
    yield Section("summary", "Executive summary", tuple(opening.summary(report)))
    yield _findings(report)
    full = posture.in_full(report)
    yield from (replace(full, key="posture") if full and each.key == "posture" else each for each in combinations(report))
    yield opening.coverage(report)
    yield from by_root(report)
    limits = caveats(report)
    yield from (each for each in limits if not each.empty)
    if report.map:
        yield Section("map", "Map", (sentence("Facts about the program, no findings."),))
        yield from of_the_map(map_document(report.map), folded=True)
    yield Section("record", "How this audit ran", (sentence("The figures of the run, and what every step did."),))
    how = (opening.statistics(report), *(each for each in limits if each.empty), *record(report))
    yield from (replace(each, folded=True) for each in how)


def shown(report: Report) -> tuple[ReportedFinding, ...]:
    """The findings in order: confirmed, claimed, suspected, accepted."""
    found = first_page.groups(report)
    return (*found.confirmed, *found.claims, *found.suspected, *found.accepted)[:MAX_FINDINGS]


def _findings(report: Report) -> Section:
    found, rows = first_page.groups(report), shown(report)
    first = len(found.confirmed) + len(found.claims)
    levels = tuple((level.value, level.value.capitalize()) for level in wording.SEVERITIES)
    dimensions = sorted({each.finding.dimension for each in rows}, key=lambda each: each.order)
    cards = Cards(
        tuple(_card(report, each) for each in rows[:first]),
        "finding",
        levels,
        "Dimension",
        tuple((each.value, f"{each.value} {each.label}") for each in dimensions),
        tuple(_card(report, each) for each in rows[first:]),
        f"{len(found.suspected)} suspected from a pattern or a name only, {len(found.accepted)} accepted for a while",
        tuple(word for word in _FATES if any(fate(each) == word for each in rows)),
    )
    return Section("findings", "Findings", (cards, *more(len(report.findings), len(rows))))


def _card(report: Report, each: ReportedFinding) -> Card:
    found = each.finding
    labels = tuple((Span(label, Mark.LABEL),) for label in (fate(each), *wording.labels(each)) if label)
    link = wording.source_link(report.source_url, found.location)
    sure = text(first_page.who_and_how_sure(each))
    return Card(
        each.number,
        each.severity.value,
        each.severity.value,
        found.title,
        (code(str(found.location)), own(weakness(found.cwe)), own(found.dimension.value), sure, *labels),
        tuple(finding.in_full(each, link)),
        (Section("details", "Details", (Bullets((*finding.facts(each), (*own("Fingerprint: "), *code(each.fingerprint)))),)),),
        area=found.dimension.value,
        path=found.location.path,
        fate=fate(each),
    )
