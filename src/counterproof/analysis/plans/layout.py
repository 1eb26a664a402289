"""A plan's lines: headings, code blocks, the start and end of its steps, and the text that introduces each block.

Invariant: every line once. Not handled here: the things that lines mention.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.model.plan.outline import PlanStep

MAX_STEPS = 200
MAX_BLOCK = 40_000

_FENCE = re.compile(r"[ \t>]{0,12}(```+|~~~+)[ \t]*\{?\.?([A-Za-z0-9_+#-]{0,20})")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DOCUMENTS = ("markdown", "md", "mdx")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.{1,300})")
_DIGITS = r"[A-Z]?\d{1,3}(?:[.-]?\d{1,3}){0,2}[A-Za-z]?"
STEP_TITLE = re.compile(
    rf"[\W_]{{0,6}}(?:(?:implementation[ \t]+)?(?:step|phase|task|stage|milestone|part|unit|slice|chunk|iteration|batch|pr"
    rf"|commit)"
    rf"(?:[ \t]*[#:-]?[ \t]*{_DIGITS}|[ \t]+[A-Z])\b|(?:{_DIGITS}|[A-Z])[.):—–-]{{1,2}}[ \t])",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:\*\*)?\d{1,3}[.)][ \t]+(.{1,300})")
_BOX = re.compile(r"[-*+][ \t]+\[[ xX~/-]\][ \t]+(.{1,300})")
_BULLET = re.compile(r"[-*+][ \t]+(.{1,300})")
_STEP_SECTION = re.compile(r"\b(?:steps?|tasks?|implementation|changes|plan|approach|work|todo)\b", re.IGNORECASE)
ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `code` is the language of its block ('text' if none is given), '' outside blocks; `level` is a heading's depth, 0
    for other lines; `section` the heading above."""

    number: int
    text: str
    code: str = ""
    level: int = 0
    section: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A code block: its language, the line number of its first line of code, its text, and the prose line that introduces it."""

    language: str
    first: int
    text: str
    lead: str


def without_comments(text: str) -> str:
    """A text without comments that readers do not see; every line keeps its number."""
    return _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def lines_of(text: str) -> tuple[Line, ...]:
    """Every line with its position in the document. Fence lines count as code. If a block contains a document with blocks of its
    own, the inner fences belong to those blocks, if that leaves fewer unmatched fences."""
    plain, odd = _read(text, nested=False)
    nested, odder = _read(text, nested=True) if odd else (plain, odd)
    return nested if odder < odd else plain


def _read(text: str, nested: bool) -> tuple[tuple[Line, ...], int]:
    """(the lines, the number of unmatched fences: those that open a block inside another, or are not closed)."""
    found: list[Line] = []
    fences: list[str] = []
    language, section, odd = "", "", 0
    for number, raw in enumerate(text.split("\n"), 1):
        opened = _FENCE.match(raw)
        mark, named = (opened[1], opened[2].lower()) if opened else ("", "")
        outside = not fences
        if fences and mark.startswith(fences[-1]):
            if not named:
                fences.pop()
            elif nested and language in _DOCUMENTS and len(fences) == 1:
                fences.append(mark)
            else:
                odd += 1
        elif outside and mark:
            fences, language = [mark], named or "text"
        if outside and not mark:
            heading = _HEADING.match(raw)
            section = heading[2].strip() if heading else section
            found.append(Line(number, raw, "", len(heading[1]) if heading else 0, section))
        else:
            found.append(Line(number, "" if outside or not fences else raw, language, 0, section))
    return tuple(found), odd + len(fences)


def blocks_of(lines: tuple[Line, ...]) -> Iterator[Block]:
    """The code blocks, each with the last prose line above it."""
    held: list[Line] = []
    lead = ""
    for line in (*lines, Line(0, "", "")):
        if line.code and held and not line.text and line.number == held[-1].number + 1 and line.code != held[0].code:
            yield from _block(held, lead)
            held = [line]
        elif line.code:
            held.append(line)
        else:
            yield from _block(held, lead)
            held = []
            lead = line.text if line.text.strip() else lead


def _block(held: list[Line], lead: str) -> Iterator[Block]:
    text = "\n".join(line.text for line in held[1:])
    if len(held) > 1 and text.strip() and len(text) <= MAX_BLOCK:
        yield Block(held[0].code, held[1].number, text, lead)


def steps_of(lines: tuple[Line, ...]) -> tuple[PlanStep, ...]:
    """The plan's steps: headings that say so, else numbered items, else check boxes, else bullets of a section of steps."""
    plain = [line for line in lines if not line.code]
    for starts in (_by_heading(plain), _by_pattern(plain, _NUMBERED), _by_pattern(plain, _BOX), _by_section(plain)):
        if starts:
            return _bounded(starts[:MAX_STEPS], lines)
    return ()


def _by_heading(lines: list[Line]) -> list[tuple[Line, str]]:
    return [(line, _title(line)) for line in lines if line.level > 1 and STEP_TITLE.match(_title(line))]


def _title(line: Line) -> str:
    return line.text.lstrip("#").strip()


def _by_pattern(lines: list[Line], pattern: re.Pattern[str]) -> list[tuple[Line, str]]:
    pairs = ((line, pattern.match(line.text)) for line in lines)
    return [(line, match[1].strip()) for line, match in pairs if match]


def _by_section(lines: list[Line]) -> list[tuple[Line, str]]:
    return [(line, title) for line, title in _by_pattern(lines, _BULLET) if _STEP_SECTION.search(line.section)]


def _bounded(starts: list[tuple[Line, str]], lines: tuple[Line, ...]) -> tuple[PlanStep, ...]:
    """A step ends before the next one, or before a heading at its level or above."""
    steps: list[PlanStep] = []
    for index, (line, title) in enumerate(starts):
        limit = starts[index + 1][0].number if index + 1 < len(starts) else len(lines) + 1
        depth = line.level or 6
        after = (each.number for each in lines[line.number : limit - 1] if 0 < each.level <= depth)
        steps.append(PlanStep(index + 1, title.strip("*# ")[:200], line.number, next(after, limit) - 1))
    return tuple(steps)
