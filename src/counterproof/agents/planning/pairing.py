"""A model's reply beside the embedded agent's: two witnesses, one reply.

Always: what the embedded agent established is in the reply, whatever the model said; a model's places are looked up and those
that do not exist are dropped; a model cannot talk away what research confirmed, nor block a plan without a place in the
repository. What is dropped is noted.
"""

from dataclasses import replace

from counterproof.model.plan.challenge import Challenge, Proposal, Weight
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import ResearchMode, Unknown, UnknownResolution
from counterproof.toolbox.plan_tools import PlanTools

MAX_NOTED = 5


def paired(task: PlanTask, tools: PlanTools, said: PlanReply, seen: PlanReply) -> PlanReply:
    """Both, the embedded agent's items first."""
    if task.scoring:
        return said
    if task.mode is ResearchMode.RESOLVE:
        return _resolved(task, said, seen)
    if task.role is PlanRole.SYNTHESIZER:
        return _weighed(task, said, seen)
    return _raised(task, tools, said, seen)


def _raised(task: PlanTask, tools: PlanTools, said: PlanReply, seen: PlanReply) -> PlanReply:
    """Challenges of both, with contexts and risks, numbered on from the embedded agent's."""
    known = {" ".join(each.claim.lower().split()) for each in (*task.challenges, *seen.challenges)}
    challenges, grounds, notes = list(seen.challenges), list(seen.grounds), [*seen.notes, *said.notes]
    renamed = {"null": "null"}
    for each in said.challenges:
        ground = _looked_up(tools, next(one for one in said.grounds if one.challenge_id == each.id))
        if not ground.plan_lines or " ".join(each.claim.lower().split()) in known:
            notes.append(f"{task.agent_id}: a challenge was dropped: it names no line of the plan, or repeats another")
            continue
        name = f"C{len(challenges) + 1}"
        renamed[each.id] = name
        challenges.append(replace(_bounded(each, ground), id=name))
        grounds.append(replace(ground, challenge_id=name))
    contexts = [
        *seen.contexts,
        *(replace(e, generates_challenge=renamed.get(e.generates_challenge, "null")) for e in said.contexts),
    ]
    risks = [
        *seen.risks,
        *(replace(each, generates_challenge=renamed.get(each.generates_challenge, "null")) for each in said.risks),
    ]
    return replace(
        seen,
        challenges=tuple(challenges),
        grounds=tuple(grounds),
        contexts=tuple(replace(each, id=f"S{number}") for number, each in enumerate(contexts, 1)),
        risks=tuple(replace(each, id=f"P{number}") for number, each in enumerate(risks, 1)),
        notes=tuple(dict.fromkeys(notes))[: MAX_NOTED + len(seen.notes)],
    )


def _looked_up(tools: PlanTools, ground: Grounds) -> Grounds:
    """The lines and places that exist."""
    lines = tuple(number for number in ground.plan_lines if 0 < number <= tools.bench.outline.lines)
    return replace(ground, plan_lines=lines, places=tuple(each for each in ground.places if tools.check(each).found))


def _bounded(challenge: Challenge, ground: Grounds) -> Challenge:
    blocking = challenge.severity is Weight.BLOCKING and not ground.places
    return replace(challenge, severity=Weight.SIGNIFICANT) if blocking else challenge


def _resolved(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The embedded researcher's word where it has one; the model's where the code alone had no answer."""
    words: dict[str, Unknown] = {}
    for each in said.unknowns:
        words.setdefault(each.affects_challenge, each)
    kept = [
        words.get(each.affects_challenge, each) if each.resolution is UnknownResolution.UNRESOLVABLE else each
        for each in seen.unknowns
    ]
    return replace(seen, unknowns=tuple(replace(each, id=f"U{number}") for number, each in enumerate(kept, 1)))


def _weighed(task: PlanTask, said: PlanReply, seen: PlanReply) -> PlanReply:
    """The model's wishes, except about what research confirmed or refuted, and what the user answered."""
    answered = {each.challenge_id for each in task.responses}
    latest = {each.affects_challenge: each.resolution for each in task.unknowns}
    settled = {UnknownResolution.CONFIRMED, UnknownResolution.REFUTED, UnknownResolution.PARTIALLY_RESOLVED}
    wishes: dict[str, Proposal] = {each.challenge_id: each for each in seen.proposals}
    for each in said.proposals:
        if each.challenge_id in wishes and each.challenge_id not in answered and latest.get(each.challenge_id) not in settled:
            wishes[each.challenge_id] = each
    questions = {each.challenge_id: each for each in (*seen.questions, *said.questions)}
    return replace(seen, proposals=tuple(wishes.values()), questions=tuple(questions.values()))
