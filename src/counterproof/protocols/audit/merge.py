"""Findings of all agents as one list: exact repeats out, calibrated, ordered, numbered (A32, A40, A41)."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.chain import Chain
from counterproof.model.finding import Finding
from counterproof.model.report import Calibration, ReportedFinding, SourceCount, fingerprint
from counterproof.model.severity import Severity
from counterproof.protocols.audit import severity
from counterproof.protocols.audit.chains import bonus
from counterproof.protocols.audit.resolution import NEEDS_MANUAL, UNVALIDATED, Ruled
from counterproof.protocols.audit.state import Work


def unique(work: Iterable[Work]) -> tuple[tuple[Finding, ...], tuple[SourceCount, ...]]:
    """Verified findings without exact repeats, numbered over all agents, and per agent what became of what it handed in.

    Work is ordered by task, so a finding keeps its number when later rounds add more.
    """
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
    numbered = (replace(finding, id=f"F{number:03}") for number, finding in enumerate(seen.values(), 1))
    return tuple(numbered), tuple(counts)


def calibrated(
    ruled: tuple[Ruled, ...], chains: tuple[Chain, ...] = (), validating: bool = False
) -> tuple[tuple[Ruled, Calibration, Severity], ...]:
    """Severity by A40: the sum, then the highest of the type, then the caps, in that order.

    With `validating`, what nobody validated is held at Medium and marked for a person (A38).
    """
    sums = [(each, severity.calibrate(each.finding, bonus(each.finding.id, chains))) for each in ruled]
    highest: dict[tuple[str, int], Severity] = {}
    for each, sum_ in sums:
        kind = (each.finding.rule, each.finding.cwe)
        highest[kind] = max(highest.get(kind, sum_.level), sum_.level, key=lambda level: level.rank)
    result: list[tuple[Ruled, Calibration, Severity]] = []
    for each, sum_ in sums:
        of_type = highest[(each.finding.rule, each.finding.cwe)]
        raised = f"another instance of this type is {of_type.value}" if of_type is not sum_.level else ""
        level, cap = severity.capped(of_type, each.finding.confidence)
        if validating and UNVALIDATED in each.labels and level.rank > Severity.MEDIUM.rank:
            each = replace(each, labels=tuple(dict.fromkeys((*each.labels, NEEDS_MANUAL))))
            level, cap = Severity.MEDIUM, f"not validated: {level.value} is held at medium"
        result.append((each, replace(sum_, raised=raised, cap=cap), level))
    return tuple(result)


def reported(ruled: tuple[Ruled, ...], chains: tuple[Chain, ...] = (), validating: bool = False) -> tuple[ReportedFinding, ...]:
    """The numbered list of the report, gravest first, in an order that depends on nothing but the findings."""
    rows = sorted(calibrated(ruled, chains, validating), key=_gravest_first)
    occurrences: dict[str, int] = {}
    numbers: dict[Severity, int] = {}
    result: list[ReportedFinding] = []
    for each, calibration, level in rows:
        same_line = fingerprint(each.finding, 0)
        occurrence = occurrences.get(same_line, 0)
        occurrences[same_line] = occurrence + 1
        numbers[level] = numbers.get(level, 0) + 1
        result.append(
            ReportedFinding(
                number=f"{level.value[0].upper()}-{numbers[level]:02}",
                fingerprint=fingerprint(each.finding, occurrence),
                severity=level,
                finding=each.finding,
                calibration=calibration,
                labels=each.labels,
                dispute=severity.dispute(each.finding, level),
            )
        )
    return tuple(result)


def _gravest_first(row: tuple[Ruled, Calibration, Severity]) -> tuple[object, ...]:
    each, calibration, level = row
    return (-level.rank, -calibration.total, each.finding.location, each.finding.cwe, each.finding.title, each.finding.id)
