"""The specialists that each stage uses, and what each is shown: its own findings in full, others' only as routed (R9)."""

from dataclasses import replace

from counterproof.model.review.comment import EXTERNAL
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding, Shown
from counterproof.model.review.position import Defence, Position, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.protocols.review.guardrails import inflated
from counterproof.protocols.review.presets import Preset
from counterproof.protocols.review.routing import Routed, routed, second_reader
from counterproof.protocols.review.state import History, ReviewState

ATTEMPTS = 3
"""One attempt and two retries by fresh agents after failed output (R7)."""

ADVOCATE = Specialist("DEVIL", "devil's advocate", ("everything",))


def team(state: ReviewState) -> Profile:
    assert state.profile is not None
    return state.profile


def refine_task(state: ReviewState, history: History) -> ReviewTask:
    """The next iteration of one specialist, which sees only its own findings."""
    specialist = next(each for each in team(state).specialists if each.code == history.code)
    iteration = len(history.iterations) + 1
    task = _task(state, Work.REFINE, specialist, iteration)
    task = replace(task, own=history.findings, answers=history.answers)
    return replace(task, last=iteration >= state.wanted.iterations)


def voters(state: ReviewState) -> tuple[Specialist, ...]:
    """The specialists in the challenge round, without excluded ones."""
    out = {each.code for each in state.histories if each.excluded}
    return tuple(each for each in team(state).specialists if each.code not in out)


def challenge_tasks(state: ReviewState) -> tuple[tuple[ReviewTask, ...], tuple[Routed, ...]]:
    """One task per specialist that has a question to answer; with one specialist the devil's advocate (R17, R43).

    In the first round the questions are findings that `needs_challenge` selects; later they are defences against its
    challenges, and such findings that it has not been shown; in a thorough review then every finding that it has not been
    shown (R16).
    """
    present = voters(state)
    thorough = state.wanted.preset is Preset.THOROUGH and state.round > 1
    questions = tuple(each for each in state.findings if thorough or needs_challenge(state, each))
    if len(present) == 1:
        task = replace(_task(state, Work.ADVOCATE, ADVOCATE, state.round), shown=questions, last=True)
        return ((task,) if questions else ()), ()
    tasks: list[ReviewTask] = []
    views: list[Routed] = []
    for specialist in present:
        known = {finding for code, finding in state.opened if code == specialist.code}
        mine, answers = answered(state, specialist.code)
        disputed = {each.finding_id for each in mine}
        view = routed(specialist, questions, known)
        mine_to_read = [each for each in questions if second_reader(present, each.specialist) == specialist.code]
        asked = [each for each in questions if each.specialist != specialist.code and each.id not in known]
        asked = [each for each in asked if thorough or each.id in view.full or each in mine_to_read]
        whole = tuple(each for each in state.findings if each in asked or each.id in disputed)
        if whole:
            task = _task(state, Work.CHALLENGE, specialist, state.round)
            others = tuple(each for each in questions if each.specialist != specialist.code and each not in whole)
            task = replace(task, lines=view.lines, shown=whole, others=others, against=mine, defences=answers)
            tasks.append(replace(task, last=last_round(state), warnings=_warnings(state, specialist)))
            views.append(replace(view, full=tuple(each.id for each in whole)))
    return tuple(tasks), tuple(views)


def needs_challenge(state: ReviewState, finding: ReviewFinding) -> bool:
    """True if specialists disagree on a finding, if it is Critical or Important and only one specialist saw it, or if it is an
    external comment, which needs a ruling (R43)."""
    positions = [each for each in state.positions if each.finding_id == finding.id and each.stance is not Stance.ABSTAIN]
    disputed = any(each.stance is Stance.CHALLENGE or each.severity is not finding.severity for each in positions)
    alone = finding.shown is not Shown.MINOR and not any(each.stance is Stance.AGREE for each in positions)
    return disputed or alone or finding.specialist == EXTERNAL


def answered(state: ReviewState, code: str) -> tuple[tuple[Position, ...], tuple[Defence, ...]]:
    """A specialist's challenges whose author defended the finding, with the defences (R38)."""
    stands = {each.finding_id: each for each in state.defences if each.stands}
    mine = tuple(
        each
        for each in state.positions
        if each.specialist == code and each.stance is Stance.CHALLENGE and each.finding_id in stands
    )
    return mine, tuple(stands[name] for name in dict.fromkeys(each.finding_id for each in mine))


def last_round(state: ReviewState) -> bool:
    return state.round >= state.wanted.iterations


def defence_tasks(state: ReviewState) -> tuple[ReviewTask, ...]:
    """Tasks for authors whose findings were newly challenged in this round."""
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


def _task(state: ReviewState, work: Work, specialist: Specialist, iteration: int) -> ReviewTask:
    name = f"{specialist.code}-{work.name.lower()}-{iteration}"
    files = state.scope.paths if state.scope else ()
    lost = any(each.lost for each in state.histories if each.code == specialist.code)
    return ReviewTask(f"{name}-try1", name, work, specialist, iteration, 1, files=files, alone=lost)
