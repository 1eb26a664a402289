"""Takes in agents' replies: validates them, numbers their items across agents and iterations, admits them within the guards.

Invariant: rejections are logged with their reason; the result depends on the order of the tasks, not of the replies.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.plan.challenge import Challenge, Raiser, Standing, Weight
from counterproof.model.plan.contract import EMPTY_SEARCH, Grounds, PlanReply, PlanRole, PlanTask, SourceCheck
from counterproof.model.plan.report import ResearchEntry
from counterproof.model.plan.research import ResearchMode, Unknown, UnknownResolution, quoted, verified
from counterproof.protocols.plan import guards, same_place
from counterproof.protocols.plan.events import TaskDone
from counterproof.protocols.plan.state import PlanState

MAX_SHOWN = 4
"""The most lines per side shown with a challenge."""

_RAISES: dict[tuple[PlanRole, ResearchMode | None], Raiser] = {
    (PlanRole.CHALLENGER, None): Raiser.CHALLENGER,
    (PlanRole.DOMAIN_EXPERT, None): Raiser.DOMAIN_EXPERT,
    (PlanRole.DEVILS_ADVOCATE, None): Raiser.DEVILS_ADVOCATE,
    (PlanRole.RESEARCHER, ResearchMode.SURFACE): Raiser.SURFACED,
    (PlanRole.RESEARCHER, ResearchMode.PROBE): Raiser.PROBED,
}
"""The only roles that may raise challenges, with the name under which they do."""


def invalid(task: PlanTask, reply: PlanReply) -> str:
    """Why a reply is not valid for its task; '' if it is (P4)."""
    if reply.agent_id != task.agent_id or reply.iteration != task.iteration:
        return f"{task.agent_id}: the reply belongs to another agent or iteration"
    if not reply.ended:
        return f"{task.agent_id}: the reply was cut off"
    origin = _RAISES.get((task.role, task.mode)) if not task.scoring else None
    for each in reply.challenges:
        if each.origin is not origin:
            return f"{task.agent_id}: may not raise challenges as {each.origin}"
    return _misplaced(task, reply) or _repeated(task, reply)


def _misplaced(task: PlanTask, reply: PlanReply) -> str:
    """Items that the role may not submit."""
    allowed = {
        "unknowns": task.mode is ResearchMode.RESOLVE,
        "contexts": task.mode is ResearchMode.SURFACE,
        "risks": task.mode is ResearchMode.PROBE,
        "proposals": task.role is PlanRole.SYNTHESIZER,
        "directives": task.role is PlanRole.SYNTHESIZER,
        "questions": task.role is PlanRole.SYNTHESIZER,
    }
    for name, may in allowed.items():
        if getattr(reply, name) and not may:
            return f"{task.agent_id} may not submit {name}"
    if task.scoring and reply.card is None:
        return f"{task.agent_id}: the score card is missing"
    return ""


def _repeated(task: PlanTask, reply: PlanReply) -> str:
    for items in (reply.challenges, reply.unknowns, reply.contexts, reply.risks):
        ids = [each.id for each in items]
        if len(ids) != len(set(ids)):
            return f"{task.agent_id}: an id is used twice"
    known = {each.id for each in task.challenges}
    for each in reply.unknowns:
        if each.affects_challenge not in known:
            return f"{task.agent_id}: {each.id} affects {each.affects_challenge}, which does not exist"
    own = {each.id for each in reply.challenges} | {"null"}
    for each in (*reply.contexts, *reply.risks):
        if each.generates_challenge not in own:
            return f"{task.agent_id}: {each.id} generates {each.generates_challenge}, which it did not raise"
    return ""


def take_challenges(state: PlanState, opening: bool) -> PlanState:
    """Admit the collected challenges. All of them get ids, so that those set aside can be referred to. A challenge whose
    re-read sources do not contradict the plan is recorded but not admitted (P20)."""
    numbered: list[Challenge] = []
    bare: list[Challenge] = []
    repeated: list[tuple[str, Challenge]] = []
    grounds: list[Grounds] = []
    added: list[Grounds] = []
    proved: list[str] = []
    renamed: dict[tuple[str, str], str] = {}
    count = len(state.challenges) + len(state.set_aside) + len(state.ungrounded) + len(state.merged)
    for done in ordered(state):
        resting = {each.challenge_id: each for each in done.reply.grounds}
        others = list(numbered)
        for each in done.reply.challenges:
            count += 1
            name = f"C{count}"
            fresh = replace(each, id=name, status=Standing.OPEN, resolution="", iteration_introduced=state.iteration)
            ground = _held(resting.get(each.id), done.checks)
            if ground is None:
                bare.append(fresh)
                continue
            sure = [one for one in numbered if one.id in proved and each.id not in done.reply.established]
            first = same_place.repeats(fresh, ground, _known(state, [*others, *sure], grounds))
            if first:
                repeated.append((first, fresh))
                added.append(replace(ground, challenge_id=first))
                renamed[(done.answers, each.id)] = first
                continue
            renamed[(done.answers, each.id)] = name
            numbered.append(fresh)
            grounds.append(replace(ground, challenge_id=name))
            proved += [name] if each.id in done.reply.established else []
    numbered, state = _heavier(numbered, repeated), _merged(state, repeated)
    grounds = [same_place.joined(each, added) for each in grounds]
    state = replace(state, grounds=tuple(same_place.joined(each, added) for each in state.grounds))
    checked = {check.source: check for done in state.collected for check in done.checks if check.line}
    seen = [checked[each] for ground in grounds for each in _shown_of(ground) if each in checked]
    lines = dict(state.lines) | {each.source: each.line for each in seen}
    excerpts = dict(state.excerpts) | {each.source: each.excerpt for each in seen if each.excerpt}
    state = replace(state, lines=tuple(sorted(lines.items())), excerpts=tuple(sorted(excerpts.items(), key=lambda each: each[0])))
    return _take_exploration(_let_in(state, opening, numbered, bare, grounds, (*state.proved, *proved)), renamed)


def _known(state: PlanState, numbered: list[Challenge], grounds: list[Grounds]) -> list[tuple[Challenge, Grounds]]:
    """All earlier challenges, settled ones too, with their grounds."""
    resting = {each.challenge_id: each for each in (*state.grounds, *grounds)}
    return [(each, resting[each.id]) for each in (*state.challenges, *state.set_aside, *numbered) if each.id in resting]


def _heavier(known: Iterable[Challenge], repeated: list[tuple[str, Challenge]]) -> list[Challenge]:
    """Challenges that are not settled, each with the highest severity that any role gave it."""
    found: list[Challenge] = []
    for each in known:
        ranks = [other.severity.rank for first, other in repeated if first == each.id]
        heavier = list(Weight)[min([each.severity.rank, *ranks])]
        if heavier is not each.severity and (each.counts or each.status is Standing.DEFERRED):
            each = replace(each, severity=heavier, status=Standing.OPEN)
        found.append(each)
    return found


def _merged(state: PlanState, repeated: list[tuple[str, Challenge]]) -> PlanState:
    """Merge challenges with one concern, whoever raises them and however often (P22). Their words stay on record."""
    log = [f"{each.id} by {each.origin.value} concerns the lines of {first} and is reported with it" for first, each in repeated]
    challenges = tuple(_heavier(state.challenges, repeated))
    return replace(state, challenges=challenges, merged=(*state.merged, *repeated), log=state.log + tuple(log))


def _shown_of(ground: Grounds) -> tuple[str, ...]:
    """The locations whose lines are shown side by side."""
    return (*ground.plan_sources[:MAX_SHOWN], *ground.places[:MAX_SHOWN])


def _held(ground: Grounds | None, checks: tuple[SourceCheck, ...]) -> Grounds | None:
    """The part of the grounds that re-reading confirmed; None if nothing is left."""
    found = {check.source for check in checks if check.found}
    if ground is None or not any(source in found for source in ground.sources):
        return None
    words = tuple(word for word in ground.search if f"{EMPTY_SEARCH}{word}" in found)
    return replace(ground, places=tuple(place for place in ground.places if place in found), search=words)


def _let_in(
    state: PlanState,
    opening: bool,
    numbered: list[Challenge],
    bare: list[Challenge],
    grounds: list[Grounds],
    proved: tuple[str, ...],
) -> PlanState:
    admission = guards.admit(numbered, state.challenges, state.researched, state.tightened, proved)
    fresh = tuple(sorted(admission.admitted, key=_number))
    aside = (*admission.set_aside, *admission.displaced)
    kept = tuple(each for each in state.challenges if each not in admission.displaced)
    log = [f"{each.id} set aside: {guards.SET_ASIDE}" for each in aside]
    log += [f"{each.id} is not upheld: no line and no empty search contradicts the plan" for each in bare]
    return replace(
        state,
        challenges=kept + fresh,
        grounds=state.grounds + tuple(grounds),
        proved=proved,
        ungrounded=state.ungrounded + tuple(bare),
        set_aside=state.set_aside + tuple(sorted(aside, key=_number)),
        brief=tuple(each.id for each in fresh) if opening else state.brief,
        researched=state.researched + sum(each.origin in (Raiser.SURFACED, Raiser.PROBED) for each in fresh),
        log=state.log + tuple(log),
    )


def _take_exploration(state: PlanState, renamed: dict[tuple[str, str], str]) -> PlanState:
    """Drop contexts whose location does not exist; update references to the new numbers."""
    contexts, risks, evidence, log = list(state.contexts), list(state.risks), list(state.evidence), list(state.log)
    for done in ordered(state):
        found = {check.source: check for check in done.checks}
        for each in done.reply.contexts:
            check = found.get(each.location, SourceCheck(each.location, False, "it was not checked"))
            if not check.found:
                said = f"{each.relevance[:300]} ({each.location[:200]})"
                log.append(f"{done.reply.agent_id}: context dropped, {check.why}: {said}")
                continue
            name = f"S{len(contexts) + 1}"
            generated = renamed.get((done.answers, each.generates_challenge), "null")
            contexts.append(replace(each, id=name, generates_challenge=generated))
            evidence += [name, each.location]
        for each in done.reply.risks:
            generated = renamed.get((done.answers, each.generates_challenge), "null")
            risks.append(replace(each, id=f"P{len(risks) + 1}", generates_challenge=generated))
    return replace(state, contexts=tuple(contexts), risks=tuple(risks), evidence=tuple(evidence), log=tuple(log))


def take_unknowns(state: PlanState) -> PlanState:
    """An unknown whose source does not exist, or whose quotation does not occur there, is unresolvable, whatever its author
    says (P11, P19)."""
    unknowns, evidence, fresh, log = list(state.unknowns), list(state.evidence), list[str](), list(state.log)
    established = list(state.established)
    for done in ordered(state):
        found = {check.source: check for check in done.checks}
        for each in done.reply.unknowns:
            kept, why = _checked(replace(each, id=f"U{len(unknowns) + 1}"), found)
            if any(replace(one, id=kept.id) == kept for one in unknowns):
                continue  # a repeated answer adds nothing
            if why:
                log.append(f"{kept.id}: {why}")
            unknowns.append(kept)
            fresh.append(kept.id)
            parts = verified(kept.finding)
            if kept.resolution is not UnknownResolution.UNRESOLVABLE and parts:
                evidence += [kept.id, parts.source]
                established += [kept.id] if each.id in done.reply.established else []
    return replace(
        state,
        unknowns=tuple(unknowns),
        evidence=tuple(evidence),
        established=tuple(established),
        fresh_unknowns=state.fresh_unknowns + tuple(fresh),
        log=tuple(log),
    )


def _checked(unknown: Unknown, found: dict[str, SourceCheck]) -> tuple[Unknown, str]:
    parts = verified(unknown.finding)
    if unknown.resolution is UnknownResolution.UNRESOLVABLE or parts is None:
        return unknown, ""
    check = found.get(parts.source, SourceCheck(parts.source, False, "it was not checked"))
    why = "" if check.found else f"its source {parts.source[:200]} could not be verified: {check.why}"
    if check.found and quoted(parts.finding) not in check.quoted:
        why = f"it quotes no text found at its source {parts.source[:200]}"
    return (replace(unknown, resolution=UnknownResolution.UNRESOLVABLE, finding=why), why) if why else (unknown, "")


def record_usage(state: PlanState) -> PlanState:
    """Record research's tool use from the toolbox."""
    modes = {task.id: task.mode for task in state.tasks}
    entries = tuple(
        ResearchEntry(state.iteration, done.reply.agent_id, modes.get(done.answers), done.used)
        for done in ordered(state)
        if modes.get(done.answers) is not None
    )
    return replace(state, ledger=state.ledger + entries)


def ordered(state: PlanState) -> tuple[TaskDone, ...]:
    """The collected replies in task order."""
    by_id = {done.answers: done for done in state.collected}
    return tuple(by_id[task.id] for task in state.tasks if task.id in by_id)


def _number(challenge: Challenge) -> int:
    return int(challenge.id[1:])
