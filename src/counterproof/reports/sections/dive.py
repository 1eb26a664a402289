"""The deep dive: what phase 3 read and followed beyond phase 2 (A34, A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.leftover import Leftover
from counterproof.model.report import DiveEvidence, Report
from counterproof.reports import wording
from counterproof.reports.sections.blocks import Bullets, Inline, Mark, Section, Span, code, few, own

MAX_PATHS: Final = 10


def dive(report: Report) -> Section | None:
    """The section on the deep dive; None if there was no phase 3."""
    if report.dive is None:
        return None
    return Section("dive", "Deep dive", (Bullets(tuple(_done(report.dive))),))


def _done(each: DiveEvidence) -> Iterator[Inline]:
    unread = wording.counted(each.unread, "source file")
    yield own(
        f"Read now: {each.read:,} of {unread} files that phase 2 left unread" if each.unread else "Phase 2 left nothing unread"
    )
    covered = each.p0_files - len(each.p0_missing)
    yield own(f"Most important files covered: {covered:,} of {each.p0_files:,}")
    if each.p0_missing:
        yield (Span("Not covered: ", Mark.OWN), *few([*map(code, each.p0_missing)], MAX_PATHS))
    deepest = f"Deepest flow: {wording.counted(each.deepest, 'step')}; phase 2's mean was "
    yield (Span(deepest, Mark.OWN), Span(each.mean_depth))
    if each.exhausted:
        yield own("Nothing deeper is left: every flow was traced from its sink to its origin, and all source was read")
    for left in each.leftovers:
        yield own(_left(left))
    yield own(f"New findings: {each.new_findings:,}; pairs of severe findings checked for chains: {each.pairs:,}")


def _left(each: Leftover) -> str:
    """Work that a standard audit leaves, and its result (A58)."""
    kind = each.kind.value[0].upper() + each.kind.value[1:]
    if not each.met:
        return f"{kind}: nothing left, because {each.why}"
    found = wording.counted(each.found, "new finding") if each.found else "nothing new"
    return f"{kind}: {each.met:,} followed, {found}" if not each.why else f"{kind}: {each.met:,}; {each.why}"
