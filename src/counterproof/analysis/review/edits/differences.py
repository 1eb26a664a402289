"""What became of a reworded statement, expression by expression: what was taken away, what was put in its place.

Always: a difference is the smallest that explains the two texts. `lost` differences only take away: the new expression is a piece
of the old one, or has all but some of its items. Everything else is an exchange.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.review.edits.parts import Part, walk

LISTS = ("arguments", "mapping", "list", "tuple", "set", "bool", "parameters", "object_pattern", "with_clause")
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
    if old.kind == new.kind and old.optional != new.optional and len(old.parts) == len(new.parts):
        yield Difference("unchained" if old.optional else "chained", old, new)
    if old.kind == "await" and new.kind != "await" and old.parts:
        yield Difference("unwrapped", old, new)
        yield from differences(old.parts[0], new)
    elif (nested := _nested(old, new)) is not None:
        yield nested
    elif old.kind == new.kind and old.kind in LISTS and old.operator == new.operator:
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


def _same_words(old: Part, new: Part) -> bool:
    """Whether what stands between the parts reads the same."""
    if old.kind == "call" and _callee(old) != _callee(new):
        return False  # what another function is given says nothing about what this one was given
    return old.operator == new.operator and not (old.kind == "attribute" and old.parts[-1].text != new.parts[-1].text)


def _callee(call: Part) -> str:
    named = call.role("function", "constructor")
    return named.text.rpartition(" ")[2] if named is not None else ""


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
    kept = [text for text in texts if text in others] == [text for text in others if text in texts]
    if gone and not come and kept:
        yield Difference("dropped", old, new, tuple(gone))
    elif come and not gone and kept:
        yield Difference("put in", old, new, tuple(come))
    elif len(gone) == len(come) and kept and len(before) == len(after):
        for one, other in zip(gone, come, strict=True):
            yield from differences(one, other)
    else:
        yield Difference("exchanged", old, new)
