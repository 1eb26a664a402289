"""HTTP handlers as operations on resources: what they create, read, update or delete, and their effects on stored data.

Invariant: only handlers with a function in the project; one operation per handler and route. Not handled here: guards.
"""

from dataclasses import dataclass
from itertools import pairwise

from counterproof.analysis.control.effects import Effects, Write, effects_of
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.endpoints.entered_program import EnteredProgram, entered_program
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, If, Index, Name, Node, Parameter
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import EntryKind, EntryPoint

DEPENDING = ("Depends", "Security")
CREATE, READ, UPDATE, DELETE = "create", "read", "update", "delete"

_BY_NAME = (
    (DELETE, vocabulary("delete del remove destroy drop discard cancel close purge wipe erase")),
    (UPDATE, vocabulary("update edit change set modify patch move save rename toggle")),
    (CREATE, vocabulary("create add new register place insert upload import")),
)
_BY_METHOD = {"GET": READ, "HEAD": READ, "POST": CREATE, "PUT": UPDATE, "PATCH": UPDATE, "DELETE": DELETE}
_FILLING = ("get_context_data", "get_queryset", "get_object")
_PROOF = vocabulary("verify verified signature signed hmac unsign construct")
_SERVICES = vocabulary("db database session connection connect engine settings config cache redis client service repository")
_NO_RESOURCE = vocabulary("api v1 v2 v3 v4 rest public admin internal app json html")


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One handler at one route. `crud` is create, read, update or delete."""

    entry: EntryPoint
    ground: File
    function: Function
    crud: str
    resource: str
    effects: Effects
    handed: frozenset[str] = frozenset()
    """Parameters that the framework injects: `user: User = Depends(current_user)`."""

    @property
    def changes(self) -> bool:
        """Return True if a call changes stored data."""
        return bool(self.effects.writes)

    @property
    def words(self) -> frozenset[str]:
        """The words of the route and the handler's name; `sign_up` and `log-in` also as a single word."""
        spoken = [words(self.entry.path), words(self.entry.name)]
        joined = (first + then for each in spoken for first, then in pairwise(each) if first in ("sign", "log"))
        return frozenset((*spoken[0], *spoken[1], *joined))

    @property
    def said_to_be_open(self) -> bool:
        """Return True if the code declares the endpoint public: `permission_classes = [AllowAny]`."""
        outline = self.ground
        owner = outline.classes.get(self.function.owner) if self.function.owner else None
        listed = [value for name, value in outline.attributes(owner).items() if "permission" in name] if owner else []
        return any({"allow", "any"} <= words_in(each) for each in (*self.function.decorators, *listed))

    @property
    def proves_itself(self) -> bool:
        """Return True if a signature replaces a login, or the handler is a login: it checks a password itself."""
        called = [node.callee for node in walk(*self.function.body) if isinstance(node, Call)]
        return bool(words_in(*called) & _PROOF) or any({"check", "password"} <= words_in(each) for each in called)

    @property
    def tests_caller(self) -> bool:
        """Return True if any condition in the handler is about the caller."""
        tests = (branch.test for node in walk(*self.function.body) if isinstance(node, If) for branch in node.branches)
        return any(map(self._speaks_of_caller, tests))

    @property
    def uses_caller(self) -> bool:
        """Return True if the handler uses the caller at all."""
        return self._speaks_of_caller(*self.function.body)

    def _speaks_of_caller(self, *parts: Node) -> bool:
        injected = {each.name for each in self.function.parameters if each.name in self.handed and not _is_service(each)}
        named = (node.id for node in walk(*parts) if isinstance(node, Name))
        return bool(caller_mentions(self.ground, *parts)) or not injected.isdisjoint(named)


def _is_service(parameter: Parameter) -> bool:
    """Return True for an injected connection or helper, not a user."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    return bool({*words(parameter.name), *words_in(*parts)} & _SERVICES)


def operations_of(program: EnteredProgram) -> tuple[Operation, ...]:
    """All operations, in the order of the entry points."""
    found: list[Operation] = []
    for entry in program.entry_points:
        if entry.kind is not EntryKind.HTTP or not program.holds(entry.handler.path):
            continue
        function = enclosing(program, entry.handler.path, entry.handler.start) or _filling(program, entry)
        if function is None or "(error" in entry.path:
            continue
        program.project.checkpoint()
        ground = program.file(entry.handler.path)
        effects = effects_of(program, ground, function)
        crud = _crud(entry, changes=any(_inside(ground, function, each) for each in effects.writes))
        handed = handed_in(program, ground, function)
        found.append(Operation(entry, ground, function, crud, resource_of(entry.path), effects, handed))
    return tuple(found)


def resources(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Resource types with at least two different operations: fewer cannot be compared."""
    return tuple(sorted(by_resource(operations_of(entered_program(project, entry_points)))))


def by_resource(operations: tuple[Operation, ...]) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = {}
    for each in operations:
        if each.resource:
            found.setdefault(each.resource, []).append(each)
    return {name: group for name, group in sorted(found.items()) if len({each.crud for each in group}) > 1}


def handed_in(program: EnteredProgram, ground: File, function: Function) -> frozenset[str]:
    """The parameters that dependencies inject, by their defaults or the names of their annotations."""
    return frozenset(each.name for each in function.parameters if _is_handed(program, ground, each))


def _is_handed(program: EnteredProgram, ground: File, parameter: Parameter) -> bool:
    home, kind = _spelled_out(program, ground, parameter.annotation)
    parts = [each for each in (parameter.default, kind) if each is not None]
    held = [program.codebase.meaning(home, node) for node in walk(*parts) if isinstance(node, Name)]
    parts += [each.node for each in held if each is not None and isinstance(each.node, Call)]
    calls = [node.callee for node in walk(*parts) if isinstance(node, Call)]
    return any((each.id if isinstance(each, Name) else getattr(each, "name", "")) in DEPENDING for each in calls)


def _spelled_out(program: EnteredProgram, outline: Outline, annotation: Expr | None) -> tuple[Outline, Expr | None]:
    """An annotation and its module; an alias of `Annotated`, such as `CurrentUser = Annotated[User, Depends(…)]`, as defined."""
    found = program.codebase.meaning(outline, annotation) if isinstance(annotation, Name | Attribute) else None
    if found is None or not isinstance(found.node, Index) or last_name(found.node.value) != "Annotated":
        return outline, annotation
    return found.outline, found.node


def _filling(program: EnteredProgram, entry: EntryPoint) -> Function | None:
    """The method that fills the page of a class-based Django view without a handler of its own."""
    outline = program.codebase.outline(entry.handler.path)
    owner = outline.classes.get(entry.name)
    methods = outline.methods(owner) if owner is not None and entry.framework == "Django" else {}
    return next((methods[name] for name in _FILLING if name in methods), None)


def _inside(ground: File, function: Function, write: Write) -> bool:
    """Return True if the handler writes itself; functions it calls may have guards of their own."""
    return write.at.path == ground.path and function.line <= write.at.start <= function.end


def resource_of(path: str) -> str:
    """The noun of a route: the part before its first parameter, else its last part; '' if it has none."""
    parts = [part for part in path.split("/") if part]
    nouns: list[str] = []
    for part in parts:
        if set(part) & set("<{(:*\\^$"):
            break
        nouns.append(part)
    plain = [each for each in nouns if not set(words(each)) & _NO_RESOURCE and len(each) > 1]
    if not plain:
        return ""
    last = plain[-1].lower()
    verbs = [names for _, names in _BY_NAME]
    if len(plain) > 1 and any(set(words(last)) & names for names in verbs):
        last = plain[-2].lower()
    return last.removesuffix("s") if len(last) > 3 and not last.endswith("ss") else last


def _crud(entry: EntryPoint, *, changes: bool) -> str:
    """The operation, by method and names; a handler of any method that changes stored data also accepts POST."""
    methods = [each.strip().upper() for each in entry.method.split(",")]
    spoken = set(words(entry.name.rpartition(".")[2])) | set(words(entry.path.rpartition("/")[2]))
    if any(each in ("PUT", "PATCH", "DELETE") for each in methods):
        return next(_BY_METHOD[each] for each in methods if each in ("DELETE", "PUT", "PATCH"))
    if methods == ["ANY"] and changes:
        methods = ["POST"]
    for kind, names in _BY_NAME:
        if spoken & names and ("POST" in methods or kind == DELETE):
            return kind
    if "POST" in methods and "GET" not in methods:
        return UPDATE if set(entry.path) & set("<{(") else CREATE
    return READ
