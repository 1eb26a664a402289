"""Run the checks of some domains and order their claims. Anything a check could not examine is a limitation."""

from dataclasses import replace

from counterproof.analysis.project import OutOfTime
from counterproof.analysis.review.checks import CHECKS
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.documents import DOCUMENT_CHECKS
from counterproof.analysis.review.earlier import brought

MAX_CLAIMS = 50


def _is_covered(claim: Claim, found: list[Claim]) -> bool:
    """Return True if another check claims the same weakness at the same line, at least as severe: of equals the first is kept."""
    weakness, _, rule = claim.kind.partition(" ")
    same = [each for each in found if each.at.path == claim.at.path and each.at.start == claim.at.start and each is not claim]
    rivals = [each for each in same if weakness.startswith("CWE-") and each.kind.partition(" ")[0] == weakness]
    if rule == "removed-check":  # a lost route guard is more specific than the removed decorator
        return any(each.kind.endswith("removed-guard") for each in same)
    return any("removed-" in f"{each.kind} {claim.kind}" and _outranks(each, claim) for each in rivals)


def _outranks(one: Claim, other: Claim) -> bool:
    if one.severity is not other.severity:
        return one.severity.rank > other.severity.rank
    return one.witness is not None and other.witness is None


def claims_of(view: View, domains: tuple[str, ...], documents: bool) -> tuple[Claim, ...]:
    """At most as many claims as a specialist may file, keeping the most severe; sorted by location."""
    found: list[Claim] = []
    for speaks, check in DOCUMENT_CHECKS if documents else CHECKS:
        if not set(speaks) & set(domains):
            continue
        try:
            told = (claim if claim.domain else replace(claim, domain=speaks[0]) for claim in check(view))
            claims = [claim for claim in told if claim.domain in domains]
            found += claims if documents else brought(view, check, claims)
        except OutOfTime:
            view.limitations.append("the time was over before every check had run")
            break
    unique = {(each.at, each.kind): each for each in found if not _is_covered(each, found)}
    worst = sorted(unique.values(), key=lambda each: (-each.severity.rank, -each.confidence.rank, each.at, each.kind))
    if len(worst) > MAX_CLAIMS:
        view.limitations.append(f"{len(worst) - MAX_CLAIMS} claims beyond the first {MAX_CLAIMS} of one specialist were left out")
    return tuple(sorted(worst[:MAX_CLAIMS], key=lambda each: (each.at, each.kind)))
