"""Posture as a section of its own: one row per kind and project root, and each entry in full (A56)."""

from typing import Final

from counterproof.model.posture import PostureEntry
from counterproof.model.report import Report, root_name
from counterproof.reports.inert import MAX_BLOCK
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Heading,
    Inline,
    Listing,
    Paragraph,
    Section,
    code,
    few,
    listed,
    own,
    remark,
    rows_of,
    strong,
    text,
)
from counterproof.reports.weaknesses import weakness

MAX_ROWS: Final = 200
MAX_PLACES: Final = 12


def posture(report: Report) -> tuple[Section, ...]:
    """The hardening section; none if there are no posture entries."""
    headings = ("No.", "Severity", "What", "Class", "Root", "Places", "Fix")
    intro = "Weaknesses of configuration or habit, not of one place. They fail the run only with --fail-on-posture LEVEL."
    return rows_of("posture", "Hardening", headings, map(_row, report.posture), intro, MAX_ROWS)


def _row(each: PostureEntry) -> tuple[Inline, ...]:
    places = few([code(str(place)) for place in each.places], MAX_PLACES)
    said = text(f"{each.title} ({each.accepted})" if each.accepted else each.title)
    return (
        own(each.number),
        own(each.severity.value),
        said,
        own(weakness(each.cwe)),
        code(root_name(each.root)),
        places,
        text(each.remedy),
    )


def in_full(report: Report) -> Section | None:
    """Every entry with its consequence, evidence and fix; None if there are none."""
    blocks = [block for each in report.posture for block in (Heading(text(f"{each.number} {each.title}")), *entry(each))]
    return Section("posture-full", "Hardening", tuple(blocks)) if blocks else None


def entry(each: PostureEntry) -> tuple[Block, ...]:
    """One entry: its facts, consequence, evidence and fix."""
    facts = (
        (*own("Where: "), *listed(tuple(code(str(place)) for place in each.places))),
        (*own(f"Severity: {each.severity.value}; class: {weakness(each.cwe)}, {each.dimension.value} {each.dimension.label}"),),
        (*own("Rule: "), *code(each.rule), *own("; fingerprint: "), *code(each.fingerprint)),
        *((text(each.accepted),) if each.accepted else ()),
    )
    return (
        Bullets(facts),
        Paragraph((*strong("Impact."), *own(" "), *remark(each.consequence or "Not stated."))),
        Listing(each.evidence, MAX_BLOCK),
        Paragraph((*strong("Fix."), *own(" "), *remark(each.remedy or "None proposed."))),
    )
