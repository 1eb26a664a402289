"""The report of a review as a document: scope, findings with their votes, external comments, how it ran.

Invariant: empty sections are left out. Not handled here: layout, which the writers decide.
"""

from collections.abc import Iterator

from counterproof.model.review.comment import Ruling
from counterproof.model.review.conversion import said as said_of
from counterproof.model.review.finding import ReviewFinding, Shown, shown
from counterproof.model.review.position import Resolution, Resolved
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import ScopeKind
from counterproof.reports.review.findings import LEVELS, card, vote_row
from counterproof.reports.review.reading import (
    appendix_title,
    author_of,
    place_of,
    read_by,
    said_in,
    size_of,
    team_of,
    unread,
    verdict_of,
)
from counterproof.reports.screen import WIDTH, Item, Part, Row, clipped, headed, item, titled
from counterproof.reports.sections.blocks import (
    Cards,
    Document,
    Inline,
    Section,
    code,
    joined,
    number,
    own,
    points,
    remark,
    rows_of,
    said,
    text,
)
from counterproof.reports.wording import counted

MAX_FILES = 200
MAX_NOTES = 3
MAX_LIMITS = 5


def document(report: ReviewReport) -> Document:
    """The whole document."""
    numbers = [(kind, sum(shown(each.severity) is kind for each in report.resolved if each.kept)) for kind in Shown]
    grave = any(count for kind, count in numbers if kind is not Shown.MINOR)
    return Document(
        kind=f"{report.profile.name} review",
        about="Review of ",
        target=report.target or "a change",
        facts=(_range(report), size_of(report), f"by {team_of(report)}, {report.preset}"),
        result=report.agreement.value,
        tone="poor" if grave else "good",
        said=(report.disclaimer,),
        counts=tuple((LEVELS[kind], kind.value, count) for kind, count in numbers),
        notices=(read_by(report), report.truncated and f"Truncated: {report.truncated}"),
        sections=tuple(_sections(report)),
        summary=tuple(_summary(report)),
    )


def _range(report: ReviewReport) -> str:
    scope = report.scope
    if scope.kind is ScopeKind.PATHS or not scope.base:
        return f"the work tree at commit {scope.commit[:12]}" if scope.commit else ""
    return f"{scope.base[:12]}..{scope.commit[:12] if scope.committed else 'work tree'}"


def _sections(report: ReviewReport) -> Iterator[Section]:
    verdicts = ((code(path), own(verdict_of(report, verdict))) for path, verdict in report.verdicts)
    yield from rows_of("verdicts", "Verdicts", ("Document", "Verdict"), verdicts)
    levels = tuple((LEVELS[kind], kind.value) for kind in Shown)
    areas = tuple((each.code, f"{each.code} {each.title}") for each in report.profile.specialists)
    first, aside = ((card(report, each) for each in group) for group in (report.first_page, report.appendix))
    cards = Cards(tuple(first), "finding", levels, "Specialist", areas, tuple(aside), appendix_title(report))
    yield Section("findings", "Findings", (cards,))
    codes = (each.code for each in report.profile.specialists)
    headings = ("Finding", "Severity", "What", *codes, "Outcome")
    yield from rows_of("votes", "Votes", headings, (vote_row(report, each) for each in report.resolved))
    yield from _older(report)
    yield from _comments(report)
    yield from _delta(report)
    yield _scope(report)
    yield from _record(report)


def _older(report: ReviewReport) -> Iterator[Section]:
    """Defects that existed before the change (R46)."""
    rows: Iterator[tuple[Inline, ...]] = (
        (text(each.id), own(each.shown.value), code(str(each.location)), remark(each.title), remark(said_of(each)))
        for each in report.older
    )
    headings = ("Finding", "Severity", "Place", "What", "Evidence")
    yield from rows_of("older", "Older defects, not part of the change: not voted on and not counted", headings, rows)


def _comments(report: ReviewReport) -> Iterator[Section]:
    """External comments, each with its ruling (R31)."""
    rows: Iterator[tuple[Inline, ...]] = (
        (own(each.id), own(each.ruling.value), code(place_of(each)), text(author_of(each)), text(said_in(each)), remark(each.why))
        for each in report.comments
    )
    yield from rows_of("comments", "Comments of others", ("Comment", "Ruling", "Place", "Author", "What it says", "Why"), rows)


def _delta(report: ReviewReport) -> Iterator[Section]:
    changes = ((text(name), own(kind.value)) for name, kind in report.changes)
    yield from joined(
        "delta",
        "Since the previous review",
        rows_of("", "Changes", ("Finding", "Change"), changes),
        points("", "Resolved since", map(_line, report.fixed)),
        points("", "Carried over from unchanged files", map(_line, report.carried)),
    )


def _line(finding: ReviewFinding) -> str:
    return f"{finding.id} {finding.shown.value}: {finding.title} ({finding.location})"


def _scope(report: ReviewReport) -> Section:
    scope = report.scope
    files = (
        (code(file.path), own(", ".join(f"{low}-{high}" for low, high in file.changed[:10]) or "all"), number(file.tokens))
        for file in scope.files[:MAX_FILES]
    )
    around = (f"{each.relation} {each.at} of {each.symbol}" for each in scope.neighbours[:50])
    (whole,) = joined(
        "scope",
        "Scope",
        said("", "Size", f"{size_of(report)}, about {scope.tokens:,} tokens, by {scope.kind}."),
        rows_of("", "Files", ("File", "Lines", "Tokens"), files),
        points("", "Left out", (f"{path}: {why}" for path, why in scope.left_out)),
        points("", "Around the change (context, not under review)", around),
    )
    return whole


def _record(report: ReviewReport) -> tuple[Section, ...]:
    used = sum(each.tokens for each in report.spending)
    saved = max(0, report.broadcast_tokens - report.routed_tokens)
    spent = f"Planned {report.planned_tokens:,} tokens, used {used:,}. Routing spared {saved:,} of {report.broadcast_tokens:,}."
    trips = ((text(guard), text(name), remark(words)) for guard, name, words in report.trips)
    spending = ((text(each.agent), text(each.phase), number(each.tokens)) for each in report.spending)
    return joined(
        "record",
        "How this review ran",
        rows_of("", "Guardrails", ("Guardrail", "Finding", "What it did"), trips),
        points("", "Limitations", (*report.unreviewed, *report.limitations, *unread(report))),
        points("", "Notes", report.notes),
        said("", "Budget", spent),
        rows_of("", "Tokens", ("Agent", "Phase", "Tokens"), spending),
    )


def _summary(report: ReviewReport) -> Iterator[Part]:
    """The last lines on the terminal: accepted findings, agreement, limitations."""
    kept = [each for each in report.resolved if each.kept]
    counts = ", ".join(f"{sum(shown(each.severity) is kind for each in kept)} {kind.value}" for kind in Shown)
    yield Part(tuple(headed("FINDINGS", counts if kept else "none")), tuple(map(_item, report.first_page)))
    if report.appendix:
        yield Part(tuple(headed("APPENDIX", f"{appendix_title(report)}: see the report")))
    if report.older:
        head = headed("OLDER", f"{counted(len(report.older), 'defect')} not part of the change, not counted")
        yield Part(tuple(head), tuple(map(_older_item, report.older)), "older")
    yield from _rulings(report)
    verdicts = (headed("VERDICT", f"{verdict_of(report, verdict)}: {path}") for path, verdict in report.verdicts)
    yield Part((), tuple(Item(tuple(rows)) for rows in verdicts), "verdict")
    yield Part((*_agreement(report), *_limits(report)))


def _item(each: Resolved) -> Item:
    finding, word = each.finding, shown(each.severity)
    number = f"  {clipped(finding.id, WIDTH // 4)} "
    return Item(tuple(titled(number, finding.title, (each.label, word.value), str(finding.location), LEVELS[word])))


def _older_item(each: ReviewFinding) -> Item:
    return Item(tuple(titled(f"  {each.id} ", each.title, (each.shown.value,), str(each.location), LEVELS[each.shown])))


def _rulings(report: ReviewReport) -> Iterator[Part]:
    """External comments: counts, then those to be fixed."""
    if report.comments:
        rulings = [each.ruling for each in report.comments]
        head = headed("COMMENTS", ", ".join(f"{rulings.count(each)} {each.value}" for each in Ruling))
        fixes = (each for each in report.comments if each.ruling is Ruling.FIX)
        items = tuple(Item(tuple(item(f"{each.id} {each.ruling.value} {place_of(each)}: {each.why}"))) for each in fixes)
        yield Part(tuple(head), items, "comment")


def _agreement(report: ReviewReport) -> Iterator[Row]:
    if report.resolved:
        yield from headed("AGREEMENT", f"{report.agreement.value}. {report.disclaimer}".strip())
    disputed = sum(each.resolution is Resolution.DISPUTED for each in report.resolved)
    if disputed:
        yield from headed("DISPUTED", f"{disputed}: found by an analyst, challenged but not refuted; they count")
    dismissed = sum(not each.kept for each in report.resolved)
    if dismissed:
        yield from headed("DISMISSED", f"{dismissed} after a challenge; the report names them")
    if report.changes or report.fixed or report.carried:
        told = [kind.value for _, kind in report.changes]
        counts = ", ".join(f"{told.count(kind)} {kind}" for kind in dict.fromkeys(told))
        yield from headed("DELTA", f"{counts or 'nothing new'}; {len(report.fixed)} resolved, {len(report.carried)} carried over")


def _limits(report: ReviewReport) -> Iterator[Row]:
    scope = report.scope
    yield from headed("SCOPE", f"{size_of(report)} ({scope.kind}), {len(scope.left_out)} left out; by {team_of(report)}")
    limits = (*report.unreviewed, *report.limitations, *unread(report))[:MAX_LIMITS]
    for each in (read_by(report) if scope.files else "", *limits):
        yield from headed("LIMIT", each) if each else ()
    for each in report.notes[:MAX_NOTES]:
        yield from headed("NOTE", f"{each.removesuffix('.')}.")
