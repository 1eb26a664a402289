"""The counts and sentences shared by all formats, so that they are consistent.

Every function derives data from a `Report`. Sentences made here contain only our own words and numbers: text from the reviewed
code passes through `inert` in the format.
"""

import re
from typing import Final
from urllib.parse import quote

from counterproof.model.counting import counted as counted
from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS, Track
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow
from counterproof.model.location import Location
from counterproof.model.receipt import PRECEDENCE, Exit, Reason
from counterproof.model.recon import Framework
from counterproof.model.report import Report, ReportedFinding, SourceCount
from counterproof.model.severity import Severity
from counterproof.protocols.guard.groups import grouped

_DIMENSIONS: Final = frozenset(each.value for each in ALL_DIMENSIONS)
MAX_NAMED: Final = 4
"""The most dimensions of one status that are listed by name."""
SEVERITIES: Final = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW)

_MEANING: Final = {
    Exit.CLEAN: "no finding fails the run, and it is complete",
    Exit.FINDINGS: "findings at or above the threshold",
    Exit.USAGE: "usage or configuration error",
    Exit.INCOMPLETE: "incomplete: coverage, agents or phases did not finish",
    Exit.REFUSED: "refused or not confirmed",
    Exit.OVER_BUDGET: "over budget: the results so far are reported",
    Exit.PAUSED: "paused, waiting for the user",
    Exit.INTERNAL: "internal error",
}

_STATUS: Final = {
    Status.COVERED: "covered",
    Status.SHALLOW: "shallow",
    Status.UNCOVERED: "not covered",
    Status.NOT_APPLICABLE: "not applicable",
}


_LABELS: Final = {"needs_manual": "needs manual review"}
"""Display texts of labels that are protocol names."""

STEPS: Final = ("flow complete", "defence absent or bypassable", "reachable by an attacker", "impact stated")
"""The four questions of a validation (A38), in order."""


def framework(each: Framework) -> str:
    """Name and version; an unpinned version is omitted."""
    return each.name if each.version in ("", "*") else f"{each.name} {each.version}"


def meaning(code: Exit) -> str:
    """The meaning of an exit code."""
    return _MEANING[code]


def exit_meaning(report: Report) -> str:
    """The meaning of the exit code; of an incomplete run its first reason."""
    if report.outcome.exit is not Exit.INCOMPLETE:
        return meaning(report.outcome.exit)
    text = reasons(report)[0].text
    figures = (
        f"{report.covered} of {counted(report.counted, 'dimension')} covered, {report.threshold} needed; {shortfall(report)}"
    )
    return f"incomplete: {figures if 'overage not met' in text else text.split('. ')[0].rstrip('.')}"


def verdict(report: Report) -> str:
    """Every kind of reason for the end of the run, the one that sets the exit code first: "findings, incomplete". Without a
    finding that fails the run, what was found is counted; no result is called clean (A69)."""
    present = {reason.code for reason in report.outcome.reasons} or {Exit.CLEAN}
    words = [code.name.lower().replace("_", " ") for code in PRECEDENCE if code in present]
    if present - {Exit.CLEAN, Exit.INCOMPLETE}:
        return ", ".join(words)
    least = "no confirmed finding" if report.findings else "no findings"
    claims = len(grouped(report.findings, report.first_page).claims)
    said = (
        "no finding that fails the run" if report.first_page else least,
        f"{counted(claims, 'claim')} to check" if claims else "",
        counted(len(report.posture), "hardening recommendation") if report.posture else "",
        "" if words == ["clean"] else words[0],
    )
    return ", ".join(each for each in said if each)


def reach(row: ReportedFinding) -> str:
    """Who can reach it, according to the severity rating."""
    return next((term.value for term in row.calibration.terms if term.name == "reachability"), "")


def reasons(report: Report) -> tuple[Reason, ...]:
    """Every reason, the one that sets the exit code first."""
    return tuple(sorted(report.outcome.reasons, key=lambda reason: PRECEDENCE.index(reason.code)))


def status_word(status: Status) -> str:
    """The status without its symbol."""
    return _STATUS[status]


def fulfilled(reason: Reason) -> bool:
    """True if a run that ended for this reason is complete. Findings do not make a run incomplete."""
    return reason.code in (Exit.CLEAN, Exit.FINDINGS)


def successful(report: Report) -> bool:
    """True if the run is complete. One reason against it is enough, even if another sets the exit code (A51)."""
    return all(fulfilled(reason) for reason in report.outcome.reasons)


def by_severity(report: Report) -> tuple[ReportedFinding, ...]:
    """Critical first; within a level in the report's own order."""
    return tuple(sorted(report.findings, key=lambda each: -each.severity.rank))


def posture_count(report: Report) -> str:
    """The number of posture entries, separate from the findings (A56)."""
    places = sum(len(each.places) for each in report.posture)
    accepted = sum(bool(each.accepted) for each in report.posture)
    apart = f"{accepted:,} accepted for a while, " if accepted else ""
    return f"{counted(len(report.posture), 'recommendation')} ({counted(places, 'place')}), {apart}not counted as findings"


def posture_sentence(report: Report) -> str:
    """The number of posture entries, and the first of them that is not accepted."""
    first = next((each for each in report.posture if not each.accepted), report.posture[0])
    more = f" and {len(report.posture) - 1} more" if len(report.posture) > 1 else ""
    return f"{posture_count(report)}: {first.number} {first.title}{more}"


def unsaid_reasons(report: Report) -> tuple[Reason, ...]:
    """Reasons that no banner states."""
    said = set(report.banners)
    return tuple(reason for reason in reasons(report) if reason.text not in said)


def limitations(report: Report) -> tuple[str, ...]:
    """Each limitation once, even if both a dimension's row and an agent state it."""
    seen: set[str] = set()
    kept: list[str] = []
    for sentence in report.limitations:
        head, _, tail = sentence.partition(": ")
        bare = (tail if head in _DIMENSIONS else sentence).rstrip(". ").casefold()
        if bare not in seen:
            seen.add(bare)
            kept.append(sentence)
    return tuple(kept)


def severity_counts(rows: tuple[ReportedFinding, ...]) -> tuple[tuple[Severity, int], ...]:
    """Every level with its number of findings, zeros included."""
    return tuple((level, sum(each.severity is level for each in rows)) for level in SEVERITIES)


def coverage_sentence(report: Report) -> str:
    """The coverage figures and whether the threshold is met."""
    figures = f"{report.covered} of {counted(report.counted, 'counted dimension')} covered"
    return f"{figures}, threshold {report.threshold}: {threshold_word(report.covered, report.threshold)}"


def threshold_word(covered: int, threshold: int) -> str:
    """Whether a threshold is met, in words."""
    return "met" if covered >= threshold else "NOT met"


def short_rows(rows: tuple[DimensionCoverage, ...]) -> tuple[DimensionCoverage, ...]:
    """The dimensions that are neither covered nor N/A."""
    return tuple(row for row in rows if row.status in (Status.SHALLOW, Status.UNCOVERED))


def short_of(report: Report) -> tuple[DimensionCoverage, ...]:
    """The dimensions of the whole that are neither covered nor N/A."""
    return short_rows(report.coverage)


def shortfall(report: Report) -> str:
    """The dimensions below covered, by status: "shallow: D3 authorization; not covered: D9 business logic"."""
    groups: dict[str, list[DimensionCoverage]] = {}
    for row in short_of(report):
        groups.setdefault("not counted" if row.excluded else status_word(row.status), []).append(row)
    return "; ".join(f"{word}: {_named(rows)}" for word, rows in groups.items())


def _named(rows: list[DimensionCoverage]) -> str:
    spelled = len(rows) <= MAX_NAMED
    return ", ".join(f"{row.dimension.value} {row.dimension.label}" if spelled else row.dimension.value for row in rows)


def totals(report: Report) -> SourceCount:
    """The sum over all sources."""
    rows = report.sources
    return SourceCount(
        "total",
        sum(row.raw for row in rows),
        sum(row.kept for row in rows),
        sum(row.refused for row in rows),
        sum(row.repeats for row in rows),
    )


def adds_up(row: SourceCount) -> bool:
    """True if every claim is accounted for."""
    return row.raw == row.kept + row.refused + row.repeats


def accounted(report: Report) -> bool:
    """True if every kept claim is a finding here, or was rejected or merged by validation."""
    ended = report.validation
    gone = ended.rejected + ended.duplicates if ended else 0
    return totals(report).kept - gone == len(report.findings) + sum(each.claims for each in report.posture)


def percent(part: int, whole: int) -> str:
    """A percentage, rounded down, so that a value below a threshold never appears to meet it."""
    return f"{100 * part // whole if whole else 0} %"


def figures(row: DimensionCoverage) -> str:
    """The figures behind a dimension's status."""
    parts = [counted(row.searches, "search", "searches")]
    if row.files_hit and row.dimension.track is Track.CONFIG:
        parts.append(f"matches in {counted(row.files_hit, 'file')}")  # judged by items, without traces
    elif row.files_hit:
        parts.append(f"{row.files_traced} of {counted(row.files_hit, 'file')} traced")
    if row.traces:
        parts.append(f"{row.complete_traces} of {counted(row.traces, 'trace')} complete")
    if row.items:
        parts.append(f"{row.items_judged} of {counted(row.items, 'item')} judged")
    return ", ".join(parts)


def labels(each: ReportedFinding) -> tuple[str, ...]:
    """The display texts of a finding's labels."""
    return tuple(_LABELS.get(label, label) for label in each.labels)


def ends(finding: Finding) -> tuple[tuple[str, str], ...]:
    """The origin of the data and its sink; for a finding without a source only its subject."""
    if not finding.source:
        return (("About", finding.sink),)
    return (("From", finding.source), ("to", finding.sink)) if finding.sink else (("From", finding.source),)


def no_proof(finding: Finding) -> str:
    """Why there is no proof of concept, without the full stop."""
    return finding.no_poc_reason.rstrip(". ") or "no reason recorded"


def witnesses(finding: Finding) -> str:
    """Who found it, if a model or a recorded run took part; otherwise ''."""
    quoted = "claimed by a recorded run that quoted nothing; the quoted line was attached by the engine"
    return "; ".join(part for part in (finding.corroboration.value, quoted if finding.unquoted else "") if part)


def completeness(flow: Flow) -> str:
    """Whether a flow was followed to its end, in words."""
    if flow.broken_by:
        return flow.broken_by.words
    return "complete, source to sink" if flow.complete else "incomplete"


def plain_status(row: DimensionCoverage) -> str:
    """The symbol and word of a coverage row."""
    mark = "" if row.status is Status.NOT_APPLICABLE else f"{row.status.value} "
    return f"{mark}{status_word(row.status)}"


EXCEPTION: Final = "If it is wrong, or cannot be fixed now"


def exception_command(fingerprint: str) -> str:
    """The command that writes an exception for a finding."""
    return f"counterproof suppress {fingerprint[:12]}"


_SOURCE_URL: Final = re.compile(r"https?://[\w.:@%~/?&=#+{}-]+/[\w.:@%~/?&=#+{}-]*\{path\}[\w.:@%~/?&=#+{}-]*", re.ASCII)


def source_link(template: str, place: Location) -> str:
    """The web address of a line; '' if the template is invalid."""
    if not _SOURCE_URL.fullmatch(template):
        return ""
    return template.replace("{path}", quote(place.path)).replace("{line}", str(place.start))
