"""What is known of a value: what a test says about it, which uses fail where that does not hold, and whether the code itself
declares that it can be missing.

Always: only what the test itself states counts. A use fails for certain: an attribute or an item of nothing, the call of nothing,
the first element of an empty list. A declaration is quoted in the answer, or there is none; where there is one, no belief about
old checks is needed. What the code is for is not guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.differences import flat
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import heads

PRESENT, FILLED, TYPED, KEYED, HAS = "is there", "is there and not empty", "is of that type", "has that key", "has that attribute"


@dataclass(frozen=True, slots=True)
class Fact:
    """`about` is a value as written; `detail` the key, the type or the attribute."""

    about: str
    what: str
    detail: str = ""


def facts(test: Part, holds: bool) -> Iterator[Fact]:
    """What is known where the test came out so."""
    if test.kind == "not":
        yield from facts(test.parts[0], not holds)
    elif test.kind == "bool" and (test.operator in ("and", "&&")) == holds:
        for each in flat(test):
            yield from facts(each, holds)
    elif test.kind == "compare" and len(test.parts) == 2:
        yield from _compared(test, holds)
    elif test.kind == "call":
        yield from _called(test, holds)
    elif test.kind in ("name", "attribute", "index", "assign") and holds:
        yield Fact(_bare(test), FILLED)


def _bare(part: Part) -> str:
    target = part.role("left", "name") if part.kind == "assign" else part
    return (target or part).text.replace("?. [", "[").replace("?.", ".")


def _compared(test: Part, holds: bool) -> Iterator[Fact]:
    left, right = test.parts
    equal = test.operator in ("is", "==", "===")
    unequal = test.operator in ("is not", "!=", "!==")
    if right.kind == "none" and (unequal if holds else equal):
        yield Fact(_bare(left), PRESENT)
    elif left.kind == "unary" and left.text.startswith("typeof"):
        yield from _type_tested(test, left, right, holds)
    elif test.operator == "instanceof" and holds:
        yield Fact(_bare(left), TYPED, right.text)
    elif test.operator in ("in", "not in") and holds == (test.operator == "in"):
        yield Fact(_bare(right), KEYED, left.text)
    elif (counted := _counted(left)) and right.kind == "number":
        more = test.operator in (">", ">=", "!=", "!==") if holds else test.operator in ("<", "<=", "==", "===")
        if more:
            yield Fact(counted, FILLED)


def _type_tested(test: Part, left: Part, right: Part, holds: bool) -> Iterator[Fact]:
    about, equal = left.parts[-1].text, test.operator in ("==", "===")
    if right.text == '"undefined"':
        if holds != equal:
            yield Fact(about, PRESENT)
    elif holds == equal:
        yield Fact(about, TYPED, right.text)


def _counted(part: Part) -> str:
    """The value whose size this is: `len(x)`, `x.length`."""
    if part.kind == "call" and part.text.startswith("len ("):
        return part.text.removeprefix("len (").removesuffix(")").strip()
    return part.text.removesuffix(". length").strip() if part.text.endswith(". length") else ""


def _called(test: Part, holds: bool) -> Iterator[Fact]:
    callee, arguments = test.role("function"), test.role("arguments")
    given = arguments.parts if arguments else ()
    name = callee.text if callee else ""
    if not holds or not given:
        if holds and _counted(test):
            yield Fact(_counted(test), FILLED)
        return
    if name == "isinstance" and len(given) == 2:
        yield Fact(given[0].text, TYPED, given[1].text)
    elif name == "hasattr" and len(given) == 2:
        yield Fact(given[0].text, HAS, given[1].text)
    elif name == "Array . isArray":
        yield Fact(given[0].text, TYPED, "Array")
    elif name == "len":
        yield Fact(_counted(test), FILLED)
    elif name.endswith((". has", ". hasOwnProperty")):
        yield Fact(name.rpartition(" . ")[0], KEYED, given[0].text)


def failing(root: Part, fact: Fact) -> Part | None:
    """The first use below a part that fails where the fact does not hold; a test of the same value before it protects it."""
    for part in _unguarded(root, fact.about):
        if fact.what == KEYED:
            if (
                part.kind == "index"
                and len(part.parts) == 2
                and _same(part.parts[0], fact.about)
                and part.parts[1].text == fact.detail
            ):
                return part
        elif fact.what == HAS:
            if part.kind == "attribute" and _same(part.parts[0], fact.about) and f'"{part.parts[-1].text}"' == fact.detail:
                return part
        elif _taken(part, fact.about) or (fact.what == FILLED and _first(part, fact.about)):
            return part
    return None


def _unguarded(root: Part, about: str) -> Iterator[Part]:
    """Parts that are evaluated whatever the value is."""
    pending = [root]
    while pending:
        part = pending.pop()
        yield part
        inside = list(part.parts)
        if part.kind in ("bool", "conditional") and any(_mentions(each, about) for each in part.parts[:1]):
            inside = inside[:1] if part.kind == "bool" else []
        if part.kind == "conditional" and len(part.parts) == 3 and any(_mentions(each, about) for each in part.parts):
            inside = []
        pending.extend(reversed(inside))


def _mentions(part: Part, about: str) -> bool:
    return any(_same(each, about) for each in walk(part))


def _same(part: Part, about: str) -> bool:
    return _bare(part) == about


def _taken(part: Part, about: str) -> bool:
    """An attribute, an item or the result of a call of the value itself."""
    if part.kind in ("attribute", "index") and len(part.parts) == 2 and not part.optional:
        return _same(part.parts[0], about)
    if part.kind == "call" and not part.optional:
        callee = part.role("function", "constructor")
        return callee is not None and _same(callee, about)
    if part.kind == "for":
        iterated = part.role("right")
        return iterated is not None and _same(iterated, about)
    return part.kind in ("binary", "augment") and any(_same(each, about) for each in part.parts)


def _first(part: Part, about: str) -> bool:
    if part.kind != "call" or (callee := part.role("function")) is None or (given := part.role("arguments")) is None:
        return False
    return callee.text in ("max", "min", "next") and len(given.parts) == 1 and about in given.parts[0].text


_NONE = re.compile(r"\bNone\b|\bOptional\b|\bnull\b|\bundefined\b")
_GIVES_NONE = re.compile(
    r"(?:^|\. )(?:get|find|match|exec|search|fullmatch|first|fetchone|one_or_none|querySelector|getElementById|pop|shift|closest"
    r"|at|find_one|findOne|findFirst|findUnique|getenv|which|getAttribute|getItem)$"
)


def may_be_missing(edit: UnitEdit, fact: Fact) -> str:
    """A sentence that says where the value may be missing from; '' where the code does not say."""
    if fact.what not in (PRESENT, FILLED):
        return ""
    if edit.new.part is not None:
        parameters = edit.new.part.role("parameters")
        for each in parameters.parts if parameters else ():
            if each.kind == "parameter" and each.parts and each.parts[0].text == fact.about and _optional(each):
                return f"The parameter {fact.about} may be missing by its declaration at line {each.line}."
    for row in edit.new.rows:
        for part in heads(row):
            target, value = part.role("left", "name"), part.role("right", "value")
            if (
                part.kind == "assign"
                and target is not None
                and value is not None
                and target.text == fact.about
                and _gives_none(value)
            ):
                return f"Line {part.line} sets it to what `{value.text.replace(' ', '')[:60]}` gives, which may be nothing."
    return ""


def _optional(parameter: Part) -> bool:
    default = parameter.role("value")
    return parameter.optional or bool(_NONE.search(parameter.hint)) or (default is not None and default.kind == "none")


def _gives_none(value: Part) -> bool:
    if value.kind == "none":
        return True
    inner = value.parts[0] if value.kind == "await" and value.parts else value
    callee, given = inner.role("function"), inner.role("arguments")
    if inner.kind != "call" or callee is None or given is None:
        return False
    return bool(_GIVES_NONE.search(callee.text)) and len(given.parts) <= 1
