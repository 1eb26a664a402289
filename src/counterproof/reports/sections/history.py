"""The history of findings: fixed since an earlier run, accepted, disputed.

Every function returns None if there is nothing to show.
"""

from typing import Final

from counterproof.model.report import Debate, Position, Report
from counterproof.reports import wording
from counterproof.reports.sections.blocks import Inline, Mark, Section, Span, Table, code, own, sentence, text
from counterproof.reports.sections.claims import more

MAX_FIXED: Final = 500
MAX_POSITIONS: Final = 500


def fixed(report: Report) -> Section | None:
    """Findings of the earlier run that no longer occur."""
    if not report.fixed:
        return None
    rows = tuple(
        (own(each.severity.value), text(each.title), code(each.place), code(each.fingerprint))
        for each in report.fixed[:MAX_FIXED]
    )
    return Section(
        "fixed",
        "Fixed since the earlier run",
        (
            sentence("Found by the earlier run and not by this one; findings in files that were left out also count as fixed."),
            Table(("Severity", "Problem", "Where it was", "Fingerprint"), rows),
            *more(len(report.fixed), MAX_FIXED),
        ),
    )


def accepted(report: Report) -> Section | None:
    """Findings accepted until a date. They are still findings; they just do not fail the run."""
    rows = tuple(
        (text(each.number), own(each.severity.value), text(each.finding.title), text(each.accepted))
        for each in wording.by_severity(report)
        if each.accepted
    )
    if not rows:
        return None
    return Section(
        "accepted",
        "Accepted exceptions",
        (
            sentence("These remain findings, but they do not fail the run until the date given."),
            Table(("No.", "Severity", "Problem", "Accepted"), rows[:MAX_FIXED]),
            *more(len(rows), MAX_FIXED),
        ),
    )


def debates(report: Report) -> Section | None:
    """Challenges, defences and votes, finding by finding."""
    if not report.debates:
        return None
    rows = [row for debate in report.debates for row in _debate(debate)]
    return Section(
        "debates",
        "Challenges and votes",
        (
            sentence("What agents said about each other's findings, and how the vote ended."),
            Table(("No.", "Iteration", "Agent", "Position", "Reason", "Looked at"), tuple(rows[:MAX_POSITIONS])),
            *more(len(rows), MAX_POSITIONS),
        ),
    )


def _debate(debate: Debate) -> list[tuple[Inline, ...]]:
    decided = (text(debate.number), own(""), own(""), (Span(debate.decision, Mark.STRONG),), text(_tally(debate)), own(""))
    return [*(_position(debate.number, each) for each in debate.positions), decided]


def _position(number: str, each: Position) -> tuple[Inline, ...]:
    level: Inline = (Span(f" ({each.severity.value})", Mark.OWN),) if each.severity else ()
    unheard: Inline = () if each.counts else (Span(", no vote", Mark.OWN),)
    return (
        text(number),
        own(str(each.iteration)),
        text(each.agent),
        (*text(each.stance), *level, *unheard),
        text(each.reason),
        code(each.at) if each.at else own("–"),
    )


def _tally(debate: Debate) -> str:
    """The last position of each voting agent."""
    last = {each.agent: each.stance for each in debate.positions if each.counts}
    stances = sorted(set(last.values()))
    return ", ".join(f"{sum(one == stance for one in last.values())} {stance}" for stance in stances)
