"""A document as sentences: what it says, what kind of sentence each is, and whether the whole plans work.

Always: code, link targets, pictures, comments and front matter are no prose; a sentence knows the line that it begins on; the
same text gives the same sentences; work is bounded by the text's length. What a sentence lacks is asked elsewhere.
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
SHORT = 80
MIN_SHARE = 0.1
"""A text in which fewer of the sentences plan work is about something else, such as a README with a word on what is to come."""

_CHANGE = (
    r"(?:move|migrat|replac|introduc|add|build|implement|drop|remov|delet|renam|rewrit|refactor|split|merg|switch|roll(?: |-)?out"
    r"|ship|launch|deploy|creat|extend|convert|upgrad|retir|deprecat|stor|expos|publish|chang|extract|port|enabl|disabl|cach"
    r"|integrat|adopt|set up|go live|put|keep|send|import|export|start|open|allow|let)"
)
_ENDING = r"(?:e|es|s|d|ed|ing|p|ped|ping|ten|t|ies|ied|y)?"
_BETWEEN = r"(?:\s+(?:then|also|now|first|just|simply|all|both|only|therefore))?"
_INTENT = re.compile(
    rf"\b(?:we|i)(?:\s+(?:will|shall|should|must|are going to|plan to|intend to|propose to|want to|need to)|'ll)?{_BETWEEN}"
    rf"\s+{_CHANGE}{_ENDING}\b"
    r"|\b(?:will|shall|is going to|are going to|is to|are to)\s+be\s+(?:mov|migrat|replac|introduc|buil|implement|dropp|rewrit"
    r"|refactor|split|switch|roll|launch|retir|deprecat|convert|merg|port)\w{0,5}\b"
    rf"|\b(?:this|the)\s+(?:proposal|rfc|change|plan|project|document|note|decision)\s+(?:will\s+)?{_CHANGE}{_ENDING}\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:we|i)\s+(?:\w{2,12}ed|built|wrote|put|sent|kept|chose)\b|\bwas\b|\bwere\b|\bhave been\b|\bhas been\b"
    r"|\b(?:some day|one day|eventually|might|(?:in the|far) future)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|won't|cannot|no longer)\b", re.IGNORECASE)
_IMPERATIVE = re.compile(rf"^(?:(?:step|phase)\s+\d{{1,2}}\W{{1,3}})?{_CHANGE}{_ENDING}\s+\w", re.IGNORECASE)
_TITLE = re.compile(
    r"^(?:(?:the|a|our)\s+)?(?:[\w-]{1,30}\s+){0,3}(?:plan|proposal|rfc|rollout|roll-out|migration|implementation|milestones?"
    r"|approach|strategy|next steps|steps|work ?items|deliverables|timeline)\b[^.]{0,40}$",
    re.IGNORECASE,
)
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

    @property
    def negated(self) -> bool:
        return _NEGATED.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class Prose:
    """A document's sentences in their order, and those of them that say what somebody is going to do."""

    sentences: tuple[Sentence, ...]
    planning: tuple[Sentence, ...]
    cut: bool = False
    """Whether the text went on beyond what is read."""

    @property
    def short(self) -> bool:
        """Whether it is a note, of which nobody expects every answer."""
        return sum(len(each.text.split()) for each in self.sentences) < SHORT

    @property
    def plans(self) -> bool:
        """Whether the document is about work to be done: a share of it is, or a heading says so and something follows."""
        telling = sum(each.form is not Form.HEADING for each in self.sentences)
        titled = any(each.form is Form.HEADING and _TITLE.match(each.text) for each in self.sentences)
        return bool(self.planning) and (titled or len(self.planning) >= MIN_SHARE * telling)


@lru_cache(maxsize=64)
def read(text: str) -> Prose:
    """The prose of a Markdown or plain text."""
    raw = tuple(islice(_raw(text), MAX_SENTENCES + 1))
    sentences = tuple(each for each in raw[:MAX_SENTENCES] if each.text)
    return Prose(sentences, tuple(_planning(sentences)), len(raw) > MAX_SENTENCES)


def _planning(sentences: tuple[Sentence, ...]) -> Iterator[Sentence]:
    """What is to be done: said of us or of the future, or told as an order where a heading announces steps."""
    steps = False
    for number, each in enumerate(sentences):
        if each.form is Form.HEADING:
            title = each.text.partition(":")[2].strip() or each.text
            steps = bool(_TITLE.match(each.text) or (number == 0 and _IMPERATIVE.match(title)))
        ordered = (steps or (each.form is Form.HEADING and number == 0)) and bool(_IMPERATIVE.match(each.text))
        intended = each.form is not Form.HEADING and bool(_INTENT.search(each.text)) and not _PAST.search(each.text)
        if (ordered or intended) and not each.negated:
            yield each


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
