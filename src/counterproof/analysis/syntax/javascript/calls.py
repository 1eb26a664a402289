"""Calls of JavaScript and TypeScript. Where the language only has another word for something that the intermediate form knows
(`startsWith`, `parseInt`, `push`), that is what comes out.

Invariant: every argument is kept. Not handled here: what calls of libraries mean; rules and models say that.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.literals import is_everywhere, looked_for, made, put_together
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, Lowering
from counterproof.analysis.syntax.tree_walk import field, named, span
from counterproof.analysis.syntax.walk import is_pattern, last_name

_METHODS = {
    "startsWith": "startswith",
    "endsWith": "endswith",
    "push": "append",
    "unshift": "append",
    "toLowerCase": "lower",
    "toUpperCase": "upper",
    "trim": "strip",
    "hasOwnProperty": "has_key",
}
_FUNCTIONS = {"parseInt": "int", "Number": "int", "parseFloat": "float", "Boolean": "bool", "String": "str", "BigInt": "int"}
OTHER_WORDS: dict[str, tuple[str, ...]] = {
    **{
        each: tuple(word for word, meant in (_METHODS | _FUNCTIONS).items() if meant == each)
        for each in (_METHODS | _FUNCTIONS).values()
    },
    "compile": ("RegExp",),
    "startswith": ("startsWith", "indexOf"),
    "match": ("match", "test", "exec"),
    "sub": ("replace", "replaceAll"),
    "__init__": ("super",),
}
"""By a name of the intermediate form: the words of the language that it stands for. In the code stands `trim`, not `strip`."""

_WRAPPING = frozenset({"promisify", "denodeify", "thenify", "promisifyAll", "__importDefault", "__importStar",
                       "_interopRequireDefault", "_interopRequireWildcard"})  # fmt: skip
"""Calls that return what they are given in another dress."""

_INTEGER_QUESTIONS = frozenset({"isInteger", "isSafeInteger", "isFinite"})
_NUMBER_METHODS = frozenset({"Number.parseInt", "Number.parseFloat", "global.parseInt", "globalThis.parseInt"})
MODULE = "<module "
"""What variables that hold all exports of a module begin with."""

_PREFIXES = frozenset({"await_expression", "unary_expression", "binary_expression"})


def call(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """A call. In `await f<Type>(x)`, `!f<Type>(x)` and `a + f<Type>(x)` the grammar takes what stands before for a part of
    what is called."""
    target = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if target is None or target.type not in _PREFIXES or node.child_by_field_name("type_arguments") is None:
        return _call(cx, node, target, depth)
    operator = cx.text(target.child_by_field_name("operator"))
    last = target.child_by_field_name("right") or target.child_by_field_name("argument")
    inner = _call(cx, node, last or next(iter(named(target)), None), depth)
    if target.type == "await_expression":
        return ir.Await(*span(node), inner)
    if target.type == "unary_expression":
        return ir.Not(*span(node), inner) if operator == "!" else ir.Unary(*span(node), operator, inner)
    before = cx.expression(field(target, "left"), depth + 1)
    if operator == "+":
        return ir.Concat(*span(node), (before, inner))
    return ir.Boolean(*span(node), "and" if operator == "&&" else "or", (before, inner))


def _call(cx: Lowering, node: Node, target: Node | None, depth: int) -> ir.Expr:
    where = span(node)
    given = node.child_by_field_name("arguments")
    if given is not None and given.type == "template_string":
        arguments: tuple[ir.Argument, ...] = (ir.Argument(*where, cx.expression(given, depth + 1)),)
    else:
        arguments = tuple(argument(cx, each, depth) for each in named(given)) if given is not None else ()
    if target is None:
        return ir.Unknown(*where, tuple(each.value for each in arguments))
    loaded = _required(cx, target, given)
    if loaded is not None:
        return ir.Name(*where, loaded)
    if target.type == "identifier" and cx.text(target) in _FUNCTIONS:
        return ir.Call(*where, ir.Name(*span(target), _FUNCTIONS[cx.text(target)]), arguments)
    if target.type == "member_expression" and target.end_byte - target.start_byte < 30 and cx.text(target) in _NUMBER_METHODS:
        return ir.Call(*where, ir.Name(*span(target), "int"), arguments)
    if node.type == "new_expression" and target.type == "identifier" and (plain := made(cx.text(target), arguments, where)):
        return plain
    if target.type == "super":
        return ir.Call(*where, ir.Attribute(*where, _super(where), "__init__"), arguments)
    callee = cx.expression(target, depth + 1)
    last = last_name(callee)
    if last in _WRAPPING and arguments:
        return arguments[0].value
    if isinstance(callee, ir.Attribute):
        return _method(cx, callee, arguments, where)
    return ir.Call(*where, callee, arguments)


def argument(cx: Lowering, node: Node, depth: int) -> ir.Argument:
    if node.type == "spread_element" and node.named_children:
        return ir.Argument(*span(node), cx.expression(node.named_children[0], depth + 1), "", "*")
    if node.type == "identifier" and cx.text(node) in _FUNCTIONS:  # `list.map(Number)`
        return ir.Argument(*span(node), ir.Name(*span(node), _FUNCTIONS[cx.text(node)]))
    return ir.Argument(*span(node), cx.expression(node, depth + 1))


def _required(cx: Lowering, target: Node, given: Node | None) -> str | None:
    """The variable that stands for `require("x")` or `import("x")`."""
    if target.type != "import" and cx.text(target) != "require":
        return None
    first = named(given)[0] if given is not None and named(given) else None
    if first is None or first.type not in ("string", "template_string") or len(first.named_children) > 1:
        return None
    return module_variable(cx, cx.text(first)[1:-1])


def module_variable(cx: Lowering, module: str) -> str:
    """A variable that holds everything a module exports."""
    name = f"{MODULE}{module}>"
    cx.imports[name] = cx.resolve(module)
    return name


def _method(cx: Lowering, callee: ir.Attribute, arguments: tuple[ir.Argument, ...], where: tuple[int, int]) -> ir.Expr:
    name = callee.name
    first = arguments[0].value if arguments else None
    if first is not None and (name == "includes" or (name == "has" and len(arguments) == 1)):
        return ir.Compare(*where, ("in",), (first, callee.value))
    if name == "some" and isinstance(first, ir.Name) and cx.pending and (wanted := looked_for(cx.pending[-1], first.id)):
        return ir.Compare(*where, ("in",), (wanted, callee.value))
    if (text := put_together(callee, arguments, where)) is not None:
        return text
    if first is not None and (name == "test" or (name == "exec" and is_pattern(callee.value))):
        return ir.Call(*where, ir.Attribute(callee.line, callee.end, callee.value, "match"), arguments)
    if first is not None and name == "match" and len(arguments) == 1:
        swapped = (ir.Argument(first.line, first.end, callee.value),)
        return ir.Call(*where, ir.Attribute(callee.line, callee.end, first, "match"), swapped)
    if name == "replace" and first is not None and len(arguments) == 2 and is_everywhere(first):
        pattern = first.arguments[0] if isinstance(first, ir.Call) else arguments[0]
        given = (pattern, arguments[1], ir.Argument(callee.line, callee.end, callee.value))
        return ir.Call(*where, ir.Attribute(*where, ir.Name(*where, "<re>"), "sub"), given)
    if name in _INTEGER_QUESTIONS and isinstance(callee.value, ir.Name) and callee.value.id == "Number" and first is not None:
        return is_of_kind(first, "int", where)
    if name in ("call", "apply", "bind") and isinstance(callee.value, ir.Attribute | ir.Name | ir.Index):
        return _applied(callee, arguments, where)
    return ir.Call(*where, ir.Attribute(callee.line, callee.end, callee.value, _METHODS.get(name, name)), arguments)


def _applied(callee: ir.Attribute, arguments: tuple[ir.Argument, ...], where: tuple[int, int]) -> ir.Expr:
    """`f.call(this, a)` is `f(a)`; `f.bind(this)` is `f` wherever it is called later."""
    if callee.name == "bind":
        return callee.value if len(arguments) == 1 else ir.Call(*where, callee, arguments)
    rest = arguments[1:]
    if callee.name == "call" and arguments and isinstance(callee.value, ir.Attribute) and _is_of_arrays(callee.value.value):
        borrowed = ir.Attribute(callee.line, callee.end, arguments[0].value, callee.value.name)
        return ir.Call(*where, borrowed, rest)
    if callee.name == "apply":
        rest = tuple(ir.Argument(each.line, each.end, each.value, "", "*") for each in rest[:1])
    return ir.Call(*where, callee.value, rest)


def _is_of_arrays(expr: ir.Expr) -> bool:
    """`[].slice` and `Array.prototype.slice`, which are lent to whatever resembles an array."""
    if isinstance(expr, ir.Attribute) and expr.name == "prototype":
        return isinstance(expr.value, ir.Name) and expr.value.id == "Array"
    return isinstance(expr, ir.Sequence) and not expr.items


def is_of_kind(value: ir.Expr, name: str, where: tuple[int, int]) -> ir.Expr:
    kind = ir.Name(*where, name)
    return ir.Call(*where, ir.Name(*where, "isinstance"), (ir.Argument(*where, value), ir.Argument(*where, kind)))


def member(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    where = span(node)
    name = cx.text(field(node, "property"))
    owner = field(node, "object")
    if name == "exports" and cx.text(owner) == "module":
        return ir.Name(*where, EXPORTS)
    if owner.type == "super":
        return ir.Attribute(*where, _super(where), name)
    value = cx.expression(owner, depth + 1)
    loaded = value.value if isinstance(value, ir.Await) else value
    if name == "default" and isinstance(loaded, ir.Name) and loaded.id.startswith(MODULE):
        return whole_module(cx, value, loaded, where)
    return ir.Attribute(*where, value, name)


def _super(where: tuple[int, int]) -> ir.Expr:
    return ir.Call(*where, ir.Name(*where, "super"), ())


def whole_module(cx: Lowering, value: ir.Expr, loaded: ir.Name, where: tuple[int, int]) -> ir.Expr:
    """`(await import("x")).default`: of a package outside the project it is all that the package exports."""
    return ir.Attribute(*where, value, "default") if cx.imports.get(loaded.id, "").endswith(f".{EXPORTS}") else loaded


def subscript(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """`o["k"]` and `o.k` are the same thing."""
    key = cx.expression(field(node, "index"), depth + 1)
    owner = cx.expression(field(node, "object"), depth + 1)
    if isinstance(key, ir.Const) and isinstance(key.value, str):
        return ir.Attribute(*span(node), owner, key.value)
    return ir.Index(*span(node), owner, key)
