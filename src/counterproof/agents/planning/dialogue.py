"""One conversation with a model about one task of a plan verification: our words outside, the plan and the repository as data.

Always: the plan, the repository's text, other agents' challenges and the user's answers stand only inside marked blocks, redacted
and with hidden characters shown (X1, X3, X17); the opening is the same for the same task, so a restart asks the same question;
the whole is bounded.
"""

from collections.abc import Iterator

from counterproof.agents import roles
from counterproof.agents.models.channel import Message, Question, ToolCall
from counterproof.agents.models.parsing import END, START
from counterproof.agents.planning import research_calls
from counterproof.agents.planning.contract_text import schema_text, shape_of
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.text.hidden import visible
from counterproof.model.canonical import digest
from counterproof.model.plan.contract import PlanRole, PlanTask
from counterproof.protocols.guard.isolation import Category, opened, wrapped
from counterproof.protocols.guard.provenance import PREFIX
from counterproof.toolbox.plan_tools import PlanBench

MAX_CHARACTERS = 400_000
MAX_OUTPUT = 8_192
MAX_PLAN = 120_000
MAX_PATHS = 400
MAX_TOUCHED = 60_000
MAX_LINES = 400
_MAX_SAID = 8_000

HAND_IN = "Tools have ended. Hand in the result now: the JSON object of the contract and nothing else."


class Dialogue:
    """Grows by one turn at a time."""

    def __init__(self, task: PlanTask, bench: PlanBench, doubts: tuple[Doubt, ...]) -> None:
        self._task = task
        self._seal = opened(task.id, task.attempt)
        self._messages: list[Message] = []
        self._step = 0
        self._size = 0
        self._answered: set[str] = set()
        opening = "\n".join(self._opening(bench, doubts))
        self.marker = PREFIX + digest(f"{task.id}\n{task.attempt}\n{task.agent_id}\n{task.iteration}\n{opening}")[:32]
        self.say(f"{opening}\n\nThe marker of this task is {self.marker}: put it into the field `marker`.")

    @property
    def full(self) -> bool:
        return self._size >= MAX_CHARACTERS

    def question(self, with_tools: bool) -> Question:
        """The next question. Without tools only the result can be answered."""
        self._step += 1
        return Question(
            task=self._task.id,
            attempt=self._task.attempt,
            step=self._step,
            system=roles.plan_prompt(self._task.role),
            messages=tuple(self._messages),
            tools=research_calls.specs(self._task) if with_tools else (),
            output=schema_text(shape_of(self._task)),
            max_output=MAX_OUTPUT,
        )

    def say(self, text: str) -> None:
        """A line of ours. Never holds text of the target."""
        self._add(Message("user", text))

    def heard(self, text: str, calls: tuple[ToolCall, ...] = ()) -> None:
        """What the model said, as it must be repeated to it."""
        self._add(Message("assistant", text[:_MAX_SAID] or ("" if calls else "(nothing)"), calls))

    def fresh(self, call: ToolCall) -> bool:
        """Whether a call has a name and an id that was not used before (F11)."""
        if not call.id or not call.name or call.id in self._answered:
            return False
        self._answered.add(call.id)
        return True

    def answer(self, call: ToolCall, category: Category, text: str) -> None:
        """The answer to a call, or why it was refused, as data."""
        self._add(Message("tool", self._block(category, text), call_id=call.id, tool=call.name))

    def _block(self, category: Category, text: str) -> str:
        self._seal, block = wrapped(self._seal, category, visible(redact(text)).text)
        return block

    def _add(self, message: Message) -> None:
        self._messages.append(message)
        self._size += len(message.text) + sum(len(call.arguments) for call in message.calls)

    def _opening(self, bench: PlanBench, doubts: tuple[Doubt, ...]) -> Iterator[str]:
        task = self._task
        mode = f", mode {task.mode.value}" if task.mode else ""
        yield f"You are {task.agent_id}, a {task.role.value}{mode}, in iteration {task.iteration} of at most 3."
        yield "You are asked to mark the plan." if task.scoring else "You are asked for the result of your role."
        if task.tightened:
            yield "More was raised than settled before: raise nothing new below BLOCKING."
        if task.allowances:
            yield "Calls: " + ", ".join(f"{each.tool} {each.calls}" for each in task.allowances) + "."
        yield "The plan, with the numbers of its lines:"
        yield self._block(Category.CONTEXT, _numbered(bench.text))
        yield "The repository's files:"
        yield self._block(Category.SEARCH, _tree(bench))
        touched = "" if task.scoring else _touched(bench)
        if touched:
            yield "The code that the plan touches, with the numbers of its lines:"
            yield self._block(Category.CODE, touched)
        for title, text in _matter(task, doubts):
            yield title
            yield self._block(Category.CLAIMS, text)
        yield "The result is one JSON object that fits this schema, handed in as the whole of your last reply:"
        yield schema_text(shape_of(task))
        yield f"If your host only lets you answer in text, put the object between the lines {START} and {END}."


def _numbered(plan: str) -> str:
    text = "\n".join(f"{number:>5}  {line}" for number, line in enumerate(plan.split("\n"), 1))
    return text if len(text) <= MAX_PLAN else f"{text[:MAX_PLAN]}\n… ({len(text) - MAX_PLAN:,} more characters)"


def _tree(bench: PlanBench) -> str:
    paths = sorted(bench.project.files)
    more = f"\n… and {len(paths) - MAX_PATHS} more" if len(paths) > MAX_PATHS else ""
    return "\n".join(paths[:MAX_PATHS]) + more


def _touched(bench: PlanBench) -> str:
    """The beginnings of the files that the plan names, as far as they fit."""
    parts: list[str] = []
    room = MAX_TOUCHED
    for path in sorted(bench.case.touched - {bench.own}):
        text = "\n".join(f"{number:>5}  {line[:300]}" for number, line in enumerate(bench.shown(path).split("\n")[:MAX_LINES], 1))
        if len(text) > room:
            continue
        room -= len(text)
        parts.append(f"{path}\n{text}")
    return "\n\n".join(parts)


def _matter(task: PlanTask, doubts: tuple[Doubt, ...]) -> Iterator[tuple[str, str]]:
    """What the task is about beside the plan; only what there is."""
    raising = task.role not in (PlanRole.SYNTHESIZER, PlanRole.RESEARCHER) and not task.scoring
    rows = {
        "What analysers doubt already:": [f"{each.claim}: {each.concern}" for each in doubts] if raising else [],
        "Challenges:": [
            f"{each.id} {each.severity} {each.status}: {each.claim} | {each.concern} | {each.resolution}"
            for each in task.challenges
        ],
        "Research:": [f"{each.id} on {each.affects_challenge} {each.resolution}: {each.finding}" for each in task.unknowns],
        "Context:": [f"{each.id} {each.location} {each.impact.value}: {each.relevance}" for each in task.contexts],
        "Risks:": [f"{each.id} {each.severity}: {each.risk} when {each.trigger}" for each in task.risks],
        "The user's answers:": [f"{each.challenge_id}: {each.text}" for each in task.responses],
        "Marks of the synthesizer:": [f"{each.aspect.value} {each.points}: {each.evidence}" for each in task.card.marks]
        if task.card
        else [],
    }
    return ((title, "\n".join(lines)) for title, lines in rows.items() if lines)
