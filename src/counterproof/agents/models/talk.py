"""One conversation with one model about one task, for every role: our words, and data from the target between marks.

The first message contains what tasks share, the second the role, the contract and the task; the data of both comes from a pack
(`agents.context`).

Invariant: text from the target appears only inside marked blocks, with hidden characters shown (X1, X3); the opening is the
same for the same task and pack, so a restart asks the same question, and its first message is the same for all tasks of a run
and role, so that it can be cached; the total is bounded, and at the bound only the result is accepted (X7).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from counterproof.agents.context.pack import Filled, Pack
from counterproof.agents.context.sections import Shown
from counterproof.agents.context.tokens import tokens
from counterproof.agents.models.channel import Answer, Message, Part, Question, ToolCall, ToolSpec
from counterproof.agents.models.parsing import END, START
from counterproof.agents.models.schemas import declaration
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.analysis.text.hidden import visible
from counterproof.model.canonical import digest
from counterproof.protocols.guard.isolation import BAR, Category, opened, wrapped

_MAX_SAID = 64_000
_MAX_NAMED = 2_000
_Lines = tuple[tuple[str, int, int], ...]
_Stretch = tuple[str, _Lines, bool]
"""A part of a message, the lines of files that it shows, and whether it is a piece of the part before it."""
FIRST_TOOLS = 2
"""The number of tools offered in a small window: reading and searching."""
PART = 1_000
"""The most steps of one talk; a talk's steps start at its part number times this."""

HAND_IN = "Tools have ended. Hand in the result now: the JSON object of the contract and nothing else."
MEND = "The result does not fit the contract, or parts of it would be refused. Hand in the whole of it again, corrected:"


@dataclass(frozen=True, slots=True)
class Asked:
    """The question without its data. `system` is the text for all roles of a protocol; `role` the role's own, which follows
    the shared data, so that all roles can use the cache; `intro` and `closing` are our lines before and after the task's data;
    `output` the JSON schema of the result. `part` numbers the talks of a task."""

    task: str
    attempt: int
    system: str
    tools: tuple[ToolSpec, ...]
    output: str
    role: str
    intro: tuple[str, ...]
    closing: tuple[str, ...] = ()
    part: int = 0
    tuning: Tuning = USUAL


class Talk:
    """Grows by one turn at a time. `marker` derives the result's required mark from the complete opening."""

    def __init__(self, asked: Asked, pack: Pack, marker: Callable[[str], str]) -> None:
        if asked.tuning.small:
            asked = replace(asked, tools=asked.tools[:FIRST_TOOLS], role=asked.role.partition("\n## A good answer")[0])
        self._asked = asked
        self._messages: list[Message] = []
        self._step = asked.part * PART
        self._size = tokens(asked.system) + sum(tokens(f"{each.description}{each.schema}") for each in asked.tools)
        self._answered: set[str] = set()
        self._limit = min(asked.tuning.output, asked.tuning.window // 5)
        self._seal = opened(digest(asked.system), 0)
        shared = _message(self._sections(pack.shared))
        if shared.text:
            self._add(shared)
        self._stable = len(self._messages)
        self._seal = replace(self._seal, chain=digest(f"{self._seal.chain}\n{asked.task}\n{asked.attempt}\n{asked.part}"))
        own = [_plain(asked.role), _plain(_contract(asked.output)), _plain("\n".join(asked.intro))]
        own += [*self._sections(pack.task), *map(_plain, asked.closing)]
        self.marker = marker(f"{shared.text}\n{_message(own).text}")
        self._add(_message([*own, _plain(f"\nThe marker of this task is {self.marker}: put it into the field `marker`.")]))

    @property
    def full(self) -> bool:
        """True if nothing more may be shown."""
        return self._size >= (self._asked.tuning.window - self._limit) * 7 // 8

    def fits(self, text: str) -> bool:
        """True if there is room for a text and an answer after it."""
        return self._size + tokens(text) + self._limit <= self._asked.tuning.window

    def question(self, with_tools: bool) -> Question:
        """The next question. Tools stay listed when they must no longer be called, because they are part of the cached prefix."""
        self._step += 1
        return Question(
            task=self._asked.task,
            attempt=self._asked.attempt,
            step=self._step,
            system=self._asked.system,
            messages=tuple(self._messages),
            tools=self._asked.tools,
            output=self._asked.output,
            max_output=self._limit,
            effort=self._asked.tuning.effort,
            stable=self._stable,
            hand_in=not with_tools,
        )

    def widen(self) -> bool:
        """Allow a longer answer after a truncated one; False if the maximum is already allowed."""
        wider = min(self._limit * 2, self._asked.tuning.ceiling, self._asked.tuning.window - self._size)
        grown, self._limit = wider > self._limit, max(wider, self._limit)
        return grown

    def say(self, text: str) -> None:
        """Add a line of ours. Never contains text from the target."""
        self._add(Message("user", text))

    def show(self, words: str, category: Category, text: str) -> None:
        """Add our words with the related data."""
        self._add(Message("user", f"{words}\n{self._block(category, text)}" if text else words))

    def heard(self, answer: Answer, calls: tuple[ToolCall, ...] = ()) -> None:
        """Add the model's answer in the form that must be sent back. Calls are those that will be answered."""
        text = answer.text[:_MAX_SAID] or ("" if calls else "(nothing)")
        self._add(Message("assistant", text, calls, thoughts=answer.thoughts))

    def fresh(self, call: ToolCall) -> bool:
        """True if a call has a name, and an id that was not used before in the conversation, both of bounded length (F11)."""
        if not call.id or not call.name or len(call.id + call.name) > _MAX_NAMED or call.id in self._answered:
            return False
        self._answered.add(call.id)
        return True

    def answer(self, call: ToolCall, category: Category, text: str) -> None:
        """Add a call's result, as data between marks."""
        self._add(Message("tool", self._block(category, text), call_id=call.id, tool=call.name))

    def refuse(self, call: ToolCall, reason: str) -> None:
        """Add a rejection. The reason may repeat what the model sent, so it is data as well."""
        self.answer(call, Category.REFERENCE, f"refused: {reason}")

    def _sections(self, sections: Iterable[Filled]) -> list[_Stretch]:
        return [stretch for each in sections for stretch in self._divided(each)]

    def _divided(self, section: Filled) -> Iterator[_Stretch]:
        """A section split into its pieces of code, and the frame around them."""
        showing = [piece for piece in section.pieces if piece.shows]
        heads = {BAR + visible(piece.text.partition("\n")[0]).text: piece.shows for piece in showing}
        lines = "\n".join([section.title, *(self._block(section.category, body) for body in section.bodies)]).split("\n")
        held, shows, inner = lines[:1], _spans(section.shows), False
        for line in lines[1:]:
            if line in heads or (inner and not line.startswith(BAR)):
                yield "\n".join(held), shows, inner
                held, shows, inner = [], _spans(heads.get(line, ())), True
            held.append(line)
        yield "\n".join(held), shows, inner

    def _block(self, category: Category, text: str) -> str:
        self._seal, block = wrapped(self._seal, category, visible(text).text)
        return block

    def _add(self, message: Message) -> None:
        self._messages.append(message)
        self._size += tokens(message.text) + tokens(message.thoughts) + sum(tokens(call.arguments) for call in message.calls)


def _message(stretches: Iterable[_Stretch]) -> Message:
    """One message of several parts, separated by line ends."""
    texts: list[str] = []
    parts: list[Part] = []
    start = 0
    for text, shows, inner in stretches:
        parts.append(Part(start, shows, inner))
        texts.append(text)
        start += len(text) + 1
    return Message("user", "\n".join(texts), parts=tuple(parts))


def _plain(text: str) -> _Stretch:
    return text, (), False


def _spans(shows: Iterable[Shown]) -> _Lines:
    return tuple((each.path, each.first, each.last) for each in shows)


def _contract(schema: str) -> str:
    """How to submit a result, the same for every task of a role."""
    return (
        "# Result\n\nThe result is one JSON object of the type `Result`, handed in as the whole of your last reply. A field with "
        "`?` may be left out; its empty value says the same.\n\n"
        f"```\n{declaration(schema)}\n```\n\n"
        f"If your host only lets you answer in text, put the object between the lines {START} and {END}.\n"
    )
