"""Findings of all agents as one list: exact repeats out, calibrated, ordered, numbered (A32, A40, A41)."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.chain import Chain
from counterproof.model.contract import Role
from counterproof.model.finding import Finding, StepResult
from counterproof.model.posture import PostureEntry
from counterproof.model.report import Calibration, ReportedFinding, SourceCount, fingerprint
from counterproof.model.severity import Severity
from counterproof.protocols.audit import severity
from counterproof.protocols.audit.chains import bonus
from counterproof.protocols.audit.posture import posture_entries
from counterproof.protocols.audit.resolution import HELD, NEEDS_MANUAL, UNREPRODUCED, UNVALIDATED, Ruled
from counterproof.protocols.audit.state import AuditState, Work, known


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


def finders(state: AuditState) -> tuple[Work, ...]:
    """Everyone who hands in findings, hunters before divers, so that what phase 2 found counts as phase 2's."""
    hunters = tuple(work for work in state.work if work.hunting)
    return hunters + tuple(work for work in state.work if work.task.role is Role.DEEP_DIVER)


def expected(findings: tuple[Finding, ...], chains: tuple[Chain, ...]) -> dict[str, Severity]:
    """The level that each finding would get if everything in it were confirmed: the sum, then the highest of its type."""
    sums = {finding.id: severity.calibrate(finding, bonus(finding.id, chains)).level for finding in findings}
    highest = _highest((finding, sums[finding.id]) for finding in findings)
    return {finding.id: highest[_kind(finding)] for finding in findings}


def _kind(finding: Finding) -> tuple[str, int]:
    return (finding.rule, finding.cwe)


def _highest(levels: Iterable[tuple[Finding, Severity]]) -> dict[tuple[str, int], Severity]:
    found: dict[tuple[str, int], Severity] = {}
    for finding, level in levels:
        found[_kind(finding)] = max(found.get(_kind(finding), level), level, key=lambda each: each.rank)
    return found


def calibrated(
    ruled: tuple[Ruled, ...], chains: tuple[Chain, ...] = (), validating: bool = False
) -> tuple[tuple[Ruled, Calibration, Severity], ...]:
    """Severity by A40: the sum, then the highest of the type, then the caps, in that order; last what the proof bears (A55).

    With `validating`, what was not validated is held at Medium and raises no other finding (A38), and grave findings are
    marked where there is no proof of concept (A41).
    """
    sums = [(each, severity.calibrate(each.finding, bonus(each.finding.id, chains))) for each in ruled]
    highest = _highest((each.finding, sum_.level) for each, sum_ in sums if not validating or stands(each))
    result: list[tuple[Ruled, Calibration, Severity]] = []
    for each, sum_ in sums:
        of_type = max(sum_.level, highest.get(_kind(each.finding), sum_.level), key=lambda level: level.rank)
        raised = f"another instance of this type is {of_type.value}" if of_type is not sum_.level else ""
        sure, unsure = severity.capped(of_type, each.finding.confidence)
        level, open_points = severity.borne(sure, each.finding.proof)
        cap = "; ".join(filter(None, (unsure, open_points)))
        if validating and level.rank > Severity.MEDIUM.rank:
            if stands(each):
                each = _with_proof(each)
            else:
                each = _marked(each, NEEDS_MANUAL)
                level, cap = Severity.MEDIUM, f"not validated: {level.value} is held at medium"
        result.append((each, replace(sum_, raised=raised, cap=cap), level))
    return tuple(result)


def stands(each: Ruled) -> bool:
    """Whether a finding may be Critical or High: a validator answered all four questions, or the finder did and the spot
    checks bore it out (A36, A38)."""
    if any(label in HELD for label in each.labels):
        return False
    return all(step.result is not StepResult.SKIP for step in each.finding.validation.steps)


def _marked(each: Ruled, *labels: str) -> Ruled:
    return replace(each, labels=tuple(dict.fromkeys((*each.labels, *labels))))


def _with_proof(each: Ruled) -> Ruled:
    """Grave findings carry a proof of concept, or the reason why there is none and a flag for a person (A41)."""
    if each.finding.poc:
        return each
    reason = each.finding.no_poc_reason or "the finder gave no proof of concept and no reason"
    return _marked(replace(each, finding=replace(each.finding, no_poc_reason=reason)), UNREPRODUCED, NEEDS_MANUAL)


def reported_findings(state: AuditState) -> tuple[ReportedFinding, ...]:
    """Phase 4's result where it ran; otherwise everything collected, labelled as not validated. Posture is told apart (A56).

    A chain adds to its members only if all of them stand, so that a claim nobody validated cannot raise another finding.
    """
    ruled = tuple(each for each in _collected(state) if not each.finding.posture)
    if state.resolved is None:
        return reported(ruled)
    standing = {each.finding.id for each in ruled if stands(each)}
    found = state.chains.chains if state.chains else ()
    return reported(ruled, tuple(chain for chain in found if standing.issuperset(chain.members)), validating=True)


def posture(state: AuditState) -> tuple[PostureEntry, ...]:
    """What is wrong by absence or habit: one entry per kind and project root (A56)."""
    ruled = tuple(each for each in _collected(state) if each.finding.posture)
    return posture_entries(calibrated(ruled), frozenset(known(state.recon).roots))


def _collected(state: AuditState) -> tuple[Ruled, ...]:
    if state.resolved is None:
        return tuple(Ruled(finding, (UNVALIDATED,)) for finding in state.merged)
    return state.resolved.ruled


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
