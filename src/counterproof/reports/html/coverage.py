"""The coverage matrix and the figures of the run (A15, A50)."""

from typing import Final

from counterproof.model.coverage import DimensionCoverage
from counterproof.model.report import Report
from counterproof.reports import wording
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.html.opening import SIGNS, TONES
from counterproof.reports.sections.blocks import (
    Bullets,
    Inline,
    Mark,
    Section,
    Span,
    listed,
    number,
    own,
    text,
)

_HEADINGS: Final = ("Dimension", "Status", "Reason", "Figures")


def coverage(report: Report) -> Markup:
    head = tag("tr", *(tag("th", name, scope="col") for name in _HEADINGS))
    table = tag("table", tag("thead", head), tag("tbody", together(_row(row) for row in report.coverage)), class_="matrix")
    return tag(
        "section",
        tag("h2", "Coverage", id="coverage-title"),
        tag("p", f"{wording.coverage_sentence(report)}."),
        tag("div", table, class_="table"),
        id="coverage",
        aria_labelledby="coverage-title",
    )


def _row(row: DimensionCoverage) -> Markup:
    notes = [tag("span", row.reason)]
    if row.limitation:
        notes.append(tag("span", f"; {row.limitation}"))
    if row.excluded:
        notes.append(tag("span", " (not counted: the missing input lies outside the run)"))
    sign = tag("span", SIGNS[row.status], class_="sign", aria_hidden="true")
    name = tag(
        "div",
        tag("strong", row.dimension.value),
        f" {row.dimension.label}",
        tag("span", row.dimension.track.value, class_="note"),
    )
    return tag(
        "tr",
        tag("th", name, scope="row", data_label="Dimension"),
        tag("td", tag("span", sign, wording.status_word(row.status), class_=f"status {TONES[row.status]}"), data_label="Status"),
        tag("td", tag("div", *notes), data_label="Reason"),
        tag("td", tag("div", wording.figures(row)), data_label="Figures", class_="quiet"),
    )


def statistics(report: Report) -> Section:
    scale = report.scale
    folders = wording.counted(scale.directories, "directory", "directories")
    frameworks = tuple(text(f"{wording.framework(each)} ({each.confidence.value} confidence)") for each in report.frameworks)
    facts: tuple[tuple[str, Inline], ...] = (
        ("Program", text(f"Counterproof {report.version}")),
        (
            "Mode",
            text(report.mode if report.mode == report.requested_mode else f"{report.mode} (asked for: {report.requested_mode})"),
        ),
        ("Size", own(f"{wording.counted(scale.files, 'file')} in {folders}, {wording.counted(scale.loc, 'line')} of code")),
        ("Lines by language", listed(tuple(text(f"{name} {loc:,}") for name, loc in scale.languages))),
        ("Project type", text(report.project_type)),
        ("Frameworks", listed(frameworks, "none recognised")),
        ("Dependencies", number(report.dependencies)),
    )
    items = tuple((Span(f"{name}: ", Mark.OWN), *value) for name, value in facts)
    return Section("statistics", "Statistics", (Bullets(items),))
