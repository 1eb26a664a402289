"""Closes an iteration: which proposals are accepted, what the counts say, whether to ask the user (P5, P6, P8, P9, P13)."""

from collections import defaultdict
from dataclasses import replace

from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Question, Standing, Weight
from counterproof.model.plan.iteration import Convergence, Decision, IterationState
from counterproof.model.plan.research import MEMORY, Directive, Unknown, UnknownResolution
from counterproof.protocols.plan import convergence, directives, guards, same_place, standing
from counterproof.protocols.plan.intake import ordered
from counterproof.protocols.plan.state import PlanState


def close_iteration(state: PlanState) -> PlanState:
    """Apply the synthesiser's proposals, decide, and record the iteration."""
    replies = [done.reply for done in ordered(state)]
    state = _apply(state, [*_decided(state), *(wish for reply in replies for wish in reply.proposals)])
    decision = convergence.decide(state.challenges, state.iteration, confirmed(state))
    state = _accept_directives(state, [each for reply in replies for each in reply.directives])
    degraded = guards.degraded(state.opening, state.challenges, state.brief if state.iteration == 1 else ())
    if degraded:
        state = replace(
            state, log=(*state.log, f"DEGRADATION in iteration {state.iteration}: more challenges were raised than resolved")
        )
    offered = [each for reply in replies for each in reply.questions]
    questions = _questions(state, decision, offered)
    unasked = {each.challenge_id for each in offered} - {each.challenge_id for each in questions}
    state = replace(
        state,
        log=(
            *state.log,
            *(f"the question on {name[:40]} is not asked: it does not wait for the user" for name in sorted(unasked)),
        ),
    )
    finished = IterationState(
        iteration=state.iteration,
        plan_path=state.request.plan if state.request else "",
        plan_quality=state.quality,
        team_mode=state.team,
        challenges=state.challenges,
        unknowns=state.unknowns,
        surfaced_contexts=state.contexts,
        probed_risks=state.risks,
        convergence=decision,
        user_responses=tuple(each for each in state.responses if each.iteration == state.iteration),
        synthesizer_directives=tuple(str(each) for each in state.directives),
    )
    return replace(state, decision=decision, questions=questions, tightened=degraded, iterations=(*state.iterations, finished))


def _decided(state: PlanState) -> list[Proposal]:
    """The user's decisions for this iteration as proposals of the engine; no agent has to pass them on (P19)."""
    standing_ids = {each.id for each in state.challenges if each.counts}
    return [
        Proposal(each.challenge_id, Standing.RESOLVED, each.decision, Basis.USER)
        for each in state.responses
        if each.iteration == state.iteration and each.decision and each.challenge_id in standing_ids
    ]


def confirmed(state: PlanState) -> tuple[str, ...]:
    """The challenges that analysis proved, or that research confirms at their own place and refutes nowhere: errors of the plan,
    on which nobody needs to be asked. Which of two decisions of the user holds, only the user can say."""
    settled = _answered(state, UnknownResolution.CONFIRMED).keys() - _answered(state, UnknownResolution.REFUTED).keys()
    remembered = {each.challenge_id for each in state.grounds if all(place.startswith(MEMORY) for place in each.places)}
    remembered -= {each.challenge_id for each in state.grounds if not each.places}
    return tuple(each.id for each in state.challenges if each.id in (settled | {*state.proved}) - remembered)


def _answered(state: PlanState, resolution: UnknownResolution) -> dict[str, list[str]]:
    """The unknowns with this resolution that cite the place of their challenge, by challenge (P22)."""
    found: dict[str, list[str]] = defaultdict(list)
    grounds = {each.challenge_id: each for each in state.grounds}
    for each in state.unknowns:
        ground = grounds.get(each.affects_challenge)
        if each.resolution is resolution and ground and same_place.cites(each, ground):
            found[each.affects_challenge].append(each.id)
    return found


def _known(state: PlanState) -> standing.Known:
    refuting = _answered(state, UnknownResolution.REFUTED)
    decided = tuple(each.challenge_id for each in state.responses if each.decision)
    return standing.Known(state.evidence, decided, refuting, state.proved, state.established)


def _apply(state: PlanState, wishes: list[Proposal]) -> PlanState:
    known = _known(state)
    challenges = {each.id: each for each in state.challenges}
    log = list(state.log)
    for wish in wishes:
        challenge = challenges.get(wish.challenge_id)
        why = standing.refusal(challenge, wish, known) if challenge else f"{wish.challenge_id[:40]} does not exist"
        if challenge is None or why:
            log.append(f"refused: {why}")
        else:
            challenges[challenge.id] = standing.moved(challenge, wish)
    return replace(state, challenges=tuple(challenges.values()), log=tuple(log))


def _accept_directives(state: PlanState, wishes: list[Directive]) -> PlanState:
    record = directives.Record(
        iteration=state.iteration,
        challenges=state.challenges,
        before=state.opening,
        contexts=state.contexts,
        fresh_unknowns=tuple(each for each in state.unknowns if each.id in state.fresh_unknowns),
        responses=state.responses,
        ledger=state.ledger,
    )
    judged = [(each, directives.refusal(each, record)) for each in wishes]
    return replace(
        state,
        directives=tuple(each for each, why in judged if not why),
        log=state.log + tuple(f"refused: {why}" for _, why in judged if why),
    )


def _questions(state: PlanState, decision: Decision, offered: list[Question]) -> tuple[Question, ...]:
    """The questions for the user. Agents may word a question; whether it is asked follows from the record."""
    reasons: dict[str, str] = {}
    status, known = decision.status, () if decision.status is Convergence.FORCED_EXIT else confirmed(state)
    if decision.blocking_open:
        blocking = (each for each in state.challenges if each.counts and each.severity is Weight.BLOCKING)
        reasons |= {each.id: "it blocks the plan" for each in blocking if each.id not in known}
    if status is Convergence.CONTINUE:
        if state.iteration > 1 and convergence.stalled(state.opening, state.challenges):
            standing_ids = [each.id for each in state.challenges if each.counts and each.severity != "MINOR"]
            reasons |= dict.fromkeys(standing_ids, "nothing changed since the previous iteration")
        reasons |= dict.fromkeys(contradicted(state.unknowns, state.challenges), "research contradicts itself")
    worded = {each.challenge_id: each.text.strip() for each in offered}
    return tuple(
        Question(each.id, _asked(each, worded.get(each.id, "")), reasons[each.id])
        for each in state.challenges
        if each.id in reasons
    )


def contradicted(unknowns: tuple[Unknown, ...], challenges: tuple[Challenge, ...]) -> tuple[str, ...]:
    """Unsettled challenges on which the same thing was both confirmed and refuted."""
    words: dict[tuple[str, str], set[UnknownResolution]] = defaultdict(set)
    for each in unknowns:
        words[(each.affects_challenge, " ".join(each.description.lower().split()))].add(each.resolution)
    both = {UnknownResolution.CONFIRMED, UnknownResolution.REFUTED}
    torn = {challenge for (challenge, _), seen in words.items() if both <= seen}
    return tuple(each.id for each in challenges if each.counts and each.id in torn)


def _asked(challenge: Challenge, offered: str) -> str:
    """The concern and the decision to make; an offered wording that states the concern itself is used alone."""
    concern = challenge.concern.rstrip(".")
    return offered if concern in offered else f"{concern}. {offered or 'What should the plan do about it?'}"
