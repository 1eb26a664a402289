"""Plan verification's part of an agent: its conversations, tools, contract and checks (P15, P18, F12).

Invariant: missing sources and wrong quotations are returned once, with the actual text (P19, P20). The engine decides how the
model's results compare with the embedded agent's.
"""

from counterproof.agents import roles, tool_table
from counterproof.agents.context import assembled
from counterproof.agents.context import plan as context
from counterproof.agents.models.agent import Dialogue
from counterproof.agents.models.channel import ToolCall
from counterproof.agents.models.faults import ModelFailed
from counterproof.agents.models.loop import MAX_REPAIRS, Part, Result, own_fields
from counterproof.agents.models.schemas import schema_text
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.agents.planning.contract_text import reply_of, shape_of
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.contract import PlanReply, PlanTask, Tool
from counterproof.model.plan.research import quoted, verified
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import marker_of
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanBench, PlanTools
from counterproof.toolbox.refusal import ToolRefused

MAX_TURNS = 12
TOOLS = tool_table.specs((Tool.READ, Tool.GREP, Tool.GIT_LOG))


class PlanDialogue(Dialogue[PlanTask, PlanTools, PlanReply]):
    """A plan verification's conversations. No task judges another agent's findings, so that contexts do not matter."""

    def open_talks(self, task: PlanTask, tools: PlanTools, tuning: Tuning) -> list[tuple[Talk, Part[PlanReply]]]:
        return [(opened_talk(task, tools.bench, examine(tools.bench.case), tuning), PlanPart(task, tools))]

    def give_up(self, task: PlanTask, why: str, over_budget: bool) -> PlanReply:
        return PlanReply(task.agent_id, task.iteration, unreviewed=why, over_budget=over_budget)

    def describe_taken(self, tools: PlanTools, reply: PlanReply) -> str:
        return reply.unreviewed or "the result was handed to the engine, which reads its sources again before it counts"


def opened_talk(task: PlanTask, bench: PlanBench, doubts: tuple[Doubt, ...], tuning: Tuning = USUAL) -> Talk:
    """The conversation about a task, with its opening."""
    sections = (*context.shared_sections(bench), *context.task_sections(task, doubts))
    searched = (*((Tool.MEMORY,) if bench.memory else ()), *(budgets.WEB if bench.web else ()))
    asked = Asked(
        task.id,
        task.attempt,
        roles.plan_conduct(),
        (*TOOLS, *tool_table.specs(searched)),
        schema_text(shape_of(task).model_json_schema()),
        roles.plan_prompt(task.role),
        context.intro(task),
        tuning=tuning,
    )
    pack = assembled(sections, context.room_for(bench).at_most(tuning.opening))
    return Talk(asked, pack, lambda opening: marker_of(task.id, task.attempt, task.agent_id, task.iteration, opening))


class PlanPart(Part[PlanReply]):
    """Plan verification's part of one conversation."""

    def __init__(self, task: PlanTask, tools: PlanTools) -> None:
        self._task = task
        self._tools = tools
        self._turns = 0
        self._corrected = self._advice = False

    def turn(self) -> bool:
        self._turns += 1
        if self._turns > MAX_TURNS:
            raise ToolRefused("no turn is left")
        return self._turns < MAX_TURNS - MAX_REPAIRS - 1 and any(each.calls for each in self._task.allowances)

    def served(self, call: ToolCall) -> tuple[Category, str]:
        return tool_table.researched(self._tools, call)

    def result(self, talk: Talk, text: str, cut: bool) -> Result[PlanReply]:
        """The submitted result, or its problems. Raises `ModelFailed` for a reply that is truncated or not this task's."""
        self._advice = False
        fields = own_fields(talk, text, cut, self._task.agent_id, self._task.iteration)
        reply, problems = reply_of(self._task, fields)
        if reply is None or self._corrected:
            return Result(reply, problems)
        problems, standing = find_problems(self._tools, reply)
        self._corrected = self._advice = bool(problems)
        return Result(reply, problems, standing)

    def settled(self, result: Result[PlanReply]) -> PlanReply:
        """Uncorrected citations are left for the engine to reject individually."""
        if result.reply is None or (result.problems and not self._advice):
            raise ModelFailed(f"the result does not fit the contract: {result.problems[0]}")
        return result.reply


MAX_PROBLEMS = 10


def find_problems(tools: PlanTools, reply: PlanReply) -> tuple[tuple[str, ...], str]:
    """Describe the invalid sources that a model named, so that it can correct them, with the sources' text. Advice only: the
    engine decides from the same checks whether a source counts (P11, P19, P20)."""
    found: list[str] = []
    standing: list[str] = []
    checks = {each.source: each for each in tools.checks(reply)}
    for each in reply.card.marks if reply.card else ():
        if why := tools.unsupported(each):
            found.append(f"the mark for {each.aspect} does not count: {why}; quote the line that bears on it")
    for source, check in () if reply.card else checks.items():
        if not check.found:
            found.append(f"the source {source[:200]!r} does not count: {check.why}; name a place that is there, or leave it out")
    for each in reply.unknowns:
        parts = verified(each.finding)
        check = checks.get(parts.source) if parts else None
        if parts and check and check.found and quoted(parts.finding) not in check.quoted:
            found.append(f"{each.id}: the quote is not at {parts.source[:200]!r}; quote its exact words")
            standing.append(f"{parts.source}: {tools.line_at(parts.source)[:400]}")
    placed = {each.challenge_id for each in reply.grounds if each.places}
    for each in reply.challenges:
        if each.severity is Weight.BLOCKING and each.id not in placed:
            found.append(f"{each.id} is BLOCKING without a place: name a `path:line` in `places`, or it counts as SIGNIFICANT")
    return tuple(found[:MAX_PROBLEMS]), "\n".join(standing[:MAX_PROBLEMS])
