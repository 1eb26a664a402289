"""Guardrails (R23 to R28). Each trip is recorded and shown; none depends on an agent's good will."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from counterproof.model.review.finding import ReviewFinding, Shown
from counterproof.model.severity import Severity
from counterproof.protocols.review.refinement import MAX_FINDINGS

MIN_EVIDENCE = 100


@dataclass(frozen=True, slots=True)
class Trip:
    """One guardrail that acted."""

    guardrail: str
    finding_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """Findings after the guardrails, and what they did."""

    findings: tuple[ReviewFinding, ...]
    trips: tuple[Trip, ...]


def guard(findings: Iterable[ReviewFinding], scope: Collection[str], strict: bool) -> Guarded:
    """Scope, evidence and count, in this order, for one specialist's findings."""
    kept: list[ReviewFinding] = []
    trips: list[Trip] = []
    for finding in findings:
        if finding.location.path not in scope:
            if strict:
                trips.append(Trip("scope", finding.id, f"{finding.location} is outside the scope: rejected"))
                continue
            trips.append(Trip("scope", finding.id, f"{finding.location} is outside the scope: demoted to Minor"))
            finding = replace(finding, severity=Severity.LOW)
        if finding.shown is not Shown.MINOR and evidence_size(finding) < MIN_EVIDENCE:
            trips.append(Trip("evidence", finding.id, f"less than {MIN_EVIDENCE} characters of evidence: demoted to Minor"))
            finding = replace(finding, severity=Severity.LOW)
        kept.append(finding)
    for finding in kept[MAX_FINDINGS:]:
        trips.append(Trip("count", finding.id, f"more than {MAX_FINDINGS} findings of one specialist: dropped"))
    kept = kept[:MAX_FINDINGS]
    trips += [Trip("destructive fix", each.id, why) for each in kept if (why := destructive(each.fix))]
    return Guarded(tuple(kept), tuple(trips))


def evidence_size(finding: ReviewFinding) -> int:
    """Characters that are not blank."""
    return sum(not character.isspace() for character in finding.evidence)


def inflated(findings: Iterable[ReviewFinding]) -> str:
    """Why a specialist's severities look inflated; '' if they do not (R28)."""
    severities = [each.shown for each in findings]
    total = len(severities)
    critical = severities.count(Shown.CRITICAL)
    weighty = critical + severities.count(Shown.IMPORTANT)
    if 2 * critical > total:
        return f"{critical} of {total} findings are Critical"
    if 5 * weighty > 4 * total:
        return f"{weighty} of {total} findings are Critical or Important"
    return ""


_DESTRUCTIVE: tuple[tuple[str, str], ...] = (
    (
        "recursive delete",
        r"\brm\s+(-[a-z-]+\s+)*-[a-z]*r|\brmtree\s*\(|\bRemove-Item\b.{0,80}-Recurse|\bdel\s+/s|\bfind\b.{0,200}-delete",
    ),
    ("drops data", r"\b(drop\s+(table|database|schema)|truncate\s+table)\b|\bdelete\s+from\s+\w+\s*(;|$)"),
    ("rewrites history", r"\bpush\b.{0,80}(--force\b|-f\b)|\breset\s+--hard\b|\bclean\s+-[a-z]*f|\bfilter-branch\b"),
    (
        "disables TLS checks",
        r"verify\s*=\s*False|CERT_NONE|_create_unverified_context|rejectUnauthorized\W{1,5}false|--insecure\b|sslVerify\s*=?\s*false",
    ),
    (
        "disables TLS checks for a program",
        r"\bcurl\b.{0,80}\s-k\b|NODE_TLS_REJECT_UNAUTHORIZED|InsecureSkipVerify",
    ),
    (
        "pipes a download to a shell",
        r"\b(curl|wget|iwr|Invoke-WebRequest)\b[^\n|]{0,300}\|\s*(sudo\s+)?(ba|z|da|k)?sh\b|\|\s*iex\b",
    ),
    ("opens permissions", r"\bchmod\s+(-R\s+)?[0-7]?777\b|\bchown\s+-R\b"),
    ("overwrites a disk", r"\bmkfs(\.\w+)?\b|\bdd\s+[^\n]{0,200}\bof=/dev/|>\s*/dev/sd[a-z]"),
    ("disables a protection", r"\bsetenforce\s+0\b|\bufw\s+disable\b|\biptables\s+-F\b|--no-verify\b|\bcsrf_exempt\b"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _DESTRUCTIVE)


def destructive(fix: str) -> str:
    """What is dangerous about a recommended fix; '' if nothing is (R27). It is flagged and never applied."""
    return next((f"the recommended fix {name}" for name, pattern in _PATTERNS if pattern.search(fix)), "")
