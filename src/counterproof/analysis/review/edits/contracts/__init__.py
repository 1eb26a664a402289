"""Contracts between a changed file and the files that use it: abstract methods, exported and imported names.

Invariant: a use counts only if an import, `self` or the same file resolves it. One remark lists every place that no longer fits.
"""

from collections.abc import Callable, Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts import exports, implementers, modules, undefined_names

CONTRACTS: tuple[Callable[[FileEdit, Change], Iterator[Remark]], ...] = (
    implementers.remarks,
    modules.remarks,
    undefined_names.remarks,
    exports.remarks,
)
