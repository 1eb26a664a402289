"""Everything that is doubted about a plan, in the order of weight and then of the plan's lines. The challenger's whole view."""

from collections.abc import Callable, Iterable

from counterproof.analysis.plans import (
    argument_counts,
    calling,
    claims,
    code_uses,
    commands,
    commits,
    consequences,
    crates,
    created_files,
    departures,
    existence,
    expected_failures,
    expected_totals,
    fixtures,
    free_names,
    left_callers,
    left_takers,
    lint_outcomes,
    made_modules,
    named_files,
    order,
    own_methods,
    packages,
    quotes,
    released,
    relied_packages,
    script_constants,
    script_exports,
    script_imports,
    script_names,
    slips,
    stated_heads,
    statements,
    struct_fields,
    surroundings,
    type_misfits,
)
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import GRADES, UNEARNED, Grade
from counterproof.analysis.plans.weighing import weighed

CHECKS: tuple[Callable[[Case], Iterable[Doubt]], ...] = (
    departures.departed_files,
    named_files.missing_files,
    created_files.existing_files,
    code_uses.missing_imports,
    slips.slipped_names,
    existence.renamed_names,
    existence.absent_names,
    existence.misplaced_names,
    existence.existing_names,
    commands.broken_commands,
    packages.missing_packages,
    relied_packages.missing_relied,
    crates.missing_crates,
    consequences.broken_users,
    left_callers.left_callers,
    left_takers.left_takers,
    claims.refuted_claims,
    statements.false_statements,
    order.early_uses,
    released.stale_versions,
    calling.wrong_calls,
    argument_counts.wrong_counts,
    calling.missing_members,
    free_names.free_names,
    fixtures.missing_fixtures,
    own_methods.missing_methods,
    type_misfits.type_misfits,
    struct_fields.wrong_fields,
    script_names.unbound_script_names,
    script_exports.unexported_names,
    script_imports.dropped_imports,
    script_constants.reassigned_constants,
    made_modules.unmade_names,
    surroundings.unset_variables,
    surroundings.missing_migrations,
    quotes.misquoted,
    commits.omitted_files,
    expected_totals.wrong_totals,
    expected_failures.unfailing_tests,
    lint_outcomes.unused_imports,
    stated_heads.stated_otherwise,
)


def examine(case: Case) -> tuple[Doubt, ...]:
    """The doubts of all checks, each claim once and each missing name once, the heaviest first."""
    found: dict[str, Doubt] = {}
    for check in CHECKS:
        for doubt in check(case):
            key = doubt.subject.rpartition(".")[2] if doubt.kind in (Kind.SYMBOL, Kind.IMPORT) else doubt.claim
            if key not in found or _rank(doubt) < _rank(found[key]):
                found[key] = doubt
    return weighed(case, found.values())


def _rank(doubt: Doubt) -> tuple[Grade, bool]:
    """What weighs more, of two doubts about one thing."""
    return GRADES[doubt.evidence], doubt.evidence not in UNEARNED
