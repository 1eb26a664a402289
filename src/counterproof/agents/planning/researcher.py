"""The embedded researcher in its three modes: settle what is open, surface what was missed, probe what may go wrong (P3, P10).

Always: the code and its history are reached through the metered tools alone. With no web configured, what only the web
could answer is unresolvable, and says so.
"""

import re
from dataclasses import replace

from counterproof.agents.planning.settling import TYPES, Answer, settle, word_of
from counterproof.agents.planning.worker import fresh, raised
from counterproof.analysis.plans import decisions, risks
from counterproof.analysis.plans.consequences import users_left
from counterproof.analysis.plans.doubts import Doubt, Kind, read_claim, shown
from counterproof.model.plan.challenge import Challenge, Confidence, Origin, Weight
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.outline import Intent, Mention
from counterproof.model.plan.research import (
    ContextImpact,
    ContextSource,
    Probability,
    ProbedRisk,
    ResearchMode,
    SurfacedContext,
    Unknown,
    UnknownResolution,
    UnknownType,
)
from counterproof.toolbox.plan_tools import Hit, PlanTools

MAX_CONTEXTS = 6
_AWAY = re.compile(r"\b(?:revert|reverts|remove|removes|removed|drop|drops|dropped)\b", re.IGNORECASE)


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
        words = tuple(dict.fromkeys(word_of(read) for _, read in pairs if read))
        hits = tools.grep(words) if words else ()
        unknowns: list[Unknown] = []
        for number, (challenge, read) in enumerate(pairs, 1):
            if read is None or hits is None:
                why = (
                    "the search budget is used up"
                    if read
                    else "it is no question that the code alone answers, and no web is configured"
                )
                answer, kind = Answer(UnknownResolution.UNRESOLVABLE, "", why, ""), UnknownType.INTEGRATION_UNKNOWN
            else:
                answer = settle(read, _about(hits, word_of(read)), tools)
                kind = TYPES.get(read.kind, UnknownType.INTEGRATION_UNKNOWN)
            unknowns.append(_unknown(number, challenge, kind, word_of(read) if read else "", answer))
        return PlanReply(task.agent_id, task.iteration, unknowns=tuple(unknowns))

    def _surface(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        found = [*_decisions(tools), *_history(tools)]
        doubts = fresh([doubt for doubt, _ in found if doubt], task)[:2]
        challenges, grounds = raised(doubts, task, Origin.SURFACED)
        named = {doubt: challenge.id for doubt, challenge in zip(doubts, challenges, strict=True)}
        contexts = [
            replace(context, generates_challenge=named.get(doubt, "null") if doubt else "null") for doubt, context in found
        ]
        contexts += _callers(tools)
        numbered = tuple(replace(each, id=f"S{number}") for number, each in enumerate(contexts[:MAX_CONTEXTS], 1))
        kept = {each.generates_challenge for each in numbered}
        challenges = tuple(each for each in challenges if each.id in kept)
        return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds, contexts=numbered)

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


def _about(hits: tuple[Hit, ...], word: str) -> tuple[Hit, ...]:
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return tuple(hit for hit in hits if pattern.search(hit.text))


def _unknown(number: int, challenge: Challenge, kind: UnknownType, word: str, answer: Answer) -> Unknown:
    question = f"Does this hold: {challenge.concern}"[:1_500]
    return Unknown(f"U{number}", question, kind, challenge.id, word, answer.resolution, answer.line)


Surfaced = tuple[Doubt | None, SurfacedContext]


def _decisions(tools: PlanTools) -> list[Surfaced]:
    """Rules in the repository's own documents that a line of the plan goes against."""
    documents = tuple(path for path in tools.bench.project.files if decisions.DOCUMENTS.search(path))
    hits = tools.grep(decisions.FORBIDDING, documents) if documents else ()
    found: list[Surfaced] = []
    for rule in [rule for hit in hits or () for rule in decisions.rules_in(hit.place, hit.text)][: decisions.MAX_RULES]:
        line = decisions.against(rule, tools.bench.outline, tools.bench.case.lines)
        if line and all(doubt is None or doubt.subject != rule.thing for doubt, _ in found):
            agents = re.search(r"(?:CLAUDE|AGENTS|GEMINI)\.", rule.place) is not None
            context = SurfacedContext(
                "S1",
                ContextSource.CLAUDE_MD if agents else ContextSource.CODEBASE,
                rule.place,
                f"A decision of this repository speaks against line {line}: {rule.sentence}",
                ContextImpact.CONTRADICTS_PLAN,
            )
            found.append((_against(rule, line), context))
    return found[:MAX_CONTEXTS]


def _against(rule: decisions.Rule, line: int) -> Doubt:
    return Doubt(
        Kind.DECISION,
        rule.thing,
        "",
        f'{rule.place} says: "{rule.sentence}"',
        "The change is carried out and then rejected, or two ways of doing the same thing live on side by side",
        "Follow the decision, or change it first and say why",
        Weight.SIGNIFICANT,
        Confidence.HIGH,
        (line,),
        (rule.place,),
    )


def _history(tools: PlanTools) -> list[Surfaced]:
    """Commits that took away what the plan now brings. They inform; the reasons of long ago may be gone."""
    created = [each.text.rpartition("/")[2] for each in tools.bench.outline.named if each.intent is Intent.CREATES]
    names = [name for name in dict.fromkeys(created) if len(name) >= 6 and re.search(r"[._A-Z-]", name)]
    commits = tools.git_log() if names else ()
    found: list[Surfaced] = []
    for commit in commits or ():
        name = next((name for name in names if name in commit.subject), "")
        if name and _AWAY.search(commit.subject):
            said = f"An earlier commit took `{name}` away: {commit.subject[:200]}"
            context = SurfacedContext("S1", ContextSource.GIT_HISTORY, commit.id, said, ContextImpact.CHANGES_NEEDED)
            found.append((None, context))
    return found[:2]


def _callers(tools: PlanTools) -> list[SurfacedContext]:
    """Who else uses what the plan changes. This confirms that callers exist; it accuses nobody."""
    case = tools.bench.case
    found: list[SurfacedContext] = []
    for each in case.of(Mention.SYMBOL):
        left = users_left(case, each.text) if each.intent is Intent.CHANGES else []
        if left and len(found) < 3:
            said = f"`{each.text}`, which line {each.line} changes, is used by {shown(left, 3)}"
            place = f"{left[0][0]}:{left[0][1]}"
            found.append(SurfacedContext("S1", ContextSource.CODEBASE, place, said, ContextImpact.CONFIRMS_APPROACH))
    return found


def _failing(tools: PlanTools) -> list[Doubt]:
    """Silence on failing systems weighs more where the code base minds them elsewhere."""
    doubts = list(risks.silent_on_failure(tools.bench.case))
    hits = tools.grep(("timeout", "retry", "retries", "backoff")) if doubts else ()
    return [replace(each, places=tuple(hit.place for hit in hits[:3])) for each in doubts] if hits else []
