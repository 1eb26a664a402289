"""The report as SARIF 2.1.0, one result per accepted finding, written by the audit's own writer (R35).

Security findings have a score and a tag for code scanning; others, such as a duplicated function, do not. Dismissed findings
are not included. Unreviewed code is listed in the notifications, so that a file without results still reports it.
"""

from collections.abc import Iterator
from typing import Final

from counterproof import __version__
from counterproof.model.review.classes import classed
from counterproof.model.review.conversion import as_older, as_reported
from counterproof.model.review.report import ReviewReport
from counterproof.reports.inert import json_text, line
from counterproof.reports.review.reading import unread
from counterproof.reports.sarif.limits import MAX_BYTES, MAX_RESULTS, RESERVE, fit, size
from counterproof.reports.sarif.log import Node, Writer, descriptor, filled, log_of, notification, run_of
from counterproof.reports.sarif.related import Chained
from counterproof.reports.sarif.results import result
from counterproof.reports.sarif.rules import rule_id, rules, taxon_index, taxonomy

MAX_NOTES: Final = 1_000
_NOTIFICATIONS: Final = (
    descriptor("limitation", "Limitation", "What could not be reviewed"),
    descriptor("left-out", "LeftOut", "What this file leaves out to stay within limits"),
)
_SCORE: Final = "security-severity"


def as_sarif(report: ReviewReport) -> str:
    """The whole log."""
    every = (*as_reported(report), *as_older(report))
    rows = every[:MAX_RESULTS]
    older = {each.number for each in as_older(report)}
    security = {each.finding.id for each in report.resolved if classed(each.finding).security}
    scored = {rule_id(each.finding) for each in rows if each.number in security}
    named = tuple(rule if rule["id"] in scored else _unscored(rule) for rule in rules(rows))
    index = {rule["id"]: position for position, rule in enumerate(named)}
    taxa, alone = taxon_index(rows), Chained({}, {})
    written = ((each, result(each, index, taxa, alone)) for each in rows)
    scored_or_not = ((row, each if row.number in security else _unscored(each)) for row, each in written)
    # an older defect is a note: code scanning shows it without failing a check (R46)
    results = tuple({**each, "level": "note"} if row.number in older else each for row, each in scored_or_not)
    run = run_of(_writer(report), named, taxonomy(taxa), _properties(report), _invocation(report, ()))
    fitted = fit(results, MAX_BYTES - RESERVE - size(run), len(every) - len(rows))
    return json_text(log_of(run, fitted.results, _invocation(report, fitted.left_out)), indent=None) + "\n"


def _unscored(each: Node) -> Node:
    """Remove the fields that code scanning interprets as security statements."""
    properties: Node = {name: value for name, value in each["properties"].items() if name != _SCORE}
    tags = [tag for tag in properties.get("tags", []) if tag != "security"]
    return {**each, "properties": {**properties, "tags": tags}}


def _writer(report: ReviewReport) -> Writer:
    profile = line(report.profile.name, 50)
    about = "Code reviews by specialists who challenge each other and vote."
    name, run = f"counterproof/review/{profile}/", f"Review, profile {profile}"
    return Writer("Counterproof review", __version__, about, name, run, "The root of the reviewed tree", _NOTIFICATIONS)


def _properties(report: ReviewReport) -> Node:
    return {"agreement": report.agreement.value, "dismissed": sum(not each.kept for each in report.resolved)}


def _invocation(report: ReviewReport, left_out: tuple[str, ...]) -> Node:
    short = tuple(_short(report))
    notes = [notification(_NOTIFICATIONS, "limitation", "warning", each) for each in short[:MAX_NOTES]]
    notes += [notification(_NOTIFICATIONS, "left-out", "warning", each) for each in left_out]
    return filled({"executionSuccessful": not short, "toolExecutionNotifications": notes})


def _short(report: ReviewReport) -> Iterator[str]:
    if report.truncated:
        yield f"Truncated: {report.truncated}"
    yield from (f"Not reviewed by {each}" for each in report.unreviewed)
    yield from report.limitations
    yield from unread(report)
