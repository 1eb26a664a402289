"""The check of `missing-authentication`."""

from collections.abc import Iterable

from counterproof.analysis.control.access import missing_logins, open_among_guarded, passed_by
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    return (
        *passed_by(site.quotes, site.program, site.operations),
        *missing_logins(site.quotes, site.operations),
        *open_among_guarded(site.quotes, site.program, site.operations),
    )
