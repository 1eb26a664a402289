"""How a run ended, with every reason (A51). A run is clean only if no reason applies."""

from collections.abc import Container, Iterator

from counterproof.model.contract import Role
from counterproof.model.counting import counted
from counterproof.model.dimension import Dimension
from counterproof.model.posture import PostureEntry
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.report import ChainLine, ReportedFinding
from counterproof.model.severity import Severity
from counterproof.model.survey import FileRole, Unread
from counterproof.protocols.audit.coverage import UNJUDGED_GUARDS
from counterproof.protocols.audit.gates import can_report, score
from counterproof.protocols.audit.inventory import Checklist
from counterproof.protocols.audit.merge import finders
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.narration import validation_gaps
from counterproof.protocols.audit.state import AuditState, known
from counterproof.protocols.guard import unread
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.protocols.guard.failing import Effect, Terms, effect

MAX_NAMED = 5
"""Files named in one banner."""

JUDGES = (Role.VALIDATOR, Role.HIT_VERIFIER)
BESIDE = ((Dimension.D7,), (Dimension.D10,))
"""Dimensions for which analysts read every file, whether or not they support its language: secrets and dependencies."""


def outcome_of(
    state: AuditState,
    findings: tuple[ReportedFinding, ...],
    posture: tuple[PostureEntry, ...] = (),
    chains: tuple[ChainLine, ...] = (),
) -> Outcome:
    """All reasons that apply at the end of phase 2 or later."""
    reasons = [*_found(state, findings), *_chained(state, findings, chains)]
    reasons.extend(_posture(posture, known(state.request).fail_on_posture))
    reasons.extend(Reason(Exit.OVER_BUDGET, text) for text in _budget(state))
    elsewhere = (*_budget(state), *_settled_for(state))
    reasons.extend(Reason(Exit.INCOMPLETE, text) for text in shortfalls(state) if text not in elsewhere)
    return Outcome(tuple(reasons))


def terms(state: AuditState) -> Terms:
    """The criteria by which findings fail this run (A69)."""
    request = known(state.request)
    return Terms(request.fail_on, request.min_confidence, unvalidated=known(state.mode) is Mode.QUICK)


def _found(state: AuditState, findings: tuple[ReportedFinding, ...]) -> Iterator[Reason]:
    """Findings that fail the run, and unvalidated claims of models."""
    asked = terms(state)
    effects = [effect(row.severity, row.confidence, asked, by_model=row.by_model) for row in findings if counts_against(row)]
    if failing := effects.count(Effect.FAILS):
        yield Reason(Exit.FINDINGS, f"{counted(failing, 'finding')} at or above {asked.fail_on.value}")
    if unvalidated := effects.count(Effect.LEAVES_OPEN):
        yield Reason(Exit.INCOMPLETE, f"{counted(unvalidated, 'finding')} not validated")


def _chained(state: AuditState, findings: tuple[ReportedFinding, ...], chains: tuple[ChainLine, ...]) -> Iterator[Reason]:
    """Chains whose links are all confirmed and that are more severe than each of their findings (A40)."""
    asked = terms(state)
    rows = {row.number: row for row in findings}
    failing = [
        chain
        for chain in chains
        if effect(chain.severity, chain.confidence, asked, by_model=False) is Effect.FAILS
        and chain.confidence.confirmed
        and all(rows[number].severity.rank < asked.fail_on.rank for number in chain.numbers)
        and any(counts_against(rows[number]) for number in chain.numbers)
    ]
    if failing:
        yield Reason(Exit.FINDINGS, f"{counted(len(failing), 'attack chain')} at or above {asked.fail_on.value}")


def _settled_for(state: AuditState) -> tuple[str, ...]:
    """Coverage below the mode's threshold that the user accepted in advance: a limitation, not a reason."""
    least = known(state.request).min_coverage
    return _coverage(state) if least is not None and score(state).covered >= least else ()


def _posture(entries: tuple[PostureEntry, ...], fail_on: Severity | None) -> tuple[Reason, ...]:
    """Posture fails a run only on the user's request (A56)."""
    if fail_on is None:
        return ()
    grave = [each for each in entries if each.severity.rank >= fail_on.rank and not each.accepted]
    if not grave:
        return ()
    return (Reason(Exit.FINDINGS, f"{counted(len(grave), 'hardening recommendation')} at or above {fail_on.value}"),)


def shortfalls(state: AuditState) -> tuple[str, ...]:
    """Why the audit is incomplete, the cause first; each reason becomes a banner."""
    return (
        *(("The time limit was reached.",) if state.time_up else ()),
        *_failed_altogether(state),
        *unread.shortfalls(not_read(state)),
        *_coverage(state),
        *_reconnaissance(state),
        *_phases(state),
        *_agents(state),
        *_ordered(state),
        *_budget(state),
    )


def not_read(state: AuditState) -> tuple[Unread, ...]:
    """Code in scope that nobody read to its end and that the user did not accept as unread."""
    told = (each for work in state.work if work.reply for each in work.reply.unread)
    left = known(state.survey).unread
    return unread.missing(left, told, read=_read_whole_by_models(state, {path for each in left for path in each.files}))


def _read_whole_by_models(state: AuditState, wanted: Container[str]) -> frozenset[str]:
    """The wanted files of which models that handed in read every line (A64)."""
    length = {file.path: file.lines for file in known(state.survey).files if file.path in wanted}
    seen: dict[str, set[int]] = {path: set() for path in length}
    for read in (each for work in state.work if work.modelled and work.whole for each in work.ledger.reads):
        for path in (each for each in read.paths if each in seen):
            seen[path].update(range(read.first or 1, (read.last or length[path]) + 1))
    return frozenset(path for path, lines in seen.items() if len(lines) >= length[path])


def _budget(state: AuditState) -> tuple[str, ...]:
    """Agents that stopped because the next call might have exceeded the budget; their results so far are in the report (A51)."""
    stopped = sorted({work.task.agent_id for work in state.work if work.reply and work.reply.over_budget})
    return (f"The budget is used up: {', '.join(stopped)} stopped before the end.",) if stopped else ()


def _failed_altogether(state: AuditState) -> tuple[str, ...]:
    if state.all_failed:
        return ("Audit incomplete: every agent failed or was cut off; the report holds what was collected.",)
    return ()


def _coverage(state: AuditState) -> tuple[str, ...]:
    if state.waivers:
        return tuple(f"Required coverage {waiver}. The audit continued anyway." for waiver in state.waivers)
    unmet = any(check.name == "coverage met" and not check.passed for check in can_report(state))
    return (f"Coverage not met: too few dimensions covered.{_unfollowed(state)}",) if unmet else ()


def _unfollowed(state: AuditState) -> str:
    """The largest files in languages in which no analyst follows data, unless a model read the code."""
    if any(work.modelled for work in state.work):
        return ""
    files = [each for each in known(state.survey).files if each.language in UNJUDGED_GUARDS and each.role is FileRole.RUNTIME]
    shown = [each.path for each in sorted(files, key=lambda each: (-each.loc, each.path))[:MAX_NAMED]]
    languages = ", ".join(sorted({UNJUDGED_GUARDS[each.language] for each in files if each.language}))
    more = f" and {counted(len(files) - MAX_NAMED, 'more file', 'more files')}" if len(files) > MAX_NAMED else ""
    return f" No analyst follows data in {languages}: {', '.join(shown)}{more}." if files else ""


def _reconnaissance(state: AuditState) -> tuple[str, ...]:
    if state.checklist is not Checklist.PARTIAL_ACCEPTED:
        return ()
    missing = ", ".join(state.attempts[-1].missing)
    tried = f"{len(state.attempts)} attempt{'s' if len(state.attempts) > 1 else ''}"
    return (f"Incomplete reconnaissance: {missing} remained partial after {tried}.",)


def _phases(state: AuditState) -> tuple[str, ...]:
    lines: list[str] = []
    short = [text for dive in (state.dive, state.model_dive) if dive for text in dive.shortfalls]
    if short:
        lines.append(f"The deep dive did not finish: {'; '.join(dict.fromkeys(short))}.")
    gaps = validation_gaps(state) if state.resolved else ()
    if gaps:
        lines.append(f"Validation did not finish: {'; '.join(gaps)}.")
    return tuple(lines)


def _ordered(state: AuditState) -> tuple[str, ...]:
    """Files that contain orders to their readers and that only models read: they count as unreviewed (X20)."""
    ordered = {path for work in state.work if work.modelled for path in work.checks.ordered}
    reads = (read for work in state.work if not work.modelled for read in work.ledger.reads)
    read = {path for each in reads if each.dimensions not in BESIDE for path in each.paths}
    why = "contains instructions to its readers and only models read it: it counts as unreviewed"
    return tuple(f"{path} {why}." for path in sorted(ordered - read))


def _agents(state: AuditState) -> tuple[str, ...]:
    """Hunters and divers that failed for good or were truncated, and models in any role. The main thread replaces the
    analysts' validators; anything it leaves open makes phase 4 partial."""
    lines: list[str] = []
    judges = tuple(work for work in state.work if work.modelled and work.task.role in JUDGES)
    for work in (*finders(state), *judges):
        if work.failure:
            lines.append(f"Agent {work.task.agent_id} failed: {work.failure}.")
        elif not work.whole:
            cut = f"Agent {work.task.agent_id} was cut off before it had finished."
            lines.append((work.reply.unreviewed if work.reply else "") or cut)
    return tuple(dict.fromkeys(lines))
