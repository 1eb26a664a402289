"""Calls that do not match the called function: a changed signature with unchanged callers, or a new call that was never right.

Invariant: only functions resolved through imports or `self`, defined once, without decorators that could change their signature;
calls that spread a collection are skipped.
"""

from collections.abc import Iterator
from itertools import chain

from counterproof.analysis.review.call_targets import Target, calls_of, targets_in
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import Place
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
    heads = [(module.path, each) for module, each in view.functions() if view.touches(module.path, each.line, _head_end(each))]
    changed = {(path, each.line) for path, each in heads}
    own = [path for path in view.files if path in project.files and is_python(project, path)]
    calls = chain(((path, each) for path in own for each in targets_in(project, path)), calls_of(project, heads))
    seen: set[tuple[str, int, str]] = set()
    for path, target in calls:
        here = view.touches(path, target.first, target.last)
        known = target.place is None or (path, target.first, target.name) in seen
        if target.place is None or known or not (here or (target.place[0], target.place[1].line) in changed):
            continue
        why = _misfit(target, target.place[1]) if _plain(view, target.place) else ""
        if why and len(seen) < MAX_CLAIMS:
            seen.add((path, target.first, target.name))
            yield _claim(target.name, target.place, Location(path, target.first, target.last), why, here)


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


def _misfit(target: Target, function: ir.Function) -> str:
    """Why the arguments do not fit; '' if they do or if unknown."""
    call = target.call
    static = any(isinstance(each.value, ir.Name) and each.value.id == "staticmethod" for each in function.decorators)
    if function.owner and not target.bound and not static:
        return ""  # called on the class: the instance, or nothing, is the first argument
    if call is None or any(each.spread for each in call.arguments):
        return ""
    return _unfit(call, function.parameters[target.bound :])


def _unfit(call: ir.Call, parameters: tuple[ir.Parameter, ...]) -> str:
    positional = [each for each in parameters if each.kind == "positional"]
    open_ended = any(each.kind == "*" and each.name for each in parameters)
    any_keyword = any(each.kind == "**" for each in parameters)
    given = [each for each in call.arguments if not each.keyword]
    named = {each.keyword for each in call.arguments if each.keyword}
    if len(given) > len(positional) and not open_ended:
        return f"it passes {len(given)} positional arguments to a function that takes {len(positional)}"
    known = {each.name for each in parameters if each.kind in ("positional", "keyword")}
    strange = sorted(named - known)
    if strange and not any_keyword:
        return f"it passes {strange[0]}, which the function does not have"
    filled = {each.name for each in positional[: len(given)]} | named
    missing = [each.name for each in parameters if each.kind in ("positional", "keyword") and each.default is None]
    missing = [name for name in missing if name and name not in filled]
    return f"it does not pass {missing[0]}, which has no default" if missing else ""


def _claim(name: str, place: Place, call: Location, why: str, here: bool) -> Claim:
    path, function = place
    definition = at(path, function.line)
    return Claim(
        kind="call does not fit the signature",
        title=f"{call} calls {name}() in a way that its signature refuses"[:200],
        severity=Severity.HIGH,
        at=call if here else definition,
        why=f"The call at {call} fails with a TypeError when it runs: {why}. {name} is defined at {definition}.",
        chain=f"{call} -> {definition}",
        fix=f"Change the call, or give the parameter of {name} a default",
    )
