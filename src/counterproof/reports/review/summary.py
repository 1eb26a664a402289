"""What a user reads last on the terminal: what stands, how far the specialists agreed, what was left out."""

from collections.abc import Iterator

from counterproof.model.review.comment import Ruling
from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.position import Resolution, Resolved
from counterproof.model.review.report import ReviewReport
from counterproof.reports.review.reading import place_of, read_by, size_of, team_of, unread, verdict_of
from counterproof.reports.screen import Row, headed, item

MAX_SHOWN = 10
MAX_NOTES = 3


def summary_rows(report: ReviewReport) -> tuple[Row, ...]:
    """At most a screen: what matters first."""
    return tuple(_rows(report))


def _rows(report: ReviewReport) -> Iterator[Row]:
    kept = [each for each in report.resolved if each.kept]
    counts = ", ".join(f"{sum(shown(each.severity) is kind for each in kept)} {kind.value}" for kind in Shown)
    yield from headed("FINDINGS", counts if kept else "none")
    for each in kept[:MAX_SHOWN]:
        yield from item(_sentence(each))
    if len(kept) > MAX_SHOWN:
        yield from item(f"{len(kept) - MAX_SHOWN} more in the report")
    for path, verdict in report.verdicts[:MAX_SHOWN]:
        yield from headed("VERDICT", f"{verdict_of(report, verdict)}: {path}")
    yield from _comments(report)
    yield from headed("AGREEMENT", f"{report.agreement.value}. {report.disclaimer}".strip())
    disputed = sum(each.resolution is Resolution.DISPUTED for each in report.resolved)
    if disputed:
        yield from headed("DISPUTED", f"{disputed}: found by an analyst, spoken against, not refuted; they count")
    dismissed = len(report.resolved) - len(kept)
    if dismissed:
        yield from headed("DISMISSED", f"{dismissed} after a challenge; the report names them")
    yield from _changes(report)
    scope = report.scope
    yield from headed("SCOPE", f"{size_of(report)} ({scope.kind}), {len(scope.left_out)} left out; by {team_of(report)}")
    if report.scope.files and (reading := read_by(report)):
        yield from headed("LIMIT", reading)
    for each in (*report.unreviewed, *report.limitations, *unread(report))[:5]:
        yield from headed("LIMIT", each)
    for each in report.notes[:MAX_NOTES]:
        yield from headed("NOTE", f"{each[:1].upper()}{each[1:].removesuffix('.')}.")


def _comments(report: ReviewReport) -> Iterator[Row]:
    """Comments of others: counts, then those to be fixed."""
    if not report.comments:
        return
    rulings = [each.ruling for each in report.comments]
    yield from headed("COMMENTS", ", ".join(f"{rulings.count(each)} {each.value}" for each in Ruling))
    for each in [each for each in report.comments if each.ruling is Ruling.FIX][:MAX_SHOWN]:
        yield from item(f"{each.id} {each.ruling.value} {place_of(each)}: {each.why}")


def _changes(report: ReviewReport) -> Iterator[Row]:
    if report.changes or report.fixed or report.carried:
        told = [kind.value for _, kind in report.changes]
        counts = ", ".join(f"{told.count(kind)} {kind}" for kind in dict.fromkeys(told))
        yield from headed("DELTA", f"{counts or 'nothing new'}; {len(report.fixed)} resolved, {len(report.carried)} carried over")


def _sentence(each: Resolved) -> str:
    finding = each.finding
    return f"{finding.id} {shown(each.severity).value} {finding.location}: {finding.title} [{each.label}]"
