"""Everything that is doubted about a plan, in the order of weight and then of the plan's lines. The challenger's whole view."""

from collections.abc import Callable, Iterable

from counterproof.analysis.plans import (
    calling,
    claims,
    code_uses,
    commands,
    consequences,
    existence,
    loose_names,
    order,
    packages,
    quotes,
    released,
)
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt

CHECKS: tuple[Callable[[Case], Iterable[Doubt]], ...] = (
    existence.missing_files,
    existence.existing_files,
    existence.lines_past_the_end,
    code_uses.missing_imports,
    code_uses.missing_calls,
    existence.missing_names,
    commands.broken_commands,
    packages.missing_packages,
    consequences.broken_users,
    claims.refuted_claims,
    order.early_uses,
    released.stale_versions,
    calling.wrong_calls,
    calling.missing_members,
    loose_names.unbound_names,
    quotes.misquoted,
)


def examine(case: Case) -> tuple[Doubt, ...]:
    """The doubts of all checks, each claim once, the heaviest first."""
    found: dict[str, Doubt] = {}
    for check in CHECKS:
        for doubt in check(case):
            found.setdefault(doubt.claim, doubt)
    return tuple(sorted(found.values(), key=lambda each: (each.weight.rank, each.lines, each.claim)))
