"""Which specialists a stage asks, and what each is shown: its own findings, of others' only what is passed on (R9)."""

from dataclasses import replace

from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.position import Defence, Position, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.protocols.review.guardrails import inflated
from counterproof.protocols.review.routing import Routed, routed
from counterproof.protocols.review.state import History, ReviewState

ATTEMPTS = 3
"""A failed output is retried by a fresh agent twice (R7)."""

ADVOCATE = Specialist("DEVIL", "devil's advocate", ("everything",))


def team(state: ReviewState) -> Profile:
    assert state.profile is not None
    return state.profile


def refine_task(state: ReviewState, history: History) -> ReviewTask:
    """The next iteration of one specialist, who sees its own findings and nobody else's."""
    specialist = next(each for each in team(state).specialists if each.code == history.code)
    iteration = len(history.iterations) + 1
    task = _task(state, Work.REFINE, specialist, iteration)
    task = replace(task, own=history.findings, answers=history.answers)
    return replace(task, last=iteration >= state.wanted.iterations)


def voters(state: ReviewState) -> tuple[Specialist, ...]:
    """Specialists that take part in the challenge round: excluded ones do not."""
    out = {each.code for each in state.histories if each.excluded}
    return tuple(each for each in team(state).specialists if each.code not in out)


def challenge_tasks(state: ReviewState) -> tuple[tuple[ReviewTask, ...], tuple[Routed, ...]]:
    """One task per specialist that has something of others to look at; with one specialist the devil's advocate (R17)."""
    present = voters(state)
    if len(present) == 1:
        task = replace(_task(state, Work.ADVOCATE, ADVOCATE, state.round), shown=state.findings, last=True)
        return (task,), ()
    tasks: list[ReviewTask] = []
    views: list[Routed] = []
    for specialist in present:
        asked = tuple(finding for code, finding in state.opened if code == specialist.code)
        view = routed(specialist, state.findings, asked)
        if view.lines:
            whole = tuple(each for each in state.findings if each.id in view.full)
            task = replace(_task(state, Work.CHALLENGE, specialist, state.round), lines=view.lines, shown=whole)
            mine, answers = answered(state, specialist.code)
            task = replace(task, against=mine, defences=answers)
            tasks.append(replace(task, last=last_round(state), warnings=_warnings(state, specialist)))
            views.append(view)
    return tuple(tasks), tuple(views)


def answered(state: ReviewState, code: str) -> tuple[tuple[Position, ...], tuple[Defence, ...]]:
    """A specialist's challenges that an author answered by standing by the finding, with the answers (R38)."""
    stands = {each.finding_id: each for each in state.defences if each.stands}
    mine = tuple(
        each
        for each in state.positions
        if each.specialist == code and each.stance is Stance.CHALLENGE and each.finding_id in stands
    )
    return mine, tuple(stands[name] for name in dict.fromkeys(each.finding_id for each in mine))


def opening_tasks(state: ReviewState) -> tuple[tuple[ReviewTask, ...], tuple[Routed, ...]]:
    """What specialists asked to see, shown in the same round, so that a challenge of it can still be answered (R14, R38)."""
    tasks: list[ReviewTask] = []
    views: list[Routed] = []
    for specialist in voters(state):
        wanted = tuple(name for code, name in state.wishes if code == specialist.code)
        shown = tuple(each for each in state.findings if each.id in wanted)
        if shown:
            task = _task(state, Work.CHALLENGE, specialist, state.round, "opened")
            tasks.append(replace(task, shown=shown, warnings=_warnings(state, specialist)))
            views.append(Routed(specialist.code, (), wanted))
    return tuple(tasks), tuple(views)


def last_round(state: ReviewState) -> bool:
    return state.round >= state.wanted.iterations


def defence_tasks(state: ReviewState) -> tuple[ReviewTask, ...]:
    """Authors whose findings were challenged anew in this round answer."""
    tasks: list[ReviewTask] = []
    for specialist in voters(state):
        own = {each.id for each in state.findings if each.specialist == specialist.code}
        against = tuple(each for each in state.fresh if each.finding_id in own)
        if against:
            challenged = {each.finding_id for each in against}
            mine = tuple(each for each in state.findings if each.id in challenged)
            tasks.append(replace(_task(state, Work.DEFEND, specialist, state.round), own=mine, against=against))
    return tuple(tasks)


def retry(task: ReviewTask) -> ReviewTask:
    return replace(task, attempt=task.attempt + 1, id=f"{task.agent_id}-try{task.attempt + 1}")


def _warnings(state: ReviewState, specialist: Specialist) -> tuple[str, ...]:
    others = (each for each in state.histories if each.code != specialist.code)
    return tuple(f"{each.code}: {why}" for each in others if (why := inflated(each.findings)))


def _task(state: ReviewState, work: Work, specialist: Specialist, iteration: int, part: str = "") -> ReviewTask:
    name = f"{specialist.code}-{work.name.lower()}-{iteration}" + (f"-{part}" if part else "")
    files = state.scope.paths if state.scope else ()
    lost = any(each.lost for each in state.histories if each.code == specialist.code)
    return ReviewTask(f"{name}-try1", name, work, specialist, iteration, 1, files=files, alone=lost)
