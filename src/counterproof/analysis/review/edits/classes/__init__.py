"""The classes of semantic edits, one module each: what makes the edit a defect, and what makes it harmless."""

from collections.abc import Callable, Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.classes import (
    calls,
    cleanup,
    conditions,
    contradictions,
    definitions,
    exchanges,
    exits,
    exports,
    guards,
    handlers,
    keys,
    members,
    names,
    order,
    outcomes,
    reasons,
    sharing,
    slips,
    texts,
    unset,
    values,
)

OF_UNITS: tuple[Callable[[UnitEdit, Change], Iterator[Remark]], ...] = (
    guards.remarks,
    conditions.remarks,
    handlers.remarks,
    calls.remarks,
    exchanges.remarks,
    values.remarks,
    texts.remarks,
    cleanup.remarks,
    outcomes.remarks,
    order.remarks,
    exits.remarks,
)
"""What a function loses; asked only where it still is what it was but for a few statements."""

OF_FILES: tuple[Callable[[FileEdit, Change], Iterator[Remark]], ...] = (
    names.remarks,
    exports.remarks,
    outcomes.fields,
    keys.remarks,
    members.remarks,
    definitions.remarks,
    reasons.remarks,
    sharing.remarks,
    unset.remarks,
    contradictions.remarks,
    slips.remarks,
)
"""What holds whatever the size of the change."""
