"""Calls that do not match the called function: a changed signature with unchanged callers, or a new call that was never right.

Invariant: only functions resolved through imports or `self`, defined once, without decorators that could change their signature;
calls that spread a collection are skipped.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import Place, definitions
from counterproof.analysis.review.impact import calling, is_python, names_of, resolved_calls
from counterproof.analysis.syntax import ir
from counterproof.model.location import Location, at
from counterproof.model.severity import Severity

MAX_CLAIMS = 50
_HARMLESS = ("staticmethod", "classmethod")


def mismatched(view: View) -> Iterator[Claim]:
    """Every such call if the call or the signature is under review."""
    table = definitions(view.project)
    heads = {
        name
        for module, each in view.functions()
        if view.touches(module.path, each.line, _head_end(each))
        for name in names_of(view.project, module, each)
    }
    count = 0
    for path in dict.fromkeys((*view.files, *calling(view.project, frozenset(heads)))):
        if not is_python(view.project, path):
            continue
        for name, call in resolved_calls(view.project.module(path)):
            here = view.touches(path, call.line, call.end)
            place = table.get(name) if here or name in heads else None
            if place is None or count >= MAX_CLAIMS or not _plain(view, place):
                continue
            why = misfit(call, place[1])
            if why:
                count += 1
                yield _claim(name, place, Location(path, call.line, call.end), why, here)


def _head_end(function: ir.Function) -> int:
    ends = [each.end for each in function.parameters]
    return max([function.line, *ends])


def _plain(view: View, place: Place) -> bool:
    """Return True if the signature is reliable. Methods of classes with bases may be overridden and are skipped."""
    path, function = place
    names = [each.value.id for each in function.decorators if isinstance(each.value, ir.Name)]
    if len(names) != len(function.decorators) or any(name not in _HARMLESS for name in names) or function.within:
        return False
    owners = [each for each in view.project.module(path).classes if each.qualified == function.owner]
    return not any(each.bases or each.keywords for each in owners)


def misfit(call: ir.Call, function: ir.Function) -> str:
    """Why the arguments do not fit; '' if they do or if unknown."""
    if any(each.spread for each in call.arguments):
        return ""
    static = any(isinstance(each.value, ir.Name) and each.value.id == "staticmethod" for each in function.decorators)
    bound = bool(function.owner) and not static
    owner = call.callee.value if isinstance(call.callee, ir.Attribute) else None
    if bound and (not isinstance(owner, ir.Name) or owner.id[:1].isupper()):
        return ""  # called on the class, with the instance as argument, or unresolved
    parameters = function.parameters[1:] if bound else function.parameters
    return _unfit(call, parameters)


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
    short = name.rpartition(".")[2]
    definition = at(path, function.line)
    return Claim(
        kind="call does not fit the signature",
        title=f"{call} calls {short}() in a way that its signature refuses"[:200],
        severity=Severity.HIGH,
        at=call if here else definition,
        why=f"The call at {call} fails with a TypeError when it runs: {why}. {short} is defined at {definition}.",
        chain=f"{call} -> {definition}",
        fix=f"Change the call, or give the parameter of {short} a default",
    )
