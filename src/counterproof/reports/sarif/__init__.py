"""The report as SARIF 2.1.0, in the subset and within the limits of GitHub code scanning.

One run, findings most severe first. Banners and limitations are notifications, so that a file without results still states
what was not covered. No time and no random id: the same report gives the same bytes.
"""

from collections.abc import Iterator
from typing import Final

from counterproof.model.report import Report
from counterproof.reports import triage, wording
from counterproof.reports.inert import json_text, line
from counterproof.reports.sarif.limits import MAX_BYTES, MAX_RESULTS, RESERVE, fit, size, uploadable
from counterproof.reports.sarif.log import Node, Writer, descriptor, filled, log_of, notification, run_of
from counterproof.reports.sarif.posture import posture_rows
from counterproof.reports.sarif.related import chained
from counterproof.reports.sarif.results import result
from counterproof.reports.sarif.rules import rules, taxon_index, taxonomy

MAX_NOTIFICATIONS: Final = 1_000
MAX_SHRINKS: Final = 4
"""This many halvings bring the file under the limit uncompressed."""

_NOTIFICATIONS: Final = (
    descriptor("outcome", "Outcome", "Why the run ended with its exit code"),
    descriptor("banner", "Banner", "Notes to read before the findings"),
    descriptor("coverage", "Coverage", "A dimension that is not fully covered"),
    descriptor("fixed", "Fixed", "What an earlier run found and this one does not"),
    descriptor("limitation", "Limitation", "What could not be looked at"),
    descriptor("left-out", "LeftOut", "What this file leaves out to stay within limits"),
)


def _note(kind: str, level: str, words: str) -> Node:
    return notification(_NOTIFICATIONS, kind, level, words)


def _notifications(report: Report) -> Iterator[Node]:
    for reason in wording.reasons(report):
        yield _note("outcome", "note" if wording.fulfilled(reason) else "error", f"{reason.text} (exit {reason.code.value})")
    said = {reason.text for reason in report.outcome.reasons}
    for banner in report.banners:
        if banner not in said:
            yield _note("banner", "warning", banner)
    for row in wording.short_of(report):
        name = f"{row.dimension.value} {row.dimension.label}"
        yield _note("coverage", "warning", f"{name}: {wording.status_word(row.status)}; {row.reason}")
    for sentence in wording.limitations(report):
        yield _note("limitation", "note", sentence)
    for each in report.fixed:
        yield _note("fixed", "note", f"Fixed: {each.title} at {each.place} ({each.severity.value}, {each.fingerprint})")


def _invocation(report: Report, left_out: tuple[str, ...]) -> Node:
    every = list(_notifications(report))
    kept = every[:MAX_NOTIFICATIONS]
    if len(kept) < len(every):
        left_out = (f"{len(every) - len(kept)} notifications left out: this file holds {MAX_NOTIFICATIONS}.", *left_out)
    kept.extend(_note("left-out", "warning", sentence) for sentence in left_out)
    code = report.outcome.exit
    return filled(
        {
            "executionSuccessful": wording.successful(report),
            "exitCode": code.value,
            "exitCodeDescription": wording.meaning(code),
            "toolExecutionNotifications": kept,
        }
    )


def _writer(report: Report) -> Writer:
    mode = line(report.mode, 50)
    about = "Security audits with a protocol enforced by code."
    root = "The root of the audited tree"
    run = f"Security audit in {mode} mode"
    return Writer("Counterproof", report.version, about, f"counterproof/{mode}/", run, root, _NOTIFICATIONS)


def _properties(report: Report) -> Node:
    """Figures of the whole run. Findings that validation rejected are counted here, not reported as results."""
    shown: Node = {"coverage": wording.coverage_sentence(report)}
    if triage.since(report):
        shown["sinceEarlierRun"] = triage.since(report)
        shown["fixedFindings"] = len(report.fixed)
    if report.validation:
        shown["rejectedFindings"] = len(report.rejected)
    if report.baseline:
        shown["semgrepBaseline"] = line(report.baseline.status)
    return shown


def build_log(report: Report, most_bytes: int = MAX_BYTES, most_results: int = MAX_RESULTS) -> Node:
    """The log, with as many results as the limits allow."""
    ordered = (*wording.by_severity(report), *posture_rows(report))
    named = ordered[:most_results]
    named_rules, taxa, links = rules(named), taxon_index(named), chained(report)
    run = run_of(_writer(report), named_rules, taxonomy(taxa), _properties(report), _invocation(report, ()))
    rule_index = {rule["id"]: index for index, rule in enumerate(named_rules)}
    excusing = any(each.accepted for each in ordered)
    results = tuple(result(each, rule_index, taxa, links, excusing) for each in named)
    fitted = fit(results, most_bytes - RESERVE - size(run), len(ordered) - len(named))
    return log_of(run, fitted.results, _invocation(report, fitted.left_out))


def render_sarif(report: Report) -> str:
    """The file, compact, ending with a newline; reduced if it would be too large to upload even compressed."""
    room, text = MAX_BYTES, ""
    for _ in range(MAX_SHRINKS):
        text = json_text(build_log(report, room), indent=None) + "\n"
        if uploadable(text):
            break
        room //= 2
    return text
