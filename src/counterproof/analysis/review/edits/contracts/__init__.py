"""What a change promises to other files and no longer keeps: signatures, interfaces, members, names that others use.

Always: a use counts only where an import, `self` or the same file says what is meant, or where both sides share a literal name.
Every place that no longer fits is named with its line; one remark speaks of all of them.
"""

from collections.abc import Callable, Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts import calls, columns, documentation, implementers, members, modules, names

CONTRACTS: tuple[Callable[[FileEdit, Change], Iterator[Remark]], ...] = (
    calls.remarks,
    implementers.remarks,
    members.remarks,
    modules.remarks,
    names.remarks,
    columns.remarks,
    documentation.remarks,
)
