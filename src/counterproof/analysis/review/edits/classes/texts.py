"""Texts and patterns that lost a part which programs read: an anchor, a flag, an alternative, an ending, a separator.

Harmful where the rest of the text is the same: it matches other texts, or its reader takes it for something else. Harmless for
what people read: messages, labels, names of styles.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, missed
from counterproof.analysis.review.edits.differences import Difference
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_REGEX = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_WRITTEN = ("text", "template_string", "string")
_SYNTAX = re.compile(r" ?[./?&=:#%@*|^$\\-][\w./?&=:#%@*|^$\\-]{0,15} ?")
_MESSAGE = re.compile(
    r"\b(?:\w*Error|throw|raise|log\w*|console|warn\w*|debug|print|reject|message|class\w*|style|title|label|text)\b", re.I
)


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Reworded statements, difference by difference."""
    for _, new, changes in edit.changes:
        for each in changes:
            if each.how == "exchanged":
                yield from _flags(edit, new, each)
                yield from _shortened(edit, new, each)


def _flags(edit: UnitEdit, new: Row, difference: Difference) -> Iterator[Remark]:
    """The same pattern without one of its flags, its anchors or its escapes."""
    (one, before), (two, after) = (_pattern(each) for each in (difference.old, difference.new))
    if one and two and one != two and len(one) > len(two) and _bare(one) == _bare(two):
        yield missed(
            new,
            "pattern matches more",
            f"the pattern `{shown(difference.new)}` lost an anchor or an escape",
            f"Before, `{shown(difference.old)}` was used. The new pattern is the same without a `^`, a `$`, a boundary or the "
            "backslash before a dot, so it now also matches texts that the old one refused.",
        )
    elif one and two and (piece := _taken_out(one, two)):
        yield missed(
            new,
            "pattern lost a part",
            f"the pattern lost `{piece}`",
            f"Before, `{shown(difference.old)}` was used and now `{shown(difference.new)}`. The two differ in `{piece}` alone, "
            "so what this part matched or kept out is treated the other way.",
        )
    gone = sorted(set(before) - set(after))
    if one and one == two and gone and not set(after) - set(before):
        yield missed(
            new,
            "pattern matches less",
            f"the pattern lost its flag `{gone[0]}`",
            f"Before, `{shown(difference.old)}` was used and now `{shown(difference.new)}`. The pattern is the same, so what "
            f"only the flag `{gone[0]}` let it match or find is no longer matched or found.",
        )


def _shortened(edit: UnitEdit, new: Row, difference: Difference) -> Iterator[Remark]:
    """`"/a.zip"` became `"/a"`: a text that programs read lost an ending, a separator, a mark."""
    before, after = difference.old, difference.new
    if (
        before.kind not in _WRITTEN
        or after.kind not in _WRITTEN
        or len(before.text) <= len(after.text)
        or _MESSAGE.search(new.text)
    ):
        return
    piece = _taken_out(before.text, after.text)
    if _SYNTAX.fullmatch(piece):
        yield missed(
            new,
            "part of the text removed",
            f"the text lost `{piece.strip()}`",
            f"Before, `{shown(before)}` was written here and now `{shown(after)}`. The two differ in `{piece.strip()}` alone, "
            "which means something to the program that reads the text (an ending, a separator, a unit, a mark).",
        )


def _taken_out(before: str, after: str) -> str:
    """The one piece that the second text lacks; '' where they differ in more."""
    if len(before) <= len(after):
        return ""
    start = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), len(after))
    piece = before[start : start + len(before) - len(after)]
    return piece if before[:start] + before[start + len(piece) :] == after else ""


def _pattern(part: Part) -> tuple[str, str]:
    """A pattern and its flags: a literal of its own, or a raw text."""
    found = _REGEX.fullmatch(part.text) if part.kind == "text" else None
    if found:
        return found[1], found[2]
    return (part.text[2:-1], "") if part.kind == "text" and part.text.startswith('r"') else ("", "")


def _bare(pattern: str) -> str:
    return re.sub(r"^\^|\$$|\\b|\\(?=\.)|\\[AZ]|(?<!\\)[()]", "", pattern)
