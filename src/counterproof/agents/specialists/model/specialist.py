"""One specialist as a model plays it: a question, at most two repairs, a reply that the engine can check.

Always: the conversation ends; a refusal, a filter, an empty or unreadable answer is a failure and never "no findings" (F9). The
model speaks for itself alone: the analysts of the same seat hand in their own reply, whatever becomes of this one (R39).
"""

import asyncio
from dataclasses import replace

from counterproof.agents import roles
from counterproof.agents.models.channel import Channel, Message, Question
from counterproof.agents.models.failing import ModelFailed
from counterproof.agents.models.loop import UNREVIEWED
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.specialists.model.hand_in import HandedIn
from counterproof.agents.specialists.model.opening import Opening, openings
from counterproof.agents.specialists.model.wire import schema_of
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.protocols.review.duplicates import same
from counterproof.toolbox.review_bench import ReviewBench
from counterproof.toolbox.threads import in_daemon_thread

MAX_REPAIRS = 2
MAX_OUTPUT = 8_192


class ModelSpecialist:
    """One instance serves any number of tasks. What they cost is on record in the channel's purse."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def work(self, task: ReviewTask, bench: ReviewBench, turn: asyncio.Lock) -> ReviewReply:
        """`turn` is held while the bench is used: what it has parsed is shared, and only one may parse at a time."""
        if task.work is Work.DEFEND and not any(each.model for each in task.own):
            return ReviewReply(task.agent_id)  # only the analysts' findings were challenged, and those are not its to defend
        async with turn:
            asked = await in_daemon_thread(lambda: tuple(openings(task, bench)))
        replies = [await self._converse(task, bench, opening, number) for number, opening in enumerate(asked, 1)]
        return together(task, replies)

    async def _converse(self, task: ReviewTask, bench: ReviewBench, opening: Opening, part: int) -> ReviewReply:
        messages = [Message("user", opening.text)]
        problems: tuple[str, ...] = ("nothing was handed in",)
        for repair in range(MAX_REPAIRS + 1):
            answer = await self._channel.ask(_question(task, bench, part, repair, tuple(messages)))
            if answer.finish in UNREVIEWED:
                raise ModelFailed(UNREVIEWED[answer.finish])
            if not answer.finish.complete:
                raise ModelFailed("the output was cut off")
            reply, problems = await in_daemon_thread(lambda text=answer.text: self._read(task, bench, opening, text))
            if reply is not None and (not problems or repair == MAX_REPAIRS):
                return _noted(task, reply, problems)
            messages += [Message("assistant", answer.text[:8_000] or "(nothing)"), Message("user", _mend(problems))]
        raise ModelFailed(f"the result does not fit the contract: {problems[0]}")

    def _read(
        self, task: ReviewTask, bench: ReviewBench, opening: Opening, text: str
    ) -> tuple[ReviewReply | None, tuple[str, ...]]:
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
        given = HandedIn(parsed.fields, task, bench, self._channel.model.partition("@")[0])
        return replace(given.reply(), read=opening.read), tuple(given.problems)


def _question(task: ReviewTask, bench: ReviewBench, part: int, repair: int, messages: tuple[Message, ...]) -> Question:
    return Question(
        task=task.id,
        attempt=task.attempt,
        step=part * 10 + repair,
        system=roles.review_prompt()[0],
        messages=messages,
        output=schema_of(task, bench.profile),
        max_output=MAX_OUTPUT,
    )


def _mend(problems: tuple[str, ...]) -> str:
    return "The result does not fit the contract. Hand in the whole of it again, mended:\n" + "\n".join(problems)


def _noted(task: ReviewTask, reply: ReviewReply, problems: tuple[str, ...]) -> ReviewReply:
    if not problems:
        return reply
    note = f"{task.agent_id}: {len(problems)} parts of its result did not fit the contract and were dropped."
    return replace(reply, notes=(*reply.notes, note))


def together(task: ReviewTask, replies: list[ReviewReply]) -> ReviewReply:
    """One reply of several parts, findings numbered anew."""
    findings: list[ReviewFinding] = []
    for each in (one for reply in replies for one in reply.findings):
        if not any(same(each, other) for other in findings):
            findings.append(replace(each, id=f"{task.specialist.code}-{len(findings) + 1:03}"))
    return ReviewReply(
        task.agent_id,
        findings=tuple(findings),
        no_findings=task.work is Work.REFINE and not findings,
        checked_twice=not findings and bool(replies) and all(reply.checked_twice for reply in replies),
        positions=tuple(each for reply in replies for each in reply.positions),
        open=tuple(dict.fromkeys(name for reply in replies for name in reply.open)),
        defences=tuple(each for reply in replies for each in reply.defences),
        verdicts=tuple(each for reply in replies for each in reply.verdicts),
        notes=tuple(dict.fromkeys(note for reply in replies for note in reply.notes)),
        read=tuple(dict.fromkeys(path for reply in replies for path in reply.read)),
    )
