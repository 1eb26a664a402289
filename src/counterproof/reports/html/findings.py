"""The list of findings as it stands in the page itself: readable without a script, filled in by one (A50).

Each row carries what a reader needs to act: place, evidence, impact and remedy. Flow, proof, guards, validation and
arithmetic come from the island when the row is opened.
"""

import re
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.reports import proofs, triage, wording
from counterproof.reports.html.code import code_at, link_to
from counterproof.reports.html.filters import LONG, filters
from counterproof.reports.html.frame import row
from counterproof.reports.html.markup import Markup, lines, tag, together
from counterproof.reports.weaknesses import weakness

MAX_FINDINGS: Final = 5_000
"""More than a page can hold well. What is left out is counted, and stands in the other formats."""

_FATES: Final = {"new": "new", "persisting": "old", "accepted": "old"}
_NUMBER = re.compile(r"[CHML]-[0-9]{2,9}")


def shown(report: Report) -> tuple[ReportedFinding, ...]:
    """The findings of the page, in its order."""
    return wording.by_severity(report)[:MAX_FINDINGS]


def anchors(report: Report) -> dict[str, str]:
    """Where each finding's number leads inside the page. A number of our own form is its own anchor."""
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
    style = "findings long" if len(rows) >= LONG else "findings"
    rest = (tag("p", f"and {left:,} more; the JSON report lists them all."),) if left else ()
    return tag(
        "section",
        tag("div", title, tag("p", wording.counted(len(rows), "finding"), id="count", aria_live="polite"), class_="heading"),
        _filters(report),
        tag("ol", together(_row(each, names[each.number], report.source_url) for each in rows), class_=style, id="list"),
        tag("p", "No finding matches the filter.", id="nothing", hidden=True),
        *rest,
        tag("noscript", tag("p", "Flows, proofs and the severity arithmetic need a script; report.md holds them too.")),
        id="findings",
        aria_labelledby="findings-title",
    )


def _filters(report: Report) -> Markup:
    levels = [(level.value, level.value.capitalize(), number) for level, number in wording.severity_counts(report)]
    present = sorted({each.finding.dimension for each in report.findings}, key=lambda each: each.order)
    fates = [word for word in _FATES if any(triage.fate(each) == word for each in report.findings)]
    return filters(levels, "Dimension", [(each.value, f"{each.value} {each.label}") for each in present], fates)


def _proved(each: ReportedFinding) -> tuple[Markup, ...]:
    """What the finding rests on, and what would make it false (A55)."""
    proof = each.finding.proof
    if proof is None:
        return ()
    stated = (*proofs.facts(proof), *(f"assumed: {text}" for text in proofs.assumptions(proof)))
    return (
        tag("h4", f"Proof ({proofs.standing(proof)})"),
        tag("ul", *(tag("li", text) for text in stated)),
        tag("h4", "It is false if"),
        tag("ul", *(tag("li", text) for text in proofs.false_if(proof))),
    )


def _acceptance(each: ReportedFinding) -> tuple[Markup, ...]:
    """Lines to copy into an exceptions file."""
    if each.accepted:
        return ()
    text = "\n".join(wording.exception_for(each.fingerprint))
    return (tag("h4", "To accept it for a while"), tag("pre", tag("code", lines(text))))


def _row(each: ReportedFinding, anchor: str, source_url: str) -> Markup:
    finding = each.finding
    facts = (
        tag("span", weakness(finding.cwe)),
        tag("span", finding.dimension.value, title=finding.dimension.label),
        tag("span", f"confidence: {finding.confidence.value}"),
    )
    labels = [tag("span", label, class_="label") for label in wording.labels(each)]
    if triage.fate(each):
        labels.insert(0, tag("span", triage.fate(each), class_=f"label {_FATES.get(triage.fate(each), '')}".rstrip()))
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
