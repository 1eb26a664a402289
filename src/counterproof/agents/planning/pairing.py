"""A model's reply beside the embedded agent's: two witnesses, one reply.

Invariant: what the embedded agent handed in is in the reply whole, and marked as established; what a model adds stands beside it
and replaces nothing. Whether a model's items hold is decided by the engine, from sources that are re-read. A model's reply with
which the whole would be no valid answer is left out, and said to be.
"""

from dataclasses import replace

from counterproof.model.plan.challenge import Challenge, Proposal, Weight
from counterproof.model.plan.contract import PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import ResearchMode, UnknownResolution
from counterproof.protocols.plan.intake import invalid

MAX_NOTED = 5


def paired(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """Both, the embedded agent's items first; `seen` says which are established."""
    if said.unreviewed:
        return replace(seen, unreviewed=said.unreviewed, over_budget=said.over_budget, notes=(*seen.notes, *said.notes))
    if task.scoring:
        return said
    if task.mode is ResearchMode.RESOLVE:
        both = _resolved(task, said, seen)
    elif task.role is PlanRole.SYNTHESIZER:
        both = _weighed(task, said, seen)
    else:
        both = _raised(task, said, seen)
    why = invalid(task, both)
    return replace(seen, unreviewed=f"{task.agent_id}: the model's part was left out: {why}") if why else both


def _raised(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """Challenges of both, with contexts and risks, numbered on from the embedded agent's."""
    known = {" ".join(each.claim.lower().split()) for each in (*task.challenges, *seen.challenges)}
    challenges, grounds, notes = list(seen.challenges), list(seen.grounds), [*seen.notes, *said.notes]
    renamed = {"null": "null"}
    for each in said.challenges:
        if " ".join(each.claim.lower().split()) in known:
            notes.append(f"{task.agent_id}: a challenge was dropped: it repeats another")
            continue
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
    """A model blocks a plan only with a place in the repository."""
    blocking = challenge.severity is Weight.BLOCKING and not places
    return replace(challenge, severity=Weight.SIGNIFICANT) if blocking else challenge


def _resolved(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The embedded researcher's word, and the model's where the code alone had no answer."""
    open_still = {each.affects_challenge for each in seen.unknowns if each.resolution is UnknownResolution.UNRESOLVABLE}
    known = {each.id for each in task.challenges}
    settled = {each.affects_challenge for each in seen.unknowns} - open_still
    added = [each for each in said.unknowns if each.affects_challenge in known - settled]
    start = len(seen.unknowns) + 1
    return replace(seen, unknowns=(*seen.unknowns, *(replace(each, id=f"U{number}") for number, each in enumerate(added, start))))


def _weighed(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The model's wishes after the embedded agent's, each judged by the engine; its questions and directives beside."""
    standing = {each.challenge_id: each for each in seen.proposals}
    wishes: list[Proposal] = [each for each in said.proposals if standing.get(each.challenge_id) != each]
    questions = {each.challenge_id: each for each in (*seen.questions, *said.questions)}
    return replace(
        seen,
        proposals=(*seen.proposals, *wishes),
        questions=tuple(questions.values()),
        directives=(*seen.directives, *said.directives),
    )
