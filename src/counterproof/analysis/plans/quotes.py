"""Doubts about code that a plan quotes as it stands: a file that does not hold it.

Always: line by line, spaces aside, and only lines that say something. What another block of the plan writes may be quoted later;
`...` stands for what was left out. A quote of which some lines are there is a MINOR doubt, and so is one that nothing in the file
is like: it may be meant as new. One of which none is there, while a diff removes it or the file has lines like it, was taken from
another state of the code.
"""

import difflib
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence

MIN_LINE = 14
"""Letters from which on a line is one of a kind."""
ALIKE = 0.7
ALIKE_ALONE = 0.85
"""How like a line of the file a quote of one line must be."""
_OMITTED = re.compile(r"\.\.\.|…|<[^<>]*omitted|existing|unchanged|same as", re.IGNORECASE)
_COMMENT = re.compile(r"(?:#|//|\*|/\*|--|<!--|\"\"\")")
_QUOTES = re.compile(
    r"(?:\b(?:find|locate|currently|today|before|existing (?:code|block|lines?)"
    r"|(?:current|old) (?:code|block|lines?|version|state|implementation))\b"
    r"[^:\n]{0,60}|\b(?:replace|change)(?: (?:this|these|from|the following)\b[^:\n]{0,30}))[:：][*_ \t]*\Z",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:add|insert|append|after|with|create|write|new|put|becomes?|to:)\b", re.IGNORECASE)


def misquoted(case: Case) -> Iterator[Doubt]:
    """Quotes of a file, and lines that a diff removes, which the file does not hold."""
    written = {_plain(line) for code in case.new_codes for line in code.text.split("\n")}
    for code in case.codes:
        path = case.ground.resolve(code.path) if code.path and case.ground.count(code.path) == 1 else ""
        quoted = [(number, line) for number, line in _quoted(code) if _plain(line) not in written]
        if not path or not quoted:
            continue
        held = {_plain(line): number for number, line in enumerate(case.ground.text(path).split("\n"), 1)}
        absent = [(number, line) for number, line in quoted if _plain(line) not in held]
        elsewhere = _letters(case.ground.text(path))
        absent = [(number, line) for number, line in absent if _letters(line) not in elsewhere]
        if absent:
            yield _misquoted(code, path, absent, len(quoted), held)


def _quoted(code: Code) -> Iterator[tuple[int, str]]:
    """The lines, with their numbers in the plan, that a block says are in the code now."""
    diff = code.block.language in DIFFS
    if not diff and (not _QUOTES.search(code.block.lead) or _ADDS.search(code.block.lead)):
        return
    for offset, raw in enumerate(code.block.text.split("\n")):
        line = raw[1:] if diff else raw
        if diff and (not raw.startswith("-") or raw.startswith("---")):
            continue
        if len(_letters(line)) >= MIN_LINE and not _OMITTED.search(line) and not _COMMENT.match(line.strip()):
            yield code.block.first + offset, line


def _plain(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip().rstrip(",;")


def _letters(text: str) -> str:
    return re.sub(r"[\s'\"`,;]", "", text)


def _misquoted(code: Code, path: str, absent: list[tuple[int, str]], quoted: int, held: dict[str, int]) -> Doubt:
    number, line = absent[0]
    alike = ALIKE if quoted > 1 else ALIKE_ALONE
    near = difflib.get_close_matches(_plain(line), [each for each in held if len(each) >= MIN_LINE], n=1, cutoff=alike)
    there = f"; line {held[near[0]]} has `{near[0][:100]}`" if near else ""
    proven = len(absent) == quoted and (bool(near) or code.block.language in DIFFS)
    return Doubt(
        Kind.QUOTE,
        path,
        "",
        f"Plan line {number} quotes `{_plain(line)[:100]}`, which `{path}` does not hold{there}",
        "Whoever looks for these lines does not find them, and must guess what the step means",
        f"Look at `{path}` as it is now, and quote that",
        lines=(number,),
        places=(f"{path}:{held[near[0]] if near else 1}",),
        evidence=Evidence.QUOTED if proven else Evidence.ABSENT,
    )
