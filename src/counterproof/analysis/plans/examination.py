"""Everything that is doubted about a plan, in the order of weight and then of the plan's lines. The challenger's whole view."""

from collections.abc import Callable, Iterable

from counterproof.analysis.plans import blocks, calling, claims, consequences, course, existence, released, testing
from counterproof.analysis.plans.doubts import Case, Doubt

CHECKS: tuple[Callable[[Case], Iterable[Doubt]], ...] = (
    existence.missing_files,
    existence.lines_past_the_end,
    existence.missing_names,
    existence.missing_packages,
    blocks.missing_imports,
    existence.missing_endpoints,
    existence.missing_options,
    existence.broken_commands,
    consequences.broken_users,
    consequences.orphaned_imports,
    claims.refuted_claims,
    course.early_uses,
    released.stale_versions,
    calling.wrong_calls,
    calling.wrong_parameters,
    testing.untouched_tests,
)


def examine(case: Case) -> tuple[Doubt, ...]:
    """The doubts of all checks, each claim once, the heaviest first."""
    found: dict[str, Doubt] = {}
    for check in CHECKS:
        for doubt in check(case):
            found.setdefault(doubt.claim, doubt)
    return tuple(sorted(found.values(), key=lambda each: (each.weight.rank, each.lines, each.claim)))
