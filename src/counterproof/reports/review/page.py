"""The report of a review as one HTML file, in the same frame as an audit's: what was reviewed, filters, findings that open with
their code, positions and votes.

Always: the page reads without a script; with it, findings filter. Text reaches the page only through `markup` and the island,
which escape it; the policy allows the pages' own style and script and nothing else.
"""

from collections.abc import Iterator

from counterproof.model.review.finding import ReviewFinding, Shown, shown
from counterproof.model.review.position import Resolution, Resolved, Stance
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import ScopeKind
from counterproof.reports import inert
from counterproof.reports.html.code import code_at, link_to
from counterproof.reports.html.filters import LONG, filters
from counterproof.reports.html.frame import bullets, contents, heading, page, row, table, tiles
from counterproof.reports.html.island import Node, Texts
from counterproof.reports.html.markup import Child, Markup, tag, together
from counterproof.reports.review.reading import DISPUTED, author_of, place_of, read_by, said_in, size_of, unread, verdict_of
from counterproof.reports.wording import counted, source_link

LEVELS = {Shown.CRITICAL: "critical", Shown.IMPORTANT: "high", Shown.MINOR: "low"}
"""How the style calls a severity."""
_SIGNS = {Stance.AGREE: "agrees", Stance.CHALLENGE: "challenges", Stance.ABSTAIN: "abstains"}


def as_html(report: ReviewReport) -> str:
    """The whole file, with a newline at its end."""
    rows = [*(each for each in report.resolved if each.kept), *(each for each in report.resolved if not each.kept)]
    title = f"Review of {report.target or 'a change'}: {_counts(report)}"
    return page(title, "", _navigation(report), _main(report, rows), _island(rows))


def _numbers(report: ReviewReport) -> list[tuple[Shown, int]]:
    kept = [each for each in report.resolved if each.kept]
    return [(kind, sum(shown(each.severity) is kind for each in kept)) for kind in Shown]


def _counts(report: ReviewReport) -> str:
    return ", ".join(f"{number} {kind.value}" for kind, number in _numbers(report))


def _navigation(report: ReviewReport) -> Markup:
    named = [("overview", "Overview"), ("findings", "Findings"), ("votes", "Votes"), ("scope", "Scope"), ("record", "How it ran")]
    return contents((key, title, "") for key, title in named if key != "votes" or report.resolved)


def _main(report: ReviewReport, rows: list[Resolved]) -> Iterator[Markup]:
    yield tag("section", *_overview(report), id="overview", aria_labelledby="overview-title")
    yield tag("section", *_findings(report, rows), id="findings", aria_labelledby="findings-title")
    if report.resolved:
        yield tag("section", tag("h2", "Votes", id="votes-title"), _votes(report), id="votes", aria_labelledby="votes-title")
    if report.comments:
        head = ("Comment", "Ruling", "Place", "Author", "What it says", "Why")
        cells: list[tuple[Child, ...]] = [
            (e.id, e.ruling.value, place_of(e), author_of(e), said_in(e), e.why) for e in report.comments
        ]
        title = tag("h2", "Comments of others", id="comments-title")
        yield tag("section", title, table(head, cells), id="comments", aria_labelledby="comments-title")
    yield from _delta(report)
    yield tag("section", *_scope(report), id="scope", aria_labelledby="scope-title")
    yield tag("section", *_conduct(report), id="record", aria_labelledby="record-title")


def _overview(report: ReviewReport) -> Iterator[Markup]:
    team = ", ".join(each.code for each in report.profile.specialists)
    facts = (_range(report), size_of(report), f"by {team}, {report.preset}")
    yield heading(f"{report.profile.name} review", "Review of ", report.target or "a change", facts)
    yield tag("h2", "Overview", id="overview-title", class_="unseen")
    grave = any(number for kind, number in _numbers(report) if kind is not Shown.MINOR)
    yield tag(
        "div",
        tag(
            "div",
            tag("p", "Result", class_="eyebrow"),
            tag("p", report.agreement.value, class_="headline"),
            *(tag("p", text, class_="quiet") for text in (report.disclaimer,) if text),
            class_=f"outcome {'poor' if grave else 'good'}",
        ),
        tag("div", tiles((LEVELS[kind], kind.value, number) for kind, number in _numbers(report)), class_="counts"),
        class_="verdict",
    )
    for text in (read_by(report), report.truncated and f"Truncated: {report.truncated}"):
        if text:
            yield tag("p", tag("span", "!", class_="sign", aria_hidden="true"), tag("span", text), class_="banner")
    if report.verdicts:
        yield table(("Document", "Verdict"), [(path, verdict_of(report, verdict)) for path, verdict in report.verdicts])


def _range(report: ReviewReport) -> str:
    scope = report.scope
    if scope.kind is ScopeKind.PATHS or not scope.base:
        return f"the work tree at commit {scope.commit[:12]}" if scope.commit else ""
    return f"{scope.base[:12]}..{scope.commit[:12] if scope.committed else 'work tree'}"


def _findings(report: ReviewReport, rows: list[Resolved]) -> Iterator[Markup]:
    title = tag("h2", "Findings", id="findings-title")
    if not rows:
        yield title
        yield tag("p", "None.")
        return
    count = tag("p", counted(len(rows), "finding"), id="count", aria_live="polite")
    yield tag("div", title, count, class_="heading")
    levels = [(LEVELS[kind], kind.value, sum(shown(each.severity) is kind for each in rows)) for kind in Shown]
    codes = [(each.code, f"{each.code} {each.title}") for each in report.profile.specialists]
    yield filters(levels, "Specialist", codes)
    yield tag(
        "ol",
        together(_row(each, report.source_url) for each in rows),
        class_="findings long" if len(rows) >= LONG else "findings",
        id="list",
    )
    yield tag("p", "No finding matches the filter.", id="nothing", hidden=True)


def _row(each: Resolved, source_url: str) -> Markup:
    finding = each.finding
    level, word = LEVELS[shown(each.severity)], shown(each.severity).value
    labels = [tag("span", label, class_="label") for label in (each.label, "" if each.kept else "dismissed") if label]
    about = (
        tag("code", str(finding.location)),
        tag("span", finding.domain),
        tag("span", f"confidence: {finding.confidence.value}"),
        *labels,
    )
    body = (
        *(tag("p", note, class_="excuse") for note in _notes(each)),
        *link_to(source_link(source_url, finding.location)),
        tag("p", finding.evidence.partition(f"\n{finding.location}: ")[0], class_="impact"),
        tag("h4", "Code", class_="evidence"),
        code_at(finding.location, finding.excerpt, finding.quote),
        *([tag("h4", "Positions"), bullets(_said(each))] if _said(each) else []),
        tag("h4", "Fix", class_="remedy"),
        tag("p", finding.fix or "None proposed."),
    )
    return row(finding.id, finding.id, level, word, finding.title, about, body)


def _notes(each: Resolved) -> Iterator[str]:
    yield from each.notes
    if each.resolution is Resolution.ESCALATED:
        yield "The specialists leave this one to you."
    if each.resolution is Resolution.DISPUTED:
        yield DISPUTED


def _said(each: Resolved) -> list[str]:
    found = [f"{one.specialist} {_SIGNS[one.stance]}: {one.evidence}{f' ({one.at})' if one.at else ''}" for one in each.positions]
    if each.defence:
        found.append(
            f"{each.finding.specialist} {'stands by it' if each.defence.stands else 'withdraws it'}: {each.defence.text}"
        )
    return found


def _island(rows: list[Resolved]) -> dict[str, object]:
    """What the filters ask for, and what is shown below an opened finding."""
    texts = Texts()
    return {"findings": [_node(each, texts) for each in rows], "text": list(texts.known), "chains": []}


def _node(each: Resolved, texts: Texts) -> Node:
    finding = each.finding
    path = texts.add(finding.location.path, inert.MAX_CODE)
    facts = (
        ("Where", str(finding.location), True),
        ("Leads to", finding.impact_chain, True),
        ("Kind", finding.kind, False),
        ("Seen by", ", ".join(finding.sources or (finding.specialist,)), False),
    )
    listed: list[Node] = [[texts.add(name), texts.add(value), int(code)] for name, value, code in facts if value]
    level = LEVELS[shown(each.severity)]
    return [level, finding.specialist, path, texts.add(""), [], [], [["facts", texts.add("Details"), listed]]]


def _votes(report: ReviewReport) -> Markup:
    """A row for each finding, a column for each specialist."""
    codes = [each.code for each in report.profile.specialists]
    rows: list[tuple[Child, ...]] = []
    for each in report.resolved:
        said = {one.specialist: _SIGNS[one.stance] for one in each.positions} | {each.finding.specialist: "found it"}
        kind = shown(each.severity)
        word = tag("span", kind.value, class_=f"level {LEVELS[kind]}")
        name = tag("a", each.finding.id, href=f"#{each.finding.id}")
        votes = (tag("span", said[code], class_="label") if code in said else "·" for code in codes)
        rows.append((name, word, each.finding.title, *votes, each.label))
    return table(("Finding", "Severity", "What", *codes, "Outcome"), rows)


def _delta(report: ReviewReport) -> Iterator[Markup]:
    if report.changes:
        yield tag("h2", "Since the review before")
        yield table(("Finding", "Change"), [(name, kind.value) for name, kind in report.changes])
    for title, group in (("Resolved since", report.fixed), ("Carried over from unchanged files", report.carried)):
        if group:
            yield tag("h2", title)
            yield bullets(map(_line, group))


def _line(finding: ReviewFinding) -> str:
    return f"{finding.id} {finding.shown.value}: {finding.title} ({finding.location})"


def _scope(report: ReviewReport) -> Iterator[Markup]:
    scope = report.scope
    yield tag("h2", "Scope", id="scope-title")
    yield tag("p", f"{size_of(report)}, about {scope.tokens:,} tokens, by {scope.kind}.")
    rows: list[tuple[Child, ...]] = [
        (tag("code", file.path), ", ".join(f"{low}-{high}" for low, high in file.changed[:10]) or "all")
        for file in scope.files[:200]
    ]
    yield table(("File", "Lines"), rows)
    if scope.left_out:
        yield tag("h3", "Left out")
        yield tag("ul", *(tag("li", tag("code", path), f": {why}") for path, why in scope.left_out))


def _conduct(report: ReviewReport) -> Iterator[Markup]:
    yield tag("h2", "How this review ran", id="record-title")
    if report.trips:
        yield tag("h3", "Guardrails")
        yield table(("Guardrail", "Finding", "What it did"), [*report.trips])
    missing = (*report.unreviewed, *report.limitations, *unread(report), *report.notes)
    if missing:
        yield tag("h3", "Limitations and notes")
        yield bullets(missing)
    used = sum(each.tokens for each in report.spending)
    saved = max(0, report.broadcast_tokens - report.routed_tokens)
    yield tag("h3", "Budget")
    yield tag(
        "p", f"Planned {report.planned_tokens:,} tokens, used {used:,}. Routing spared {saved:,} of {report.broadcast_tokens:,}."
    )
    if report.spending:
        yield table(("Agent", "Phase", "Tokens"), [(each.agent, each.phase, str(each.tokens)) for each in report.spending])
