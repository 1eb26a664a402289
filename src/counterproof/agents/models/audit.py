"""The audit's part of an agent: its conversations, tools, contract and checks (A22 to A29, A53).

Invariant: a validator judges the location before it is shown the claim (A53); a claim with a wrong citation is returned once,
with the actual text (A29). The toolbox limits what the model may see and do; `protocols` judges its results. After meeting
text that addresses it, a model cannot exclude any location from later rounds (A47).
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.agents import roles, tool_table
from counterproof.agents.context import assembled
from counterproof.agents.context.audit import closing, intro, room_of, sections_of
from counterproof.agents.host.desk import Desk
from counterproof.agents.models import mending, rendering
from counterproof.agents.models.agent import Dialogue
from counterproof.agents.models.audit_reply import AuditHandIn, header_of, reply_of
from counterproof.agents.models.channel import ToolCall
from counterproof.agents.models.contract_text import schema_of
from counterproof.agents.models.faults import ModelFailed
from counterproof.agents.models.held import AGAIN, Held
from counterproof.agents.models.loop import Part, Result
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.model.contract import AgentReply, AgentTask, Ask, Role
from counterproof.model.judgement import Verdict
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.guard import provenance
from counterproof.protocols.guard.citations import refusal
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import marker_of
from counterproof.toolbox.witnessed import WitnessedTools

MAX_TOLD = 10

CLAIMS_NOW = (
    "These are the claims that were made about those places. Read on if they name code that you have not seen, then hand in the "
    "judgements that you change, an empty list if none: the others stay. What you said before you saw the claims stays on record."
)


class AuditDialogue(Dialogue[AgentTask, WitnessedTools, AgentReply]):
    """The audit's conversations. `share` is the most tokens that an agent may use, None for no limit."""

    def __init__(self, share: Callable[[], int | None] = lambda: None) -> None:
        self._share = share

    def open_talks(self, task: AgentTask, tools: WitnessedTools, tuning: Tuning) -> list[tuple[Talk, Part[AgentReply]]]:
        return [(opened_talk(task, tools, tuning, self._share()), AuditPart(task, tools))]

    def give_up(self, task: AgentTask, why: str, over_budget: bool) -> AgentReply:
        return replace(_unreviewed(task, f"{why}.", over_budget), unreviewed=why)

    def finish(self, task: AgentTask, tools: WitnessedTools, reply: AgentReply) -> AgentReply:
        return add_remarks(task, tools, reply)

    def describe_taken(self, tools: WitnessedTools, reply: AgentReply) -> str:
        """Whether the reply was accepted or truncated, and which of its findings were rejected (A29)."""
        reads = tools.own_reads()
        checked = zip(reply.findings, tools.citations(reply), strict=True)
        refused = [(number, why) for number, (each, citation) in enumerate(checked) if (why := refusal(each, citation, reads))]
        kept = len(reply.findings) - len(refused)
        judged = len(reply.judgements) + len(reply.hit_judgements)
        lines = [f"{kept} findings were taken" if not judged else f"{judged} judgements were taken"]
        lines += [f"findings[{number}] was refused: {why}" for number, why in refused[:MAX_TOLD]]
        if len(refused) > MAX_TOLD:
            lines.append(f"{len(refused) - MAX_TOLD} more were refused")
        if not reply.ended:
            lines.append("the work counts as cut off" + "".join(f": {note}" for note in reply.notes[:1]))
        return "; ".join(lines)

    def name_context(self, reply: AgentReply, context: str) -> AgentReply:
        return replace(reply, context=context)

    def hand_over(self, desk: Desk, task: AgentTask, tools: WitnessedTools) -> None:
        tools.reads_by_itself = True
        if task.role is Role.VALIDATOR and task.ask is not Ask.QUESTIONS:
            desk.keep_apart(task.id)
        elif task.hunt:
            desk.keep_apart(task.id, task.hunt)


def opened_talk(task: AgentTask, toolbox: WitnessedTools, tuning: Tuning = USUAL, share: int | None = None) -> Talk:
    """The conversation about a task, with its opening."""
    pack = assembled(sections_of(task, toolbox), room_of(task, toolbox).within(share).at_most(tuning.opening))
    toolbox.begin(tuple((each.path, each.first, each.last) for each in pack.shows), pack.names)
    prompt = roles.prompt(task.role)
    asked = Asked(
        task.id, task.attempt, prompt.system, tool_table.audit_specs(), schema_of(task.role),
        prompt.text, intro(task, toolbox.offers), closing(task), tuning=tuning,
    )  # fmt: skip
    return Talk(asked, pack, lambda opening: marker_of(task.id, task.attempt, task.agent_id, task.round, opening))


class AuditPart(Part[AgentReply]):
    """The audit's part of one conversation."""

    def __init__(self, task: AgentTask, toolbox: WitnessedTools) -> None:
        self._task = task
        self._toolbox = toolbox
        self._blind: AgentReply | None = None
        self._held: Held | None = None
        self._corrected = False
        self._advice = False

    def turn(self) -> bool:
        self._toolbox.begin_turn()
        return not self._toolbox.meter().must_hand_in

    def served(self, call: ToolCall) -> tuple[Category, str]:
        return tool_table.audited(self._toolbox, call)

    def result(self, talk: Talk, text: str, cut: bool) -> Result[AgentReply]:
        """The submitted result and its problems. Raises `ModelFailed` if it does not identify its agent."""
        task = self._task
        self._advice = False
        try:
            parsed = parse(text)
            header = header_of(parsed.fields)
        except Malformed as error:
            if cut:
                raise ModelFailed("the output was cut off before it told whose it is", unidentified=True) from error
            return Result(_unreviewed(task, ""), (str(error),))
        foreign = provenance.mismatch((talk.marker, task.agent_id, task.round), (header.marker, header.agent_id, header.round))
        if foreign:
            raise ModelFailed(foreign)
        fields = self._held.corrected(parsed.fields) if self._held else parsed.fields
        given = AuditHandIn(fields, task.agent_id, task=task, quote=self._toolbox.quote)
        whole = parsed.complete and not cut
        reply = reply_of(given, complete=whole)
        self._toolbox.state(given.stated)
        kept = [number for number in range(len(fields.get("findings") or ())) if f"findings[{number}]" not in given.refused]
        advice = mending.refused(self._toolbox, reply, kept) if whole and not self._corrected else mending.Advice()
        self._held = Held(fields, (*given.refused, *advice.refused), advice.named)
        self._corrected = self._corrected or bool(advice.problems)
        self._advice = bool(advice.problems) and not given.problems
        unclosed = () if parsed.complete or cut else ("the JSON is not closed",)
        return Result(reply, (*unclosed, *given.problems, *advice.problems), advice.lines, AGAIN)

    def onward(self, talk: Talk, reply: AgentReply) -> bool:
        """A validator is shown the claims once it has judged their locations (A53)."""
        asked_openly = self._task.role is not Role.VALIDATOR or self._task.ask is Ask.QUESTIONS
        if asked_openly or self._blind is not None:
            return False
        self._blind = reply
        talk.show(CLAIMS_NOW, Category.CLAIMS, rendering.claims(self._task.findings))
        return True

    def settled(self, result: Result[AgentReply]) -> AgentReply:
        """After repairs: valid entries are kept and the work counts as truncated; without valid entries the agent has failed."""
        reply = result.reply
        problems: tuple[str, ...] = () if self._advice else result.problems
        if reply is None or (problems and not (reply.findings or reply.judgements or reply.hit_judgements or reply.answers)):
            raise ModelFailed(f"the result does not fit the contract: {''.join(problems[:1])}")
        if problems:
            note = f"{self._task.agent_id}: {len(problems)} parts of its result did not fit the contract and were dropped."
            reply = replace(reply, ended=False, notes=(*reply.notes, note))
        return with_first_words(reply, self._blind)


def with_first_words(reply: AgentReply, blind: AgentReply | None) -> AgentReply:
    """The judgements with the validator's verdict on each location from before seeing the claim. A missing or repeated blind
    verdict counts as none (A53)."""
    first: dict[str, Verdict] = {}
    for each in blind.judgements if blind else ():
        first[each.finding_id] = each.verdict if first.get(each.finding_id, each.verdict) is each.verdict else Verdict.DOWNGRADED
    return replace(reply, judgements=tuple(replace(each, first=first.get(each.finding_id)) for each in reply.judgements))


def _unreviewed(task: AgentTask, note: str, over_budget: bool = False) -> AgentReply:
    """A reply that claims nothing and counts as truncated."""
    return AgentReply(
        task.agent_id, task.round, task.dimensions, (), (), notes=(note,) if note else (), ended=False, over_budget=over_budget
    )


SWAYED = "Agents met text that addresses a model; nothing that they said in the code's favour was believed."


def add_remarks(task: AgentTask, toolbox: WitnessedTools, reply: AgentReply) -> AgentReply:
    """The reply with the loaded modules, the engine's remarks, and the valid exclusions."""
    swayed = bool(toolbox.met())
    gaps = tuple(f"{task.agent_id} left open: {gap}" for gap in reply.gaps[:10])
    notes = (*reply.notes, *toolbox.notes(), *gaps, *((SWAYED,) if swayed else ()))
    return replace(
        reply,
        false_positives=() if swayed else _excluded(toolbox, reply.false_positives),
        modules_loaded=toolbox.modules_loaded,
        notes=tuple(dict.fromkeys(notes)),
    )


def _excluded(toolbox: WitnessedTools, excluded: tuple[FalsePositive, ...]) -> tuple[FalsePositive, ...]:
    """Locations that a model may exclude from later rounds: hit by its own search or trace, then read. The protocol keeps
    every location with a finding."""
    reads = toolbox.own_reads()
    return tuple(each for each in excluded if each.file in reads and toolbox.hit(each.file, each.line))
