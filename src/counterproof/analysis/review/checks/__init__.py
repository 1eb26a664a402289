"""Every check of a review, by the domain it speaks about. A specialist runs those of its domains (R2).

Always: a check claims only what a line shows. One that is right less than half of the time does not belong here.
"""

from counterproof.analysis.review.checks import (
    awaiting,
    blocking,
    calls,
    comparing,
    defaults,
    duplication,
    errors,
    imports,
    loops,
    nothing,
    resources,
    scripts,
    security,
    shadowing,
    testing,
)
from counterproof.analysis.review.claims import Check

CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("injection", "auth", "crypto", "secrets"), security.examined),
    (("invariants",), calls.mismatched),
    (("races",), awaiting.not_awaited),
    (("races",), scripts.async_for_each),
    (("edge-cases",), nothing.used),
    (("logic",), comparing.wrong),
    (("logic",), shadowing.shadowed),
    (("logic",), shadowing.unreachable),
    (("invariants",), defaults.shared),
    (("invariants",), resources.left_open),
    (("io",), loops.asked_in_loop),
    (("io",), blocking.blocking),
    (("error-handling",), errors.swallowed),
    (("testing",), testing.asserts_nothing),
    (("duplication",), duplication.repeated),
    (("coupling",), imports.cycles),
    (("boundaries",), imports.layers),
)
