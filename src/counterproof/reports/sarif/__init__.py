"""The report as SARIF 2.1.0, in the subset and within the limits of GitHub code scanning.

One run, findings most severe first. Banners and limitations are notifications, so that a file without results still states
what was not covered. No time and no random id: the same report gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.reports import triage, wording
from counterproof.reports.inert import json_text, line, message
from counterproof.reports.sarif.limits import MAX_BYTES, MAX_RESULTS, RESERVE, fit, size, uploadable
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
    Run,
    Tool,
    log_value,
)
from counterproof.reports.sarif.places import ROOT
from counterproof.reports.sarif.posture import posture_rows
from counterproof.reports.sarif.related import chained
from counterproof.reports.sarif.results import result
from counterproof.reports.sarif.rules import TAXONOMY, rules, taxon_index, taxonomy

MAX_NOTIFICATIONS: Final = 1_000
MAX_SHRINKS: Final = 4
"""This many halvings bring the file under the limit uncompressed."""

_NOTIFICATIONS: Final = (
    Descriptor("outcome", "Outcome", Message("Why the run ended with its exit code")),
    Descriptor("banner", "Banner", Message("Notes to read before the findings")),
    Descriptor("coverage", "Coverage", Message("A dimension that is not fully covered")),
    Descriptor("fixed", "Fixed", Message("What an earlier run found and this one does not")),
    Descriptor("limitation", "Limitation", Message("What could not be looked at")),
    Descriptor("left-out", "LeftOut", Message("What this file leaves out to stay within limits")),
)
_INDEX: Final = {each.id: index for index, each in enumerate(_NOTIFICATIONS)}


def _note(kind: str, level: Level, text: str) -> Notification:
    return Notification(DescriptorReference(kind, _INDEX[kind]), level, Message(message(text)))


def _notifications(report: Report) -> Iterator[Notification]:
    for reason in wording.reasons(report):
        yield _note(
            "outcome", Level.NOTE if wording.fulfilled(reason) else Level.ERROR, f"{reason.text} (exit {reason.code.value})"
        )
    said = {reason.text for reason in report.outcome.reasons}
    for banner in report.banners:
        if banner not in said:
            yield _note("banner", Level.WARNING, banner)
    for row in wording.short_of(report):
        name = f"{row.dimension.value} {row.dimension.label}"
        yield _note("coverage", Level.WARNING, f"{name}: {wording.status_word(row.status)}; {row.reason}")
    for sentence in wording.limitations(report):
        yield _note("limitation", Level.NOTE, sentence)
    for each in report.fixed:
        yield _note("fixed", Level.NOTE, f"Fixed: {each.title} at {each.place} ({each.severity.value}, {each.fingerprint})")


def _invocation(report: Report, left_out: tuple[str, ...]) -> Invocation:
    every = list(_notifications(report))
    kept = every[:MAX_NOTIFICATIONS]
    if len(kept) < len(every):
        left_out = (f"{len(every) - len(kept)} notifications left out: this file holds {MAX_NOTIFICATIONS}.", *left_out)
    kept.extend(_note("left-out", Level.WARNING, sentence) for sentence in left_out)
    code = report.outcome.exit
    return Invocation(wording.successful(report), code.value, wording.meaning(code), tuple(kept))


def _driver(report: Report, shown: tuple[ReportedFinding, ...]) -> Component:
    return Component(
        name="Counterproof",
        version=line(report.version),
        short_description=Message("Security audits with a protocol enforced by code."),
        rules=rules(shown),
        notifications=_NOTIFICATIONS,
        supported_taxonomies=(TAXONOMY,),
    )


def _run(report: Report, shown: tuple[ReportedFinding, ...]) -> Run:
    """Everything but the results."""
    mode = line(report.mode, 50)
    return Run(
        tool=Tool(_driver(report, shown)),
        automation_details=AutomationDetails(f"counterproof/{mode}/", Message(message(f"Security audit in {mode} mode"))),
        invocations=(_invocation(report, ()),),
        original_uri_base_ids={ROOT: ArtifactLocation(description=Message("The root of the audited tree"))},
        taxonomies=(taxonomy(taxon_index(shown)),),
        results=(),
        properties=_properties(report),
    )


def _properties(report: Report) -> dict[str, object]:
    """Figures of the whole run. Findings that validation rejected are counted here, not reported as results."""
    shown: dict[str, object] = {"coverage": wording.coverage_sentence(report)}
    if triage.since(report):
        shown["sinceEarlierRun"] = triage.since(report)
        shown["fixedFindings"] = len(report.fixed)
    if report.validation:
        shown["rejectedFindings"] = len(report.rejected)
    if report.baseline:
        shown["semgrepBaseline"] = line(report.baseline.status)
    return shown


def build_log(report: Report, most_bytes: int = MAX_BYTES, most_results: int = MAX_RESULTS) -> Log:
    """The log, with as many results as the limits allow."""
    ordered = (*wording.by_severity(report), *posture_rows(report))
    named = ordered[:most_results]
    run = _run(report, named)
    rule_index = {rule.id: index for index, rule in enumerate(run.tool.driver.rules)}
    taxa = taxon_index(named)
    links = chained(report)
    excusing = any(each.accepted for each in ordered)
    results = tuple(result(each, rule_index, taxa, links, excusing) for each in named)
    fitted = fit(results, most_bytes - RESERVE - size(run), len(ordered) - len(named))
    return Log((replace(run, results=fitted.results, invocations=(_invocation(report, fitted.left_out),)),))


def render_sarif(report: Report) -> str:
    """The file, compact, ending with a newline; reduced if it would be too large to upload even compressed."""
    room, text = MAX_BYTES, ""
    for _ in range(MAX_SHRINKS):
        text = json_text(log_value(build_log(report, room)), indent=None) + "\n"
        if uploadable(text):
            break
        room //= 2
    return text
