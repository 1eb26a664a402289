"""Names that a change leaves without a definition, and imports without a file."""

from collections.abc import Callable, Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts import modules, undefined_names

CONTRACTS: tuple[Callable[[FileEdit, Change], Iterator[Remark]], ...] = (modules.remarks, undefined_names.remarks)
