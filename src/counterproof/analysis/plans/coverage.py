"""Which statements of a plan were compared with the repository (P22).

Invariant: a statement is an item, a row, a paragraph or a code block. A statement without any mention of code cannot be checked.
It counts as checked if a file or name in it was found in the repository, if it states an intent, or if its code was parsed.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.layout import ITEM, lines_of
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.coverage import Coverage
from counterproof.model.plan.outline import Intent, Mention, Named

_NOTHING_SAID = re.compile(r"[\s|:*_#>=-]*(?:\[[ xX]\])?[^`]{0,60}[:：][*_\s]*\Z|[\s|:*_=+>-]*\Z")  # or it leads to a list


def covered(case: Case) -> Coverage:
    """The statements of a plan, and those that nothing was compared with."""
    named = {each.line for each in case.outline.named if _is_compared(case, each)}
    named |= {line for doubt in examine(case) for line in doubt.lines}
    told = {each.line for each in case.outline.named}
    every = list(_statements(case))
    statements = [lines for lines in every if any(number in told or "`" in case.line(number) for number in lines)]
    blocks = [(code.block.first, _is_read(code, named)) for code in case.codes]
    unread = tuple(lines[0] for lines in statements if not named.intersection(lines))
    unparsed = tuple(first for first, read in blocks if not read)
    return Coverage(len(statements) + len(blocks), unread, unparsed, len(examine(case)), len(every) - len(statements))


def _is_compared(case: Case, each: Named) -> bool:
    if each.intent is not Intent.USES:
        return True
    if each.kind is Mention.FILE:
        return bool(case.ground.resolve(each.text)) or case.makes_file(each.text)
    if each.kind is Mention.COMMAND:
        return any(case.ground.resolve(match[0]) or case.makes_file(match[0]) for match in FILE.finditer(each.text))
    return each.kind is Mention.SYMBOL and (case.makes_name(each.short) or case.ground.holds(each.short))


def _is_read(code: Code, named: set[int]) -> bool:
    lines = range(code.block.first, code.block.first + code.block.text.count("\n") + 1)
    return code.module is not None or code.block.language in DIFFS or not named.isdisjoint(lines)


def _statements(case: Case) -> Iterator[list[int]]:
    """The lines of each statement in prose. A heading is one if it states an intent; the introduction of a block belongs to the
    block."""
    stated = {each.line for each in case.outline.intents}
    held: list[int] = []
    open_ = False
    for line in lines_of(case.text):
        text = line.text
        if line.code:
            held, open_ = [], False
            continue
        begins = bool(line.level or ITEM.match(text) or text.lstrip().startswith("|"))
        silent = not text.strip() or _NOTHING_SAID.match(text) or (line.level and line.number not in stated)
        if held and not silent and (begins or not open_):
            yield held
            held = []
        open_ = not silent
        held = held if silent else [*held, line.number]
    if held:
        yield held
