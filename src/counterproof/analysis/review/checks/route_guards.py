"""Guards of routes that the change removes or bypasses: read before and after, and compared with the routes that keep them (R47).

Always: where it cannot be decided whether a route is still guarded, a loss counts only if the change leaves alone what cannot be
read, since that does not stand for the guard that is gone. A route is the same one by its method and path, else by its handler.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.project import Project
from counterproof.analysis.review.checks.security import entry_points
from counterproof.analysis.review.checks.versions import CODE, place_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.nearby import ground, older_ground
from counterproof.model.location import Location
from counterproof.model.recon import KNOWS_CALLER, NETWORK_KINDS, EntryPoint, Guard, GuardEvidence, WrittenGuard
from counterproof.model.review.finding import Trust
from counterproof.model.review.scope import ScopeKind
from counterproof.model.severity import Severity

MAX_SIBLINGS = 5
MAX_ROUTES = 10
MAX_TEXT = 200
DOMAIN = "auth"


@dataclass(frozen=True, slots=True)
class Loss:
    """A route, its guard before the change, and what is missing after it."""

    before: EntryPoint
    after: EntryPoint
    missing: str


def read_routes(project: Project) -> tuple[EntryPoint, ...]:
    """Every way in over a network, with its guard and every guard as its line is written."""

    def written(guard: WrittenGuard) -> WrittenGuard:
        return guard if guard.text else replace(guard, text=project.line(guard.at.path, guard.at.start).strip()[:MAX_TEXT])

    routes = (each for each in entry_points(project) if each.kind in NETWORK_KINDS)
    return tuple(replace(each, guards=tuple(map(written, each.guards))) for each in routes)


def find_removed_guards(view: View) -> Iterator[Claim]:
    """One claim for each guard that routes lost, at the changed line that is nearest to it."""
    if view.scope.kind is not ScopeKind.DIFF or not any(text is not None for text in view.before.values()):
        return
    project = ground(view)
    now = read_routes(project)
    if not now:
        return
    older = view.project.once("review older ground", lambda: older_ground(view))
    lost: dict[tuple[str, str], list[Loss]] = {}
    for each in compare_routes(read_routes(older), now):
        evidence = each.before.guarded_by
        lost.setdefault((evidence.symbol if evidence else "", each.missing), []).append(each)
    for losses in lost.values():
        place = _place(view, losses[0])
        if place is not None and _is_removed(view, losses[0]) and not _is_new(view, losses[0]):
            yield _claim(losses, place, _siblings(losses, now))


def compare_routes(before: Iterable[EntryPoint], after: Iterable[EntryPoint]) -> Iterator[Loss]:
    """Routes with a guard before and none after, and new routes to a handler that was only reached through a guard."""
    then = {(each.method, each.path): each for each in before}
    handlers: dict[tuple[str, str], list[EntryPoint]] = {}
    for each in then.values():
        handlers.setdefault((each.handler.path, each.name), []).append(each)
    for each in after:
        known = (
            [then[each.method, each.path]]
            if (each.method, each.path) in then
            else handlers.get((each.handler.path, each.name), [])
        )
        if not known or any(one.guard is not Guard.PRESENT for one in known):
            continue
        if each.guard is Guard.ABSENT or (each.guard is Guard.UNKNOWN and (each.method, each.path) in then):
            yield Loss(known[0], each, "login")
        elif each.guard is Guard.PRESENT and all(one.administrators for one in known) and not each.administrators:
            yield Loss(known[0], each, "administrator")
        elif each.guard is Guard.PRESENT and (gone := _gone(known[0], each)) is not None:
            yield Loss(replace(known[0], guarded_by=GuardEvidence(gone.at, gone.text)), each, "right")


def _gone(before: EntryPoint, after: EntryPoint) -> WrittenGuard | None:
    """The guard that a route lost while others stay and none came."""
    then, now = ({each.text for each in entry.guards} for entry in (before, after))
    left = [each for each in before.guards if each.text not in now and each.asks in KNOWS_CALLER]
    return left[0] if left and now <= then else None


def _place(view: View, loss: Loss) -> Location | None:
    """The changed line nearest to the guard, which may be in another file than the route; None where neither the guard nor the
    route is in changed code, so that nothing ties the loss to the change."""
    evidence = loss.before.guarded_by
    for at in (evidence.at if evidence else None, loss.after.handler, evidence.defined if evidence else None):
        file = view.project.files.get(at.path) if at is not None and at.path in view.before else None
        code = file is not None and file.language in CODE
        if at is not None and code and at.path in view.files and view.files[at.path].changed:
            return place_of(view, at.path, at.start)
    return None


def _is_new(view: View, loss: Loss) -> bool:
    """Whether the change wrote what cannot be read now: it may be the guard in another form."""
    evidence = loss.after.guarded_by if loss.after.guard is Guard.UNKNOWN else None
    at = evidence.at if evidence is not None else None
    return loss.after.guard is Guard.UNKNOWN and (at is None or view.touches(at.path, at.start, at.end))


def _is_removed(view: View, loss: Loss) -> bool:
    """Whether the line with the guard is gone from its file; a new route never had one. Where the line is still there the guard
    was only read differently."""
    evidence = loss.before.guarded_by
    if (loss.before.method, loss.before.path) != (loss.after.method, loss.after.path):
        return True
    if evidence is None or evidence.at is None or evidence.at.path not in view.before:
        return False
    before = (view.before[evidence.at.path] or "").split("\n")
    line = before[evidence.at.start - 1].strip() if evidence.at.start <= len(before) else ""
    now = view.project.text(evidence.at.path) if evidence.at.path in view.project.files else ""
    count = [each.strip() for each in before].count(line)
    return bool(line) and [each.strip() for each in now.split("\n")].count(line) < count


def _siblings(losses: list[Loss], now: tuple[EntryPoint, ...]) -> list[EntryPoint]:
    """Routes that keep the guard: those guarded by the same symbol first, then the others of the same file."""
    evidence = losses[0].before.guarded_by
    symbol = evidence.symbol if evidence else ""
    administrators = losses[0].missing == "administrator"
    kept = [each for each in now if each.guard is Guard.PRESENT and (each.administrators or not administrators)]
    same = [each for each in kept if symbol and each.guarded_by is not None and each.guarded_by.symbol == symbol]
    return same or [each for each in kept if each.handler.path == losses[0].after.handler.path]


def _claim(losses: list[Loss], place: Location, siblings: list[EntryPoint]) -> Claim:
    first, count = losses[0], len(losses)
    unsure = first.after.guard is Guard.UNKNOWN
    login = first.missing == "login"
    evidence = first.before.guarded_by
    guard = f"`{evidence.symbol}`" if evidence and evidence.symbol else "a guard"
    stood = f" ({evidence.at})" if evidence and evidence.at else ""
    routes = ", ".join(each.after.label for each in losses[:MAX_ROUTES])
    more = f" and {count - MAX_ROUTES} more" if count > MAX_ROUTES else ""
    verb = "is" if count == 1 else "are"
    others = f" and {count - 1} more" if count > 1 else ""
    state = "may be" if unsure else verb
    title = f"{first.after.label}{others} {state} open to {'anybody' if login else 'every user'}"
    return Claim(
        kind="CWE-306 removed-guard" if login else "CWE-862 removed-guard",
        domain=DOMAIN,
        title=title[:200],
        severity=Severity.MEDIUM if unsure else Severity.HIGH,
        at=place,
        why=f"Before the change {routes}{more} {'was' if count == 1 else 'were'} guarded by {guard}{stood}. The handler at "
        f"{first.after.handler} can still be reached, and {_rest(first)}. "
        f"{_compared(siblings)}",
        chain=f"{place} -> {first.after.handler}",
        fix=f"Keep {guard} here, or say in the change why this {'is' if login else 'may be'} public",
        trust=Trust.EXTERNAL if login else Trust.AUTHENTICATED,
        traced=first.after.handler,
    )


def _rest(loss: Loss) -> str:
    """What is left of the guard."""
    if loss.after.guard is Guard.UNKNOWN:
        return f"whether anything else checks the caller could not be read ({loss.after.guard_evidence or 'unknown'})"
    return f"no {'caller' if loss.missing == 'login' else 'role'} is checked any more"


def _compared(siblings: list[EntryPoint]) -> str:
    if not siblings:
        return "No other route keeps it."
    kept = ", ".join(f"{each.label} at {each.handler}" for each in siblings[:MAX_SIBLINGS])
    return f"{len(siblings)} {'route keeps' if len(siblings) == 1 else 'routes keep'} it: {kept}."
