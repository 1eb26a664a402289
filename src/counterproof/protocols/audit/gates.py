"""The gates before phase 2 (A5) and before the report (A48). They fail closed."""

from dataclasses import dataclass

from counterproof.model.coverage import Status
from counterproof.model.dimension import CORE_DIMENSIONS
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity
from counterproof.protocols.audit import coverage, hunt, inventory, merge, modes
from counterproof.protocols.audit.coverage import Score
from counterproof.protocols.audit.events import Ack
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.resolution import NEEDS_MANUAL
from counterproof.protocols.audit.state import AuditState, known


@dataclass(frozen=True, slots=True)
class Check:
    """One row of a checklist. A waivable check that fails is stated in the report instead of closing the gate."""

    name: str
    passed: bool
    detail: str
    waivable: bool = False


def missing_documents(state: AuditState) -> tuple[str, ...]:
    """Documents that the mode needs and that were not loaded. A folder counts as loaded with its contents."""
    loaded = {document.name for document in state.documents}
    folders = {name.partition("/")[0] for name in loaded}
    wanted = modes.documents(known(state.request).models)
    return tuple(name for name in wanted if name not in loaded and name not in folders)


def before_hunting(state: AuditState) -> tuple[Check, ...]:
    """The four checks of A5; any failure keeps phase 2 closed."""
    if state.mode is None:
        return (Check("mode set", False, "no mode"),)
    missing = missing_documents(state)
    return (
        Check("mode set", True, state.mode.value),
        Check("documents loaded", not missing, f"missing: {', '.join(missing)}" if missing else "all"),
        Check("reconnaissance complete", inventory.sufficient(state.mode, state.checklist), state.checklist.value),
        Check(
            "plan acknowledged",
            state.ack in (Ack.CONFIRMED, Ack.AUTO_CONFIRMED),
            state.ack.value if state.ack else "waiting for the user",
        ),
    )


def score(state: AuditState) -> Score:
    """Coverage against the mode's threshold."""
    covered, counted = coverage.counts(state.coverage)
    return Score(covered, counted, modes.threshold(known(state.mode), counted))


def before_deep_dive(state: AuditState) -> tuple[Check, ...]:
    """The gate between phases 2.5 and 3 (A33). Coverage and D1-D3 may be waived on record, the other checks may not."""
    asked = known(state.request).only
    missing = [dimension.value for dimension in asked if dimension not in {row.dimension for row in state.coverage}]
    return (
        Check("coverage judged", bool(state.coverage), f"{len(state.coverage)} dimensions"),
        Check("every dimension has a status", not missing, f"missing: {', '.join(missing)}" if missing else "all"),
        _coverage_met(state),
        _core_searched(state),
        Check("hotspots listed", state.hotspots is not None, f"{len(state.hotspots or ())} hotspots"),
    )


def _coverage_met(state: AuditState) -> Check:
    """Quick audits, and audits in which every agent failed, state the shortfall; all others need a recorded waiver."""
    reached = score(state)
    met = f"{reached.covered} of {reached.counted}, {reached.threshold} needed"
    stated = state.mode is Mode.QUICK or state.all_failed
    return Check("coverage met", reached.met, met, waivable=stated or bool(state.waivers))


def _core_searched(state: AuditState) -> Check:
    """Check that D1-D3 are covered, or shallow with an explanation among the limitations; uncovered only with a waiver."""
    faults: list[str] = []
    for row in state.coverage:
        if row.dimension in CORE_DIMENSIONS and row.status is Status.UNCOVERED:
            faults.append(f"{row.dimension.value} uncovered")
        elif row.excluded:
            continue  # a limitation states what is missing
        elif row.dimension in CORE_DIMENSIONS and row.status is Status.SHALLOW and row.dimension not in state.explained:
            faults.append(f"{row.dimension.value} shallow and not explained")
    waivable = bool(state.waivers) and not any("explained" in fault for fault in faults)
    return Check("D1-D3 searched", not faults, ", ".join(faults) or "covered, or shallow and explained", waivable)


def can_report(state: AuditState) -> tuple[Check, ...]:
    """The checklist before the report (A48). Quick audits, and those whose agents all failed, check only three rows."""
    busy = hunt.running(state)
    first = (
        Check("gates passed", all(check.passed for check in before_hunting(state)), "before phase 2"),
        _coverage_met(state),
        Check("no agent running", not busy, ", ".join(busy) or "all finished"),
    )
    if state.mode is Mode.QUICK or state.all_failed:
        return first
    unmarked = [phase for phase in ("3", "4") if phase not in state.marked]
    bare = [row.number for row in merge.reported_findings(state) if not _settled(row)]
    return (
        *first,
        Check("phases 3 and 4 marked", not unmarked, f"missing: {', '.join(unmarked)}" if unmarked else "both"),
        Check("deduplicated after 4a and 4c", state.resolved is not None and state.archive is not None, "phase 4b"),
        _core_searched(state),
        Check("Critical and High validated or annotated", not bare, ", ".join(bare) or "all"),
    )


def _settled(row: ReportedFinding) -> bool:
    """A severe finding must be confirmed or marked for manual review, and have a proof of concept or the reason for its
    absence (A41, A48)."""
    if row.severity.rank < Severity.HIGH.rank:
        return True
    settled = row.confidence.confirmed or NEEDS_MANUAL in row.labels
    return settled and bool(row.finding.poc or row.finding.no_poc_reason)
