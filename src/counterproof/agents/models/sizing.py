"""The upper bound of a question's tokens (F18). Pure.

Common tokenisers first split a text into runs of letters, digits, whitespace and signs, and no token crosses such a boundary.
So tokens are bounded run by run, by the worst tokeniser: a short run of letters has at most one token per two letters, a long
one (a key, a hash, encoded text) one per letter, digits and signs one each, non-ASCII text one per byte. Source code comes to
about half its bytes, where providers count a quarter to a third. Within a conversation the provider's own count of the earlier
turns replaces the bound.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from counterproof.agents.models.channel import Message, Question

_FRAME = 512
_PER_MESSAGE = 24
_PER_TOOL = 64
_TOOL_PREAMBLE = 1024


@dataclass(frozen=True, slots=True)
class Counted:
    """An earlier question of the same conversation with the provider's token count."""

    question: Question
    tokens: int


class Scale:
    """A provider's counting, learnt from its figures in this run: the highest observed share of the bound, plus a quarter.
    Before the first figure the bound itself is reserved."""

    def __init__(self) -> None:
        self._highest = 0.0

    def measured(self, bound: int, counted: int) -> None:
        if bound >= _SUBSTANTIAL:
            self._highest = max(self._highest, counted / bound)

    def applied(self, bound: int) -> int:
        """The tokens to reserve for this upper bound."""
        return min(bound, int(bound * self._highest * _MARGIN) + 1) if self._highest else bound


_SUBSTANTIAL = 1_000
"""Shorter questions are mostly frame and say little about text."""
_MARGIN = 1.25


def input_bound(question: Question, before: Counted | None = None) -> int:
    """The upper bound of the input tokens."""
    whole = _size(question)
    if before is None or not _continues(question, before.question):
        return whole
    fresh = question.messages[len(before.question.messages) :]
    return min(whole, before.tokens + sum(_message(each) for each in fresh) + _PER_MESSAGE)


def expected(question: Question) -> int:
    """A question's probable use of a rate limit; not a bound."""
    return _size(question) // 4 + min(question.max_output, 1_000)


def _continues(question: Question, earlier: Question) -> bool:
    return (
        question.messages[: len(earlier.messages)] == earlier.messages
        and (question.task, question.attempt, question.system) == (earlier.task, earlier.attempt, earlier.system)
        and (question.tools, question.output) == (earlier.tools, earlier.output)
    )


def _size(question: Question) -> int:
    tools = sum(_PER_TOOL + _bound(each.name, each.description, each.schema) for each in question.tools)
    preamble = _FRAME + (_TOOL_PREAMBLE if question.tools else 0)
    return preamble + tools + _bound(question.system, question.output or "") + sum(_message(each) for each in question.messages)


def _message(message: Message) -> int:
    calls = sum(_PER_MESSAGE + _bound(call.id, call.name, call.arguments) for call in message.calls)
    return _PER_MESSAGE + _bound(message.text, message.call_id, message.tool, message.thoughts) + calls


@lru_cache(maxsize=1_024)  # every turn measures the whole conversation again
def tokens_at_most(text: str) -> int:
    """The upper bound for one text."""
    words, blanks = _WORD.findall(text), _BLANK.findall(text)
    apart = _bytes(text) - _bytes("".join(words)) - _bytes("".join(blanks))
    in_words = sum(number * _word(length) for length, number in Counter(map(len, words)).items())
    in_blanks = sum(number * (1 + length // _INDENT) for length, number in Counter(map(len, blanks)).items())
    return apart + in_words + in_blanks + text.count("\n")


_WORD = re.compile(r"[A-Za-z]+")
_BLANK = re.compile(r"\s+")
_LONG = 20
"""Longer runs of letters are not words."""
_INDENT = 16
"""Up to this many equal whitespace characters share a token."""


def _word(length: int) -> int:
    return (length + 1) // 2 if length <= _LONG else length


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _bound(*texts: str) -> int:
    return sum(tokens_at_most(text) for text in texts)
