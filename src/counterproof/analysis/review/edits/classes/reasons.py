"""A comment that gave the reason for a statement, gone with the statement that it was about.

Harmful where the comment warned of something (a limit, a platform, an order, a trap) and the statement below it now does without:
whoever wrote the warning knew why. Harmless where the reason stands elsewhere now, where the statement stayed as it was or moved,
and for comments that only say what the code does.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, place, small
from counterproof.analysis.review.edits.parts import Comment
from counterproof.analysis.review.edits.units import Row

_REASON = re.compile(
    r"\b(?:don'?t|do not|does(?: not|n'?t)|can(?: ?not|'?t)|won'?t|never|must|(?<=\S )otherwise|avoids?|prevents?|ensures?"
    r"|make sure|because|work ?arounds?|race|leaks?|deadlock|overflow|fail(?:s|ed|ing)?|crash\w*|throws?|breaks?|broken|edge case"
    r"|corner case|only if|unless|in case|needs? to|needed|required?|not allowed|unsafe|escaped?|safari|chrome|firefox"
    r"|internet explorer|windows|android|i(?:os|pad|phone)|instead of|bugs?|issues?|hack)\b|#\d{2,}|https?://",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"\b(?:todo|fixme|xxx|eslint|tslint|prettier|istanbul|noqa|pylint|type: ?ignore|ts-ignore|ts-expect-error|deprecated)\b", re.I
)
MIN_WORDS = 5
MAX_LOST = 100
"""Comments that a change may take from a file before it is another file."""
NEAR = 2
"""Lines between a comment and the statement that it is about."""
ALIKE = 0.6


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One for each warning that went with what it was about."""
    kept = {each.words for each in file.after.comments}
    left = [set(each.words.lower().split()) for each in file.after.comments]
    for each in [each for each in file.before.comments if each.words not in kept][:MAX_LOST]:
        words = set(each.words.lower().split())
        told = len(words) >= MIN_WORDS and _REASON.search(each.words) and not _PLANS.search(each.words)
        if told and not any(len(words & other) >= ALIKE * len(words) for other in left):
            yield from _remark(file, each, change)


def _remark(file: FileEdit, comment: Comment, change: Change) -> Iterator[Remark]:
    for edit in file.edits:
        row = _below(edit, comment) if small(edit) else None
        if row is None or change.moved([row]):
            continue
        at = place(edit, row)
        if at is not None and (row in edit.lost or row.text != edit.same[row].text):
            yield Remark(
                "stated reason removed",
                "invariants",
                f"what the code said about itself here no longer holds: “{comment.words[:120]}”",
                f"The comment at this place gave a reason: “{comment.words[:200]}”. The change takes the comment away and the "
                "statement below it no longer does that; nothing in the change says why the reason is gone.",
                "Do what the comment asked for, or say why it no longer counts",
                at.line,
            )
            return


def _below(edit: UnitEdit, comment: Comment) -> Row | None:
    """The statement that a comment is about: the one beside it or below it."""
    rows = [row for row in edit.old.rows if comment.line <= row.line <= comment.end + NEAR]
    return min(rows, key=lambda row: row.line, default=None)
