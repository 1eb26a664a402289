"""The first screen: target, verdict, counts, priorities (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.model.severity import Severity
from counterproof.protocols.guard.groups import Kind, by_kind
from counterproof.reports import first_page, triage, wording
from counterproof.reports.html.frame import heading, tiles
from counterproof.reports.html.markup import Markup, tag, together

MAX_KINDS: Final = 40
PLACES: Final = 4

TONES: Final = {Status.COVERED: "good", Status.SHALLOW: "fair", Status.UNCOVERED: "poor", Status.NOT_APPLICABLE: "none"}
SIGNS: Final = {Status.COVERED: "✓", Status.SHALLOW: "!", Status.UNCOVERED: "✕", Status.NOT_APPLICABLE: "–"}


def title(report: Report) -> Markup:
    asked = "" if report.mode == report.requested_mode else f" (asked for: {report.requested_mode})"
    scale = report.scale
    facts = [
        f"{wording.counted(scale.loc, 'line')} of code in {wording.counted(scale.files, 'file')}",
        report.project_type,
        *(wording.framework(each) for each in report.frameworks[:4]),
    ]
    return heading(f"{report.mode} audit{asked}", "Security audit of ", report.target, facts)


def banners(report: Report) -> Iterator[Markup]:
    for banner in report.banners:
        yield tag("p", tag("span", "!", class_="sign", aria_hidden="true"), tag("span", banner), class_="banner")


def verdict(report: Report) -> Markup:
    code = report.outcome.exit
    tone = {Exit.CLEAN: "good", Exit.FINDINGS: "poor"}.get(code, "fair")
    words = wording.verdict(report)
    reasons = [tag("li", reason.text) for reason in wording.unsaid_reasons(report)]
    since = triage.since(report)
    if since:
        reasons.append(tag("li", f"Compared and accepted: {since}"))
    if advice := triage.to_complete(report):
        reasons.append(tag("li", f"To complete it: {advice}"))
    return tag(
        "div",
        tag(
            "div",
            tag("p", "Result", class_="eyebrow"),
            tag("p", words[:1].upper() + words[1:], class_="headline"),
            tag("p", f"Exit code {code.value}: {wording.meaning(code)}.", class_="quiet"),
            *([tag("ul", *reasons)] if reasons else []),
            class_=f"outcome {tone}",
        ),
        _counts(report),
        class_="verdict",
    )


def _counts(report: Report) -> Markup:
    """Confirmed findings by severity; claims are on a separate line below."""
    sorted_out = first_page.groups(report)
    counts = wording.severity_counts(sorted_out.confirmed)
    named = ((level.value, level.value.capitalize(), number) for level, number in counts)
    said = "; ".join(("confirmed", *sorted_out.counts[1:]))
    below = tag("p", said, class_="quiet") if sorted_out.counts[1:] else Markup("")
    return tag("div", tiles(named), _bar(counts), below, class_="counts")


def _bar(counts: tuple[tuple[Severity, int], ...]) -> Markup:
    """The shares as a bar. The tiles contain the same figures, so it is hidden from screen readers."""
    total = sum(number for _, number in counts)
    if not total:
        return Markup("")
    parts: list[Markup] = []
    start = 0.0
    for level, number in counts:
        width = 100 * number / total
        parts.append(tag("rect", x=f"{start:.3f}", width=f"{width:.3f}", height="4", class_=level.value))
        start += width
    return tag("svg", *parts, viewBox="0 0 100 4", preserveAspectRatio="none", class_="bar", aria_hidden="true")


def dimensions(report: Report) -> Markup:
    """The coverage at a glance; the matrix below contains the reasons."""
    cells = (_dimension(row) for row in report.coverage)
    return tag(
        "div",
        tag("h3", "Coverage by dimension"),
        tag("ul", *cells, class_="dimensions"),
        class_="glance",
    )


def _dimension(row: DimensionCoverage) -> Markup:
    name = f"{row.dimension.value} {row.dimension.label}"
    word = wording.status_word(row.status)
    return tag(
        "li",
        tag("span", row.dimension.value, aria_hidden="true"),
        tag("span", SIGNS[row.status], class_="sign", aria_hidden="true"),
        tag("span", row.dimension.label, class_="named", aria_hidden="true"),
        tag("span", f"{name}: {word}", class_="unseen"),
        class_=TONES[row.status],
        title=f"{name}: {word}",
    )


def not_looked_at(report: Report) -> Iterator[Markup]:
    """The most important gaps; the sections below contain the rest."""
    sentences = triage.not_looked_at(report)
    if sentences:
        yield tag("h3", "Limits of this audit")
        yield tag("ul", *(tag("li", each) for each in sentences), class_="unlooked")


def confirmed(report: Report, anchors: dict[str, str]) -> Iterator[Markup]:
    """Demonstrated, proved and validated findings."""
    kinds = by_kind(first_page.groups(report).confirmed)
    if kinds:
        yield tag("h3", "Confirmed findings")
        yield tag("ol", together(_first(kind, anchors) for kind in kinds[:MAX_KINDS]), class_="first")


def _first(kind: Kind, anchors: dict[str, str]) -> Markup:
    """Findings of one kind as one item, with links to the first locations."""
    each = kind.rows[0]
    link = tag("a", tag("span", each.number, class_="number"), " ", each.finding.title, href=f"#{anchors[each.number]}")
    fate = (" ", tag("span", kind.fate, class_="label")) if kind.fate else ()
    said = f"{first_page.impact_sentence(each)} ({first_page.who_and_how_sure(each)})"
    return tag(
        "li",
        tag("span", each.severity.value, class_=f"level {each.severity.value}"),
        tag("div", tag("p", link, *fate, class_="what"), _places(kind, anchors), tag("p", said)),
    )


def _places(kind: Kind, anchors: dict[str, str]) -> Markup:
    first, *others = kind.rows[:PLACES]
    left = len(kind.rows) - PLACES
    more = (tag("span", f"and {left:,} more"),) if left > 0 else ()
    links = (tag("a", tag("code", str(each.finding.location)), href=f"#{anchors[each.number]}") for each in others)
    return tag("p", tag("code", str(first.finding.location)), *links, *more, class_="where")
