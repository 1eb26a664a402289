"""The review's part of an agent: its conversations, tools, contract and checks.

Invariant: the model speaks only for itself: the analysts of the same seat submit their own reply in any case (R39). Tool use
is metered (R42), and ends before it uses up what later tasks need (R25).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from counterproof.agents import roles, tool_table
from counterproof.agents.context import Pack, Room, assembled
from counterproof.agents.context import review as context
from counterproof.agents.context.sections import user_section
from counterproof.agents.context.tokens import tokens
from counterproof.agents.host.desk import Desk
from counterproof.agents.models.agent import Dialogue
from counterproof.agents.models.channel import ToolCall
from counterproof.agents.models.faults import ModelFailed
from counterproof.agents.models.loop import MAX_REPAIRS, Part, Result, own_fields
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.agents.specialists.model.hand_in import ReviewHandIn
from counterproof.agents.specialists.model.opening import intro
from counterproof.agents.specialists.model.wire import schema_of
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import marker_of
from counterproof.protocols.review import looks
from counterproof.protocols.review.duplicates import same
from counterproof.toolbox.metered import MeteredLooking
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.review_bench import ReviewBench

TOOLS = (*tool_table.specs(looks.OFFERED), tool_table.FINDING)
UNBOUNDED = context.room_of(None, 1)
FRAME = 3_500
"""The tokens of a question besides its pack: instructions, contract, tools."""
ANSWER = 2_500
"""The usual tokens of a tool result."""


@dataclass(frozen=True, slots=True)
class Means:
    """A specialist's resources: room for its pack, its share of the run's tokens (0: no limit), and how many of them a task's
    specialist has used so far."""

    room: Room = UNBOUNDED
    share: int = 0
    spent: Callable[[str], int] = lambda _: 0


NO_BOUNDS = Means()


class ReviewDialogue(Dialogue[ReviewTask, ReviewBench, ReviewReply]):
    """A review's conversations, with the resources of one specialist. Their cost is recorded in the channel's purse."""

    def __init__(self, model: str, means: Means = NO_BOUNDS) -> None:
        self._name = model.partition("@")[0]
        self._means = means

    def open_talks(self, task: ReviewTask, tools: ReviewBench, tuning: Tuning) -> list[tuple[Talk, Part[ReviewReply]]]:
        """No talks if only the analysts' findings were challenged: the model does not defend those."""
        if task.work is Work.DEFEND and not any(each.model for each in task.own):
            return []
        asked = openings(task, tools, self._means, tuning)
        later = [sum(pack.tokens + FRAME for _, pack in asked[number:]) for number in range(1, len(asked) + 1)]
        return [
            (talk, ReviewPart(task, tools, self._means, pack, self._name, rest))
            for (talk, pack), rest in zip(asked, later, strict=True)
        ]

    def join(self, task: ReviewTask, replies: list[ReviewReply]) -> ReviewReply:
        return together(task, replies)

    def give_up(self, task: ReviewTask, why: str, over_budget: bool) -> None:
        """The task simply fails: the seat's analysts submit their own reply in any case (R39)."""

    def describe_taken(self, tools: ReviewBench, reply: ReviewReply) -> str:
        counts = {"findings": reply.findings, "positions": reply.positions, "defences": reply.defences}
        taken = ", ".join(f"{len(each)} {name}" for name, each in counts.items() if each) or "a result without findings"
        return "; ".join([f"{taken} were handed to the engine, which checks them before they count", *reply.notes[:3]])

    def name_context(self, reply: ReviewReply, context: str) -> ReviewReply:
        findings = tuple(replace(each, context=context) for each in reply.findings)
        return replace(reply, findings=findings, positions=tuple(replace(each, context=context) for each in reply.positions))

    def hand_over(self, desk: Desk, task: ReviewTask, tools: ReviewBench) -> None:
        """A judge of findings counts as a second voice only if its context differs from the finder's (R45)."""
        if task.work in (Work.CHALLENGE, Work.ADVOCATE):
            desk.keep_apart(task.id)


def openings(task: ReviewTask, bench: ReviewBench, means: Means, tuning: Tuning = USUAL) -> list[tuple[Talk, Pack]]:
    """The conversations of a task with their packs: one for each part of the scope. A second refinement, positions and
    defences contain only the findings and their code (R43)."""
    room = means.room.at_most(tuning.opening // 2)  # a part may be twice as long as the room
    first = task.work is Work.REFINE and task.iteration == 1
    shown = [(part,) for part in context.parts_of(bench, room)] if first else [()]
    return [_opened(task, bench, room, tuning, each, number) for number, each in enumerate(shown)]


def _opened(
    task: ReviewTask, bench: ReviewBench, room: Room, tuning: Tuning, parts: tuple[context.Part, ...], number: int
) -> tuple[Talk, Pack]:
    shared = tuple(section for part in parts for section in context.shared_sections(bench, part))
    pack = assembled(
        (*user_section(bench.user), *shared, *context.task_sections(task, bench, parts)), context.stretched(room, parts)
    )
    asked = Asked(
        task.id,
        task.attempt,
        roles.review_conduct(),
        TOOLS,
        schema_of(task, bench.profile),
        roles.review_prompt(bench.profile.name, task.specialist.code),
        intro(task, bench),
        part=number,
        tuning=tuning,
    )
    return Talk(asked, pack, lambda opening: marker_of(task.id, task.attempt, number, opening)), pack


class ReviewPart(Part[ReviewReply]):
    """The review's part of one conversation. `later` is the cost of the task's further questions."""

    def __init__(self, task: ReviewTask, bench: ReviewBench, means: Means, pack: Pack, model: str, later: int = 0) -> None:
        self._task = task
        self._bench = bench
        self._means = means
        self._model = model
        self._read = {each.path for each in pack.shows}
        self._opened: list[str] = []
        self._tools = MeteredLooking(bench.looking, looks.allowances(task.work))
        self._turns = 0
        self._later = later
        self._room = 0
        self._size = pack.tokens + FRAME
        self._spent = means.spent(task.id)

    def turn(self) -> bool:
        self._turns += 1
        if self._turns > looks.TURNS + MAX_REPAIRS + 2:
            raise ToolRefused("no turn is left")
        spent = self._means.spent(self._task.id)
        self._size, self._spent = (spent - self._spent) or self._size, spent
        self._room = looks.room(self._task, self._means.share, spent, 2 * self._size + ANSWER + self._later)
        return self._turns <= looks.TURNS and not self._tools.meter.spent and self._room > 0

    def served(self, call: ToolCall) -> tuple[Category, str]:
        if self._room <= 0:
            raise ToolRefused("this turn has shown as much as the budget allows; hand in, or ask for less in the next one")
        opens = call.name == tool_table.FINDING.name
        category, text = self._open(call) if opens else tool_table.looked(self._tools, call)
        self._room -= tokens(text)
        return category, text

    def _open(self, call: ToolCall) -> tuple[Category, str]:
        """Another specialist's finding in full, with its code (R14)."""
        wanted = tool_table.finding_named(call)
        finding = next((each for each in self._task.others if each.id == wanted), None)
        if finding is None:
            raise ToolRefused(f"no such finding; there are {', '.join(each.id for each in self._task.others) or 'none'}")
        self._opened.append(finding.id)
        self._read.add(finding.location.path)
        return Category.CLAIMS, context.opened(self._bench, finding)

    def result(self, talk: Talk, text: str, cut: bool) -> Result[ReviewReply]:
        """The submitted result and its problems. Raises `ModelFailed` for another task's answer (R8)."""
        fields = own_fields(talk, text, cut, self._task.agent_id, self._task.iteration)
        given = ReviewHandIn(fields, self._task.agent_id, task=self._task, bench=self._bench, model=self._model)
        reply = replace(given.reply(), read=tuple(sorted(self._read | self._tools.seen)))
        reply = replace(reply, opened=tuple(dict.fromkeys(self._opened)))
        return Result(reply, tuple(given.problems), "\n".join(given.standing))

    def settled(self, result: Result[ReviewReply]) -> ReviewReply:
        """After repairs the valid parts are kept, and dropped ones are noted."""
        if result.reply is None:
            raise ModelFailed(f"the result does not fit the contract: {result.problems[0]}")
        if not result.problems:
            return result.reply
        note = f"{self._task.agent_id}: {len(result.problems)} parts of its result did not fit the contract and were dropped."
        return replace(result.reply, notes=(*result.reply.notes, note))


def together(task: ReviewTask, replies: list[ReviewReply]) -> ReviewReply:
    """One reply of several parts, with renumbered findings."""
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
        opened=tuple(dict.fromkeys(name for reply in replies for name in reply.opened)),
        defences=tuple(each for reply in replies for each in reply.defences),
        verdicts=tuple(each for reply in replies for each in reply.verdicts),
        notes=tuple(dict.fromkeys(note for reply in replies for note in reply.notes)),
        read=tuple(dict.fromkeys(path for reply in replies for path in reply.read)),
    )
