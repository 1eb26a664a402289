"""The check of `missing-role-check`."""

from collections.abc import Iterable

from counterproof.analysis.control.access import missing_roles
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    return missing_roles(site.quotes, site.program, site.operations)
