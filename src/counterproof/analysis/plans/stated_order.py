"""What the steps of a plan say themselves about their order: which other steps each of them needs.

Always: a pointer is a step by its kind and number, under a label of what a step needs or after words that say so; one that the
words deny, or that only follows on this step, is none. Every ring of such pointers has one that leads to a later step.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.layout import STEP_TITLE
from counterproof.model.plan.outline import PlanStep

Number = tuple[str, str]
"""The kind of a step, as `task`, and its number."""
CONSUMES = re.compile(
    r"[\W_]{0,14}(?:consumes|uses|depends on|dependenc(?:y|ies)|blocked by|prerequisites?|requires|needs|imports|依赖|前置)"
    r"[*_]{0,3}[ \t]*[:：]",
    re.IGNORECASE,
)
"""A label of what a step needs."""
_NEEDS = re.compile(
    r"\b(?:depends on|blocked by|requires|needs|consumes)\b[:*_ \t]{1,6}(?:[^.\n]{0,30}?\b(?<!in )(?<!by )(?<!for ))?"
    r"(?=(?:task|step|phase|unit|milestone)s?[ \t]*#?\d)",
    re.IGNORECASE,
)
_KIND = r"task|step|phase|unit|milestone|stage|part|chunk|slice|[A-Z](?=\d)"
_DIGITS = r"\d{1,3}(?:\.\d{1,3})?"
_JOINED = r"[ \t]*(?:,[ \t]*(?:and[ \t])?|、|&|/|\band\b|\bthrough\b|\bto\b|[-–—]|和|至)[ \t]*"
_POINTER = re.compile(
    rf"(?<![\w.])(?P<kind>{_KIND})s?[ \t]*#?(?P<all>{_DIGITS}(?:{_JOINED}(?:(?:{_KIND})[ \t]*#?)?{_DIGITS})*)(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:无|没有)[^。；]{0,60}\Z|\b(?:nothing|not|no|none|independent|parallel|until|before|later|blocks|for"
    r"|(?:used|needed|consumed|extended|replaced|wired) (?:by|in)|can|may)\b[^.;,)]{0,40}\Z|\bnot?[ \t]+\Z",
    re.IGNORECASE,
)
"""Words before a pointer by which it is none, or leads from the other step to this one."""
_TAKES = re.compile(r"[ \t]+(?:uses?|will|needs?|takes?|adds?|reads?|calls?|consumes?|extends?|wires?|fills?)\b", re.IGNORECASE)
"""Words after a pointer by which the other step takes something from this one."""
_PRODUCES = re.compile(r"[\W_]{0,14}(?:produces|provides|exposes|exports|outputs?|产出|输出)[*_]{0,3}[ \t]*[:：]", re.IGNORECASE)
"""A label of what a step makes."""
_MARKED = re.compile(r"`([^`\n]{2,200})`")
_TITLE = re.compile(rf"[\W_]{{0,6}}(?:implementation[ \t]+)?(?P<kind>[A-Za-z]{{0,12}})[ \t]*[#:-]?[ \t]*(?P<number>{_DIGITS})")


def number_of(step: PlanStep) -> Number | None:
    """The kind and number by which other lines name a step; None where its title has none."""
    title = _TITLE.match(step.title) if STEP_TITLE.match(step.title) else None
    return (title["kind"].lower(), title["number"]) if title else None


def forward_pointers(case: Case) -> Iterator[tuple[int, PlanStep]]:
    """For each step the first line that says it needs a step which stands after it, and that step."""
    numbered: dict[Number, list[PlanStep]] = {}
    for step in case.outline.steps:
        number = number_of(step)
        if number:
            numbered.setdefault(number, []).append(step)
    for step in case.outline.steps:
        named = (
            (line, numbered.get(number) or _meant(numbered, *number))
            for line in range(step.start, step.end + 1)
            if line not in case.code_lines and not _is_product(case, step, line)
            for number in _needed(case.line(line))
        )
        found = next(((line, one[0]) for line, one in named if len(one) == 1 and one[0].start > step.end), None)
        if found:
            yield found


def _meant(numbered: dict[Number, list[PlanStep]], kind: str, number: str) -> list[PlanStep]:
    """The steps that a pointer may lead to where none has its kind and number. `T1` is task 1 where the plan counts tasks, and a
    plain 1 only where it counts nothing by that letter."""
    short = {each for each, _ in numbered if len(kind) == 1 and each.startswith(kind)}
    return [step for each in short for step in numbered.get((each, number), [])] if short else numbered.get(("", number), [])


def _is_product(case: Case, step: PlanStep, line: int) -> bool:
    """Whether a line is about what its own step makes: the step that it names takes it from there."""
    marked = set(_MARKED.findall(case.line(line)))
    made = (text for text in map(case.line, range(step.start, step.end + 1)) if _PRODUCES.match(text))
    return bool(marked) and any(marked & set(_MARKED.findall(text)) for text in made)


def _needed(text: str) -> Iterator[Number]:
    """The steps that a line says are needed."""
    label = CONSUMES.match(text)
    starts = [label.end()] if label else [match.end() for match in _NEEDS.finditer(text)]
    for start in starts:
        for match in _POINTER.finditer(text, start) if label else filter(None, [_POINTER.match(text, start)]):
            if not _DENIED.search(text[start : match.start()]) and not _TAKES.match(text, match.end()):
                yield from ((match["kind"].lower(), number) for number in _counted(match["all"]))


def _counted(listed: str) -> Iterator[str]:
    """The numbers of a list, with those between the ends of a range."""
    yield from re.findall(_DIGITS, listed)
    for first, last in re.findall(
        r"(?<![\d.])(\d{1,3})[ \t]*(?:through|to|[-–—]|至)[ \t]*[A-Za-z]{0,5}[ \t]*(\d{1,3})(?![\d.]*\d)", listed
    ):
        yield from (str(number) for number in range(int(first) + 1, int(last)))
