"""Delta mode (R29): carried-over, new and fixed findings. Findings are identified by location and kind, followed through the
change."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.profile import Profile
from counterproof.model.review.report import Change
from counterproof.model.review.scope import PriorReview, Scope

NEAR = 5
"""The most lines that a finding may have moved within a changed file."""


@dataclass(frozen=True, slots=True)
class Compared:
    """`carried` findings are in files that were neither changed nor reviewed again."""

    changes: tuple[tuple[str, Change], ...]
    carried: tuple[ReviewFinding, ...]
    fixed: tuple[ReviewFinding, ...]


def compare(
    prior: PriorReview, now: Iterable[ReviewFinding], changed: Collection[str], fixed_before: Iterable[str] = ()
) -> Compared:
    """Classify the change of every finding. `fixed_before` are keys of findings seen fixed earlier: if they reappear, they
    have regressed."""
    earlier = [each for each in prior.findings if each.location.path in changed]
    carried = tuple(each for each in prior.findings if each.location.path not in changed)
    regressed = set(fixed_before)
    changes: list[tuple[str, Change]] = []
    met: set[str] = set()
    for finding in now:
        twin = next((each for each in earlier if each.id not in met and moved(each, finding)), None)
        if twin is not None:
            met.add(twin.id)
            changes.append((finding.id, Change.PERSISTS))
        else:
            changes.append((finding.id, Change.REGRESSED if key(finding) in regressed else Change.NEW))
    fixed = tuple(each for each in earlier if each.id not in met)
    return Compared(tuple(changes), carried, fixed)


def moved(before: ReviewFinding, after: ReviewFinding) -> bool:
    """True if both are one problem: a few lines apart, or anywhere in the file if the quoted line is the same."""
    same = before.kind == after.kind and before.location.path == after.location.path
    near = abs(before.location.start - after.location.start) <= NEAR
    return same and (near or (bool(before.quote.strip()) and before.quote == after.quote))


def key(finding: ReviewFinding) -> str:
    """The location and kind as text, without the line number, which changes."""
    return f"{finding.location.path}|{finding.kind}"


def specialists(profile: Profile, prior: PriorReview, changed: Collection[str]) -> Profile:
    """The specialists with findings in changed files, at least two if the profile has two."""
    concerned = {each.specialist for each in prior.findings if each.location.path in changed}
    chosen = [each.code for each in profile.specialists if each.code in concerned]
    for each in profile.specialists:
        if len(chosen) < 2 and each.code not in chosen:
            chosen.append(each.code)
    return profile.only(tuple(chosen))


def refusal(scope: Scope, verified: bool) -> str:
    """Why no delta review is possible; '' if it is."""
    if scope.prior is None:
        return "there is no earlier review to compare with"
    return "" if verified else f"the report of run {scope.prior.run} does not match its hashes"


def dearer_than_full(scope: Scope) -> str:
    """The note for a delta review that saves nothing."""
    if scope.full_tokens and scope.tokens >= scope.full_tokens:
        return f"a full review would cost no more: {scope.full_tokens:,} tokens against {scope.tokens:,}"
    return ""
