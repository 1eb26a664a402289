"""The report of a plan verification as one HTML file: it opens anywhere, requests nothing, and holds no text that acts.

Always: built from the parts of the audit's page, with the same policy; whatever stems from the plan, the repository or an agent
is text there by construction.
"""

from collections.abc import Iterable

from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport
from counterproof.reports.html import policy
from counterproof.reports.html.markup import Markup, tag, together
from counterproof.reports.plan.places import beside_each_other


def as_html(report: PlanReport) -> str:
    """The whole file, with a newline at its end."""
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy.policy()),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"Plan verification: {report.title or 'plan'}"),
        tag("link", rel="icon", href=policy.ICON),
        tag("style", Markup(policy.style())),
    )
    main = tag("div", tag("main", together(_sections(report)), id="main"), class_="frame")
    body = tag("body", tag("header", tag("h1", f"Plan verification: {report.title or 'plan'}")), main)
    parts = (Markup("<!doctype html>"), Markup('<html lang="en">'), tag("head", together(head)), body, Markup("</html>"))
    return together(parts).html + "\n"


def _sections(report: PlanReport) -> Iterable[Markup]:
    yield _section(
        "Verdict", tag("p", tag("strong", f"{report.verdict or 'none'}. "), report.sentence), tag("p", report.next_step)
    )
    yield from _of_the_change(report)
    standing = [each for each in report.challenges if each.counts]
    if standing:
        yield _section("Standing challenges", *(_challenge(report, each) for each in standing))
    others = [each for each in report.challenges if not each.counts]
    if others:
        rows = [(each.id, str(each.severity), str(each.status), each.concern, each.resolution) for each in others]
        yield _section("Settled and deferred", _table(("Id", "Severity", "Status", "Concern", "Resolution"), rows))
    for title, challenges in (("Raised, but contradicted by no line", report.ungrounded), ("Set aside", report.set_aside)):
        if challenges:
            yield _section(title, _list(f"{each.id} ({each.severity}): {each.concern}" for each in challenges))
    yield from _questions(report)
    yield from _research(report)
    if report.card:
        rows = [(mark.aspect.value, str(mark.points), mark.evidence) for mark in report.card.marks]
        title = f"Score: {report.card.total} of 10"
        yield _section(
            title, tag("p", "For the reader; nothing is decided by it."), _table(("Aspect", "Points", "Evidence"), rows)
        )
    if report.limitations:
        yield _section("Limitations", _list(report.limitations))
    if report.log:
        yield _section("Log", _list(report.log))


def _of_the_change(report: PlanReport) -> Iterable[Markup]:
    found = report.carried_out
    if found is None:
        return
    yield _section("The change", tag("p", f"{found.change}: {found.base} to {found.head or 'the work tree'}"))
    for step in found.steps:
        title = f"{f'{step.number}. ' if step.number else ''}{step.title}: {step.status}"
        rows = [(str(each.line), f"{each.intent} {each.text}", str(each.status), each.where) for each in step.asked]
        yield _section(title, *([_table(("Line", "Asked for", "Became", "Where"), rows)] if rows else []))
    if found.beyond:
        yield _section("Beyond the plan", _table(("File", "What"), [(each.path, each.what) for each in found.beyond]))
    if found.followed:
        yield _section("Along with it", _list(found.followed))


def _challenge(report: PlanReport, each: Challenge) -> Markup:
    beside = _table(("Where", "Line"), beside_each_other(report, each))
    return tag(
        "article",
        tag("h3", f"{each.id} {each.severity}"),
        tag("p", f"{each.concern}."),
        beside,
        tag("p", f"{each.failure_scenario}."),
        tag("p", tag("strong", "To settle it: "), f"{each.alternative}."),
        id=each.id,
    )


def _questions(report: PlanReport) -> Iterable[Markup]:
    if report.questions:
        yield _section("Questions", _list(f"{each.challenge_id}: {each.text} ({each.why})" for each in report.questions))
    if report.responses:
        yield _section("The user's answers", _list(f"{each.challenge_id}: {each.text}" for each in report.responses))


def _research(report: PlanReport) -> Iterable[Markup]:
    if report.contexts:
        rows = [(each.id, each.location, each.relevance, each.impact.value) for each in report.contexts]
        yield _section("Surfaced context", _table(("Id", "Location", "Relevance", "Impact"), rows))
    if report.risks:
        yield _section("Probed risks", _list(f"{each.risk} ({each.probability})" for each in report.risks))
    if report.unknowns:
        rows = [(each.id, each.affects_challenge, each.resolution.value, each.finding) for each in report.unknowns]
        yield _section("Research", _table(("Id", "Challenge", "Resolution", "Finding"), rows))


def _section(title: str, *children: Markup) -> Markup:
    return tag("section", tag("h2", title), *children)


def _list(items: Iterable[str]) -> Markup:
    return tag("ul", *(tag("li", each) for each in items))


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Markup:
    head = tag("tr", *(tag("th", each, scope="col") for each in headings))
    body = [tag("tr", *(tag("td", cell, data_label=name) for name, cell in zip(headings, row, strict=True))) for row in rows]
    return tag("table", tag("thead", head), tag("tbody", *body))
