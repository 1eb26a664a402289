"""The report as SARIF 2.1.0, one result per accepted finding, written by the audit's own writer (R35).

Security findings have a score and a tag for code scanning; others, such as a duplicated function, do not. Dismissed findings
are not included. Unreviewed code is listed in the notifications, so that a file without results still reports it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeVar, cast

from counterproof import __version__
from counterproof.model.review.classes import classed
from counterproof.model.review.conversion import as_older, as_reported
from counterproof.model.review.report import ReviewReport
from counterproof.reports.inert import json_text, line, message
from counterproof.reports.review.reading import unread
from counterproof.reports.sarif.limits import MAX_BYTES, MAX_RESULTS, RESERVE, fit, size
from counterproof.reports.sarif.log import (
    ArtifactLocation,
    AutomationDetails,
    Component,
    Descriptor,
    DescriptorReference,
    Invocation,
    Level,
    Log,
    Message,
    Notification,
    Properties,
    Result,
    Run,
    Tool,
    log_value,
)
from counterproof.reports.sarif.places import ROOT
from counterproof.reports.sarif.related import Chained
from counterproof.reports.sarif.results import result
from counterproof.reports.sarif.rules import TAXONOMY, rule_id, rules, taxon_index, taxonomy

MAX_NOTES: Final = 1_000
_NOTIFICATIONS: Final = (
    Descriptor("limitation", "Limitation", Message("What could not be reviewed")),
    Descriptor("left-out", "LeftOut", Message("What this file leaves out to stay within limits")),
)
_SCORE: Final = "security-severity"
Scored = TypeVar("Scored", Result, Descriptor)


def as_sarif(report: ReviewReport) -> str:
    """The whole log."""
    every = (*as_reported(report), *as_older(report))
    rows = every[:MAX_RESULTS]
    older = {each.number for each in as_older(report)}
    security = {each.finding.id for each in report.resolved if classed(each.finding).security}
    scored = {rule_id(each.finding) for each in rows if each.number in security}
    named = tuple(rule if rule.id in scored else _unscored(rule) for rule in rules(rows))
    index = {rule.id: position for position, rule in enumerate(named)}
    taxa, alone = taxon_index(rows), Chained({}, {})
    written = (result(each, index, taxa, alone) for each in rows)
    scored_or_not = (each if row.number in security else _unscored(each) for row, each in zip(rows, written, strict=True))
    results = tuple(_noted(each) if row.number in older else each for row, each in zip(rows, scored_or_not, strict=True))
    run = _run(report, named, taxonomy(taxa))
    fitted = fit(results, MAX_BYTES - RESERVE - size(run), len(every) - len(rows))
    invocation = _invocation(report, fitted.left_out)
    log = Log((replace(run, results=fitted.results, invocations=(invocation,)),))
    return json_text(log_value(log), indent=None) + "\n"


def _unscored(each: Scored) -> Scored:
    """Remove the fields that code scanning interprets as security statements."""
    properties: Properties = {name: value for name, value in (each.properties or {}).items() if name != _SCORE}
    tags = cast("list[str]", properties.get("tags", []))
    return replace(each, properties={**properties, "tags": [tag for tag in tags if tag != "security"]})


def _noted(each: Result) -> Result:
    """Make an older defect a note: code scanning shows it without failing a check (R46)."""
    return replace(each, level=Level.NOTE)


def _run(report: ReviewReport, named: tuple[Descriptor, ...], weaknesses: Component) -> Run:
    """Everything but the results."""
    driver = Component(
        name="Counterproof review",
        version=line(__version__),
        short_description=Message("Code reviews by specialists who challenge each other and vote."),
        rules=named,
        notifications=_NOTIFICATIONS,
        supported_taxonomies=(TAXONOMY,),
    )
    profile = line(report.profile.name, 50)
    return Run(
        tool=Tool(driver),
        automation_details=AutomationDetails(f"counterproof/review/{profile}/", Message(message(f"Review, profile {profile}"))),
        invocations=(_invocation(report, ()),),
        original_uri_base_ids={ROOT: ArtifactLocation(description=Message("The root of the reviewed tree"))},
        taxonomies=(weaknesses,),
        results=(),
        properties={"agreement": report.agreement.value, "dismissed": sum(not each.kept for each in report.resolved)},
    )


def _invocation(report: ReviewReport, left_out: tuple[str, ...]) -> Invocation:
    short = tuple(_short(report))
    notes = [_note("limitation", each) for each in short[:MAX_NOTES]]
    notes += [_note("left-out", each) for each in left_out]
    return Invocation(not short, tool_execution_notifications=tuple(notes))


def _short(report: ReviewReport) -> Iterator[str]:
    if report.truncated:
        yield f"Truncated: {report.truncated}"
    yield from (f"Not reviewed by {each}" for each in report.unreviewed)
    yield from report.limitations
    yield from unread(report)


def _note(kind: str, text: str) -> Notification:
    index = next(position for position, each in enumerate(_NOTIFICATIONS) if each.id == kind)
    return Notification(DescriptorReference(kind, index), Level.WARNING, Message(message(text)))
