"""One specialist as a model plays it: a question, at most two repairs, a reply that the engine can check.

Always: the conversation ends; a refusal, a filter, an empty or unreadable answer is a failure and never "no findings" (F9); the
embedded checks of the same domains stand beside what the model says; where the model takes no position the embedded reader may.
"""

import asyncio
from dataclasses import replace

from counterproof.agents import roles
from counterproof.agents.models.agent import UNREVIEWED
from counterproof.agents.models.channel import Channel, Message, Question
from counterproof.agents.models.failing import ModelFailed
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.specialists import EmbeddedSpecialist
from counterproof.agents.specialists.model.hand_in import HandedIn
from counterproof.agents.specialists.model.opening import Opening, openings
from counterproof.agents.specialists.model.wire import schema_of
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.protocols.review.duplicates import same
from counterproof.toolbox.review_bench import ReviewBench
from counterproof.toolbox.threads import in_daemon_thread

MAX_REPAIRS = 2
MAX_OUTPUT = 8_192


class ModelSpecialist:
    """One instance serves any number of tasks. What they cost is on record in the channel's purse."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._embedded = EmbeddedSpecialist()

    async def work(self, task: ReviewTask, bench: ReviewBench, turn: asyncio.Lock) -> ReviewReply:
        """`turn` is held while the bench is used: what it has parsed is shared, and only one may parse at a time."""
        async with turn:
            asked = await in_daemon_thread(lambda: tuple(openings(task, bench)))
            own = await in_daemon_thread(lambda: self._embedded.work(task, bench))
        replies = [await self._converse(task, bench, opening, number) for number, opening in enumerate(asked, 1)]
        return together(task, replies, own)

    async def _converse(self, task: ReviewTask, bench: ReviewBench, opening: Opening, part: int) -> ReviewReply:
        messages = [Message("user", opening.text)]
        problems: tuple[str, ...] = ("nothing was handed in",)
        for repair in range(MAX_REPAIRS + 1):
            answer = await self._channel.ask(_question(task, part, repair, tuple(messages)))
            if answer.finish in UNREVIEWED:
                raise ModelFailed(UNREVIEWED[answer.finish])
            reply, problems = await in_daemon_thread(lambda text=answer.text: _read(task, bench, opening, text))
            if reply is not None and (not problems or repair == MAX_REPAIRS) and answer.finish.complete:
                return _noted(task, reply, problems)
            if not answer.finish.complete:
                raise ModelFailed("the output was cut off")
            messages += [Message("assistant", answer.text[:8_000] or "(nothing)"), Message("user", _mend(problems))]
        raise ModelFailed(f"the result does not fit the contract: {problems[0]}")


def _question(task: ReviewTask, part: int, repair: int, messages: tuple[Message, ...]) -> Question:
    return Question(
        task=task.id,
        attempt=task.attempt,
        step=part * 10 + repair,
        system=roles.review_prompt()[0],
        messages=messages,
        output=schema_of(task.work),
        max_output=MAX_OUTPUT,
    )


def _read(task: ReviewTask, bench: ReviewBench, opening: Opening, text: str) -> tuple[ReviewReply | None, tuple[str, ...]]:
    """What was handed in, and what is wrong with it. Raises `ModelFailed` for another task's answer (R8)."""
    try:
        parsed = parse(text)
    except Malformed as error:
        return None, (str(error),)
    said = (parsed.fields.get("marker"), parsed.fields.get("agent_id"), parsed.fields.get("iteration"))
    if said != (opening.marker, task.agent_id, task.iteration):
        raise ModelFailed("the reply carries a foreign marker: it answers another question")
    if not parsed.complete:
        return None, ("the JSON is not closed",)
    given = HandedIn(parsed.fields, task, bench)
    return given.reply(), tuple(given.problems)


def _mend(problems: tuple[str, ...]) -> str:
    return "The result does not fit the contract. Hand in the whole of it again, mended:\n" + "\n".join(problems)


def _noted(task: ReviewTask, reply: ReviewReply, problems: tuple[str, ...]) -> ReviewReply:
    if not problems:
        return reply
    note = f"{task.agent_id}: {len(problems)} parts of its result did not fit the contract and were dropped."
    return replace(reply, notes=(*reply.notes, note))


def together(task: ReviewTask, replies: list[ReviewReply], own: ReviewReply) -> ReviewReply:
    """One reply of several parts and of the embedded checks, findings numbered anew."""
    findings: list[ReviewFinding] = []
    for each in (*own.findings, *(one for reply in replies for one in reply.findings)):
        if not any(same(each, other) for other in findings):
            findings.append(replace(each, id=f"{task.specialist.code}-{len(findings) + 1:03}"))
    verdicts = {path: verdict for reply in (own, *replies) for path, verdict in reply.verdicts}
    defended = {each.finding_id: each for reply in (own, *replies) for each in reply.defences}
    return ReviewReply(
        task.agent_id,
        findings=tuple(findings),
        no_findings=task.work is Work.REFINE and not findings,
        checked_twice=not findings and bool(replies) and all(reply.checked_twice for reply in replies),
        positions=_positions(replies, own),
        open=tuple(dict.fromkeys((*own.open, *(name for reply in replies for name in reply.open)))),
        defences=tuple(defended[name] for name in sorted(defended)),
        verdicts=tuple(verdicts.items()),
        notes=tuple(dict.fromkeys((*own.notes, *(note for reply in replies for note in reply.notes)))),
    )


def _positions(replies: list[ReviewReply], own: ReviewReply) -> tuple[Position, ...]:
    """The model's word; the embedded reader's where the model has none."""
    table = {each.finding_id: each for each in own.positions}
    for each in (one for reply in replies for one in reply.positions):
        if each.stance is not Stance.ABSTAIN or each.finding_id not in table:
            table[each.finding_id] = each
    return tuple(table[name] for name in sorted(table))
