"""Hardening claims as one entry per kind and project root, with all their locations (A56).

Invariant: at most medium severity; no location is lost; the order depends only on the claims. Not handled here: which claims
are posture (their rule, or their file's role, says so).
"""

from collections.abc import Container, Iterable

from counterproof.model.canonical import canonical, digest
from counterproof.model.finding import Finding
from counterproof.model.posture import PostureEntry
from counterproof.model.recon import root_of
from counterproof.model.report import Calibration
from counterproof.model.severity import Severity
from counterproof.protocols.audit.resolution import Ruled

Weighed = tuple[Ruled, Calibration]


def posture_entries(claims: Iterable[Weighed], roots: Container[str]) -> tuple[PostureEntry, ...]:
    """Most severe first, then by rule and root; numbered P-01 and on."""
    groups: dict[tuple[str, str], list[Weighed]] = {}
    for each in claims:
        finding = each[0].finding
        groups.setdefault((finding.rule or f"CWE-{finding.cwe}", root_of(finding.location.path, roots)), []).append(each)
    entries = [_entry(root, group) for (_, root), group in groups.items()]
    ordered = sorted(entries, key=lambda each: (-each[0].rank, each[1].rule, each[2]))
    return tuple(_numbered(number, *each) for number, each in enumerate(ordered, 1))


def _entry(root: str, group: list[Weighed]) -> tuple[Severity, Finding, str, tuple[Finding, ...]]:
    """The level, the representative claim, and all claims in the order of their locations."""
    level = min(max((weighed.level for _, weighed in group), key=_rank), Severity.MEDIUM, key=_rank)
    findings = sorted((each.finding for each, _ in group), key=lambda each: (each.location, each.id))
    return level, findings[0], root, tuple(findings)


def _rank(level: Severity) -> int:
    return level.rank


def _numbered(number: int, level: Severity, first: Finding, root: str, findings: tuple[Finding, ...]) -> PostureEntry:
    rule = first.rule or f"CWE-{first.cwe}"
    places = sorted({place for each in findings for place in (each.location, *each.also)})
    return PostureEntry(
        number=f"P-{number:02}",
        fingerprint=digest(canonical(["posture", rule, root]))[:32],
        severity=level,
        rule=rule,
        title=first.title,
        cwe=first.cwe,
        dimension=first.dimension,
        root=root,
        places=tuple(places),
        evidence=first.evidence,
        consequence=first.impact,
        remedy=first.remedy,
        claims=len(findings),
    )
