"""The embedded researcher in its three modes: settle what is open, surface what was missed, probe what may go wrong (P3, P10).

Always: the code and its history are reached through the metered tools alone. With no web configured, what only the web
could answer is unresolvable, and says so.
"""

import re
from dataclasses import replace

from counterproof.agents.planning.settling import TYPES, Answer, settle, word_of
from counterproof.agents.planning.surfacing import surroundings
from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans import risks
from counterproof.analysis.plans.doubts import Doubt, read_claim
from counterproof.model.plan.challenge import Challenge, Origin, Weight
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.research import (
    Probability,
    ProbedRisk,
    ResearchMode,
    Unknown,
    UnknownResolution,
    UnknownType,
)
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import Hit, PlanTools


class EmbeddedResearcher:
    """One agent, three ways of working; the task says which."""

    def work(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        modes = {ResearchMode.RESOLVE: self._resolve, ResearchMode.SURFACE: self._surface, ResearchMode.PROBE: self._probe}
        return modes[task.mode or ResearchMode.RESOLVE](task, tools)

    def _resolve(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        """One search for all words together, then the files that matter."""
        settled = {each.affects_challenge for each in task.unknowns if each.resolution is not UnknownResolution.UNRESOLVABLE}
        pending = [each for each in task.challenges if each.counts and each.id not in settled]
        pairs = [(each, read_claim(each.claim)) for each in pending]
        words = tuple(dict.fromkeys(word for each, read in pairs for word in ([word_of(read)] if read else _marked(each))))
        hits = tools.grep(words) if words else ()
        unknowns: list[Unknown] = []
        for number, (challenge, read) in enumerate(pairs, 1):
            if read is None or hits is None:
                why = (
                    "the search budget is used up" if read else f"it is no question that the code alone answers{_webless(tools)}"
                )
                answer, kind = Answer(UnknownResolution.UNRESOLVABLE, "", why, ""), UnknownType.INTEGRATION_UNKNOWN
            else:
                answer = _on_record(task, challenge) or settle(read, _about(hits, word_of(read)), tools)
                kind = TYPES.get(read.kind, UnknownType.INTEGRATION_UNKNOWN)
            answer = _beyond_the_code(answer, kind, challenge, tools)
            unknowns.append(_unknown(number, challenge, kind, word_of(read) if read else "", answer))
        return PlanReply(task.agent_id, task.iteration, unknowns=tuple(unknowns))

    def _surface(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        """At most two challenges come of it; context without one informs."""
        found = surroundings(tools)
        doubts = fresh([doubt for doubt, _ in found if doubt], task)[:2]
        challenges, grounds = raised(doubts, task, Origin.SURFACED)
        named = {doubt: challenge.id for doubt, challenge in zip(doubts, challenges, strict=True)}
        contexts = tuple(
            replace(context, id=f"S{number}", generates_challenge=named.get(doubt, "null") if doubt else "null")
            for number, (doubt, context) in enumerate(found, 1)
        )
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, contexts=contexts)

    def _probe(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        case = tools.bench.case
        doubts = [*risks.no_way_back(case), *_failing(tools), *risks.great_promises(case)]
        doubts = [each for each in fresh(doubts, task) if each.weight is not Weight.MINOR][:2]
        challenges, grounds = raised(doubts, task, Origin.PROBED)
        found = tuple(
            ProbedRisk(f"P{number}", doubt.concern, doubt.claim, doubt.scenario, Probability.MED, doubt.weight, challenge.id)
            for number, (doubt, challenge) in enumerate(zip(doubts, challenges, strict=True), 1)
        )
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, risks=found)


def _marked(challenge: Challenge) -> list[str]:
    """The words in code marks of a claim that is not in our own form."""
    return re.findall(r"`([\w.-]{3,60})(?:\([^`]{0,80}\))?`", f"{challenge.claim} {challenge.concern}")[:5]


def _webless(tools: PlanTools) -> str:
    return "" if tools.bench.web else ", and no web is configured"


def _beyond_the_code(answer: Answer, kind: UnknownType, challenge: Challenge, tools: PlanTools) -> Answer:
    """What the code could not answer is looked up on the web where the user configured one. Reading is left to people or models:
    the answer stays unresolvable and names where to look."""
    if answer.resolution is not UnknownResolution.UNRESOLVABLE or tools.bench.web is None or kind not in budgets.FOR_THE_WEB:
        return answer
    query = " ".join(re.findall(r"[\w.-]{2,40}", challenge.claim))[:150]
    text = tools.web_search(query, kind)
    found = [each for each in sorted(tools.bench.web.addresses) if each in text][:3]
    said = f"the web was searched for it: {', '.join(found)}" if found else f"the web has no answer either: {text[:150]}"
    return replace(answer, finding=f"{answer.finding}; {said}")


def _on_record(task: PlanTask, challenge: Challenge) -> Answer | None:
    """A challenge that came of surfaced context rests on that context, whose place the engine has checked."""
    context = next((each for each in task.contexts if each.generates_challenge == challenge.id), None)
    if context is None:
        return None
    return Answer(UnknownResolution.CONFIRMED, context.location, context.relevance, "the plan goes against it")


def _about(hits: tuple[Hit, ...], word: str) -> tuple[Hit, ...]:
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return tuple(hit for hit in hits if pattern.search(hit.text))


def _unknown(number: int, challenge: Challenge, kind: UnknownType, word: str, answer: Answer) -> Unknown:
    question = f"Does this hold: {challenge.concern}"[:1_500]
    return Unknown(f"U{number}", question, kind, challenge.id, word, answer.resolution, answer.line)


def _failing(tools: PlanTools) -> list[Doubt]:
    """Silence on failing systems weighs more where the code base minds them elsewhere."""
    doubts = list(risks.silent_on_failure(tools.bench.case))
    hits = tools.grep(("timeout", "retry", "retries", "backoff")) if doubts else ()
    return [replace(each, places=tuple(hit.place for hit in hits[:3])) for each in doubts] if hits else []
