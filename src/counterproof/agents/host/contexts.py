"""Avoids repeating text to a host: each text is sent once per context (A61).

A host names its contexts; otherwise it has one. A part of an opening is replaced by a reference if an earlier task of the same
context contained the same bytes, or every line of code in it. Invariant: re-reading a task shows its own parts again; a new
context is shown everything. Safe only under the desk's lock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from counterproof.agents.models.channel import Message, Part
from counterproof.model.canonical import digest
from counterproof.protocols.guard.isolation import without_marks

MIN_LENGTH = 300
"""Shorter parts are not replaced by references."""
MAX_TITLE = 100


@dataclass(slots=True)
class Seen:
    """The texts shown to one context, each with the task that showed it first."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    lines: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])

    def system(self, text: str, task: str) -> str:
        """The instructions of a conversation, or a reference to them."""
        known = self.texts.setdefault(digest(text), task)
        return text if known == task else f"(as in task {known})"

    def message(self, message: Message, task: str) -> Message:
        """The message without the parts that an earlier task showed."""
        if not message.parts:
            return message
        return replace(message, text="\n".join(self._parts(message, task)), parts=())

    def _parts(self, message: Message, task: str) -> Iterator[str]:
        """Replace repeated sections by their names; in others, repeated pieces."""
        ends = [part.start - 1 for part in message.parts[1:]] + [len(message.text)]
        texts = [(part, message.text[part.start : end]) for part, end in zip(message.parts, ends, strict=True)]
        for number, (part, text) in enumerate(texts):
            if part.inner:
                continue
            pieces = list(takewhile(lambda each: each[0].inner, texts[number + 1 :]))
            whole = "\n".join([text, *(piece for _, piece in pieces)])
            earlier = self._shown_by(whole, part.shows, task)
            if earlier:
                yield f"({whole.partition(chr(10))[0][:MAX_TITLE]} as task {earlier} showed it)"
            else:
                yield from (text, *self._pieces(pieces, task))
                self._note(whole, part.shows, task)

    def _pieces(self, pieces: list[tuple[Part, str]], task: str) -> Iterator[str]:
        for part, text in pieces:
            earlier = self._shown_by(text, part.shows, task) if part.shows else ""
            yield f"{text.partition(chr(10))[0][:MAX_TITLE]}: as task {earlier} showed it" if earlier else text

    def _shown_by(self, text: str, shows: tuple[tuple[str, int, int], ...], task: str) -> str:
        """The earlier task that showed this text, or all of its lines; '' if none did."""
        if len(text) < MIN_LENGTH:
            return ""
        tasks = {self.lines.get(line, task) for line in _lines(shows)} or {task}
        known = self.texts.get(digest(without_marks(text)), task)
        return known if known != task else "" if task in tasks else min(tasks)

    def _note(self, text: str, shows: tuple[tuple[str, int, int], ...], task: str) -> None:
        if len(text) >= MIN_LENGTH:
            self.texts.setdefault(digest(without_marks(text)), task)
            for line in _lines(shows):
                self.lines.setdefault(line, task)


def _lines(shows: tuple[tuple[str, int, int], ...]) -> Iterator[tuple[str, int]]:
    return ((path, line) for path, first, last in shows for line in range(first, last + 1))
