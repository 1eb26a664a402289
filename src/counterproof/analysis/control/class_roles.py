"""Roles that a view's class requires, and scopes in a decorator: guards of a handler outside its own code.

Invariant: unknown if a guard could not be read. Not handled here: FastAPI's dependencies, wrappers.
"""

from collections.abc import Iterator

from counterproof.analysis.control.roles import ROLE_WORDS
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words, words_in
from counterproof.analysis.syntax.ir import Call, Class, Expr, Function, If, Return
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryPoint, Guard, GuardKind

_LISTED = ("permission_classes", "permission_required", "group_required", "required_permissions", "required_scopes", "roles")
_HOOKS = ("dispatch", "initial", "prepare", "test_func", "has_permission", "get_permissions", "check_permissions", "setup")
"""Methods that run before every handler of a class."""
_LOGIN_ONLY = ("IsAuthenticated", "LoginRequiredMixin")
"""Guards that accept any account."""
_REQUIRES = "starlette.authentication.requires"


def role_of_class(program: EnteredProgram, entry: EntryPoint) -> Guard:
    """Whether the class of a handler requires more than a login; absent only if its guard is known to be a login."""
    outline = program.codebase.outline(entry.handler.path)
    function = enclosing(program, entry.handler.path, entry.handler.start)
    owner = outline.classes.get(function.owner if function is not None else entry.name)
    if owner is not None and any(_asks(each) for each in _parts(program, Definition(outline, owner))):
        return Guard.PRESENT
    by = entry.guarded_by
    permitted = by is not None and by.kind is GuardKind.PERMISSION
    own = permitted and owner is not None and _has_own_permission(program, Definition(outline, owner))
    return Guard.ABSENT if (by is not None and by.symbol in _LOGIN_ONLY) or own else Guard.UNKNOWN


def _has_own_permission(program: EnteredProgram, found: Definition) -> bool:
    """Return True if a permission class of the project was read; it then requires no role."""
    return any(isinstance(each, Function) and each.name == "has_permission" for each in _parts(program, found))


def _parts(program: EnteredProgram, found: Definition) -> Iterator[Expr | Function]:
    """The guards that a class and its bases list and run; a project's permission class includes its own conditions."""
    ancestry = program.codebase.ancestry(found)
    for each in ancestry.own:
        if not isinstance(each.node, Class):
            continue
        listed = [value for name, value in each.outline.attributes(each.node).items() if name in (*_LISTED, *_HOOKS)]
        yield from listed
        yield from (part for value in listed for part in _permissions(program, each.outline, value))
        yield from (value for value in each.node.bases if "mixin" in words_in(value))
        yield from (method for name, method in each.outline.methods(each.node).items() if name in _HOOKS)


def _permissions(program: EnteredProgram, outline: Outline, listed: Expr) -> Iterator[Function]:
    for node in walk(listed):
        found = program.codebase.meaning(outline, node) if isinstance(node, Expr) else None
        if found is not None and isinstance(found.node, Class):
            yield from (method for name, method in found.outline.methods(found.node).items() if name == "has_permission")


def _asks(part: Expr | Function) -> bool:
    if isinstance(part, Function):
        nodes = list(walk(*part.body))
        tests = [branch.test for node in nodes if isinstance(node, If) for branch in node.branches]
        given = [node.value for node in nodes if isinstance(node, Return) and node.value is not None]
        return bool(words_in(*tests, *given) & (ROLE_WORDS - {"permission", "permissions", "owner"}))
    return bool(words_in(part) & ROLE_WORDS) or bool({*words(text_of(part) or "")} - {"authenticated"})


def required_scopes(program: EnteredProgram, entry: EntryPoint) -> Guard:
    """`@requires("authenticated")` requires a login, `@requires(["authenticated", "admin"])` more; unknown without the
    decorator."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    outline = program.codebase.outline(entry.handler.path)
    for decorator in function.decorators if function is not None else ():
        call = decorator.value
        if isinstance(call, Call) and outline.dotted(call.callee) == _REQUIRES and call.arguments:
            named = [text for node in walk(call.arguments[0].value) if (text := text_of(node))]
            return Guard.ABSENT if named and set(named) == {"authenticated"} else Guard.PRESENT
    return Guard.UNKNOWN
