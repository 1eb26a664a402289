"""Who may ask a GraphQL schema anything at all: guards around its endpoint, and what one resolver asks of its caller.

Always holds: what could be a guard counts as one; only where nothing of the kind is seen is a resolver called open. Does not
belong here: what resolvers do.
"""

from collections.abc import Iterator

from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import called, keyword, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Call,
    Class,
    Decorator,
    Expr,
    ExprStatement,
    Function,
    Index,
    Name,
    Node,
    Raise,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, Guard

MAX_FUNCTIONS = 6
_SERVING = (
    "as_view",
    "GraphQLRouter",
    "GraphQL",
    "GraphQLView",
    "Schema",
    "execute",
    "execute_sync",
    "graphql_sync",
    "add_url_rule",
)
_LISTS = ("middleware", "extensions", "dependencies", "permission_classes", "decorators", "validation_rules")
_GUARDING = vocabulary(
    "auth authenticate authenticated authentication authorization authorize login logged permission permissions jwt role roles "
    "required protected private staff admin identity token"
)
_FETCHING = ("get_query", "get_node", "optimize")
"""Functions of libraries that are given the context to find out which fields were asked for."""
_PERSON = vocabulary(
    "user auth authenticated token identity session headers permission permissions request current viewer account me"
)


def is_guarded_schema(program: EnteredProgram) -> bool:
    """Whether something in front of all resolvers may turn callers away."""
    return program.codebase.remembered(("graphql guard",), lambda: _guarded(program))


def _guarded(program: EnteredProgram) -> bool:
    for entry in program.entry_points:
        if entry.kind is EntryKind.HTTP and "graphql" in entry.path.lower() and entry.guard is Guard.PRESENT:
            return True
    for outline in having(program.codebase, _may_guard_schema):
        if any(_is_guarded_view(outline, owner) for owner in outline.module.classes):
            return True
        if any(_guards(program, outline, site.node) for site in outline.of(Call)):
            return True
    return False


@trait("guards of GraphQL")
def _may_guard_schema(outline: Outline) -> bool:
    if any(_is_guarded_view(outline, owner) for owner in outline.module.classes):
        return True
    return any(called(site.node) in _SERVING or _wraps_view(site.node) for site in outline.of(Call))


def _wraps_view(call: Call) -> bool:
    """`login_required(GraphQLView.as_view(…))`."""
    return bool(set(words(called(call))) & _GUARDING) and any("graphql" in word for word in words_in(*call.arguments))


def _is_guarded_view(outline: Outline, owner: Class) -> bool:
    """`class PrivateGraphQLView(LoginRequiredMixin, GraphQLView)`."""
    bases = [outline.dotted(base).rpartition(".")[2] for base in owner.bases]
    return any(each.endswith("GraphQLView") for each in bases) and bool(words_in(owner) & _GUARDING)


def _guards(program: EnteredProgram, outline: Outline, call: Call) -> bool:
    if _wraps_view(call):
        return True
    if called(call) not in _SERVING:
        return False
    listed = [value for each in _LISTS if (value := keyword(call, each)) is not None]
    if words_in(*listed) & _GUARDING:
        return True
    getter = keyword(call, "context_getter") or keyword(call, "context_value")
    found = program.codebase.meaning(outline, getter) if isinstance(getter, Name | Attribute) else None
    return (
        found is not None and isinstance(found.node, Function) and any(isinstance(each, Raise) for each in walk(*found.node.body))
    )


def asks_caller(program: EnteredProgram, ground: File, function: Function) -> bool:
    """Whether a resolver may ask who is calling: by a decorator, in its context, or by handing the context on."""
    if any(_may_guard(each) for each in function.decorators) or caller_mentions(ground, *function.body):
        return True
    given = next((each.name for each in function.parameters if each.name in ("info", "_info")), "info")
    held = set(_held(function, given))
    for node in walk(*function.body):
        handed = isinstance(node, Call) and any(
            isinstance(each.value, Name) and each.value.id == given for each in node.arguments
        )
        if isinstance(node, Call) and handed and not _only_notes(program, ground, node):
            return True
        if set(words(_read(node, given, held))) & _PERSON:
            return True
    return False


def _only_notes(program: EnteredProgram, ground: File, call: Call) -> bool:
    """`Visit.note(info)`: a function of the project whose result nobody looks at and which never raises, or a library's query."""
    if called(call) in _FETCHING:
        return True
    callees = [each for each in program.callees(ground, call) if not each.broken]
    if not callees or not isinstance(ground.parent(call), ExprStatement):
        return False
    reached = [pair for each in callees for pair in closure(program, each.ground, each.function)[0][:MAX_FUNCTIONS]]
    return not any(isinstance(node, Raise) for _, function in reached for node in walk(*function.body))


def _may_guard(decorator: Decorator) -> bool:
    given = [each for each in _LISTS if isinstance(decorator.value, Call) and keyword(decorator.value, each) is not None]
    return bool(given) or bool(words_in(decorator.value) & _GUARDING)


def _held(function: Function, given: str) -> Iterator[str]:
    """Variables that the context was put into."""
    for node in walk(*function.body):
        if isinstance(node, Assign) and node.value is not None and _is_context(node.value, given, set()):
            yield from (target.id for target in node.targets if isinstance(target, Name))


def _is_context(node: Expr, given: str, held: set[str]) -> bool:
    if isinstance(node, Name):
        return node.id in held
    return isinstance(node, Attribute) and node.name == "context" and isinstance(node.value, Name) and node.value.id == given


def _read(node: Node, given: str, held: set[str]) -> str:
    """What is read out of the context: `info.context.user`, `context["user"]`, `context.get("user")`."""
    if isinstance(node, Attribute) and _is_context(node.value, given, held):
        return node.name
    if isinstance(node, Index) and _is_context(node.value, given, held):
        return text_of(node.key) or "user"
    if isinstance(node, Call) and isinstance(node.callee, Attribute) and _is_context(node.callee.value, given, held):
        return (text_of(node.arguments[0].value) or "") if node.arguments else ""
    return ""
