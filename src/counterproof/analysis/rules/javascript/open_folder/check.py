"""The check of `javascript-open-folder`."""

from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.ruleset import Match


def check(seen: SeenCall) -> Match | None:
    if seen.name == "serve-index":
        return seen.bad("folder listing", "on")
    given = seen.option(0, "list")
    if given is not None and is_true(given):
        return seen.bad("folder listing", "on")
    return seen.good("static files", "no listing")
