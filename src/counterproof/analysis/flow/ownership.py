"""Whether any code between a request and the object it names checks the object's owner.

Invariant: a location counts only behind a login, and if the object's name says that users own it; any mention of the session's
user on the way counts as a check. Not handled here: finding the locations; a rule with `private` set names them.
"""

from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.flow.entries import EntryFinder
from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.values import Source, Taint, steps_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, last_name, walk
from counterproof.model.recon import Guard

_OWNED = vocabulary(
    "user users account accounts order orders basket baskets cart carts address addresses card cards payment payments invoice "
    "invoices message messages profile profiles wallet memo memos allocation allocations note notes document documents ticket "
    "tickets subscription subscriptions booking bookings appointment appointments todo todos task tasks customer customers "
    "transaction transactions statement statements report reports file files upload uploads"
)
_IDENTITY = vocabulary("session currentuser principal owner ownerid createdby creator isowner decoded claims locals authuser")
MORE = vocabulary("own owner ownership owns self permission permissions role roles acl rbac ability can access staff manager")
"""Name words of guards that require more than a login: ownership, or a privilege."""
_HOLDERS = frozenset({"req", "request", "ctx", "context", "state", "_req", "c"})
_KNOWN = vocabulary("user userid auth account uid username currentuser session jwt token tokenpayload member")
_SHOWING = frozenset({"render", "json", "send", "view", "flash", "log", "info", "debug", "redirect"})
MAX_NODES = 20_000


def nobody_asks(entries: EntryFinder, outcome: Outcome, taint: Taint) -> bool:
    """Return True if a logged-in sender reaches a user's object by its id, and nothing on the way checks its owner."""
    source, entry = taint.origin, entries.of(taint)
    if entry is None or entry.guard is not Guard.PRESENT or not isinstance(source, Source):
        return False
    named = frozenset((*words(source.parameter), *words(entry.path), *words(outcome.hit.function)))
    given = {each.origin.parameter for each in (*outcome.harmful, *outcome.harmless) if isinstance(each.origin, Source)}
    if given & entries.set_by_program():
        return False
    if "id" not in words(source.parameter) or not named & _OWNED or "admin" in words(entry.path):
        return False
    if entry.administrators or asked_words(entry.guarded_by) & MORE:
        return False
    places = {(step.path, step.line) for step in steps_of(taint.step)} | {(outcome.hit.path, outcome.hit.line)}
    places.add((outcome.hit.sink_path, outcome.hit.sink_line))
    functions = [info for path, line in sorted(places) for info in entries.around(path, line)]
    return not any(speaks_of_the_caller(info.node) for info in functions)


def speaks_of_the_caller(function: ir.Function) -> bool:
    """Return True if a function uses the logged-in user, other than to display it."""
    pending: list[ir.Node] = list(function.body)
    holders = _holders(function)
    for _ in range(MAX_NODES):
        if not pending:
            return False
        node = pending.pop()
        if isinstance(node, ir.Name) and "".join(words(node.id)) in _IDENTITY:
            return True
        if isinstance(node, ir.Attribute) and _is_caller(node, holders):
            return True
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _SHOWING:
            pending.extend(inner for each in node.arguments for inner in walk(each) if isinstance(inner, ir.Call))
        else:
            pending.extend(children(node))
    return False


def _holders(function: ir.Function) -> frozenset[str]:
    """Names of the request: the usual ones, a handler's first parameter, and aliases of those."""
    first = function.parameters[0].name if len(function.parameters) > 1 else ""
    known = _HOLDERS | {first} if first and first != "this" else _HOLDERS
    copies = [each for each in function.body if isinstance(each, ir.Assign) and isinstance(each.value, ir.Name)]
    again = [each.targets[0] for each in copies if isinstance(each.value, ir.Name) and each.value.id in known]
    return known | {each.id for each in again if isinstance(each, ir.Name)}


def _is_caller(node: ir.Attribute, holders: frozenset[str]) -> bool:
    name = "".join(words(node.name))
    if name in _IDENTITY:
        return True
    holder = last_name(node.value)
    return holder in holders and name in _KNOWN
