"""The check of `unguarded-destruction`."""

from collections.abc import Iterable

from counterproof.analysis.control.access import open_destruction
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    return open_destruction(site.quotes, site.operations)
