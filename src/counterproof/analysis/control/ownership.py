"""Objects looked up by an id from the request without asking whose they are (CWE-639).

Reported only where the handler asks for a login but for no role, the object has an owner (or is a person's own record), and
nothing on the same path through the handler speaks of the caller. Does not belong here: endpoints without a login.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.program import Callee, Program, passed
from counterproof.analysis.control.effects import closure, statement_texts
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.wording import MISSING_OWNER, finding
from counterproof.analysis.flow.quoting import Quotes
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Branch,
    Call,
    Class,
    Compare,
    Expr,
    Function,
    If,
    Index,
    Name,
    Node,
    Parameter,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

OWNER_COLUMNS = ("user_id", "owner_id", "owner", "customer_id", "account_id", "author_id", "created_by", "userid", "member_id")
_PEOPLE = vocabulary("user users customer customers account accounts member members profile profiles patient employee student")
_CALLERS = vocabulary("user caller current account member principal identity customer owner me")
_PUBLIC = vocabulary(
    "post posts topic article articles comment comments blog page thread forum product products review question answer photo "
    "video tag category event"
)
"""Things that people publish: reading those of others is what they are for."""
_KEYS = vocabulary("id ids uuid pk username userid slug number")
_LOOKUPS = ("get", "filter_by", "filter", "get_or_404", "first_or_404", "find_one", "get_object_or_404", "where", "get_by_id")
_BY_MODEL = ("get_object_or_404", "get_list_or_404", "get", "get_or_404", "get_one")
"""Calls that are told the model first: `get_object_or_404(Order, pk=pk)`, `session.get(Order, number)`."""

_CHANNELS = ("args", "form", "values", "GET", "POST", "data", "json", "query_params", "kwargs", "match_info", "params")
MAX_DEPTH = 3
MAX_HELPERS = 6


@dataclass(frozen=True, slots=True)
class Lookup:
    """Where an id from the request decides which object is read or changed. `store` is the table or model."""

    call: Call
    store: str


def missing_owners(quotes: Quotes, program: Program, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    owned = owned_stores(program)
    seen: set[int] = set()
    for each in operations:
        if each.entry.guard is not Guard.PRESENT or role_of(program, each.entry) is Guard.PRESENT or id(each.function) in seen:
            continue
        seen.add(id(each.function))
        for lookup in _lookups(program, each):
            store = lookup.store.lower()
            if not each.changes and set(words(lookup.store)) & _PUBLIC:
                continue
            if is_owned(store, owned) and not _is_scoped(lookup.call) and not _asks_whose(program, each, lookup.call):
                why = f"The {lookup.store} is chosen by the request alone; the caller plays no part on this path."
                place = at(each.ground.path, lookup.call.line)
                yield finding(quotes, MISSING_OWNER, place, each.entry, why, each.function.qualified)
                break


def _is_scoped(call: Call) -> bool:
    """`get(id=id, owner=account)`: the lookup itself names the owner."""
    return any(each.keyword.partition("__")[0] in (*OWNER_COLUMNS, "user", "author", "customer") for each in call.arguments)


def is_owned(store: str, owned: frozenset[str]) -> bool:
    """Whether objects of a table or model belong to somebody."""
    return store.lower() in owned or bool(set(words(store)) & _PEOPLE)


def owned_stores(program: Program) -> frozenset[str]:
    """Tables and models with a column that names an owner, by what the code and its schema say."""
    found: set[str] = set()
    for outline in program.codebase.outlines():
        ground = program.ground(outline.path)
        for site in outline.of(Call):
            if isinstance(site.node.callee, Attribute) and site.node.callee.name.startswith("execute"):
                found |= {
                    table for text in statement_texts(ground, site.node) for table in _tables(text) if _mentions_owner(text)
                }
            else:
                texts = [text for each in site.node.arguments if (text := text_of(each.value))]
                found |= {table for text in texts for table in _tables(text) if _mentions_owner(text)}
        for owner in outline.module.classes:
            names = [name.lower() for name in outline.attributes(owner)]
            if any(name in OWNER_COLUMNS or name in ("user", "author", "customer") for name in names):
                found.add(owner.name.lower())
    return frozenset(found)


def _mentions_owner(text: str) -> bool:
    spoken = text.lower().replace(",", " ").replace("(", " ").replace(")", " ").replace("=", " ").split()
    return any(each.rpartition(".")[2] in OWNER_COLUMNS for each in spoken)


def _tables(text: str) -> list[str]:
    """Table names of a statement."""
    spoken = text.replace("(", " ").replace(",", " ").split()
    pairs = pairwise(spoken)
    return [
        then.strip("`\"'[];").lower() for first, then in pairs if first.lower() in ("from", "into", "update", "join", "table")
    ]


def _lookups(program: Program, operation: Operation) -> Iterator[Lookup]:
    """Calls of the handler that pass an id from the request to a store."""
    ids = _ids(operation)
    for node in walk(*operation.function.body):
        if isinstance(node, Call) and operation.ground.function(node) is operation.function:
            given = [each.value for each in node.arguments if any(_is_id(part, ids) for part in walk(each.value))]
            if given:
                store = _store(program, operation.ground, node, given, 0)
                if store:
                    yield Lookup(node, store)


def _ids(operation: Operation) -> frozenset[str]:
    """Variables that hold an id from the request: parameters of the route, and fields read from the body."""
    names = [each.name for each in operation.function.parameters if f"{each.name}>" in operation.entry.path.replace("}", ">")]
    names += [
        each.name
        for each in operation.function.parameters
        if f"{{{each.name}" in operation.entry.path or f"<{each.name}>" in operation.entry.path
    ]
    names += [each.name for each in operation.function.parameters if set(words(each.name)) & _KEYS and not _injected(each)]
    for node in walk(*operation.function.body):
        if isinstance(node, Assign) and isinstance(node.value, Index | Call):
            key = _key(node.value)
            if key and set(words(key)) & _KEYS:
                names += [target.id for target in node.targets if isinstance(target, Name)]
    return frozenset(names)


def _key(value: Expr) -> str:
    """`content["id"]`, `request.args.get("id")`, `self.kwargs["pk"]`: the field that is read."""
    if isinstance(value, Index):
        sent = isinstance(value.value, Name) or (isinstance(value.value, Attribute) and value.value.name in _CHANNELS)
        return (text_of(value.key) or "") if sent else ""
    if isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name == "get" and value.arguments:
        base = value.callee.value
        from_request = isinstance(base, Attribute) and base.name in _CHANNELS
        return (text_of(value.arguments[0].value) or "") if from_request else ""
    return ""


def _is_id(node: Node, ids: frozenset[str]) -> bool:
    if isinstance(node, Name):
        return node.id in ids
    return isinstance(node, Index | Call) and not _is_claim(node) and bool(set(words(_key(node))) & _KEYS)


def _is_claim(node: Index | Call) -> bool:
    """A field of the session or of a token is the server's word, not the sender's."""
    base = node.value if isinstance(node, Index) else node.callee
    return bool(words_in(base) & {"session", "claims", "token", "payload", "identity", "user", "g"})


def _injected(parameter: Parameter) -> bool:
    """A parameter that the framework fills in with something of its own: `user: User = Depends(current_user)`."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    calls = [node.callee for node in walk(*parts) if isinstance(node, Call)]
    return any((each.id if isinstance(each, Name) else getattr(each, "name", "")) in ("Depends", "Security") for each in calls)


def _store(program: Program, ground: Ground, call: Call, given: list[Expr], depth: int) -> str:
    """The table or model that a call looks an object up in by this argument; '' if it does not."""
    if isinstance(call.callee, Attribute):
        if call.callee.name.startswith("execute"):
            texts = statement_texts(ground, call)
            tables = [table for text in texts for table in _tables(text)]
            return tables[0] if tables and any(" where " in f" {text.lower()} " for text in texts) else ""
        if call.callee.name in _BY_MODEL and (named := _named_model(program, ground, call)):
            return named
        if call.callee.name in _LOOKUPS:
            model = _model(program, ground, call.callee.value)
            if model:
                return model
    elif isinstance(call.callee, Name) and call.callee.id in _BY_MODEL:
        return _named_model(program, ground, call)
    if depth >= MAX_DEPTH:
        return ""
    for callee in program.callees(ground, call):
        found = _inside(program, callee, call, given, depth)
        if found:
            return found
    return ""


def _inside(program: Program, callee: Callee, call: Call, given: list[Expr], depth: int) -> str:
    """A function of the project that looks something up by one of its parameters; it may be told the table by name."""
    ground, function = callee.ground, callee.function
    names = {
        parameter.name
        for parameter in function.parameters
        if any(argument.value is each for argument in passed(call, callee, parameter) for each in given)
    }
    table = next((text for each in call.arguments if (text := text_of(each.value)) and text.isidentifier()), "")
    for node in walk(*function.body):
        if not isinstance(node, Call) or ground.function(node) is not function:
            continue
        inner = [each.value for each in node.arguments if any(isinstance(p, Name) and p.id in names for p in walk(each.value))]
        if inner:
            found = _store(program, ground, node, inner, depth + 1)
            if found:
                return table or found if not found.isidentifier() or "{" in found else found
            if isinstance(node.callee, Attribute) and node.callee.name.startswith("execute") and table:
                return table
    return ""


def _named_model(program: Program, ground: Ground, call: Call) -> str:
    """The model that a call is told first."""
    first = call.arguments[0].value if len(call.arguments) > 1 and not call.arguments[0].keyword else None
    found = program.codebase.meaning(ground.outline, first) if isinstance(first, Name | Attribute) else None
    if found and isinstance(found.node, Class):
        return found.node.name
    return _model(program, ground, first) if first is not None else ""


def _model(program: Program, ground: Ground, receiver: Expr) -> str:
    """The model of `Model.query.…`, `Model.objects.…`, `session.query(Model)`."""
    for node in walk(receiver):
        if isinstance(node, Name):
            found = program.codebase.meaning(ground.outline, node)
            if found and isinstance(found.node, Class):
                return found.node.name
    return ""


def _asks_whose(program: Program, operation: Operation, call: Call) -> bool:
    """Whether the caller is spoken of on the path of this call, here or in a function that is called on it."""
    ground, function = operation.ground, operation.function
    own = _arms(ground, call)

    def on_path(node: Node) -> bool:
        theirs = _arms(ground, node)
        return all(theirs.get(key, arm) == arm for key, arm in own.items())

    if any(on_path(node) for node in caller_mentions(ground.outline, *function.body)):
        return True
    handed = {each.name for each in function.parameters if _injected(each) and _is_person(each)}
    if any(isinstance(node, Name) and node.id in handed and on_path(node) for node in walk(*function.body)):
        return True
    called = [node for node in walk(*function.body) if isinstance(node, Call) and on_path(node)]
    return any(_compares_caller(program, ground, node) for node in called)


def _is_person(parameter: Parameter) -> bool:
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    return bool({*words(parameter.name), *words_in(*parts)} & _CALLERS)


def _compares_caller(program: Program, ground: Ground, call: Call) -> bool:
    """`get_post(id)` that compares the author with the caller before it returns."""
    for callee in program.callees(ground, call):
        for home, function in closure(program, callee.ground, callee.function)[0][:MAX_HELPERS]:
            tests = [node for node in walk(*function.body) if isinstance(node, Compare)]
            if caller_mentions(home.outline, *tests):
                return True
    return False


def _arms(ground: Ground, node: Node) -> dict[int, int]:
    """For every `if` around a node, which of its arms the node stands in."""
    found: dict[int, int] = {}
    for child, parent in ground.above(node):
        if isinstance(parent, If):
            index = next((i for i, branch in enumerate(parent.branches) if branch is child), len(parent.branches))
            found.setdefault(id(parent), index)
        if isinstance(parent, Branch) and child is parent.test:
            found[id(ground.parent(parent))] = -1  # a test is passed on the way to every arm
        if isinstance(parent, Function):
            break
    return {key: arm for key, arm in found.items() if arm >= 0}
