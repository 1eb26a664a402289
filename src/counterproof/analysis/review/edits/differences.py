"""What became of a reworded statement, expression by expression: what was taken away, what was put in its place.

Always: a difference is the smallest that explains the two texts. `lost` differences only take away: the new expression is a piece
of the old one, or has all but some of its items. Everything else is an exchange.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.edits.parts import Part, walk

ELEMENTS = ("jsx_opening_element", "jsx_self_closing_element")
LISTS = (
    "arguments", "mapping", "list", "tuple", "set", "bool", "parameters", "object_pattern", "with_clause", "declaration",
    "jsx_element", *ELEMENTS,
)  # fmt: skip
_KEYED = {"pair": "key", "keyword": "name", "assign": "name", "jsx_attribute": "", "parameter": "pattern"}
"""Items that are known by a name, and the field that it stands in."""
_CHAINED = ("attribute", "index", "call")
"""What a `?` may stand in; that of a parameter says something else."""
MAX_WRAPPED = 60
"""Pieces of the old expression that the new one is looked for among."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`how` is 'unwrapped' (the new expression is a piece of the old), 'dropped' (items are gone), 'unchained' (`?.` became `.`),
    'wrapped' and 'put in' (the reverse), or 'exchanged'. `items` are what was dropped or put in."""

    how: str
    old: Part
    new: Part
    items: tuple[Part, ...] = ()


def differences(old: Part, new: Part) -> Iterator[Difference]:
    """The smallest differences between two versions of one expression or statement, in source order."""
    if old.text == new.text:
        return
    if old.kind == new.kind in _CHAINED and old.optional != new.optional and len(old.parts) == len(new.parts):
        yield Difference("unchained" if old.optional else "chained", old, new)
    if old.kind == "await" and new.kind != "await" and old.parts:
        yield Difference("unwrapped", old, new)
        yield from differences(old.parts[0], new)
    elif (nested := _nested(old, new)) is not None:
        yield nested
    elif (inner := _inner(old, new)) is not None:
        yield Difference("unwrapped", old, inner)
        yield from differences(inner, new)
    elif old.kind == new.kind and old.kind in LISTS and old.operator == new.operator and _one_element(old, new):
        yield from _items(old, new)
    elif old.parts and old.kind == new.kind and len(old.parts) == len(new.parts) and _same_words(old, new):
        for one, other in zip(old.parts, new.parts, strict=True):
            if one.kind != "block":
                yield from differences(one, other)
    else:
        yield Difference("exchanged", old, new)


def _nested(old: Part, new: Part) -> Difference | None:
    """One of the two is a piece of the other."""
    if old.kind in ("tuple", "list", "set") and any(each.text == new.text for each in old.parts):
        return Difference("dropped", old, new, tuple(each for each in old.parts if each.text != new.text))
    if _piece(old, new) is not None:
        return Difference("unwrapped", old, new)
    return Difference("wrapped", old, new) if _piece(new, old) is not None else None


def _piece(whole: Part, piece: Part) -> Part | None:
    """The proper piece of an expression that reads like another one."""
    if piece.kind in ("arguments", "parameters", "block"):
        return None  # brackets are no value
    candidates = walk(whole)[1:MAX_WRAPPED]
    return next((each for each in candidates if each.text == piece.text and each.kind == piece.kind), None)


def _inner(old: Part, new: Part) -> Part | None:
    """The call inside another one that the new call is a version of: `a(f(x))` and `f(x).a()` against `f(y)`."""
    if old.kind != "call" or new.kind != "call" or not (name := _callee(new)) or _callee(old) == name:
        return None
    given, callee = old.role("arguments"), old.role("function")
    pieces = [*(given.parts if given else ()), *(callee.parts[:1] if callee and callee.kind == "attribute" else ())]
    found = [each for each in pieces if each.kind == "call" and _callee(each) == name]
    return found[0] if len(found) == 1 else None


def _one_element(old: Part, new: Part) -> bool:
    """Whether both are the same element of a page, where they are elements."""
    tags = [each.parts[0] if each.kind == "jsx_element" else each for each in (old, new)]
    return tags[0].kind not in ELEMENTS or [each.text for each in tags[0].parts[:1]] == [each.text for each in tags[1].parts[:1]]


def _same_words(old: Part, new: Part) -> bool:
    """Whether what stands between the parts reads the same."""
    if old.kind == "call" and _callee(old) != _callee(new):
        return False  # what another function is given says nothing about what this one was given
    return old.operator == new.operator and not (old.kind == "attribute" and old.parts[-1].text != new.parts[-1].text)


def _callee(call: Part) -> str:
    named = call.role("function", "constructor")
    return named.text.rpartition(" ")[2] if named is not None else ""


def callee_of(root: Part, arguments: Part) -> str:
    """The last name of what is called with these arguments, somewhere below a part."""
    return next((_callee(part) for part in walk(root) if part.kind == "call" and part.role("arguments") is arguments), "")


def flat(part: Part) -> tuple[Part, ...]:
    """The operands of a chain of one operator."""
    if part.kind != "bool":
        return part.parts
    found: list[Part] = []
    for each in part.parts:
        found += flat(each) if each.kind == "bool" and each.operator == part.operator else [each]
    return tuple(found)


def _items(old: Part, new: Part) -> Iterator[Difference]:
    before, after = flat(old), flat(new)
    texts, others = [each.text for each in before], [each.text for each in after]
    gone = [each for each in before if each.text not in others]
    come = [each for each in after if each.text not in texts]
    if [text for text in texts if text in others] != [text for text in others if text in texts]:
        yield Difference("exchanged", old, new)
        return
    for one, other in _of_one_name(gone, come):
        yield from differences(one, other)
        gone.remove(one)
        come.remove(other)
    if gone and not come:
        yield Difference("dropped", old, new, tuple(gone))
    elif come and not gone:
        yield Difference("put in", old, new, tuple(come))
    elif len(gone) == len(come) and len(before) == len(after):
        for one, other in zip(gone, come, strict=True):
            yield from differences(one, other)
    else:
        yield Difference("exchanged", old, new)


def _of_one_name(gone: list[Part], come: list[Part]) -> list[tuple[Part, Part]]:
    named = {name: each for each in come if (name := name_of(each))}
    return [(each, named[name]) for each in gone if (name := name_of(each)) in named]


def name_of(item: Part) -> str:
    """What an entry, an argument, a variable or an attribute is known by; '' for one that is known by its place."""
    if item.kind not in _KEYED:
        return ""
    named = item.role(_KEYED[item.kind]) if _KEYED[item.kind] else item.parts[0] if item.parts else item
    return named.text if named is not None else ""
