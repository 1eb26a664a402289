"""The report as one self-contained HTML file: no request, no template engine, no active content except our own script.

The page is readable without a script. With it, findings can be filtered, and an opened finding shows its flow, from the
island. Hostile text is stopped three times: `markup` escapes it, the island's texts become only text nodes, and the policy
forbids every script, style and request except our own.
"""

from dataclasses import replace

from counterproof.model.posture import PostureEntry
from counterproof.model.report import Report
from counterproof.reports import wording
from counterproof.reports.html import opening
from counterproof.reports.html.coverage import coverage, statistics
from counterproof.reports.html.findings import anchors, findings
from counterproof.reports.html.frame import contents, page
from counterproof.reports.html.island import island
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.html.sections import folded, section
from counterproof.reports.sections import by_root, caveats, combinations, posture, record
from counterproof.reports.sections.blocks import Section


def render_html(report: Report) -> str:
    """The whole file, with a newline at its end."""
    return page(f"Security audit of {report.target}", report.version, _navigation(report), _main(report), island(report))


def _main(report: Report) -> tuple[Markup, ...]:
    return (
        _overview(report),
        findings(report),
        *(_combined(each, report) for each in combinations(report)),
        coverage(report),
        *(section(each) for each in by_root(report)),
        *(section(each) for each in caveats(report) if not each.empty),
        *_map(report),
        _record(report),
    )


def _combined(each: Section, report: Report) -> Markup:
    """Chains with their graph, hardening recommendations in full instead of a table; the others unchanged."""
    if each.key == "posture":
        return together((section(replace(each, blocks=each.blocks[:1])), *map(_recommendation, report.posture)))
    graph = (tag("div", id="graph", class_="graph", hidden=True),) if each.key == "chains" else ()
    return section(each, *graph)


def _recommendation(each: PostureEntry) -> Markup:
    shown = Section(each.number, f"{each.number} {each.title}", posture.entry(each))
    return folded(shown, f"{each.severity.value}, {wording.counted(len(each.places), 'place')}")


def _overview(report: Report) -> Markup:
    summary = (tag("p", sentence) for sentence in report.summary)
    return tag(
        "section",
        opening.title(report),
        *opening.banners(report),
        tag("h2", "Executive summary", id="overview-title", class_="unseen"),
        opening.verdict(report),
        *opening.confirmed(report, anchors(report)),
        tag("div", *summary, class_="summary"),
        opening.dimensions(report),
        *opening.not_looked_at(report),
        id="overview",
        aria_labelledby="overview-title",
    )


def _map(report: Report) -> tuple[Markup, ...]:
    """The section that `counterproof map --format html` has as a page."""
    from counterproof.reports.map.document import document
    from counterproof.reports.map.page import as_section  # imports the frame from this package

    return (as_section(document(report.map)),) if report.map else ()


def _record(report: Report) -> Markup:
    """The record. Empty sections are included: that nothing was rejected or left out is worth a line."""
    without = (each for each in caveats(report) if each.empty)
    parts = (statistics(report), *without, *record(report))
    return tag(
        "section",
        tag("h2", "How this audit ran", id="record-title"),
        *(folded(each, "none" if each.empty else "") for each in parts),
        id="record",
        aria_labelledby="record-title",
    )


def _navigation(report: Report) -> Markup:
    """Links to the sections on the page."""
    figures = {
        "posture": len(report.posture),
        "chains": len(report.chains),
        "paths": len(report.paths),
        "debates": len(report.debates),
        "accepted": sum(bool(each.accepted) for each in report.findings),
        "fixed": len(report.fixed),
        "rejected": len(report.rejected),
        "refused": len(report.refused),
        "limitations": len(wording.limitations(report)),
        "left-out": sum(each.files for each in report.skipped),
    }
    named = [(each.key, each.title) for each in combinations(report)]
    later = [(each.key, each.title) for each in caveats(report) if not each.empty]
    links = [
        ("overview", "Overview", ""),
        ("findings", "Findings", f"{len(report.findings):,}"),
        *((key, title, f"{figures[key]:,}") for key, title in named),
        ("coverage", "Coverage", f"{report.covered}/{report.counted}"),
        *((each.key, each.title, f"{len(report.roots):,}") for each in by_root(report)),
        *((key, title, f"{figures[key]:,}") for key, title in later),
        *([("map", "Map", f"{len(report.map.routes):,}")] if report.map else []),
        ("record", "How this audit ran", ""),
    ]
    return contents(links)
