"""The embedded researcher in its three modes: resolve unknowns, surface missed context, probe risks (P3, P10).

Invariant: a concern is confirmed by deriving it again from plan and code and quoting the line that shows it; code and history
are accessed only through the metered tools. What neither answers is unresolvable, and says so.
"""

import re
from dataclasses import dataclass, replace

from counterproof.agents.planning.surfacing import surroundings
from counterproof.agents.planning.worker import fresh, listen, raised
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Challenge, Raiser
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.research import (
    ResearchMode,
    Unknown,
    UnknownResolution,
    UnknownType,
    Verified,
)
from counterproof.model.text import MAX_TEXT
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanTools

TYPES: dict[Evidence, UnknownType] = {
    Evidence.ABSENT_PATH: UnknownType.FILE_MISSING,
    Evidence.OTHER_PLAN: UnknownType.FILE_MISSING,
    Evidence.DEPARTED: UnknownType.FILE_MISSING,
    Evidence.STATED: UnknownType.API_BEHAVIOR,
    Evidence.MISFIT: UnknownType.API_BEHAVIOR,
    Evidence.LEFT_CALLER: UnknownType.API_BEHAVIOR,
}
"""All others are INTEGRATION_UNKNOWN."""


WRONG = "the step cannot be implemented as written"
UNCLEAR = "to be clarified before the step is implemented"


@dataclass(frozen=True, slots=True)
class Answer:
    """The resolution of an unknown with its source, or the reason why there is none."""

    resolution: UnknownResolution
    source: str
    finding: str
    impact: str = WRONG


def research(task: PlanTask, tools: PlanTools) -> PlanReply:
    """One agent with three modes; the task selects one. Risks in prose are left to models: no line of the plan is contradicted
    by one (P20)."""
    if task.mode is ResearchMode.PROBE:
        return listen(task, tools)
    return _surface(task, tools) if task.mode is ResearchMode.SURFACE else _resolve(task, tools)


def _resolve(task: PlanTask, tools: PlanTools) -> PlanReply:
    """Derive each concern again; one search covers all words that must not occur."""
    settled = {each.affects_challenge for each in task.unknowns if each.resolution is not UnknownResolution.UNRESOLVABLE}
    pending = [each for each in task.challenges if each.counts and each.id not in settled]
    derived = {doubt.claim[:MAX_TEXT]: doubt for doubt in examine(tools.bench.case)}
    found = _found(tools, [derived[each.claim] for each in pending if each.claim in derived])
    unknowns: list[Unknown] = []
    for number, challenge in enumerate(pending, 1):
        doubt = derived.get(challenge.claim)
        kind = TYPES.get(doubt.evidence, UnknownType.INTEGRATION_UNKNOWN) if doubt else UnknownType.INTEGRATION_UNKNOWN
        answer = _on_record(task, challenge) or _settled(doubt, found, tools) or _beyond_the_code(kind, challenge, tools)
        unknowns.append(_unknown(number, challenge, kind, doubt.subject[:100] if doubt else "", answer, tools))
    return PlanReply(task.agent_id, task.iteration, unknowns=tuple(unknowns))


def _surface(task: PlanTask, tools: PlanTools) -> PlanReply:
    """At most two pieces of context become challenges; the others are information."""
    found = surroundings(tools)
    doubts = fresh([doubt for doubt, _ in found if doubt], task)[:2]
    challenges, grounds = raised(doubts, task, Raiser.SURFACED)
    named = {doubt: challenge.id for doubt, challenge in zip(doubts, challenges, strict=True)}
    contexts = tuple(
        replace(context, id=f"S{number}", generates_challenge=named.get(doubt, "null") if doubt else "null")
        for number, (doubt, context) in enumerate(found, 1)
    )
    return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, contexts=contexts)


def _found(tools: PlanTools, doubts: list[Doubt]) -> dict[str, str]:
    """Search the code for the words that the doubts claim are absent; return the first place of each word found."""
    words = tuple(dict.fromkeys(word for doubt in doubts for word in doubt.search))
    places: dict[str, str] = {}
    for hit in (tools.grep(words) if words else ()) or ():
        for word in words:
            if tools.bench.is_code(hit.path) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", hit.text):
                places.setdefault(word, hit.place)
    return places


def _settled(doubt: Doubt | None, found: dict[str, str], tools: PlanTools) -> Answer | None:
    """The concern derived again, with the first line that shows it."""
    if doubt is None:
        return None
    there = next((found[word] for word in doubt.search if word in found and "/" not in word), "")
    if there:
        return Answer(UnknownResolution.REFUTED, there, "the name is there", "the concern does not hold")
    places = [place for place in doubt.places if tools.check(place).found]
    source = places[0] if places else f"plan:{doubt.lines[0] if doubt.lines else 1}"
    return Answer(UnknownResolution.CONFIRMED, source, doubt.concern, UNCLEAR if doubt.is_question else WRONG)


def _beyond_the_code(kind: UnknownType, challenge: Challenge, tools: PlanTools) -> Answer:
    """Look up what the code cannot answer on the web, if the user configured it. Reading the results is left to people or
    models: the answer stays unresolvable and names the pages."""
    why = f"the code alone does not answer it{'' if tools.bench.web else ', and no web is configured'}"
    if tools.bench.web is not None and kind in budgets.FOR_THE_WEB:
        tools.grep(tuple(re.findall(r"`([\w.-]{3,60})", f"{challenge.claim} {challenge.concern}")[:5]))
        query = " ".join(re.findall(r"[\w.-]{2,40}", challenge.claim))[:150]
        text = tools.web_search(query, kind)
        found = [each for each in sorted(tools.bench.web.pages) if each in text][:3]
        why += f"; the web was searched for it: {', '.join(found)}" if found else f"; the web has no answer either: {text[:150]}"
    return Answer(UnknownResolution.UNRESOLVABLE, "", why)


def _on_record(task: PlanTask, challenge: Challenge) -> Answer | None:
    """A challenge from surfaced context rests on that context, whose location the engine has checked."""
    context = next((each for each in task.contexts if each.generates_challenge == challenge.id), None)
    if context is None:
        return None
    return Answer(UnknownResolution.CONFIRMED, context.location, context.relevance, "the plan goes against it")


def _unknown(number: int, challenge: Challenge, kind: UnknownType, word: str, answer: Answer, tools: PlanTools) -> Unknown:
    question = f"Does this hold: {challenge.concern}"[:1_500]
    finding = answer.finding[:1_000]
    if answer.resolution is not UnknownResolution.UNRESOLVABLE:
        quote = tools.line_at(answer.source)
        finding = str(Verified.of(answer.source, quote, answer.finding, answer.impact))
    return Unknown(f"U{number}", question, kind, challenge.id, word, answer.resolution, finding)
