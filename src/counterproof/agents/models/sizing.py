"""How many tokens a question can have at most. Pure.

Always an upper bound: a token of any text model covers at least one byte, so bytes bound tokens, whatever the reviewed code
makes of its spelling. Within a conversation the provider's own count of the earlier turns takes the place of their bytes.
"""

from dataclasses import dataclass

from counterproof.agents.models.channel import Message, Question

_FRAME = 512
_PER_MESSAGE = 24
_PER_TOOL = 64
_TOOL_PREAMBLE = 1024


@dataclass(frozen=True, slots=True)
class Counted:
    """An earlier question of the same conversation and what the provider counted for it."""

    question: Question
    tokens: int


def input_bound(question: Question, before: Counted | None = None) -> int:
    """At most so many tokens of input."""
    whole = _size(question)
    if before is None or not _continues(question, before.question):
        return whole
    fresh = question.messages[len(before.question.messages) :]
    return min(whole, before.tokens + sum(_message(each) for each in fresh) + _PER_MESSAGE)


def expected(question: Question) -> int:
    """What a question will probably take of a rate limit; not a bound."""
    return _size(question) // 4 + min(question.max_output, 1_000)


def _continues(question: Question, earlier: Question) -> bool:
    return (
        question.messages[: len(earlier.messages)] == earlier.messages
        and (question.task, question.attempt, question.system) == (earlier.task, earlier.attempt, earlier.system)
        and (question.tools, question.output) == (earlier.tools, earlier.output)
    )


def _size(question: Question) -> int:
    tools = sum(_PER_TOOL + _bytes(each.name, each.description, each.schema) for each in question.tools)
    preamble = _FRAME + (_TOOL_PREAMBLE if question.tools else 0)
    return preamble + tools + _bytes(question.system, question.output or "") + sum(_message(each) for each in question.messages)


def _message(message: Message) -> int:
    calls = sum(_PER_MESSAGE + _bytes(call.id, call.name, call.arguments) for call in message.calls)
    return _PER_MESSAGE + _bytes(message.text, message.call_id, message.tool) + calls


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
