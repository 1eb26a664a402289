"""The report as one HTML file that opens anywhere: no request, no template engine, nothing in it that acts but our own script.

The page reads without a script. With it, findings filter, and a finding shows its flow when it is opened, from the island.
Hostile text meets three walls: `markup` escapes it, the island's texts only ever become text nodes, and the policy forbids
every script, style and request but our own.
"""

from counterproof.model.report import Report
from counterproof.reports import inert, wording
from counterproof.reports.html import opening, policy
from counterproof.reports.html.coverage import coverage, statistics
from counterproof.reports.html.findings import anchors, findings
from counterproof.reports.html.island import island
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.html.sections import folded, section
from counterproof.reports.sections import by_root, caveats, combinations, record


def render_html(report: Report) -> str:
    """The whole file, with a newline at its end."""
    parts = (
        Markup("<!doctype html>"),
        Markup('<html lang="en">'),
        _head(report),
        tag("body", together(_body(report))),
        Markup("</html>"),
    )
    return together(parts).html + "\n"


def _head(report: Report) -> Markup:
    return tag(
        "head",
        together(
            (
                tag("meta", charset="utf-8"),
                tag("meta", http_equiv="Content-Security-Policy", content=policy.policy()),
                tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
                tag("meta", name="referrer", content="no-referrer"),
                tag("meta", name="color-scheme", content="light dark"),
                tag("title", f"Security audit of {report.target}"),
                tag("link", rel="icon", href=policy.ICON),
                tag("style", Markup(policy.style())),
            )
        ),
    )


def _body(report: Report) -> tuple[Markup, ...]:
    return (
        tag("a", "Skip to the findings", href="#findings", class_="jump"),
        opening.header(report),
        tag("div", _navigation(report), tag("main", together(_main(report)), id="main"), class_="frame"),
        tag("script", Markup(inert.island(island(report))), type="application/json", id="island"),
        tag("script", Markup(policy.script())),
    )


def _main(report: Report) -> tuple[Markup, ...]:
    combined = combinations(report)
    graph = tag("div", id="graph", class_="graph", hidden=True)
    return (
        _overview(report),
        findings(report),
        *(section(each, *((graph,) if each.key == "chains" else ())) for each in combined),
        coverage(report),
        *(section(each) for each in by_root(report)),
        *(section(each) for each in caveats(report) if not each.empty),
        _record(report),
    )


def _overview(report: Report) -> Markup:
    summary = (tag("p", sentence) for sentence in report.summary)
    return tag(
        "section",
        opening.title(report),
        *opening.banners(report),
        tag("h2", "Executive summary", id="overview-title", class_="unseen"),
        opening.verdict(report),
        tag("div", *summary, class_="summary"),
        opening.dimensions(report),
        *opening.fix_first(report, anchors(report)),
        *opening.not_looked_at(report),
        id="overview",
        aria_labelledby="overview-title",
    )


def _record(report: Report) -> Markup:
    """Sections that have nothing to list stand here too: that nothing was refused or left out is worth a line."""
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
    """Only sections that the page has."""
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
        _link("overview", "Overview", ""),
        _link("findings", "Findings", f"{len(report.findings):,}"),
        *(_link(key, title, f"{figures[key]:,}") for key, title in named),
        _link("coverage", "Coverage", f"{report.covered}/{report.counted}"),
        *(_link(each.key, each.title, f"{len(report.roots):,}") for each in by_root(report)),
        *(_link(key, title, f"{figures[key]:,}") for key, title in later),
        _link("record", "How this audit ran", ""),
    ]
    return tag("nav", tag("ul", *links), aria_label="Sections")


def _link(key: str, title: str, figure: str) -> Markup:
    note = (" ", tag("span", figure, class_="figure")) if figure else ()
    return tag("li", tag("a", title, *note, href=f"#{key}"))
