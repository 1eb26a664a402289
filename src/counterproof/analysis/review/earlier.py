"""Which claims were true before the change: a review speaks of what the change brought about, and counts the rest apart.

The check that claims something about the newer side is asked about the older one too, with the same files around it. Two claims
are one where they are of one kind and their places are versions of each other: the same line of a file that did not change, the
same statement as symbols and statements are aligned (moved, reformatted or with other names), else the same symbol in the same
function, else nearly the same statement that now stands elsewhere.

Always: an older claim answers for one newer claim at most; one whose statement did not change only for that statement, so that
a second flaw beside the first is new. Data that comes from elsewhere than before, or weighs more, makes a flaw new: the change
made it reachable. What cannot be compared is new. The older side is read only where the newer one has a claim.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.nearby import older_ground
from counterproof.analysis.review.places import Places
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.review.scope import ScopeFile, ScopeKind

MAX_NAMED = 5


def brought(view: View, check: Check, claims: list[Claim]) -> list[Claim]:
    """Those of a check's claims that the change brought; the others are noted."""
    had_older = view.scope.kind is ScopeKind.DIFF and any(text is not None for text in view.before.values())
    if not claims or not had_older:
        return claims  # a delta is held against the earlier review's findings, which must not seem resolved
    older = view.project.once("review older side", lambda: _older(view))
    places = view.project.once("review places", lambda: Places(view))
    left = [each for each in check(older) if each.kind in {claim.kind for claim in claims}]
    standing: list[Claim] = []
    for matches in (_same_statement, _same_symbol, _moved):
        for claim in [each for each in claims if each not in standing]:
            earlier = next((each for each in left if _alike(each, claim) and matches(places, each, claim)), None)
            if earlier is not None:
                standing.append(claim)
                left.remove(earlier)
    _note(view, standing)
    return [each for each in claims if each not in standing]


def _older(view: View) -> View:
    """The change's files, whole, as they were."""
    project = older_ground(view)
    files = (path for path, text in view.before.items() if text is not None and path in project.files)
    return View(project, replace(view.scope, files=tuple(ScopeFile(path, 0) for path in files)))


def _note(view: View, standing: list[Claim]) -> None:
    if standing:
        named = ", ".join(f"{each.kind} at {each.at}" for each in standing[:MAX_NAMED])
        more = f" and {len(standing) - MAX_NAMED} more" if len(standing) > MAX_NAMED else ""
        view.limitations.append(f"there before the change, on lines that it touches: {named}{more}")


def _alike(old: Claim, new: Claim) -> bool:
    """One kind, and the older one weighs as much."""
    return old.kind == new.kind and old.severity.rank >= new.severity.rank and _channel(old.witness) == _channel(new.witness)


def _channel(finding: Finding | None) -> str:
    """Where data comes from, without the name and the place that it has there."""
    return finding.source.partition(" “")[0].partition(" at ")[0] if finding is not None else ""


def _symbol(claim: Claim) -> str:
    """What the claim is about: the function that the data reaches, else what the title names."""
    return claim.witness.sink.partition(" at ")[0] if claim.witness and claim.witness.sink else claim.title


def _ends(claim: Claim) -> tuple[Location, Location | None]:
    """Where it happens, and where the data comes from."""
    return (claim.witness.location if claim.witness else claim.at), claim.traced


def _both(old: Claim, new: Claim, same: Callable[[Location, Location], bool]) -> bool:
    (sink, source), (sink_now, source_now) = _ends(old), _ends(new)
    if source is None or source_now is None:
        return source is source_now and same(sink, sink_now)
    return same(sink, sink_now) and same(source, source_now)


def _same_statement(places: Places, old: Claim, new: Claim) -> bool:
    return _both(old, new, places.corresponds)


def _same_symbol(places: Places, old: Claim, new: Claim) -> bool:
    if _symbol(old) != _symbol(new) or places.stayed(_ends(old)[0]):
        return False
    return _both(old, new, lambda one, other: places.corresponds(one, other) or places.same_unit(one, other))


def _moved(places: Places, old: Claim, new: Claim) -> bool:
    """The statement stands elsewhere now; its data comes from where it came from, or moved along."""
    if _symbol(old) != _symbol(new) or places.stayed(_ends(old)[0]):
        return False
    return _both(old, new, lambda one, other: places.corresponds(one, other) or places.reads_alike(one, other))
