"""One conversation with one model about one task: instructions in the system text, our words and marked data in the messages.

Always holds: text of the target stands only inside marked blocks (X3); the opening is the same for the same task, so a restart
asks the same question; the whole is bounded, and when the bound is reached only the result is accepted (X7).
"""

from counterproof.agents import roles
from counterproof.agents.models import rendering, tool_calls
from counterproof.agents.models.channel import Message, Question, ToolCall
from counterproof.agents.models.contract_text import schema_of
from counterproof.agents.models.parsing import END, START
from counterproof.model.contract import AgentTask, Role
from counterproof.protocols.audit.modules import Offer
from counterproof.protocols.guard import provenance
from counterproof.protocols.guard.isolation import Category, opened, wrapped

MAX_CHARACTERS = 600_000
MAX_OUTPUT = 8_192
_MAX_SAID = 8_000

CLAIMS_NOW = (
    "These are the claims that were made about those places. Read on if they name code that you have not seen, then hand in your "
    "judgements again, changed where the code says so. What you said before you saw them stays on record."
)
HAND_IN = "Tools have ended. Hand in the result now: the JSON object of the contract and nothing else."


class Conversation:
    """Grows by one turn at a time. `full` means that nothing more may be shown."""

    def __init__(self, task: AgentTask, offers: tuple[Offer, ...], max_output: int = MAX_OUTPUT) -> None:
        self._task = task
        self._seal = opened(task.id, task.attempt)
        self._messages: list[Message] = []
        self._step = 0
        self._size = 0
        self._max_output = max_output
        self._answered: set[str] = set()
        opening = self._opening(offers)
        self.marker = provenance.marker_of(task, opening)
        self._add(Message("user", f"{opening}\n\nThe marker of this task is {self.marker}: put it into the field `marker`."))

    @property
    def full(self) -> bool:
        return self._size >= MAX_CHARACTERS

    @property
    def echoes(self) -> int:
        """How often data held a mark of this conversation."""
        return self._seal.echoes

    def question(self, with_tools: bool) -> Question:
        """The next question. Without tools only the result can be answered."""
        self._step += 1
        return Question(
            task=self._task.id,
            attempt=self._task.attempt,
            step=self._step,
            system=roles.prompt(self._task.role).text,
            messages=tuple(self._messages),
            tools=tool_calls.specs() if with_tools else (),
            output=schema_of(self._task.role),
            max_output=self._max_output,
        )

    def show_claims(self) -> None:
        """The claims themselves, once the validator has judged their places (A53)."""
        self._seal, block = wrapped(self._seal, Category.CLAIMS, rendering.claims(self._task.findings))
        self._add(Message("user", f"{CLAIMS_NOW}\n{block}"))

    def say(self, text: str) -> None:
        """A line of ours. Never holds text of the target."""
        self._add(Message("user", text))

    def heard(self, text: str, calls: tuple[ToolCall, ...] = ()) -> None:
        """What the model said, as it must be repeated to it. Calls are those that will be answered."""
        self._add(Message("assistant", text[:_MAX_SAID] or ("" if calls else "(nothing)"), calls))

    def fresh(self, call_id: str) -> bool:
        """Whether this id was not used before in the conversation (F11)."""
        if call_id in self._answered:
            return False
        self._answered.add(call_id)
        return True

    def answer(self, call: ToolCall, category: Category, text: str) -> None:
        """The answer to a call, as data between marks."""
        self._seal, block = wrapped(self._seal, category, text)
        self._add(Message("tool", block, call_id=call.id, tool=call.name))

    def refuse(self, call: ToolCall, reason: str) -> None:
        """A refusal. The reason may repeat what the model sent, so it is data as well."""
        self._seal, block = wrapped(self._seal, Category.REFERENCE, f"refused: {reason}")
        self._add(Message("tool", block, call_id=call.id, tool=call.name or "unknown"))

    def _add(self, message: Message) -> None:
        self._messages.append(message)
        self._size += len(message.text) + sum(len(call.arguments) for call in message.calls)

    def _opening(self, offers: tuple[Offer, ...]) -> str:
        task = self._task
        parts = [
            f"You are {task.agent_id}, a {task.role.value}, in round {task.round}.",
            "Dimensions: " + ", ".join(f"{each.value} {each.label}" for each in task.dimensions) + ".",
            "Languages: " + (", ".join(task.languages) or "whatever there is") + ".",
            f"Turns: {task.limits.turns}. Search and read calls: {task.limits.tool_calls}.",
        ]
        if task.method:
            parts.append(f"Method of this round: {task.method}.")
        if task.limits.findings:
            parts.append(f"Hand in at most {task.limits.findings} findings.")
        if offers:
            named = ", ".join(f"{each.name} ({each.confidence.value})" for each in offers)
            parts.append(f"Knowledge modules that fit, to be loaded with the tool `knowledge`, at most five: {named}.")
        parts += [
            *self._matter(),
            "The result is one JSON object that fits this schema, handed in as the whole of your last reply:",
            schema_of(task.role),
            f"If your host only lets you answer in text, put the object between the lines {START} and {END}.",
        ]
        return "\n".join(parts)

    def _matter(self) -> list[str]:
        """What the task is about, as data."""
        task = self._task
        matter = [
            (Category.CLAIMS, _about(task), bool(task.findings) and task.role is not Role.HUNTER),
            (Category.LEADS, rendering.leads(task.hits), bool(task.hits)),
            (Category.SCOPE, rendering.file_list(task.files), bool(task.files)),
            (Category.CONTEXT, rendering.context(task.context) if task.context else "", task.context is not None),
        ]
        blocks: list[str] = []
        for category, text, given in matter:
            if given:
                self._seal, block = wrapped(self._seal, category, text)
                blocks.append(block)
        if task.role is Role.VALIDATOR:
            blocks.append(f"Answer the first {task.steps} of the four steps for every place.")
        return blocks


def _about(task: AgentTask) -> str:
    """What the task's findings are shown as: to a validator place and kind only, until it has judged for itself (A53)."""
    return rendering.places(task.findings) if task.role is Role.VALIDATOR else rendering.claims(task.findings)
