"""Every check of a review, by the domain it speaks about. A specialist runs those of its domains (R2).

Always: a check claims only what a line shows. One that is right less than half of the time does not belong here.
"""

from counterproof.analysis.review.checks import (
    awaiting,
    both_sides,
    calls,
    comparing,
    defaults,
    duplication,
    errors,
    imports,
    iterating,
    meaning,
    nothing,
    plain_data,
    scripts,
    security,
    shadowing,
)
from counterproof.analysis.review.claims import Check

EDITED = ("logic", "edge-cases", "races", "invariants", "error-propagation", "null-safety", "error-handling", "io")
"""Domains that a lost guard, handler or step may belong to."""

CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (EDITED, both_sides.edited),
    (("injection", "auth", "crypto", "secrets"), security.examined),
    (("invariants",), calls.mismatched),
    (("races",), awaiting.not_awaited),
    (("races",), awaiting.promises),
    (("races",), scripts.async_for_each),
    (("logic", "edge-cases"), scripts.misread),
    (("readability",), scripts.needless_chaining),
    (("logic",), meaning.contradicted),
    (("edge-cases",), errors.unset),
    (("edge-cases",), iterating.emptied),
    (("invariants",), iterating.changed),
    (("invariants",), plain_data.times),
    (("naming",), meaning.misspelt),
    (("edge-cases",), nothing.used),
    (("logic",), comparing.wrong),
    (("logic",), shadowing.shadowed),
    (("logic",), shadowing.unreachable),
    (("invariants",), defaults.shared),
    (("invariants",), errors.left_open),
    (("io",), iterating.asked_in_loop),
    (("io",), awaiting.blocking),
    (("error-handling",), errors.swallowed),
    (("duplication",), duplication.repeated),
    (("coupling",), imports.cycles),
    (("boundaries",), imports.layers),
)
