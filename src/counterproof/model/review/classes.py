"""Maps a review's finding to a weakness and a dimension, so that it has the form of every other finding (R35).

Invariant: a kind that names its weakness decides; then the kinds that embedded specialists report; then the domain, with a
weakness as broad as the domain. Review topics other than security belong to D9: does the program do what it is meant to do?
Custom profiles may have unknown domains, which have a default.
"""

import re
from dataclasses import dataclass

from counterproof.model.dimension import Dimension
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.weaknesses import dimension_of

_NAMED = re.compile(r"CWE-([1-9][0-9]{0,3})(?![0-9])[ :,-]*(.*)\Z", re.DOTALL)
_RULE = re.compile(r"[A-Za-z0-9._/-]{1,80}")
_WORD = re.compile(r"[^\W_]+")
MAX_RULE = 80

NO_STANDARD = 710
"""Improper adherence to coding standards: the broadest weakness for code that works but should be written differently."""

_KINDS = {
    "call does not fit the signature": 628,
    "contradicted by the repository": 1068,
    "false statement about the code": 1068,
}

_SECURITY = {
    "injection": (Dimension.D1, 74),
    "input-validation": (Dimension.D1, 20),
    "auth": (Dimension.D2, 284),
    "crypto": (Dimension.D7, 693),
    "secrets": (Dimension.D7, 522),
    "threat-model": (Dimension.D9, 693),
    "data-handling": (Dimension.D7, 693),
    "network": (Dimension.D8, 693),
}

_DOMAINS = {
    "error-handling": 703,
    "error-propagation": 703,
    "failure-modes": 703,
    "complexity": 407,
    "memory": 664,
    "io": 664,
    "caching": 664,
    "scalability": 664,
    "concurrency": 662,
    "races": 362,
    "logic": 684,
    "invariants": 684,
    "edge-cases": 754,
    "null-safety": 476,
    "naming": 1099,
    "duplication": 1041,
    "integration": 435,
    "api-contracts": 435,
    "backward-compat": 439,
    "migration": 439,
    "documentation": 1059,
    "scope": 1110,
    "acceptance-criteria": 1110,
    "completeness": 1110,
}


@dataclass(frozen=True, slots=True)
class Classed:
    """`rule` is a short name of the kind, '' if the kind has no letter. `security`: an attacker may exploit the weakness."""

    rule: str
    cwe: int
    dimension: Dimension
    security: bool


def classed(finding: ReviewFinding) -> Classed:
    """Classify a finding from its kind and domain alone."""
    dimension, broad = _SECURITY.get(finding.domain, (Dimension.D9, _DOMAINS.get(finding.domain, NO_STANDARD)))
    security = finding.domain in _SECURITY
    named = _NAMED.match(finding.kind)
    if named:  # a named weakness decides; the rule keeps the name that an audit gives it
        rule, cwe = named[2].strip(), int(named[1])
        return Classed(rule if _RULE.fullmatch(rule) else _slug(rule), cwe, dimension_of(cwe) or dimension, security)
    return Classed(_slug(finding.kind), _KINDS.get(finding.kind, broad), dimension, security)


def _slug(text: str) -> str:
    return "-".join(_WORD.findall(text.lower()))[:MAX_RULE].rstrip("-")
