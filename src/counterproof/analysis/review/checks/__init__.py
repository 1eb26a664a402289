"""Every check of a review, by the domain it speaks about. A specialist runs those of its domains (R2).

Always: a check claims only what a line shows. One that is right less than half of the time does not belong here.
"""

from counterproof.analysis.review.checks import (
    awaiting,
    blocking,
    both_sides,
    calls,
    comparing,
    defaults,
    duplication,
    errors,
    imports,
    iterating,
    loops,
    meaning,
    nothing,
    plain_data,
    resources,
    scripts,
    security,
    shadowing,
    spelling,
    trying,
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
    (("edge-cases",), trying.unset),
    (("edge-cases",), iterating.emptied),
    (("invariants",), iterating.changed),
    (("invariants",), plain_data.times),
    (("naming",), spelling.misspelt),
    (("edge-cases",), nothing.used),
    (("logic",), comparing.wrong),
    (("logic",), shadowing.shadowed),
    (("logic",), shadowing.unreachable),
    (("invariants",), defaults.shared),
    (("invariants",), resources.left_open),
    (("io",), loops.asked_in_loop),
    (("io",), blocking.blocking),
    (("error-handling",), errors.swallowed),
    (("duplication",), duplication.repeated),
    (("coupling",), imports.cycles),
    (("boundaries",), imports.layers),
)
