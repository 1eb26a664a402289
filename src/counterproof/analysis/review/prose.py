"""A document as sentences, each with its line and its form.

Always: code, link targets, pictures, comments and front matter are no prose; a sentence knows the line that it begins on; the
same text gives the same sentences; work is bounded by the text's length.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, islice

MAX_LINE = 2_000
MAX_SENTENCES = 20_000
MAX_SENTENCE = 4_000

_LIST = re.compile(r"^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_PICTURE = re.compile(r"!\[[^\]]{0,300}\](?:\([^)\s]{0,1000}\)|\[[^\]]{0,200}\])")
_LINK = re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,1000}\)|\[[^\]]{0,200}\])")
_ADDRESS = re.compile(r"<?https?://\S{1,1000}|</?[a-zA-Z][^>]{0,500}>")
_CODE = re.compile(r"`[^`]{1,300}`")
_END = re.compile(r"(?<=[.!?])[\"')*_]{0,3}\s+(?=[\"'(*_]{0,3}[A-Z0-9`])")


class Form(StrEnum):
    """Where a sentence stands."""

    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is prose alone; names in backticks stand in it as `…`."""

    line: int
    text: str
    form: Form
    cited: bool
    """Whether it refers to something: a link or a name in backticks."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A document's sentences in their order."""

    sentences: tuple[Sentence, ...]
    cut: bool
    """Whether the text went on beyond what is read."""


@lru_cache(maxsize=64)
def read(text: str) -> Prose:
    """The prose of a Markdown or plain text."""
    raw = tuple(islice(_raw(text), MAX_SENTENCES + 1))
    sentences = tuple(each for each in raw[:MAX_SENTENCES] if each.text)
    return Prose(sentences, len(raw) > MAX_SENTENCES)


def _raw(text: str) -> Iterator[Sentence]:
    """Every sentence, also those that are empty when pictures and addresses are taken out."""
    for form, lines in _blocks(text):
        starts = list(accumulate((len(line) + 1 for _, line in lines), initial=0))
        joined = " ".join(line for _, line in lines)
        begin = 0
        for end in (*(found.end() for found in _END.finditer(joined)), len(joined)):
            raw = joined[begin:end][:MAX_SENTENCE]
            number = lines[min(bisect_right(starts, begin), len(lines)) - 1][0]
            yield Sentence(number, _plain(raw), form, bool(_LINK.search(raw) or _CODE.search(raw)))
            begin = end


def _plain(raw: str) -> str:
    bare = _ADDRESS.sub(" ", _LINK.sub(r"\1", _PICTURE.sub(" ", raw)))
    return " ".join(_CODE.sub("`…`", bare).replace("*", " ").replace("’", "'").split())


def _blocks(text: str) -> Iterator[tuple[Form, list[tuple[int, str]]]]:
    """Runs of lines that belong together."""
    block: list[tuple[int, str]] = []
    form = Form.TEXT
    for number, line in _prose_lines(text):
        here = _form(line)
        if block and (not line.strip() or here is not Form.TEXT):
            yield form, block
            block = []
        if not line.strip():
            continue
        if not block:
            form = here
        block.append((number, _LIST.sub("", line).strip().strip("#|> ")))
        if here in (Form.HEADING, Form.ROW):
            yield form, block
            block = []
    if block:
        yield form, block


def _form(line: str) -> Form:
    if line.startswith("#"):
        return Form.HEADING
    if line.lstrip().startswith("|"):
        return Form.ROW
    return Form.ITEM if _LIST.match(line) else Form.TEXT


def _prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its number; those of code, comments and front matter are empty."""
    fence, comment = "", False
    front = text.startswith("---\n")
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        hidden = bool(fence) or comment or front
        if not hidden and (bare.startswith(("```", "~~~"))):
            fence, hidden = bare[:3], True
        elif fence and bare.startswith(fence):
            fence = ""
        elif front and number > 1 and bare == "---":
            front = False
        elif not fence and (comment or bare.startswith("<!--")):
            hidden = True
            comment = "-->" not in bare
        yield number, "" if hidden else line[:MAX_LINE]
