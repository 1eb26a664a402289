"""Functions and classes of JavaScript and TypeScript, constructor functions with prototypes included.

Invariant: a method's first parameter is `this`; a constructor is called `__init__`, as everywhere in the intermediate form.
Not handled here: what a function exports or who calls it.
"""

from itertools import pairwise

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, Lowering
from counterproof.analysis.syntax.javascript.patterns import PATTERNS, bind
from counterproof.analysis.syntax.javascript.scopes import FUNCTIONS, declared
from counterproof.analysis.syntax.tree_walk import field, named, span

_REQUESTS = frozenset({"req", "request", "_req"})
_ANSWERS = frozenset({"res", "response", "resp", "reply", "_res"})
_ANSWERS_HANDED_ON = frozenset({"res", "response", "resp"})
"""What a function that a handler calls gets beside other things; after an error it is what another server answered."""
_ERRORS = frozenset({"err", "error", "e", "_err", "_error", "_"})
_REQUEST_TYPES = frozenset({"Request", "NextRequest", "NextApiRequest", "FastifyRequest", "IncomingMessage"})
_ANSWER_TYPES = frozenset({"Response", "NextApiResponse", "ServerResponse"})
REQUEST_TYPE = "http.IncomingMessage"
ANSWER_TYPE = "http.ServerResponse"
REPLY_TYPE = "fastify.FastifyReply"
MAX_PARAMETERS = 60
_KEEPING = frozenset({"accessibility_modifier", "override_modifier", "readonly"})
"""What makes a parameter of a constructor a field of the object too."""


def function(cx: Lowering, node: Node, name: str, depth: int, *, shown: str = "", owner: str = "", this: str = "") -> ir.Function:
    """Lower a function and list it; `owner` makes it a method of that class, `this` says what it means by that word."""
    qualified = cx.qualified(shown or name)
    within = cx.scopes[-1][1] if cx.scopes and cx.scopes[-1][0] == "function" else ""
    place = len(cx.functions)
    cx.scopes.append(("function", qualified))
    cx.yields.append(False)
    cx.selves.append({} if owner else dict(cx.selves[-1]))
    if node.type != "arrow_function":
        cx.this.append(this or ("this" if owner else object_around(cx, node)))
    outer, cx.breaks = cx.breaks, []
    pending, cx.pending = cx.pending, []
    parameters, before = _parameters(cx, node, depth)
    if not parameters and node.type != "arrow_function" and _asks_for_arguments(cx, field(node, "body")):
        parameters = (ir.Parameter(*span(node), "arguments", "*"),)
    if owner:
        parameters = (ir.Parameter(*span(node), "this"), *parameters)
    body = _body(cx, field(node, "body"), depth)
    own = ir.Scope(*span(node), "here", declared(cx, field(node, "body")))
    body = (own, *cx.pending, *before, *body)
    cx.pending = pending
    cx.breaks = outer
    cx.selves.pop()
    cx.scopes.pop()
    if node.type != "arrow_function":
        cx.this.pop()
    is_generator = cx.yields.pop()
    is_async = any(child.type == "async" for child in node.children)
    made = ir.Function(*span(node), name, qualified, parameters, (), body, is_async, is_generator, None, owner, within)
    cx.functions.insert(place, made)
    return made


def _asks_for_arguments(cx: Lowering, body: Node) -> bool:
    """Whether a function that names no parameters looks at what it was given all the same."""
    return cx.source.find(b"arguments", body.start_byte, body.end_byte) >= 0


def _body(cx: Lowering, body: Node, depth: int) -> tuple[ir.Statement, ...]:
    if body.type == "statement_block":
        return cx.block(body, depth + 1)
    outer, cx.pending = cx.pending, []
    value = cx.expression(body, depth + 1)
    before, cx.pending = cx.pending, outer
    return (*before, ir.Return(*span(body), value))


def _parameters(cx: Lowering, node: Node, depth: int) -> tuple[tuple[ir.Parameter, ...], tuple[ir.Statement, ...]]:
    """The parameters, and the assignments that take patterns apart and fill in defaults."""
    single = node.child_by_field_name("parameter")
    listed = node.child_by_field_name("parameters")
    nodes = [single] if single else named(listed)[:MAX_PARAMETERS] if listed else []
    parameters: list[ir.Parameter] = []
    before: list[ir.Statement] = []
    for each in nodes:
        target, default, annotation = _taken_apart(each)
        if target.type == "this":
            continue
        kind = "*" if target.type == "rest_pattern" else "positional"
        if kind == "*" and target.named_children:
            target = target.named_children[0]
        name = cx.text(target) if target.type == "identifier" else cx.fresh("parameter")
        lowered = cx.optional(default, depth + 1)
        parameters.append(ir.Parameter(*span(each), name, kind, lowered, _annotation(cx, annotation), _decorator(cx, each)))
        if lowered is not None:
            given = ir.Name(*span(each), name)
            before.append(ir.Assign(*span(each), (given,), ir.Boolean(*span(each), "or", (given, lowered))))
        if any(child.type in _KEEPING for child in each.children) and target.type == "identifier":
            kept = ir.Attribute(*span(each), ir.Name(*span(each), "this"), name)
            before.append(ir.Assign(*span(each), (kept,), ir.Name(*span(each), name)))
        if target.type in PATTERNS:
            before.extend(bind(cx, target, ir.Name(*span(each), name), depth + 1))
    return _served(tuple(parameters)), tuple(before)


def _decorator(cx: Lowering, node: Node) -> str:
    """`CurrentUser` of `@CurrentUser("id") id: string`."""
    found = next((cx.text(each) for each in node.children if each.type == "decorator"), "")
    return found.partition("(")[0].rpartition(".")[2].strip("@ ")


def _taken_apart(node: Node) -> tuple[Node, Node | None, Node | None]:
    """A parameter's target, default and annotation."""
    if node.type in ("required_parameter", "optional_parameter"):
        return field(node, "pattern"), node.child_by_field_name("value"), node.child_by_field_name("type")
    if node.type == "assignment_pattern":
        return field(node, "left"), node.child_by_field_name("right"), None
    return node, None, None


def _annotation(cx: Lowering, node: Node | None) -> ir.Expr | None:
    """The plain or dotted name of a type; anything richer tells nothing."""
    inner = named(node)[0] if node is not None and named(node) else None
    if inner is not None and inner.type == "generic_type" and named(inner):
        inner = named(inner)[0]
    if inner is None or inner.type not in ("type_identifier", "nested_type_identifier", "predefined_type"):
        return None
    last = cx.text(inner).rpartition(".")[2]
    if last in _REQUEST_TYPES:
        return _type(inner, REQUEST_TYPE)
    if last in _ANSWER_TYPES:
        return _type(inner, ANSWER_TYPE)
    if last == "FastifyReply":
        return _type(inner, REPLY_TYPE)
    if last in ("number", "boolean", "bigint"):
        return ir.Name(*span(inner), "int")
    return ir.Name(*span(inner), last) if inner.type == "type_identifier" else None


def _type(node: Node, name: str) -> ir.Expr:
    module, _, last = name.partition(".")
    return ir.Attribute(*span(node), ir.Name(*span(node), module), last)


def _served(parameters: tuple[ir.Parameter, ...]) -> tuple[ir.Parameter, ...]:
    """`(req, res)`: what every web framework of the language hands to its handlers, known by the two names together."""
    pair = next((each for each in pairwise(parameters) if each[0].name in _REQUESTS and each[1].name in _ANSWERS), None)
    if pair is not None:
        _typed(pair[0], REQUEST_TYPE)
        _typed(pair[1], REPLY_TYPE if pair[1].name == "reply" else ANSWER_TYPE)
    elif len(parameters) > 1 and parameters[0].name not in _ERRORS:
        for each in parameters:
            if each.name in _ANSWERS_HANDED_ON:
                _typed(each, ANSWER_TYPE)
    return parameters


def _typed(parameter: ir.Parameter, name: str) -> None:
    if parameter.annotation is None:
        home, _, last = name.partition(".")
        where = parameter.line, parameter.end
        parameter.annotation = ir.Attribute(*where, ir.Name(*where, home), last)


def inline(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """A function inside an expression: defined before the statement, named here."""
    own = cx.text(node.child_by_field_name("name"))
    name = cx.fresh("function")
    cx.pending.append(function(cx, node, name, depth, shown=own or hint(cx, node)))
    return ir.Name(*span(node), name)


def object_around(cx: Lowering, node: Node) -> str:
    """The variable that holds the object whose member a function is; 'this' where it is none or has no name."""
    parent = None if cx.deferred.used else node.parent  # a parent costs as much as the tree is deep
    literal = parent if parent is None or node.type == "method_definition" else parent.parent if parent.type == "pair" else None
    around = literal.parent if literal is not None and literal.type == "object" else None
    if around is not None and around.type == "variable_declarator":
        name = around.child_by_field_name("name")
        return cx.text(name) if name is not None and name.type == "identifier" else "this"
    if around is not None and around.type == "assignment_expression":
        left = cx.text(around.child_by_field_name("left"))
        return EXPORTS if left == "module.exports" else left if left.isidentifier() else "this"
    return "this"


def hint(cx: Lowering, node: Node) -> str:
    """What a reader would call a function without a name of its own."""
    parent = None if cx.deferred.used else node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is not None and parent.type == "variable_declarator":
        return cx.text(parent.child_by_field_name("name"))[:80]
    if parent is not None and parent.type == "pair":
        return cx.text(parent.child_by_field_name("key"))[:80]
    if parent is not None and parent.type == "assignment_expression":
        return cx.text(parent.child_by_field_name("left"))[:80].rpartition(".")[2]
    return f"function at {node.start_point[0] + 1}:{node.start_point[1] + 1}"


def class_(cx: Lowering, node: Node, name: str, depth: int) -> ir.Class:
    """Lower a class and its methods."""
    qualified = cx.qualified(name)
    bases = tuple(
        cx.expression(child, depth + 1)
        for heritage in named(node)
        if heritage.type == "class_heritage"
        for child in _extended(heritage)[:1]
    )
    place = len(cx.classes)
    cx.scopes.append(("class", qualified))
    body: list[ir.Statement] = []
    for member in named(field(node, "body")):
        body.extend(_member(cx, member, qualified, depth))
    cx.scopes.pop()
    made = ir.Class(*span(node), name, qualified, bases, (), (), tuple(body))
    cx.classes.insert(place, made)
    return made


def _extended(heritage: Node) -> list[Node]:
    inner = named(heritage)
    if inner and inner[0].type == "extends_clause":
        return named(inner[0])
    return [each for each in inner if each.type != "implements_clause"]


def _member(cx: Lowering, member: Node, owner: str, depth: int) -> tuple[ir.Statement, ...]:
    kinds = {child.type for child in member.children}
    name = cx.text(member.child_by_field_name("name") or member.child_by_field_name("property"))[:80]
    if member.type == "method_definition":
        if "set" in kinds:
            name = f"<set {name}>"  # what is read under the name is what the getter gives
        itself = owner.rpartition(".")[2] if "static" in kinds else ""  # a static method calls its class `this`
        made = function(cx, member, "__init__" if name == "constructor" else name, depth + 1, owner=owner, this=itself)
        if "get" in kinds:
            made.decorators = (ir.Decorator(*span(member), ir.Name(*span(member), "property")),)
        elif "static" in kinds:
            made.decorators = (ir.Decorator(*span(member), ir.Name(*span(member), "staticmethod")),)
            made.parameters = made.parameters[1:]
        return (made,)
    value = member.child_by_field_name("value")
    if value is not None and value.type in FUNCTIONS:
        return (function(cx, value, name, depth + 1, owner=owner),)
    declared = _declared(cx, member, depth)
    if (value is not None or declared is not None) and name:
        outer, cx.pending = cx.pending, []
        lowered = cx.optional(value, depth + 1)
        before, cx.pending = cx.pending, outer
        return (*before, ir.Assign(*span(member), (ir.Name(*span(member), name),), lowered, declared))
    return ()


def _declared(cx: Lowering, member: Node, depth: int) -> ir.Expr | None:
    """What the decorators of a field say of it: `@Matches("^[a-z]+$") id: string`. One that is given a function says nothing."""
    found = [named(each)[0] for each in member.children if each.type == "decorator" and named(each)]
    plain = [each for each in found if "=>" not in (text := cx.text(each)) and "function" not in text]
    return ir.Sequence(*span(member), "tuple", tuple(cx.expression(each, depth + 1) for each in plain)) if plain else None


def constructor_function(cx: Lowering, node: Node, name: str, depth: int) -> ir.Class:
    """`function Name() {…}` with methods on its prototype, as the class that it is."""
    qualified = cx.qualified(name)
    place = len(cx.classes)
    cx.scopes.append(("class", qualified))
    body: list[ir.Statement] = [function(cx, node, "__init__", depth + 1, owner=qualified)]
    for method, inner in cx.prototypes.get(name, ()):
        body.append(function(cx, inner, method, depth + 1, owner=qualified))
    cx.scopes.pop()
    made = ir.Class(*span(node), name, qualified, (), (), (), tuple(body))
    cx.classes.insert(place, made)
    return made
