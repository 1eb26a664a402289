"""The coverage matrix of a run, from the ledgers of all work so far (A16 to A20).

A tree with several manifest roots is judged root by root; the whole is as good as the worst of them.
"""

from collections import Counter
from dataclasses import dataclass, replace

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import Dimension, Track
from counterproof.model.recon import NETWORK_KINDS, Recon
from counterproof.model.report import ControlEvidence, RootCoverage
from counterproof.model.survey import Language, Survey
from counterproof.protocols.audit import by_root, coverage
from counterproof.protocols.audit.by_root import RootView
from counterproof.protocols.audit.inventory import is_library, library_exemptions
from counterproof.protocols.audit.modes import Mode, threshold
from counterproof.protocols.audit.state import Work

PRESENT_SHARE = 0.1
"""A language counts as present from this share of the lines of code; smaller ones become a limitation."""

MIN_RATIO = {Mode.STANDARD: 0.3, Mode.DEEP: 0.5}
MIN_RESOURCES = 3

TRIGGERS: dict[str, Dimension] = {
    "deserialisation": Dimension.D4,
    "file-upload": Dimension.D5,
    "xxe": Dimension.D4,
    "ssrf": Dimension.D6,
    "crypto": Dimension.D7,
    "jwt": Dimension.D2,
}
"""Recon observations that make a dimension applicable, whatever the searches find (A17)."""


def present_languages(survey: Survey, recon: Recon) -> tuple[Language, ...]:
    """Languages whose coverage counts, largest first: because of their share, or because they contain network entry points."""
    exposed = {entry.handler.path for entry in recon.entry_points if entry.kind in NETWORK_KINDS}
    reached = {file.language for file in survey.files if file.path in exposed}
    return tuple(each for each, loc in survey.languages() if loc >= PRESENT_SHARE * survey.loc or each in reached)


def uncounted_files(survey: Survey, recon: Recon) -> frozenset[str]:
    """Source in languages too small to count, root by root; the report states them as a limitation."""
    seen = [(view, present_languages(view.survey, view.recon)) for view in by_root.views(survey, recon, ())]
    return frozenset(file.path for view, present in seen for file in view.survey.files if file.language not in present)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The matrix of the whole tree, and of each root if there is more than one."""

    rows: tuple[DimensionCoverage, ...]
    roots: tuple[RootCoverage, ...] = ()


def judge(
    survey: Survey, recon: Recon, dimensions: tuple[Dimension, ...], work: tuple[Work, ...], mode: Mode = Mode.QUICK
) -> Coverage:
    """Judge every root separately, then take the worst of the roots large enough to count (A20)."""
    seen = by_root.views(survey, recon, work)
    if len(seen) == 1:
        return Coverage(matrix(seen[0], dimensions, mode))
    deciding = by_root.counted(seen)
    roots = tuple(_root(view, matrix(view, dimensions, mode), mode, view in deciding) for view in seen)
    counted = [root for root in roots if root.decides]
    return Coverage(tuple(_over_roots(counted, place) for place in range(len(dimensions))), roots)


def _root(view: RootView, rows: tuple[DimensionCoverage, ...], mode: Mode, decides: bool) -> RootCoverage:
    covered, counted = coverage.counts(rows)
    return RootCoverage(
        root=view.root,
        loc=view.survey.loc,
        library=is_library(view.recon),
        decides=decides,
        coverage=rows,
        covered=covered,
        counted=counted,
        threshold=threshold(mode, counted),
        entry_points=view.recon.counted,
        control=None if mode is Mode.QUICK else control_evidence(view.recon, view.work),
    )


def _over_roots(roots: list[RootCoverage], place: int) -> DimensionCoverage:
    """One row for all roots: the worst of them, naming the root that it comes from."""
    if len(roots) == 1:
        return roots[0].coverage[place]
    named = [replace(root.coverage[place], reason=f"{root.name}: {root.coverage[place].reason}") for root in roots]
    row = coverage.worst(named)
    if any(each.status is not row.status for each in named):
        return row
    every = "both" if len(named) == 2 else f"all {len(named)}"
    return replace(row, reason=f"in {every} roots; {row.reason}")


def matrix(view: RootView, dimensions: tuple[Dimension, ...], mode: Mode) -> tuple[DimensionCoverage, ...]:
    """One row per requested dimension: best evidence per language, worst over the languages present (A20)."""
    recon, work = view.recon, view.work
    control = control_evidence(recon, work)
    exempt = library_exemptions(recon)
    languages = {file.path: file.language for file in view.survey.files}
    present = present_languages(view.survey, recon)
    rows: list[DimensionCoverage] = []
    for dimension in dimensions:
        if dimension in exempt:
            rows.append(DimensionCoverage(dimension, Status.NOT_APPLICABLE, "library project: no network entry point"))
            continue
        if recon.not_understood and dimension in (Dimension.D2, Dimension.D3):
            why = f"entry points of {', '.join(recon.not_understood)} not understood"
            rows.append(DimensionCoverage(dimension, Status.UNCOVERED, why))
            continue
        each = {language: _in_language(dimension, language, recon, work, languages) for language in present}
        rows.append(_control_driven(_over_languages(each), control, mode, _unverified(recon, work)))
    return tuple(rows)


def _over_languages(rows: dict[Language, DimensionCoverage]) -> DimensionCoverage:
    """The worst row, with the languages that do better."""
    row = coverage.worst(rows.values())
    better = [language.value for language, each in rows.items() if each.status.rank > row.status.rank]
    return replace(row, reason=f"{row.reason}; better in {', '.join(better)}") if better else row


def control_evidence(recon: Recon, work: tuple[Work, ...]) -> ControlEvidence:
    """Endpoints of the matrix whose guard was verified in the code, and resource types whose operations were compared."""
    verified = {place for each in work for place in each.ledger.endpoints}
    compared = {comparison.resource: comparison for each in work for comparison in each.ledger.comparisons}
    return ControlEvidence(
        endpoints=len(recon.permissions),
        verified=sum(row.handler in verified for row in recon.permissions),
        resources=len(recon.resources),
        compared=sum(resource in compared for resource in recon.resources),
        inconsistent=tuple(sorted(name for name, comparison in compared.items() if not comparison.consistent)),
    )


def _unverified(recon: Recon, work: tuple[Work, ...]) -> str:
    """The most frequent reason why endpoints are unverified."""
    verified = {place for each in work for place in each.ledger.endpoints}
    waiting = Counter(row.evidence for row in recon.permissions if row.handler not in verified and row.evidence)
    return "".join(f"; {count} of the others have an unverified guard ({why})" for why, count in waiting.most_common(1))


def _control_driven(row: DimensionCoverage, control: ControlEvidence, mode: Mode, waiting: str) -> DimensionCoverage:
    """Standard and deep audits require the endpoint ratio and CRUD consistency for D3 and D9; without endpoints there is no
    ratio (A19)."""
    if row.dimension.track is not Track.CONTROL or mode is Mode.QUICK or control.endpoints == 0:
        return row
    needed = MIN_RATIO[mode]
    if control.verified < needed * control.endpoints:
        why = f"{control.verified} of {control.endpoints} endpoints verified, {100 * needed:.0f} % needed{waiting}"
        return coverage.lowered(row, Status.SHALLOW, why)
    if control.compared < min(MIN_RESOURCES, control.resources):
        why = f"CRUD consistency compared for {control.compared} of {control.resources} resource types"
        return coverage.lowered(row, Status.SHALLOW, why)
    return row


def _in_language(
    dimension: Dimension,
    language: Language,
    recon: Recon,
    work: tuple[Work, ...],
    languages: dict[str, Language | None],
) -> DimensionCoverage:
    """The best status that any worker achieved (A52). A model's search hits do not undo the absence that analysts showed, or
    vice versa: each is judged against its own kind."""
    found = {each.task.id for each in work if coverage.evidence_for(each.ledger, dimension, language, languages).found_something}
    hit = {each.modelled for each in work if each.task.id in found}
    assigned = [
        each for each in work if each.task.id in found or (dimension in each.task.dimensions and language in each.task.languages)
    ]
    rows = [_by_one_agent(dimension, language, recon, each, languages, each.modelled in hit) for each in assigned]
    if not rows:
        return DimensionCoverage(dimension, Status.UNCOVERED, f"no agent looked at {language.value}")
    best = max(rows, key=lambda row: row.status.rank)
    return best if best.status is not Status.UNCOVERED else replace(best, reason=f"{best.reason} in {language.value}")


def _by_one_agent(
    dimension: Dimension, language: Language, recon: Recon, work: Work, languages: dict[str, Language | None], hits: bool
) -> DimensionCoverage:
    evidence = coverage.evidence_for(work.ledger, dimension, language, languages)
    # A truncated agent may have missed the search that would have hit, so its empty searches do not make a dimension N/A.
    applicable = applies(dimension, recon) or not work.whole
    row = coverage.status_of(dimension, evidence, applicable, contradicted=hits, language=language)
    if dimension is Dimension.D2 and recon.credentials and evidence.proves_absence():
        row = coverage.lowered(row, Status.SHALLOW, f"the searches found nothing, but the project has {recon.credentials[0]}")
    if not work.whole:
        why = work.failure or "its output was cut off"
        row = coverage.lowered(row, Status.SHALLOW, f"{work.task.agent_id}: {why}")
    for claim in work.reply.claims if work.reply else ():
        if claim.dimension is dimension:
            row = coverage.lowered(row, claim.status, f"{work.task.agent_id} claims no more: {claim.reason}")
    return row


def applies(dimension: Dimension, recon: Recon) -> bool:
    """True if N/A is ruled out (A17): D1 always applies, D2 and D3 do outside libraries, the others if recon saw a trigger."""
    if dimension is Dimension.D1:
        return True
    if dimension in (Dimension.D2, Dimension.D3) and not is_library(recon):
        return True
    return any(TRIGGERS.get(trigger) is dimension for trigger in recon.triggers)
