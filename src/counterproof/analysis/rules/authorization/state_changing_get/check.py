"""The check of `state-changing-get`."""

from collections.abc import Iterable

from counterproof.analysis.control.state_changing_gets import state_changing_gets
from counterproof.analysis.ruleset import Shown
from counterproof.model.finding import Finding


def check(site: Shown) -> Iterable[Finding]:
    return state_changing_gets(site.quotes, site.program, site.operations)
