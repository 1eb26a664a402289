"""The check of `missing-ownership-check`."""

from collections.abc import Iterable

from counterproof.analysis.control.ownership import missing_owners
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    return missing_owners(site.quotes, site.program, site.operations)
