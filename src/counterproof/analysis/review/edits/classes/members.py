"""A member of a value taken under a name that nothing in the tree knows, where a known one was taken.

Harmful where the old name is defined in the tree and the new one stands nowhere but in the change: the two differ in their
spelling, or one side alone was renamed. Harmless where the new name is defined or used anywhere else, and for members of
libraries, which the tree does not define.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark, small
from counterproof.analysis.review.edits.differences import Difference
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

MAX_ASKED = 20
"""Names of a file that the tree is searched for."""


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One for each exchange of a name of a member."""
    asked: set[tuple[str, str]] = set()
    for edit in file.edits:
        for _, new, changes in edit.changes if small(edit) else ():
            for each in changes:
                names = _names(each) if each.how == "exchanged" else None
                if names is not None and names not in asked and len(asked) < MAX_ASKED:
                    asked.add(names)
                    yield from _unknown(new, *names, change)


def _names(difference: Difference) -> tuple[str, str] | None:
    """The two last names, where the rest is the same."""
    old, new = difference.old, difference.new
    if old.kind == new.kind == "call":
        old, new = (each.role("function") or each for each in (old, new))
    if old.kind != "attribute" or new.kind != "attribute" or old.parts[0].text != new.parts[0].text:
        return None
    return old.parts[-1].text, new.parts[-1].text


def _unknown(new: Row, before: str, after: str, change: Change) -> Iterator[Remark]:
    if len(after) < 4 or before == after:
        return
    whole, texts = re.compile(rf"(?<![\w$]){re.escape(after)}(?![\w$])"), list(change.everywhere(after))
    times = sum(len(whole.findall(text)) for _, text in texts)
    defined = re.compile(
        rf"\b(?:def|function|get|set|async|class)\s+{re.escape(before)}\b|(?<![\w$.])['\"]?{re.escape(before)}['\"]?\s*[:(=](?!=)"
    )
    if times == 1 and any(defined.search(text) for _, text in change.texts(before)):
        yield Remark(
            "member that nothing knows",
            "invariants",
            f"`{after}` stands nowhere else, where `{before}` stood",
            f"Before, `{before}` was taken here, which the tree defines. `{after}` occurs in no other place of the whole tree: "
            f"nothing sets or defines it, so `{shown(new.text)}` finds nothing there.",
            f"Write `{before}` again, or define `{after}`",
            new.line,
        )
