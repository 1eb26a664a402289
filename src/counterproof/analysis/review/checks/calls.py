"""Calls that do not fit the function they call: a changed signature with unchanged callers, or a new call that was never right.

Always: only functions whose meaning imports or `self` make certain, defined once, without decorators that could change them; a
call that spreads a collection is not judged.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.impact import calling, definitions, resolved_calls
from counterproof.analysis.syntax import ir
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Severity

MAX_CLAIMS = 50
_HARMLESS = ("staticmethod", "classmethod")


def mismatched(view: View) -> Iterator[Claim]:
    """Every such call where the call or the signature is under review."""
    table = definitions(view.project)
    plain = {name: place for name, place in table.items() if _plain(place[1]) and not _overridden(view, name)}
    wanted = {name for name, (path, each) in plain.items() if view.touches(path, each.line, _head_end(each))}
    callers = dict.fromkeys((*view.files, *calling(view.project, frozenset(wanted))))
    count = 0
    for path in callers:
        if path not in view.project.files or not path.endswith(".py"):
            continue
        for name, call in resolved_calls(view.project.module(path)):
            here = view.touches(path, call.line, call.end)
            if name in plain and (here or name in wanted) and count < MAX_CLAIMS:
                why = misfit(call, plain[name][1])
                if why:
                    count += 1
                    yield _claim(name, plain[name], Location(path, call.line, call.end), why, here)


def _head_end(function: ir.Function) -> int:
    ends = [each.end for each in function.parameters]
    return max([function.line, *ends])


def _plain(function: ir.Function) -> bool:
    names = [each.value.id for each in function.decorators if isinstance(each.value, ir.Name)]
    return len(names) == len(function.decorators) and all(name in _HARMLESS for name in names) and not function.within


def _overridden(view: View, name: str) -> bool:
    """Methods of classes with bases may be replaced by what the bases or the subclasses say; those are left alone."""
    head, _, _ = name.rpartition(".")
    return head in _classes_with_bases(view)


def _classes_with_bases(view: View) -> frozenset[str]:
    def make() -> frozenset[str]:
        found: set[str] = set()
        for path in dict.fromkeys(place[0] for place in definitions(view.project).values()):
            module = view.project.module(path)
            found |= {f"{module.name}.{each.qualified}" for each in module.classes if each.bases or each.keywords}
        return frozenset(found)

    return view.project.once("review classes with bases", make)


def misfit(call: ir.Call, function: ir.Function) -> str:
    """Why the arguments do not fit; '' if they do or cannot be told."""
    if any(each.spread for each in call.arguments):
        return ""
    static = any(isinstance(each.value, ir.Name) and each.value.id == "staticmethod" for each in function.decorators)
    bound = bool(function.owner) and not static
    owner = call.callee.value if isinstance(call.callee, ir.Attribute) else None
    if bound and (not isinstance(owner, ir.Name) or owner.id[:1].isupper()):
        return ""  # called on the class, with the instance passed along, or in a way that cannot be told
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


def _claim(name: str, place: tuple[str, ir.Function], call: Location, why: str, here: bool) -> Claim:
    path, function = place
    short = name.rpartition(".")[2]
    definition = at(path, function.line)
    return Claim(
        kind="call does not fit the signature",
        domain="invariants",
        title=f"{call} calls {short}() in a way that its signature refuses"[:200],
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        at=call if here else definition,
        why=f"The call at {call} fails with a TypeError when it runs: {why}. {short} is defined at {definition}.",
        chain=f"{call} -> {definition}",
        fix=f"Change the call, or give the parameter of {short} a default",
    )
