"""Findings of all agents as one list: exact repeats out, calibrated, ordered, numbered (A32, A40, A41)."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.finding import Finding
from counterproof.model.report import Calibration, ReportedFinding, SourceCount, fingerprint
from counterproof.model.severity import Severity
from counterproof.protocols.audit import severity
from counterproof.protocols.audit.state import Work

UNVALIDATED = "unvalidated"


def unique(work: Iterable[Work]) -> tuple[tuple[Finding, ...], tuple[SourceCount, ...]]:
    """Verified findings without exact repeats, and per agent how many were handed in, refused, repeated and kept."""
    seen: dict[tuple[object, ...], Finding] = {}
    counts: list[SourceCount] = []
    for each in work:
        kept = repeats = 0
        for finding in each.kept:
            key = (finding.cwe, finding.location, finding.title, finding.flow)
            if key in seen:
                repeats += 1
                earlier = seen[key]
                seen[key] = replace(earlier, found_by=tuple(sorted({*earlier.found_by, each.task.agent_id})))
            else:
                kept += 1
                seen[key] = replace(finding, found_by=(each.task.agent_id,))
        raw = len(each.kept) + len(each.refused)
        counts.append(SourceCount(each.task.agent_id, raw, kept, len(each.refused), repeats))
    ordered = sorted(seen.values(), key=lambda finding: (finding.location, finding.cwe, finding.title, str(finding.flow)))
    return tuple(ordered), tuple(counts)


def calibrated(findings: tuple[Finding, ...]) -> tuple[tuple[Finding, Calibration, Severity], ...]:
    """Severity by A40: the sum, then the highest of the type, then the confidence cap, in that order."""
    sums = [(finding, severity.calibrate(finding)) for finding in findings]
    highest: dict[tuple[str, int], Severity] = {}
    for finding, sum_ in sums:
        kind = (finding.rule, finding.cwe)
        highest[kind] = max(highest.get(kind, sum_.level), sum_.level, key=lambda each: each.rank)
    result: list[tuple[Finding, Calibration, Severity]] = []
    for finding, sum_ in sums:
        of_type = highest[(finding.rule, finding.cwe)]
        raised = f"another instance of this type is {of_type.value}" if of_type is not sum_.level else ""
        level, cap = severity.capped(of_type, finding.confidence)
        result.append((finding, replace(sum_, raised=raised, cap=cap), level))
    return tuple(result)


def reported(findings: tuple[Finding, ...], labels: tuple[str, ...]) -> tuple[ReportedFinding, ...]:
    """The numbered list of the report, gravest first, in an order that depends on nothing but the findings."""
    rows = sorted(calibrated(findings), key=lambda row: (-row[2].rank, -row[1].total, row[0].location, row[0].cwe, row[0].title))
    occurrences: dict[str, int] = {}
    numbers: dict[Severity, int] = {}
    result: list[ReportedFinding] = []
    for position, (finding, calibration, level) in enumerate(rows, 1):
        base = fingerprint(finding, 0)
        occurrence = occurrences.get(base, 0)
        occurrences[base] = occurrence + 1
        numbers[level] = numbers.get(level, 0) + 1
        result.append(
            ReportedFinding(
                number=f"{level.value[0].upper()}-{numbers[level]:02}",
                fingerprint=fingerprint(finding, occurrence),
                severity=level,
                finding=replace(finding, id=f"F{position:03}"),
                calibration=calibration,
                labels=labels,
                dispute=severity.dispute(finding, level),
            )
        )
    return tuple(result)
