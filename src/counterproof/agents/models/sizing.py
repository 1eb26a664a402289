"""How many tokens a question can have at most (F18). Pure.

Tokenisers of the common providers cut a text into runs of letters, digits, white space and signs before they look up pieces, and
no piece crosses such a cut. So tokens are bounded run by run, each as the worst of them counts it: a short run of letters has at
most one token for two letters, a long one (a key, a hash, an encoded text) one a letter, every digit and sign one, everything
beyond ASCII one a byte. Source code comes to about half its bytes that way, where providers count a quarter to a third. Within a
conversation the provider's own count of the earlier turns takes the place of the bound.
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
    """An earlier question of the same conversation and what the provider counted for it."""

    question: Question
    tokens: int


class Scale:
    """How a provider counts, learnt from its own figures in this run: the highest share of the bound that it ever charged, and a
    quarter more. Before its first figure the bound itself is reserved."""

    def __init__(self) -> None:
        self._highest = 0.0

    def measured(self, bound: int, counted: int) -> None:
        if bound >= _SUBSTANTIAL:
            self._highest = max(self._highest, counted / bound)

    def applied(self, bound: int) -> int:
        """What to reserve where so many tokens are the bound."""
        return min(bound, int(bound * self._highest * _MARGIN) + 1) if self._highest else bound


_SUBSTANTIAL = 1_000
"""Shorter questions are mostly frame and say little about text."""
_MARGIN = 1.25


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
    tools = sum(_PER_TOOL + _bound(each.name, each.description, each.schema) for each in question.tools)
    preamble = _FRAME + (_TOOL_PREAMBLE if question.tools else 0)
    return preamble + tools + _bound(question.system, question.output or "") + sum(_message(each) for each in question.messages)


def _message(message: Message) -> int:
    calls = sum(_PER_MESSAGE + _bound(call.id, call.name, call.arguments) for call in message.calls)
    return _PER_MESSAGE + _bound(message.text, message.call_id, message.tool, message.thoughts) + calls


@lru_cache(maxsize=1_024)  # a conversation is measured again at every turn
def tokens_at_most(text: str) -> int:
    """The bound for one text."""
    words, blanks = _WORD.findall(text), _BLANK.findall(text)
    apart = _bytes(text) - _bytes("".join(words)) - _bytes("".join(blanks))
    in_words = sum(number * _word(length) for length, number in Counter(map(len, words)).items())
    in_blanks = sum(number * (1 + length // _INDENT) for length, number in Counter(map(len, blanks)).items())
    return apart + in_words + in_blanks + text.count("\n")


_WORD = re.compile(r"[A-Za-z]+")
_BLANK = re.compile(r"\s+")
_LONG = 20
"""Longer runs of letters are no words."""
_INDENT = 16
"""White space of one kind shares a token up to at least so many characters."""


def _word(length: int) -> int:
    return (length + 1) // 2 if length <= _LONG else length


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _bound(*texts: str) -> int:
    return sum(tokens_at_most(text) for text in texts)
