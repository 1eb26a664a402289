"""Findings of all agents as one list: exact repeats out, calibrated, ordered, numbered (A32, A40, A41)."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.chain import Link
from counterproof.model.contract import Role
from counterproof.model.finding import Corroboration, Finding, StepResult
from counterproof.model.posture import PostureEntry
from counterproof.model.report import Calibration, ReportedFinding, SourceCount, fingerprint
from counterproof.model.severity import Severity
from counterproof.protocols.audit import severity
from counterproof.protocols.audit.chains import bonus
from counterproof.protocols.audit.posture import posture_entries
from counterproof.protocols.audit.resolution import DISPUTED, HELD, NEEDS_MANUAL, UNREPRODUCED, UNVALIDATED, Ruled
from counterproof.protocols.audit.state import AuditState, Work, known
from counterproof.protocols.guard.panel import LEAD, is_lead
from counterproof.protocols.guard.witnesses import same_problem

Key = tuple[object, ...]


def unique(work: Iterable[Work]) -> tuple[tuple[Finding, ...], tuple[SourceCount, ...]]:
    """Verified findings without exact repeats, numbered over all agents, and per agent what became of what it handed in.

    A model's claim about what an analyst established joins that finding, whoever worded it and however it was worded: it adds a
    witness and takes nothing away (A52, A57).
    """
    every = tuple(work)
    seen: dict[Key, Finding] = {}
    counts: list[SourceCount] = []
    modelled = any(each.modelled for each in every)
    for each in sorted(every, key=lambda one: one.modelled):
        kept = repeats = 0
        for finding in each.kept:
            key = _met_before(seen, finding)
            repeats += key in seen
            kept += key not in seen
            seen[key] = _joined(seen.get(key), finding, each, modelled)
        raw = len(each.kept) + len(each.refused)
        counts.append(SourceCount(each.task.agent_id, raw, kept, len(each.refused), repeats))
    numbered = (replace(finding, id=f"F{number:03}") for number, finding in enumerate(seen.values(), 1))
    return tuple(numbered), tuple(sorted(counts, key=lambda count: [one.task.agent_id for one in every].index(count.source)))


def _met_before(seen: dict[Key, Finding], finding: Finding) -> Key:
    """The key of what this repeats; else a key of its own. Only a claim without a rule can be about an analyst's finding."""
    own = (finding.cwe, finding.location, finding.title, finding.flow)
    if own in seen or finding.rule:
        return own
    return next((key for key, each in seen.items() if each.rule and same_problem(finding, each)), own)


def _joined(earlier: Finding | None, finding: Finding, work: Work, modelled: bool) -> Finding:
    agent = work.task.agent_id
    if earlier is None:
        alone = bool(finding.rule) and modelled and finding.corroboration is Corroboration.UNCHECKED
        word = Corroboration.ANALYSERS_ALONE if alone else finding.corroboration
        return replace(finding, found_by=(agent,), corroboration=word)
    both = bool(earlier.rule) and work.modelled
    return replace(
        earlier,
        found_by=tuple(sorted({*earlier.found_by, agent})),
        severity=max(earlier.severity, finding.severity, key=lambda level: level.rank),
        corroboration=Corroboration.BOTH if both else earlier.corroboration,
    )


def finders(state: AuditState) -> tuple[Work, ...]:
    """Everyone who hands in findings, hunters before divers, so that what phase 2 found counts as phase 2's."""
    hunters = tuple(work for work in state.work if work.hunting)
    return hunters + tuple(work for work in state.work if work.task.role is Role.DEEP_DIVER)


def expected(findings: tuple[Finding, ...], links: tuple[Link, ...]) -> dict[str, Severity]:
    """The level that each finding would get if everything in it were confirmed: the sum, then the highest of its type."""
    sums = {finding.id: severity.calibrate(finding, bonus(finding, links)).level for finding in findings}
    highest = _highest(((_kind(finding),), sums[finding.id]) for finding in findings)
    return {finding.id: highest[_kind(finding)] for finding in findings}


Kind = tuple[str, int]


def _kind(finding: Finding) -> Kind:
    return (finding.rule, finding.cwe)


def _kinds(each: Ruled) -> tuple[Kind, ...]:
    return each.kinds or (_kind(each.finding),)


def _highest(levels: Iterable[tuple[tuple[Kind, ...], Severity]]) -> dict[Kind, Severity]:
    found: dict[Kind, Severity] = {}
    for kinds, level in levels:
        for kind in kinds:
            found[kind] = max(found.get(kind, level), level, key=lambda each: each.rank)
    return found


def calibrated(
    ruled: tuple[Ruled, ...], links: tuple[Link, ...] = (), validating: bool = False
) -> tuple[tuple[Ruled, Calibration, Severity], ...]:
    """Severity by A40: the sum, then the highest of the type, then the caps, in that order; last what the proof bears (A55).

    With `validating`, what was not validated is held at Medium and raises no other finding (A38), and grave findings are
    marked where there is no proof of concept (A41).
    """
    sums = [(each, severity.calibrate(each.finding, bonus(each.finding, links))) for each in ruled]
    highest = _highest((_kinds(each), _own_level(each, sum_)) for each, sum_ in sums if not validating or stands(each))
    result: list[tuple[Ruled, Calibration, Severity]] = []
    for each, sum_ in sums:
        shared = [highest[kind] for kind in _kinds(each) if kind in highest]
        of_type = max((sum_.level, *shared), key=lambda level: level.rank)
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


def _own_level(each: Ruled, sum_: Calibration) -> Severity:
    """What one instance is worth by itself: what neither its confidence nor its proof bears raises no other instance."""
    sure, _ = severity.capped(sum_.level, each.finding.confidence)
    return severity.borne(sure, each.finding.proof)[0]


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

    A link adds to both its ends only if both stand, so that a claim nobody validated cannot raise another finding.
    """
    ruled = tuple(each for each in _collected(state) if not each.finding.posture)
    if state.resolved is None:
        return reported(ruled)
    standing = {each.finding.id for each in ruled if stands(each)}
    found = state.chains.links if state.chains else ()
    return reported(ruled, tuple(each for each in found if {each.first, each.then} <= standing), validating=True)


def posture(state: AuditState) -> tuple[PostureEntry, ...]:
    """What is wrong by absence or habit: one entry per kind and project root (A56)."""
    ruled = tuple(each for each in _collected(state) if each.finding.posture)
    return posture_entries(calibrated(ruled), frozenset(known(state.recon).roots))


def _collected(state: AuditState) -> tuple[Ruled, ...]:
    if state.resolved is None:
        return tuple(Ruled(finding, (UNVALIDATED,)) for finding in state.merged)
    return state.resolved.ruled


def reported(ruled: tuple[Ruled, ...], links: tuple[Link, ...] = (), validating: bool = False) -> tuple[ReportedFinding, ...]:
    """The numbered list of the report, gravest first, in an order that depends on nothing but the findings."""
    rows = sorted(calibrated(ruled, links, validating), key=_gravest_first)
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
                labels=(*each.labels, LEAD) if _is_lead(each.finding) else each.labels,
                dispute=severity.dispute(each.finding, level),
                said=each.said,
            )
        )
    return tuple(result)


def _is_lead(finding: Finding) -> bool:
    """Of an analyst's finding whether it is no more than a lead: without a whole proof, and seen by no model."""
    return bool(finding.rule) and is_lead(finding, others=finding.corroboration is Corroboration.BOTH)


def _gravest_first(row: tuple[Ruled, Calibration, Severity]) -> tuple[object, ...]:
    each, calibration, level = row
    undisputed = DISPUTED not in each.labels
    return (
        -level.rank,
        undisputed,
        _is_lead(each.finding),
        -calibration.total,
        each.finding.location,
        each.finding.cwe,
        each.finding.title,
        each.finding.id,
    )
