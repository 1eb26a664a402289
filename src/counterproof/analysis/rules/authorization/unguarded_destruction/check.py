"""The check of `unguarded-destruction`."""

from collections.abc import Iterable

from counterproof.analysis.control.access import open_deletions, open_destruction
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    yield from open_destruction(site.quotes, site.operations)
    yield from open_deletions(site.quotes, site.program)
