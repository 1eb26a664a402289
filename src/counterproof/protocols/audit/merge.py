"""Merges the findings of all agents: removes exact repeats, calibrates, sorts and numbers them (A32, A40, A41)."""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.contract import AgentTask, Role
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.posture import PostureEntry
from counterproof.model.recon import EntryPoint
from counterproof.model.report import Calibration, ReportedFinding, SourceCount
from counterproof.model.root_cause import RootCause, fingerprint, root_cause
from counterproof.model.severity import Severity
from counterproof.protocols.audit import severity
from counterproof.protocols.audit.confidence import confidence_of
from counterproof.protocols.audit.deduplication import distance, merge, same
from counterproof.protocols.audit.posture import posture_entries
from counterproof.protocols.audit.resolution import DISPUTED, NEEDS_MANUAL, SETTLED, UNREPRODUCED, UNVALIDATED, Ruled
from counterproof.protocols.audit.ruling import ONE_CONTEXT
from counterproof.protocols.audit.state import AuditState, Work, known
from counterproof.protocols.guard.groups import completeness

Key = tuple[object, ...]


def unique(work: Iterable[Work]) -> tuple[tuple[Finding, ...], tuple[SourceCount, ...]]:
    """Verified findings without exact repeats, numbered across all agents, and the outcome of each agent's submissions.

    A model's claim about an analyst's finding joins that finding, however it is worded: it adds a witness and removes nothing
    (A52, A57).
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
    """The key of the finding that this one repeats, else a new key. Only a claim without a rule can match an analyst's
    finding."""
    own = (finding.cwe, finding.location, finding.title, finding.flow)
    if own in seen or finding.rule:
        return own
    met = [(_apart(finding, each), key) for key, each in seen.items() if each.rule and same(each, finding)]
    return min(met, key=lambda pair: pair[0], default=((False, 0), own))[1]


def _apart(claim: Finding, finding: Finding) -> tuple[bool, int]:
    return claim.location.path != finding.location.path, distance(claim, finding)


def _joined(earlier: Finding | None, finding: Finding, work: Work, modelled: bool) -> Finding:
    finding = replace(finding, found_by=(work.task.agent_id,))
    if earlier is not None:
        return merge(earlier, finding)
    alone = bool(finding.rule) and modelled and finding.corroboration is Corroboration.UNCHECKED
    return replace(finding, corroboration=Corroboration.ANALYSERS_ALONE) if alone else finding


def finders(state: AuditState) -> tuple[Work, ...]:
    """The work that can contain findings, hunters before divers, so that phase 2 gets the credit for its findings."""
    hunters = tuple(work for work in state.work if work.hunting)
    return hunters + tuple(work for work in state.work if work.task.role is Role.DEEP_DIVER)


def contexts_of(state: AuditState) -> dict[str, frozenset[str]]:
    """The contexts that found each finding independently: the analysts count as one, and each model conversation as one."""
    tasks = {task.agent_id: task for task in state.tasks}
    named = {work.task.agent_id: work.reply.context for work in state.work if work.reply}
    return {
        each.id: frozenset(filter(None, (_context(tasks.get(agent), named.get(agent, "")) for agent in each.found_by)))
        for each in state.merged
    }


def _context(task: AgentTask | None, named: str) -> str:
    if task is None or not task.model:
        return "analysts"
    if task.context is not None:
        return ""  # the round passes on others' findings
    return f"{task.model} {named}".strip() if task.model in ONE_CONTEXT else task.agent_id


def expected(findings: tuple[Finding, ...]) -> dict[str, Severity]:
    """The severity level of each finding, calculated from that finding alone."""
    return {finding.id: severity.calibrate(finding).level for finding in findings}


def calibrated(
    ruled: tuple[Ruled, ...], validating: bool = False, entries: tuple[EntryPoint, ...] = ()
) -> tuple[tuple[Ruled, Calibration], ...]:
    """Findings with their severity, the level of their sum (A40). With `validating`, severe ones are labelled if they are
    unconfirmed or lack a proof of concept (A38, A41)."""
    rows = ((each, severity.calibrate(each.finding)) for each in ruled)
    return tuple((_marked(each, entries) if validating and _is_grave(sum_) else each, sum_) for each, sum_ in rows)


def names_entry(poc: str, entries: tuple[EntryPoint, ...]) -> bool:
    """True if a proof of concept names the path of a known entry point; without any path there is nothing to name."""
    paths = {each.path for each in entries if each.path.startswith("/")}
    return not paths or any(_route(path).search(poc) for path in paths)


def _route(path: str) -> re.Pattern[str]:
    """The path of a route with any value for its parameters, up to where a path ends in a text."""
    parts = (part for part in path.strip("/").split("/"))
    fixed = "/".join(r"[^/\s'\"?#]+" if part[:1] in ("<", "{", ":") else re.escape(part) for part in parts)
    return re.compile(rf"/{fixed}/?(?=[\s'\"?#`]|$)")


def _is_grave(calibration: Calibration) -> bool:
    return calibration.level.rank >= Severity.HIGH.rank


def _marked(each: Ruled, entries: tuple[EntryPoint, ...]) -> Ruled:
    """Label unconfirmed severe findings for manual review (A38); a severe one without a proof of concept gets the reason and
    the same label (A41)."""
    labels = list(each.labels)
    if not each.confidence.confirmed:
        labels += [UNVALIDATED, NEEDS_MANUAL]
    poc = each.finding.poc
    if poc and (each.finding.rule or names_entry(poc, entries)):
        return replace(each, labels=tuple(dict.fromkeys(labels)))
    unknown = "its proof of concept does not name a known entry point" if poc else ""
    reason = unknown or each.finding.no_poc_reason or "the finder gave neither a proof of concept nor a reason"
    labels += [UNREPRODUCED, NEEDS_MANUAL]
    return replace(each, finding=replace(each.finding, no_poc_reason=reason), labels=tuple(dict.fromkeys(labels)))


def reported_findings(state: AuditState) -> tuple[ReportedFinding, ...]:
    """The result of phase 4 if it ran; otherwise all findings, labelled as not validated. Posture is separate (A56)."""
    ruled = tuple(each for each in _collected(state) if not each.finding.posture)
    return reported(ruled, state.resolved is not None, known(state.recon).entry_points if state.recon else ())


def posture(state: AuditState) -> tuple[PostureEntry, ...]:
    """Hardening recommendations: one entry per kind and project root (A56)."""
    ruled = tuple(each for each in _collected(state) if each.finding.posture)
    return posture_entries(calibrated(ruled), frozenset(known(state.recon).roots))


def _collected(state: AuditState) -> tuple[Ruled, ...]:
    if state.resolved is None:
        return tuple(Ruled(finding, (UNVALIDATED,), confidence=confidence_of(finding)) for finding in state.merged)
    return state.resolved.ruled


def reported(
    ruled: tuple[Ruled, ...], validating: bool = False, entries: tuple[EntryPoint, ...] = ()
) -> tuple[ReportedFinding, ...]:
    """The numbered list of the report, most severe first, in an order that depends only on the findings."""
    occurrences = _occurrences(ruled)
    numbers: dict[Severity, int] = {}
    result: list[ReportedFinding] = []
    for each, calibration in sorted(calibrated(ruled, validating, entries), key=_order):
        level = calibration.level
        numbers[level] = numbers.get(level, 0) + 1
        result.append(
            ReportedFinding(
                number=f"{level.value[0].upper()}-{numbers[level]:02}",
                fingerprint=fingerprint(each.finding, occurrences[each.finding.id]),
                severity=level,
                confidence=each.confidence,
                finding=each.finding,
                calibration=calibration,
                labels=_shown_labels(each),
                dispute=severity.dispute(each.finding, level),
                said=each.said,
                doubts=each.doubts,
            )
        )
    return tuple(result)


def _occurrences(ruled: tuple[Ruled, ...]) -> dict[str, int]:
    """For each finding the number of earlier findings in its file with the same root cause."""
    counts: dict[RootCause, int] = {}
    found: dict[str, int] = {}
    for each in sorted(ruled, key=lambda one: (one.finding.location, one.finding.cwe, one.finding.title, one.finding.id)):
        cause = root_cause(each.finding)
        found[each.finding.id] = counts.get(cause, 0)
        counts[cause] = found[each.finding.id] + 1
    return found


def _shown_labels(each: Ruled) -> tuple[str, ...]:
    settled = (*SETTLED, UNVALIDATED) if each.confidence.confirmed else SETTLED
    return tuple(label for label in each.labels if label not in settled)


def _order(row: tuple[Ruled, Calibration]) -> tuple[object, ...]:
    """Sort key: severity, then confidence (A60); disputed findings last within a group (A53), the best evidence first."""
    each, calibration = row
    finding = each.finding
    return (
        -calibration.level.rank,
        -each.confidence.rank,
        DISPUTED in each.labels,
        -calibration.total,
        completeness(finding),
        finding.location,
        finding.cwe,
        finding.title,
        finding.id,
    )
