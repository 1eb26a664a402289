"""The report of a review as one HTML file: no request, no script, positions and votes of every finding at a glance.

Always: text reaches the page only through `markup`, which escapes it; the policy allows the page's own style and nothing else.
"""

from collections.abc import Iterator

from counterproof.model.review.finding import ReviewFinding, Shown, shown
from counterproof.model.review.position import Resolution, Resolved, Stance
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import ScopeKind
from counterproof.reports.html import policy
from counterproof.reports.html.markup import Child, Markup, lines, tag, together
from counterproof.reports.review.reading import DISPUTED, read_by, unread
from counterproof.reports.wording import counted

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c2230;background:#fff}
table{border-collapse:collapse;width:100%;margin:1rem 0}
th,td{border:1px solid #c9cedb;padding:.35rem .6rem;text-align:left;vertical-align:top}
th{background:#eef0f6}pre{background:#f3f4f8;padding:.7rem;overflow:auto;white-space:pre-wrap}
article{border-top:2px solid #c9cedb;margin-top:1.5rem}
.Critical{color:#a4001d;font-weight:700}.Important{color:#8a4b00;font-weight:700}.Minor{color:#40506b}
.note{background:#fff4d6;padding:.5rem .8rem}
td.vote{text-align:center;white-space:nowrap}a{color:#20409a}
fieldset{border:0;padding:0;margin:1rem 0}label{margin-right:1rem;white-space:nowrap}code{overflow-wrap:anywhere}
body:has(#show-Critical:checked) article:not(.is-Critical),body:has(#show-Important:checked) article:not(.is-Important),
body:has(#show-Minor:checked) article:not(.is-Minor){display:none}
@media (max-width:40rem){body{margin:1rem auto}table{display:block;overflow-x:auto}td,th{font-size:.9rem}}
@media (prefers-color-scheme:dark){body{color:#e6e9f2;background:#14171f}th{background:#232838}pre{background:#1c2130}
.Critical{color:#ff8a98}.Important{color:#ffbf6b}.Minor{color:#b8c4dd}.note{background:#4a3b10}a{color:#9db7ff}th,td{border-color:#3b435a}}
"""
_SIGNS = {Stance.AGREE: "agrees", Stance.CHALLENGE: "challenges", Stance.ABSTAIN: "abstains"}


def as_html(report: ReviewReport) -> str:
    """The whole file, with a newline at its end."""
    parts = (Markup("<!doctype html>"), Markup('<html lang="en">'), _head(report), tag("body", *_body(report)), Markup("</html>"))
    return together(parts).html + "\n"


def _head(report: ReviewReport) -> Markup:
    allowed = f"default-src 'none'; style-src '{policy.hash_of(_STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=allowed),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"Review: {_counts(report)}"),
        tag("link", rel="icon", href=policy.ICON),
        tag("style", Markup(_STYLE)),
    )


def _counts(report: ReviewReport) -> str:
    kept = [each for each in report.resolved if each.kept]
    return ", ".join(f"{sum(shown(each.severity) is kind for each in kept)} {kind.value}" for kind in Shown)


def _body(report: ReviewReport) -> Iterator[Markup]:
    team = ", ".join(each.code for each in report.profile.specialists)
    yield tag("h1", "Review")
    if report.scope.commit:
        what = "The work tree" if report.scope.kind is ScopeKind.PATHS else "The change"
        yield tag(
            "p", f"{what} at commit ", tag("code", report.scope.commit[:12]), f", {counted(len(report.scope.files), 'file')}."
        )
    yield tag(
        "p",
        f"{_counts(report)}. {report.agreement.value}. By {team}, {report.preset}.",
    )
    for text in (read_by(report), report.disclaimer, report.truncated and f"Truncated: {report.truncated}"):
        if text:
            yield tag("p", text, class_="note")
    if report.verdicts:
        yield _table(("Document", "Verdict"), [(path, verdict.value) for path, verdict in report.verdicts])
    if report.resolved:
        yield tag("h2", "Votes")
        yield _votes(report)
        yield _filters()
    for each in report.resolved:
        yield _article(each)
    yield from _delta(report)
    yield from _scope(report)
    yield from _conduct(report)


def _table(head: tuple[str, ...], rows: "list[tuple[Child, ...]]") -> Markup:
    top = tag("tr", *(tag("th", each, scope="col") for each in head))
    return tag("table", tag("thead", top), tag("tbody", *(tag("tr", *(tag("td", each) for each in row)) for row in rows)))


def _votes(report: ReviewReport) -> Markup:
    """A row for each finding, a column for each specialist."""
    codes = [each.code for each in report.profile.specialists]
    rows: list[tuple[Child, ...]] = []
    for each in report.resolved:
        said = {one.specialist: _SIGNS[one.stance] for one in each.positions} | {each.finding.specialist: "found it"}
        word = shown(each.severity).value
        name = tag("a", each.finding.id, href=f"#{each.finding.id}")
        what = (name, tag("span", word, class_=word), each.finding.title)
        rows.append((*what, *(said.get(code, "·") for code in codes), each.label))
    return _table(("Finding", "Severity", "What", *codes, "Outcome"), rows)


def _filters() -> Markup:
    """Which severities are shown: the page's style does it, so that no script is needed."""
    choices: list[Markup] = []
    for word in ("All", *(kind.value for kind in Shown)):
        button = tag("input", type="radio", name="show", id=f"show-{word}", checked=word == "All")
        choices.append(tag("label", button, f" {word}"))
    return tag("fieldset", tag("legend", "Show"), *choices)


def _article(each: Resolved) -> Markup:
    finding = each.finding
    word = shown(each.severity).value
    gone = "" if each.kept else " (dismissed)"
    parts: list[Markup] = [
        tag("h3", tag("span", word, class_=word), f" {finding.id}{gone}: {finding.title}"),
        tag(
            "p", tag("code", str(finding.location)), f" · {finding.domain} · {each.label} · confidence {finding.confidence.value}"
        ),
        tag("p", finding.evidence.partition(f"\n{finding.location}: ")[0]),
    ]
    parts += [tag("pre", lines(finding.quote))] if finding.quote else []
    parts += [tag("p", f"Chain: {finding.impact_chain}")] if finding.impact_chain else []
    parts += [tag("p", f"Fix: {finding.fix}")] if finding.fix else []
    said = [tag("li", _position(each, index)) for index in range(len(each.positions))]
    if each.defence:
        stands = "stands by it" if each.defence.stands else "withdraws it"
        said.append(tag("li", f"{finding.specialist} {stands}: {each.defence.text}"))
    parts += [tag("ul", *said)] if said else []
    parts += [tag("p", note, class_="note") for note in each.notes]
    if each.resolution is Resolution.ESCALATED:
        parts.append(tag("p", "The specialists leave this one to you.", class_="note"))
    if each.resolution is Resolution.DISPUTED:
        parts.append(tag("p", DISPUTED, class_="note"))
    return tag("article", *parts, id=finding.id, class_=f"is-{word}")


def _position(each: Resolved, index: int) -> str:
    one = each.positions[index]
    return f"{one.specialist} {_SIGNS[one.stance]}: {one.evidence}{f' ({one.at})' if one.at else ''}"


def _delta(report: ReviewReport) -> Iterator[Markup]:
    if report.changes:
        yield tag("h2", "Since the review before")
        yield _table(("Finding", "Change"), [(name, kind.value) for name, kind in report.changes])
    for title, group in (("Resolved since", report.fixed), ("Carried over from unchanged files", report.carried)):
        if group:
            yield tag("h2", title)
            yield tag("ul", *(tag("li", _line(each)) for each in group))


def _line(finding: ReviewFinding) -> str:
    return f"{finding.id} {finding.shown.value}: {finding.title} ({finding.location})"


def _scope(report: ReviewReport) -> Iterator[Markup]:
    scope = report.scope
    yield tag("h2", "Scope")
    yield tag("p", f"{counted(len(scope.files), 'file')}, about {scope.tokens:,} tokens, by {scope.kind}.")
    rows: list[tuple[Child, ...]] = [
        (file.path, ", ".join(f"{low}-{high}" for low, high in file.changed[:10]) or "all") for file in scope.files[:200]
    ]
    yield _table(("File", "Lines"), rows)
    if scope.left_out:
        yield tag("p", "Left out:")
        yield tag("ul", *(tag("li", f"{path}: {why}") for path, why in scope.left_out))


def _conduct(report: ReviewReport) -> Iterator[Markup]:
    if report.trips:
        yield tag("h2", "Guardrails")
        yield _table(("Guardrail", "Finding", "What it did"), [*report.trips])
    missing = (*report.unreviewed, *report.limitations, *unread(report), *report.notes)
    if missing:
        yield tag("h2", "Limitations and notes")
        yield tag("ul", *(tag("li", each) for each in missing))
    used = sum(each.tokens for each in report.spending)
    saved = max(0, report.broadcast_tokens - report.routed_tokens)
    yield tag("h2", "Budget")
    yield tag(
        "p", f"Planned {report.planned_tokens:,} tokens, used {used:,}. Routing spared {saved:,} of {report.broadcast_tokens:,}."
    )
    if report.spending:
        yield _table(("Agent", "Phase", "Tokens"), [(each.agent, each.phase, str(each.tokens)) for each in report.spending])
