"""Every check of a review, by the domain it speaks about. A specialist runs those of its domains (R2).

Always: a check claims only what a line shows. One that is right less than half of the time does not belong here.
"""

from counterproof.analysis.review.checks import (
    async_calls,
    both_sides,
    calls,
    comparisons,
    definitions,
    duplication,
    errors,
    imports,
    loops,
    meaning,
    nothing,
    plain_data,
    scripts,
    security,
)
from counterproof.analysis.review.claims import Check

EDITED = ("logic", "edge-cases", "races", "invariants", "error-propagation", "null-safety", "error-handling", "io")
"""Domains that a lost guard, handler or step may belong to."""

CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (EDITED, both_sides.edited),
    (("injection", "auth", "crypto", "secrets"), security.examined),
    (("invariants",), calls.mismatched),
    (("races",), async_calls.not_awaited),
    (("races",), async_calls.promises),
    (("races",), scripts.async_for_each),
    (("logic", "edge-cases"), scripts.misread),
    (("readability",), scripts.needless_chaining),
    (("logic",), meaning.contradicted),
    (("edge-cases",), errors.unset),
    (("edge-cases",), loops.emptied),
    (("invariants",), loops.changed),
    (("invariants",), plain_data.times),
    (("naming",), meaning.misspelt),
    (("edge-cases",), nothing.used),
    (("logic",), comparisons.wrong),
    (("logic",), definitions.shadowed),
    (("logic",), definitions.unreachable),
    (("invariants",), definitions.shared),
    (("invariants",), errors.left_open),
    (("io",), loops.asked_in_loop),
    (("io",), async_calls.blocking),
    (("error-handling",), errors.swallowed),
    (("duplication",), duplication.repeated),
    (("coupling",), imports.cycles),
    (("boundaries",), imports.layers),
)
