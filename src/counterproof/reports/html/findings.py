"""The list of findings in the page: readable without a script, extended by one (A50).

Each row contains what a reader needs to act: location, evidence, impact and fix. Flow, proof, guards, validation and the
severity sum come from the island when the row is opened.
"""

import re
from collections.abc import Iterator
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.groups import fate
from counterproof.reports import first_page, proofs, wording
from counterproof.reports.html.code import code_at, link_to
from counterproof.reports.html.filters import LONG, filters
from counterproof.reports.html.frame import row
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.weaknesses import weakness

MAX_FINDINGS: Final = 5_000
"""The most findings on a page. Omitted ones are counted, and are in the other formats."""

_FATES: Final = {"new": "new", "persisting": "old", "accepted": "old"}
_NUMBER = re.compile(r"[CHML]-[0-9]{2,9}")


def shown(report: Report) -> tuple[ReportedFinding, ...]:
    """The findings of the page in order: confirmed, claimed, suspected, accepted."""
    found = first_page.groups(report)
    return (*found.confirmed, *found.claims, *found.suspected, *found.accepted)[:MAX_FINDINGS]


def anchors(report: Report) -> dict[str, str]:
    """The anchor of each finding's number. A number in our own form is its own anchor."""
    ordered = wording.by_severity(report)
    return {
        each.number: each.number if _NUMBER.fullmatch(each.number) else f"finding-{index}" for index, each in enumerate(ordered)
    }


def findings(report: Report) -> Markup:
    rows = shown(report)
    names = anchors(report)
    title = tag("h2", "Findings", id="findings-title")
    if not rows:
        return tag("section", title, tag("p", "None."), id="findings", aria_labelledby="findings-title")
    left = len(report.findings) - len(rows)
    rest = (tag("p", f"and {left:,} more; the JSON report lists them all."),) if left else ()
    return tag(
        "section",
        tag("div", title, tag("p", wording.counted(len(rows), "finding"), id="count", aria_live="polite"), class_="heading"),
        _filters(report),
        *_groups(report, rows, names),
        tag("p", "No finding matches the filter.", id="nothing", hidden=True),
        *rest,
        tag("noscript", tag("p", "Flows, proofs and the severity arithmetic need a script; report.md holds them too.")),
        id="findings",
        aria_labelledby="findings-title",
    )


def _groups(report: Report, rows: tuple[ReportedFinding, ...], names: dict[str, str]) -> Iterator[Markup]:
    """Confirmed findings and claims; suspected and accepted ones collapsed."""
    found = first_page.groups(report)
    style = "findings long" if len(rows) >= LONG else "findings"

    def listed(group: tuple[ReportedFinding, ...]) -> Markup:
        return tag("ol", together(_row(each, names[each.number], report.source_url) for each in group), class_=style)

    start = 0
    named = (
        ("Confirmed", found.confirmed, ""),
        ("Claims to check", found.claims, ""),
        ("Suspected from a pattern or a name only", found.suspected, "suspected"),
        ("Accepted for a while", found.accepted, "accepted-findings"),
    )
    for title, group, fold in named:
        part = rows[start : start + len(group)]
        start += len(group)
        if part and fold:
            body = tag("div", listed(part), class_="body")
            yield tag("details", tag("summary", tag("h3", title)), body, id=fold, class_="fold")
        elif part:
            yield tag("h3", title)
            yield listed(part)


def _filters(report: Report) -> Markup:
    levels = [(level.value, level.value.capitalize(), number) for level, number in wording.severity_counts(report.findings)]
    present = sorted({each.finding.dimension for each in report.findings}, key=lambda each: each.order)
    fates = [word for word in _FATES if any(fate(each) == word for each in report.findings)]
    return filters(levels, "Dimension", [(each.value, f"{each.value} {each.label}") for each in present], fates)


def _proved(each: ReportedFinding) -> tuple[Markup, ...]:
    """The open points of the finding, and its evidence (A55)."""
    proof = each.finding.proof
    if proof is None:
        return ()
    left = proofs.assumptions(proof)
    opened = (tag("h4", "Open"), tag("ul", *(tag("li", text) for text in left))) if left else ()
    return (
        *opened,
        tag("h4", f"Proof ({proofs.standing(proof)})"),
        tag("ul", *(tag("li", text) for text in proofs.facts(proof))),
    )


def _acceptance(each: ReportedFinding) -> tuple[Markup, ...]:
    """The command that accepts the finding."""
    if each.accepted:
        return ()
    return (tag("h4", wording.EXCEPTION), tag("pre", tag("code", wording.exception_command(each.fingerprint))))


def _row(each: ReportedFinding, anchor: str, source_url: str) -> Markup:
    finding = each.finding
    facts = (
        tag("span", weakness(finding.cwe)),
        tag("span", finding.dimension.value, title=finding.dimension.label),
        tag("span", first_page.who_and_how_sure(each)),
    )
    labels = [tag("span", label, class_="label") for label in wording.labels(each)]
    if fate(each):
        labels.insert(0, tag("span", fate(each), class_=f"label {_FATES.get(fate(each), '')}".rstrip()))
    excuse = (tag("p", f"Exception: {each.accepted}", class_="excuse"),) if each.accepted else ()
    about = (tag("code", str(finding.location)), *facts, *labels)
    body = (
        *excuse,
        *link_to(wording.source_link(source_url, finding.location)),
        tag("p", finding.impact or "Impact not stated.", class_="impact"),
        tag("h4", "Code", class_="evidence"),
        code_at(finding.location, finding.excerpt, finding.evidence),
        *_proved(each),
        tag("h4", "Remedy", class_="remedy"),
        tag("p", finding.remedy or "None proposed."),
        *_acceptance(each),
    )
    return row(anchor, each.number, each.severity.value, each.severity.value, finding.title, about, body)
