"""Calls that do not match the called function: a changed signature with unchanged callers, or a new call that was never right.

Invariant: only functions resolved through imports, classes or `self`, defined once, without decorators that could change their
signature; calls that spread a collection are skipped. In JavaScript, where missing arguments are undefined, only a parameter that
changed its place counts.
"""

from collections.abc import Iterator
from itertools import chain

from counterproof.analysis.program.arguments import misfit
from counterproof.analysis.review.call_targets import Target, calls_of, targets_in
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import Place, only
from counterproof.analysis.review.impact import is_python
from counterproof.analysis.review.nearby import ground
from counterproof.analysis.syntax import ir
from counterproof.model.location import Location, at
from counterproof.model.severity import Severity

MAX_CLAIMS = 50
_HARMLESS = ("staticmethod", "classmethod")


def mismatched(view: View) -> Iterator[Claim]:
    """Every such call if the call or the signature is under review."""
    project = ground(view)
    functions = view.functions(scripts=True)
    heads = [(module.path, each) for module, each in functions if view.touches(module.path, each.line, _head_end(each))]
    changed = {(path, each.line) for path, each in heads}
    own = [path for path in view.files if path in project.files and is_python(project, path)]
    calls = chain(((path, each) for path in own for each in targets_in(project, path)), calls_of(project, heads))
    seen: set[tuple[str, int, str]] = set()
    for path, target in calls:
        here = view.touches(path, target.first, target.last)
        known = target.place is None or (path, target.first, target.name) in seen
        if target.place is None or known or not (here or (target.place[0], target.place[1].line) in changed):
            continue
        why, severity = _misfit(view, target, target.place, here) if _plain(view, target.place) else ("", Severity.LOW)
        if why and len(seen) < MAX_CLAIMS:
            seen.add((path, target.first, target.name))
            yield _claim(target.name, target.place, Location(path, target.first, target.last), why, here, severity)


def _head_end(function: ir.Function) -> int:
    ends = [each.end for each in function.parameters]
    return max([function.line, *ends])


def _plain(view: View, place: Place) -> bool:
    """Return True if the signature is reliable. Constructors, and methods of classes with bases, which may be overridden, are
    skipped."""
    path, function = place
    names = [each.value.id for each in function.decorators if isinstance(each.value, ir.Name)]
    harmless = len(names) == len(function.decorators) and all(name in _HARMLESS for name in names)
    if not harmless or function.within or function.name.startswith("__"):
        return False
    owners = [each for each in ground(view).module(path).classes if each.qualified == function.owner]
    return not any(each.bases or each.keywords for each in owners)


def _misfit(view: View, target: Target, place: Place, here: bool) -> tuple[str, Severity]:
    """Why the arguments do not fit, and how severe that is; '' if they do or if unknown."""
    call, (path, function) = target.call, place
    static = any(isinstance(each.value, ir.Name) and each.value.id == "staticmethod" for each in function.decorators)
    python = path.endswith(".py")
    if (
        call is None
        or any(each.spread for each in call.arguments)
        or (python and function.owner and not (target.bound or static))
    ):
        return "", Severity.LOW  # called on the class: the instance, or nothing, is the first argument
    why = misfit(call, function.parameters[target.bound :]) if python else ""
    if why:
        return f"It fails with a TypeError when it runs: `{function.name}` {why}", Severity.HIGH
    before = only(view.older, path, function.qualified) if path in view.older.files and not here else None
    moved = _moved(call, before[1].parameters[target.bound :], function.parameters[target.bound :]) if before else ""
    return moved, Severity.MEDIUM


def _moved(call: ir.Call, old: tuple[ir.Parameter, ...], new: tuple[ir.Parameter, ...]) -> str:
    """The first argument that was meant for one parameter and is now taken for another."""
    count = sum(not each.keyword for each in call.arguments)
    places = {each.name: index for index, each in enumerate(new)}
    for index, each in enumerate(old[:count]):
        moved = places.get(each.name, index) != index and each.kind == "positional"
        if moved and index < len(new):
            return f"Its argument {index + 1} was meant for `{each.name}` and is now taken for `{new[index].name}`"
    return ""


def _claim(name: str, place: Place, call: Location, why: str, here: bool, severity: Severity) -> Claim:
    path, function = place
    definition = at(path, function.line)
    return Claim(
        kind="call does not fit the signature",
        title=f"{call} calls {name}() in a way that its signature refuses"[:200],
        severity=severity,
        at=call if here else definition,
        why=f"The call at {call} does not fit the parameters of {name}, which is defined at {definition}. {why}.",
        chain=f"{call} -> {definition}",
        fix=f"Change the call, or put a new parameter of {name} last, with a default",
    )
