"""All contradictions of a plan, most severe first: blocking ones, then at most five questions. The challenger's view.

Invariant: one doubt per subject. A blocking doubt hides a question about the same subject.
"""

from collections.abc import Callable, Iterable

from counterproof.analysis.plans import (
    columns,
    expected_totals,
    left_callers,
    lint_outcomes,
    order,
    paths,
    removals,
    stated,
    unimported,
)
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import MAX_QUESTIONS, Doubt

CHECKS: tuple[Callable[[Case], Iterable[Doubt]], ...] = (
    removals.broken_users,
    columns.dropped_columns,
    left_callers.left_callers,
    paths.missing_paths,
    order.early_uses,
    stated.false_statements,
    paths.existing_files,
    unimported.unimported_names,
    expected_totals.wrong_totals,
    lint_outcomes.unused_imports,
)


def examine(case: Case) -> tuple[Doubt, ...]:
    """The doubts of all checks, one per subject."""
    return case.once("examine", lambda: _examined(case))


def _examined(case: Case) -> tuple[Doubt, ...]:
    found: dict[str, Doubt] = {}
    for check in CHECKS:
        for doubt in check(case):
            known = found.get(doubt.subject)
            if known is None or (known.is_question and not doubt.is_question):
                found[doubt.subject] = doubt
    ordered = sorted(found.values(), key=lambda each: (each.weight.rank, -each.reach, each.lines, each.claim))
    questions = [each for each in ordered if each.is_question][:MAX_QUESTIONS]
    return (*(each for each in ordered if not each.is_question), *questions)
