"""Phases 0 and 1: survey, documents, reconnaissance, plan, and the gate before phase 2 (A1 to A13)."""

from dataclasses import replace

from counterproof.model.errors import EngineBug
from counterproof.model.receipt import Exit
from counterproof.protocols.audit import gates, inventory, markers, modes, narration, phase_two
from counterproof.protocols.audit.commands import AskPlan, LoadDocuments, Reconnoitre, SurveyTarget
from counterproof.protocols.audit.events import Ack, DocumentsLoaded, PlanAnswered, ReconReported, Started, Surveyed
from counterproof.protocols.audit.inventory import Attempt, Checklist, Retry
from counterproof.protocols.audit.moves import Step, announce, end, trail, wait, without
from counterproof.protocols.audit.planning import make_plan
from counterproof.protocols.audit.state import AuditState, Stage, known

MAX_LOADS = 2
EVERY_INVENTORY = ("modules", "entry_points", "content_types", "dependencies")


def started(state: AuditState, event: Started) -> Step:
    state = replace(state, request=event.request, version=event.version, confinement=event.confinement)
    return wait(state, Stage.SURVEY, SurveyTarget("survey", event.request))


def surveyed(state: AuditState, event: Surveyed) -> Step:
    mode, note = modes.effective_mode(known(state.request).mode, event.survey.loc)
    state = announce(replace(state, survey=event.survey, mode=mode, mode_note=note), markers.mode(mode.value))
    if not event.survey.languages():
        return end(state, Exit.INCOMPLETE, "no source in a recognised language was found")
    return wait(
        trail(state, "PHASE_1_RECON"),
        Stage.LOADING,
        LoadDocuments("load/1", modes.documents(known(state.request).models)),
        event.answers,
    )


def documents_loaded(state: AuditState, event: DocumentsLoaded) -> Step:
    """Gate 2 of A5: load what is missing and check again, once; then end the run."""
    state = replace(state, documents=state.documents + event.documents, loads=state.loads + 1)
    missing = gates.missing_documents(state)
    if missing and state.loads >= MAX_LOADS:
        return end(state, Exit.INTERNAL, f"protocol documents could not be loaded: {', '.join(missing)}")
    if missing:
        return wait(state, Stage.LOADING, LoadDocuments(f"load/{state.loads + 1}", missing), event.answers)
    state = announce(state, markers.loaded(tuple(document.name for document in state.documents)))
    return _reconnoitre(state, Retry(inventory.FIRST_METHOD, EVERY_INVENTORY), event.answers)


def _reconnoitre(state: AuditState, how: Retry, answered: str) -> Step:
    number = len(state.attempts) + 1
    command = Reconnoitre(f"recon/{number}", number, how.method, how.targets)
    state = replace(state, attempts=(*state.attempts, Attempt(number, how.method, how.targets, how.targets)))
    return wait(state, Stage.RECON, command, answered)


def recon_reported(state: AuditState, event: ReconReported) -> Step:
    """Judge the inventories; retry while an attempt proposes something different, then accept or end (A8)."""
    inventories = inventory.judge(event.recon, known(state.survey))
    missing = inventories.missing()
    attempts = (*state.attempts[:-1], replace(state.attempts[-1], missing=missing))
    reached = inventory.checklist(inventories)
    state = replace(state, recon=event.recon, map=event.map, attempts=attempts, checklist=reached)
    if not inventory.sufficient(known(state.mode), reached):
        again = inventory.retry(attempts, event.recon)
        if not again.refused:
            recovery = f"attempt {len(attempts) + 1} targets {', '.join(again.targets)}: {again.method}"
            return _reconnoitre(announce(state, markers.halt("phase 0 incomplete", recovery)), again, event.answers)
        state = announce(state, markers.halt("phase 0 incomplete", f"no further attempt: {again.refused}"))
        if not inventories.entry_points:
            return end(state, Exit.INCOMPLETE, f"no entry point was found: {again.refused}")
        state = replace(state, checklist=Checklist.PARTIAL_ACCEPTED)
    plan = make_plan(state, narration.stack(state))
    state = announce(replace(state, plan=plan), narration.recon(state, inventories), narration.plan(plan))
    if state.mode is modes.Mode.QUICK or known(state.request).yes:
        return _acknowledge(state, Ack.AUTO_CONFIRMED, event.answers)
    return wait(state, Stage.CONFIRMATION, AskPlan("plan", plan), event.answers)


def plan_answered(state: AuditState, event: PlanAnswered) -> Step:
    return _acknowledge(state, event.ack, event.answers)


def _acknowledge(state: AuditState, ack: Ack, answered: str) -> Step:
    """The gate before phase 2 (A5). A declined plan ends the run with nothing spent (A4)."""
    state = without(announce(replace(state, ack=ack), markers.plan_ack(ack.value)), answered)
    if ack is Ack.NOT_CONFIRMED:
        return end(state, Exit.REFUSED, "the plan was not confirmed; nothing ran")
    failed = [check for check in gates.before_hunting(state) if not check.passed]
    if failed:
        raise EngineBug(f"phase 2 requested while a gate was closed: {failed[0].name}, {failed[0].detail}")
    return phase_two.begin(announce(state, narration.phase_1(state)))
