"""Combines a model's reply with the embedded agent's: two witnesses, one reply.

Invariant: the embedded agent's items are all included and marked as established; a model's items are added and replace
nothing. The engine decides from re-read sources whether a model's items are valid. A model's reply that would make the whole
invalid is left out, with a note.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.model.plan.challenge import Challenge, Proposal, Weight
from counterproof.model.plan.contract import PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import ResearchMode, UnknownResolution
from counterproof.model.plan.score import Mark, ScoreCard
from counterproof.protocols.plan.intake import invalid

MAX_NOTED = 5


def paired(task: PlanTask, said: PlanReply, seen: PlanReply, unsupported: Callable[[Mark], str] = lambda _: "") -> PlanReply:
    """Both replies, the embedded agent's items first; `seen` says which are established. A mark without a supporting line is
    replaced by the embedded agent's (P22)."""
    if said.unreviewed:
        return replace(seen, unreviewed=said.unreviewed, over_budget=said.over_budget, notes=(*seen.notes, *said.notes))
    if task.scoring:
        return _marked(task, said, seen, unsupported)
    if task.mode is ResearchMode.RESOLVE:
        both = _resolved(task, said, seen)
    elif task.role is PlanRole.SYNTHESIZER:
        both = _weighed(task, said, seen)
    else:
        both = _raised(task, said, seen)
    why = invalid(task, both)
    return replace(seen, unreviewed=f"{task.agent_id}: the model's part was left out: {why}") if why else both


def _marked(task: PlanTask, said: PlanReply, seen: PlanReply, unsupported: Callable[[Mark], str]) -> PlanReply:
    if said.card is None or seen.card is None:
        return said
    bare = {each.aspect: why for each in said.card.marks if (why := unsupported(each))}
    marks = (own if own.aspect in bare else each for each, own in zip(said.card.marks, seen.card.marks, strict=True))
    notes = (f"{task.agent_id}: its mark for {aspect} does not count: {why}" for aspect, why in bare.items())
    return replace(said, card=ScoreCard(tuple(marks)), notes=(*said.notes, *notes))


def _raised(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The challenges, contexts and risks of both, numbered on from the embedded agent's."""
    challenges, grounds, notes = list(seen.challenges), list(seen.grounds), [*seen.notes, *said.notes]
    renamed = {"null": "null"}
    for each in said.challenges:
        ground = next(one for one in said.grounds if one.challenge_id == each.id)
        name = f"C{len(challenges) + 1}"
        renamed[each.id] = name
        challenges.append(replace(_bounded(each, ground.places), id=name))
        grounds.append(replace(ground, challenge_id=name))
    contexts = (
        *seen.contexts,
        *(replace(each, generates_challenge=renamed.get(each.generates_challenge, "null")) for each in said.contexts),
    )
    risks = (
        *seen.risks,
        *(replace(each, generates_challenge=renamed.get(each.generates_challenge, "null")) for each in said.risks),
    )
    return replace(
        seen,
        challenges=tuple(challenges),
        grounds=tuple(grounds),
        contexts=tuple(replace(each, id=f"S{number}") for number, each in enumerate(contexts, 1)),
        risks=tuple(replace(each, id=f"P{number}") for number, each in enumerate(risks, 1)),
        notes=tuple(dict.fromkeys(notes))[: MAX_NOTED + len(seen.notes)],
    )


def _bounded(challenge: Challenge, places: tuple[str, ...]) -> Challenge:
    """A model's challenge blocks a plan only with a location in the repository."""
    blocking = challenge.severity is Weight.BLOCKING and not places
    return replace(challenge, severity=Weight.SIGNIFICANT) if blocking else challenge


def _resolved(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The model's answers, then the embedded researcher's, unless it has none where the model has one. The last answer on a
    challenge is the embedded one, which the model's does not replace."""
    known = {each.id for each in task.challenges}
    added = [each for each in said.unknowns if each.affects_challenge in known]
    answered = {each.affects_challenge for each in added}
    dropped = [
        f"{task.agent_id}: no challenge {each.affects_challenge[:40]}: {each.finding}"
        for each in said.unknowns
        if each not in added
    ]
    own = [
        each
        for each in seen.unknowns
        if each.resolution is not UnknownResolution.UNRESOLVABLE or each.affects_challenge not in answered
    ]
    theirs = (replace(each, id=f"U{number}") for number, each in enumerate(added, len(seen.unknowns) + 1))
    established = tuple(each.id for each in own if each.id in seen.established)
    return replace(seen, unknowns=(*theirs, *own), established=established, notes=(*seen.notes, *dropped[:MAX_NOTED]))


def _weighed(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The model's proposals after the embedded agent's, each judged by the engine, with its questions and directives."""
    standing = {each.challenge_id: each for each in seen.proposals}
    wishes: list[Proposal] = [each for each in said.proposals if standing.get(each.challenge_id) != each]
    questions = {each.challenge_id: each for each in (*seen.questions, *said.questions)}
    return replace(
        seen,
        proposals=(*seen.proposals, *wishes),
        questions=tuple(questions.values()),
        directives=(*seen.directives, *said.directives),
    )
