"""Fills the fields of the markers from the state, as the protocol prescribes (A2, A13)."""

from collections.abc import Callable

from counterproof.model.contract import Role
from counterproof.model.counting import counted
from counterproof.protocols.audit import gates, markers, merge, shares
from counterproof.protocols.audit.deep_dive import Dive
from counterproof.protocols.audit.inventory import Inventories
from counterproof.protocols.audit.markers import Marker
from counterproof.protocols.audit.plan import Plan
from counterproof.protocols.audit.resolution import DISPUTED, NEEDS_MANUAL, PRE_VALIDATED
from counterproof.protocols.audit.state import AuditState, Work, known
from counterproof.protocols.audit.validation import MAIN_THREAD

KEY_MODULES = 12


def stack(state: AuditState) -> str:
    """Languages with their shares (A12), then frameworks with version and confidence (A3)."""
    survey = known(state.survey)
    languages = [f"{language.value} {100 * loc // max(1, survey.loc)} %" for language, loc in survey.languages()]
    frameworks = [
        f"{framework.name} {framework.version or 'version unknown'} ({framework.confidence.value})"
        for framework in known(state.recon).frameworks
    ]
    return ", ".join(languages + frameworks)


def recon(state: AuditState, inventories: Inventories) -> Marker:
    survey, found = known(state.survey), known(state.recon)
    missing = inventories.missing()
    names = (
        ("modules_inventory", "modules"),
        ("entrypoint_inventory", "entry_points"),
        ("content_type_inventory", "content_types"),
        ("dependency_inventory", "dependencies"),
    )
    roots = f", {len(found.roots)} manifest roots" if len(found.roots) > 1 else ""
    size = f"{counted(len(survey.files), 'file')}, {counted(survey.directories, 'directory', 'directories')}"
    statuses = (f"{name}={'partial' if key in missing else 'completed'}" for name, key in names)
    return Marker(
        "recon",
        (
            ("Project scale", f"{size}, {survey.loc} LOC{roots}"),
            ("Tech stack", stack(state)),
            ("Project type", found.project_type.value),
            ("Entry points", str(found.counted)),
            ("Key modules", ", ".join(found.modules[:KEY_MODULES])),
            ("phase0_inventory", f"{{{', '.join(statuses)}}}"),
            ("phase0_checklist", state.checklist.value),
        ),
    )


def plan(made: Plan) -> Marker:
    agents = (
        f"{task.agent_id} {'/'.join(task.languages)} {'+'.join(task.dimensions)}"
        f" {f'max_turns={task.limits.turns}' if task.model else '(analyst)'}"
        for task in made.tasks
    )
    estimate = (("Estimate", made.estimate.text),) if made.estimate.tokens else ()
    return Marker(
        "plan",
        (
            ("Mode", made.mode.value),
            ("Tech stack", made.stack),
            ("phase0_checklist", made.checklist),
            ("Scan dimensions", ", ".join(dimension.value for dimension in made.dimensions)),
            ("Agent plan", "; ".join(agents)),
            ("Round planning", made.rounds),
            ("Report gate", made.report_gate),
            *estimate,
        ),
    )


def phase_1(state: AuditState) -> Marker:
    handlers = known(state.recon).counted
    return markers.phase("1", "completed", "2", (("phase0", state.checklist.value), ("handlers", str(handlers))))


def phase_2(state: AuditState, following: str) -> Marker:
    score = gates.score(state)
    in_round = [row.agent_id for row in state.registry if row.round == state.round]
    whole = all(work.whole for work in state.work if work.hunting and work.task.round == state.round)
    evidence = (
        ("agents", str(len(in_round))),
        ("findings", _apart(state, len(state.merged), lambda share: len(share.merged))),
        ("coverage", _apart(state, f"{score.covered}/{score.counted}", _covered)),
    )
    return markers.phase("2", "completed" if whole else "partial", following, evidence)


def _apart(state: AuditState, whole: object, figure: Callable[[AuditState], object]) -> str:
    """A figure of the run; if models took part, with the separate figures of analysts and models (A52)."""
    if not any(work.modelled for work in state.work):
        return str(whole)
    return f"{whole} (analysts {figure(shares.analysts(state))}; models {figure(shares.models(state))})"


def _covered(state: AuditState) -> str:
    score = gates.score(state)
    return f"{score.covered}/{score.counted}"


def phase_2_5(state: AuditState, following: str) -> Marker:
    handed_in = sum(len(work.kept) for work in state.work if work.hunting)
    passed = sum(finding.validation.passed for finding in state.merged)
    evidence = (
        ("merged_findings", str(len(state.merged))),
        ("dedup_removed", str(handed_in - len(state.merged))),
        ("pre_validated", str(passed)),
        ("needs_validation", str(len(state.merged) - passed)),
    )
    return markers.phase("2.5", "completed", following, evidence)


def phase_3(dive: Dive, model_dive: Dive | None) -> Marker:
    """The result of the analysts' dive; a model's is shown next to it and added to nothing (A52)."""
    files, found = str(dive.new_files), str(dive.new_findings)
    if model_dive:
        files = f"{files} (models {model_dive.new_files})"
        found = f"{found} (models {model_dive.new_findings})"
    completed = dive.completed and (model_dive is None or model_dive.completed)
    evidence = (("deep_files", files), ("new_findings", found))
    return markers.phase("3", "completed" if completed else "partial", "4", evidence)


def phase_4(state: AuditState) -> Marker:
    resolved = known(state.resolved)
    rows = merge.reported_findings(state)
    validators = {work.task.agent_id for work in state.work if work.task.role is Role.VALIDATOR} - {MAIN_THREAD}
    manual = sum(NEEDS_MANUAL in row.labels for row in rows)
    evidence = (
        ("confirmed", str(resolved.confirmed)),
        ("rejected", str(len(resolved.rejected))),
        ("needs_manual", str(manual)),
        ("validation_agents", str(len(validators))),
        *((("disputed", str(sum(DISPUTED in row.labels for row in rows))),) if known(state.request).models else ()),
        ("pre_validated", str(sum(PRE_VALIDATED in each.labels for each in resolved.ruled))),
    )
    return markers.phase("4", "partial" if validation_gaps(state) else "completed", "5", evidence)


def validation_gaps(state: AuditState) -> tuple[str, ...]:
    """The tasks of phase 4 that were not answered."""
    unvalidated, unanswered = known(state.resolved).unvalidated, known(state.archive).unanswered
    lines = (
        (unvalidated, f"{counted(unvalidated, 'finding')} not validated"),
        (unanswered, f"{unanswered} baseline hits got no verdict"),
    )
    return tuple(text for count, text in lines if count)


def partial(phase: str, gaps: tuple[str, ...]) -> tuple[Marker, ...]:
    """Record an incomplete phase; the run continues (A49)."""
    return (markers.halt(f"phase {phase} partial", "recorded as a gap; the report is marked incomplete"),) if gaps else ()


def failures(work: tuple[Work, ...], number: int) -> tuple[Marker, ...]:
    """Agents of a round that failed for good, sorted by task, so that the order of the failures has no effect (A26, A49)."""
    return tuple(
        markers.halt("agent failure", f"{each.task.agent_id} counts as timed out; {'+'.join(each.task.dimensions)} at most ⚠️")
        for each in work
        if each.failure and each.task.round == number
    )


def phase_5(digests: tuple[tuple[str, str], ...]) -> Marker:
    return markers.phase("5", "completed", "report", (("formats", "+".join(name for name, _ in digests)),))
