"""All checks of a review, by domain. A specialist runs those of its domains (R2).

Invariant: a check claims only facts shown by a line.
"""

from counterproof.analysis.review.checks import (
    async_calls,
    calls,
    contracts,
    names,
    protections,
    route_guards,
    security,
    versions,
)
from counterproof.analysis.review.claims import Check

EDITED = ("logic", "edge-cases", "races", "invariants", "error-propagation", "null-safety", "error-handling", "io")
"""Domains that a broken contract or a reverted fix may belong to."""

CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (EDITED, versions.undone_fixes),
    (("auth",), route_guards.find_removed_guards),
    (("auth", "injection", "races"), protections.find_removed_protections),
    (("injection", "auth", "crypto", "secrets"), security.examined),
    (("logic",), names.undefined_names),
    (("invariants",), names.missing_files),
    (("invariants",), contracts.broken_contracts),
    (("invariants",), calls.mismatched),
    (("races",), async_calls.not_awaited),
)
