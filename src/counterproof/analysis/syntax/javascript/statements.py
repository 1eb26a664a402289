"""Statements of JavaScript and TypeScript, one small function per node type, gathered in `STATEMENTS`.

Invariant: chains of `else if` come out flat; a `break` that leaves a switch is not one that leaves a loop. Not handled here:
imports and exports, which stand beside this.
"""

from itertools import islice

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.definitions import (
    class_,
    constructor_function,
    function,
    hint,
)
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, Lowering, StatementHandler
from counterproof.analysis.syntax.javascript.modules import MODULE_STATEMENTS
from counterproof.analysis.syntax.javascript.patterns import PATTERNS, bind
from counterproof.analysis.syntax.javascript.scopes import FUNCTIONS
from counterproof.analysis.syntax.tree_walk import field, named, span
from counterproof.analysis.syntax.walk import walk

Statements = tuple[ir.Statement, ...]

MAX_REPEATED = 400
"""Nodes of an arm that others fall through to, up to which it is repeated in them."""

MAX_ARM = 200
"""Statements of one arm of a switch, those of the arms that it falls through to included."""


def _expression(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)[0] if named(node) else node
    if inner.type in MODULE_STATEMENTS:
        return MODULE_STATEMENTS[inner.type](cx, inner, depth)
    if inner.type == "sequence_expression":
        return tuple(each for part in named(inner) for each in _single(cx, part, depth))
    return _single(cx, inner, depth)


def _single(cx: Lowering, node: Node, depth: int) -> Statements:
    if node.type == "assignment_expression":
        return _assignment(cx, node, depth)
    return (ir.ExprStatement(*span(node), cx.expression(node, depth + 1)),)


def _assignment(cx: Lowering, node: Node, depth: int) -> Statements:
    """`a = b = value`, flat; destructuring on its own."""
    targets: list[Node] = []
    current = node
    while current.type == "assignment_expression":
        targets.append(field(current, "left"))
        current = field(current, "right")
    _note_alias(cx, targets, current)
    if len(targets) == 1 and _on_prototype(cx, targets[0], current):
        return ()  # lowered with its constructor
    if any(each.type in PATTERNS for each in targets):
        value = cx.expression(current, depth + 1)
        return tuple(each for target in targets for each in bind(cx, target, value, depth + 1))
    lowered = tuple(cx.expression(each, depth + 1) for each in targets)
    lowered += _beside(cx, lowered)
    return (ir.Assign(*span(node), lowered, cx.expression(current, depth + 1)),)


def _beside(cx: Lowering, targets: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """`exports.name = …` where the module exports a variable: it is put on that as well."""
    found = [each for each in targets if isinstance(each, ir.Attribute) and isinstance(each.value, ir.Name)]
    named_so = [each for each in found if isinstance(each.value, ir.Name) and each.value.id == EXPORTS]
    return tuple(
        ir.Attribute(each.line, each.end, ir.Name(each.line, each.end, alias), each.name)
        for each in named_so
        for alias in cx.aliases[-1:]
    )


def _note_alias(cx: Lowering, targets: list[Node], value: Node) -> None:
    """`module.exports = name` at the top: what is put on the variable later is exported too."""
    written = [cx.text(each) for each in targets if each.end_byte - each.start_byte < 80]
    if cx.scopes or "module.exports" not in written:
        return
    names = [each for each in (*written, cx.text(value) if value.type == "identifier" else "") if each.isidentifier()]
    cx.aliases.extend(each for each in names if each != "exports")


def _on_prototype(cx: Lowering, target: Node, value: Node) -> bool:
    owner, found, method = cx.text(target)[:200].partition(".prototype")
    listed = value.type in FUNCTIONS if method.startswith(".") else value.type == "object"
    return bool(found) and owner in cx.prototypes and listed


def _constructor(cx: Lowering, name: str, value: Node, depth: int) -> Statements:
    """`var Name = function () {…}` where the file puts methods on its prototype."""
    if name not in cx.prototypes or value.type not in FUNCTIONS:
        return ()
    return (constructor_function(cx, value, name, depth),)


def _declaration(cx: Lowering, node: Node, depth: int) -> Statements:
    found: list[ir.Statement] = []
    for each in named(node):
        if each.type != "variable_declarator":
            continue
        target, value = field(each, "name"), each.child_by_field_name("value")
        if value is None:
            if target.type == "identifier":  # declared here, so that no variable further out is meant
                found.append(ir.Assign(*span(each), (ir.Name(*span(target), cx.text(target)),), ir.Const(*span(each), None)))
            continue
        if value.type == "this" and target.type == "identifier" and cx.this[-1] == "this":
            cx.selves[-1][cx.text(target)] = "this"
            continue
        if value.type == "assignment_expression":
            _note_alias(cx, [target, field(value, "left")], field(value, "right"))
        made = _constructor(cx, cx.text(target), value, depth)
        found.extend(made or bind(cx, target, cx.expression(value, depth + 1), depth + 1))
    for statement in found:
        if isinstance(statement, ir.Assign) and len(found) == 1:
            statement.line, statement.end = span(node)
    return tuple(found)


def _function(cx: Lowering, node: Node, depth: int) -> Statements:
    name = cx.text(node.child_by_field_name("name")) or hint(cx, node)
    if name in cx.prototypes:
        return (constructor_function(cx, node, name, depth),)
    return (function(cx, node, name, depth),)


def _class(cx: Lowering, node: Node, depth: int) -> Statements:
    return (class_(cx, node, cx.text(node.child_by_field_name("name")) or hint(cx, node), depth),)


def _return(cx: Lowering, node: Node, depth: int) -> Statements:
    parts = named(node)
    return (ir.Return(*span(node), cx.expression(parts[0], depth + 1) if parts else None),)


def _throw(cx: Lowering, node: Node, depth: int) -> Statements:
    parts = named(node)
    return (ir.Raise(*span(node), cx.expression(parts[0], depth + 1) if parts else None),)


def _jump(cx: Lowering, node: Node, depth: int) -> Statements:
    kind = node.type.removesuffix("_statement")
    if kind == "break" and cx.breaks and cx.breaks[-1] == "switch":
        return ()
    return (ir.Jump(*span(node), kind),) if "loop" in cx.breaks else ()


def _if(cx: Lowering, node: Node, depth: int) -> Statements:
    branches: list[ir.Branch] = []
    current: Node | None = node
    otherwise: Statements = ()
    while current is not None:
        if current.type != "if_statement":
            otherwise = cx.block(current, depth + 1)
            break
        test = cx.expression(field(current, "condition"), depth + 1)
        branches.append(ir.Branch(*span(current), test, cx.block(field(current, "consequence"), depth + 1)))
        other = current.child_by_field_name("alternative")
        current = named(other)[0] if other is not None and named(other) else None
    return (ir.If(*span(node), tuple(branches), otherwise),)


def _looped(cx: Lowering, body: Node, depth: int) -> Statements:
    cx.breaks.append("loop")
    lowered = cx.block(body, depth + 1)
    cx.breaks.pop()
    return lowered


def _while(cx: Lowering, node: Node, depth: int) -> Statements:
    test = cx.expression(field(node, "condition"), depth + 1)
    return (ir.Loop(*span(node), None, None, test, _looped(cx, field(node, "body"), depth), ()),)


def _for(cx: Lowering, node: Node, depth: int) -> Statements:
    first, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    before = cx.statement(first, depth + 1) if first is not None else ()
    inner = (
        named(condition)[0]
        if condition is not None and condition.type == "expression_statement" and named(condition)
        else condition
    )
    known = inner if inner is not None and inner.type != "empty_statement" else None
    test = cx.expression(known, depth + 1) if known is not None else ir.Const(*span(node), True)
    body = _looped(cx, field(node, "body"), depth)
    step = node.child_by_field_name("increment")
    if step is not None:
        body = (*body, *_expression_of(cx, step, depth))
    return (*before, ir.Loop(*span(node), None, None, test, body, ()))


def _expression_of(cx: Lowering, node: Node, depth: int) -> Statements:
    parts = named(node) if node.type == "sequence_expression" else [node]
    return tuple(each for part in parts for each in _single(cx, part, depth))


def _for_each(cx: Lowering, node: Node, depth: int) -> Statements:
    target = field(node, "left")
    iterable = cx.expression(field(node, "right"), depth + 1)
    before: Statements = ()
    if target.type in PATTERNS:
        name: ir.Expr = ir.Name(*span(target), cx.fresh("element"))
        before = bind(cx, target, name, depth + 1)
    else:
        name = cx.expression(target, depth + 1)
    body = _looped(cx, field(node, "body"), depth)
    return (ir.Loop(*span(node), name, iterable, None, (*before, *body), ()),)


def _switch(cx: Lowering, node: Node, depth: int) -> Statements:
    """An arm that does not leave the switch goes on with the next one."""
    arms: list[tuple[Node, tuple[ir.Expr, ...], Statements, bool]] = []
    values: list[ir.Expr] = []
    cx.breaks.append("switch")
    for each in named(field(node, "body")):
        value = each.child_by_field_name("value")
        if value is not None:
            values.append(cx.expression(value, depth + 1))
        body = [child for child in each.children_by_field_name("body") if child.is_named]
        default = each.type == "switch_default"
        if not body and not default:
            continue  # falls through to the next one
        arms.append((each, () if default else tuple(values), cx.statements_of(body, depth + 1), _leaves(body)))
        values = []
    cx.breaks.pop()
    cases: list[ir.Case] = []
    following: Statements = ()
    for each, known, lowered, leaves in reversed(arms):
        following = lowered if leaves or _is_heavy(following) else (*lowered, *following)[:MAX_ARM]
        cases.insert(0, ir.Case(*span(each), known, (), False, None, following))
    return (ir.Switch(*span(node), cx.expression(field(node, "value"), depth + 1), tuple(cases)),)


def _is_heavy(body: Statements) -> bool:
    """Whether an arm is too much to be repeated in those that fall through to it: switches inside switches would multiply."""
    return next(islice(walk(*body), MAX_REPEATED, None), None) is not None


def _leaves(body: list[Node]) -> bool:
    """Whether an arm ends with a statement that leaves it."""
    last = body[-1] if body else None
    while last is not None and last.type == "statement_block":
        last = next(reversed(named(last)), None)
    return last is not None and last.type in ("break_statement", "return_statement", "throw_statement", "continue_statement")


def _try(cx: Lowering, node: Node, depth: int) -> Statements:
    body = cx.block(field(node, "body"), depth + 1)
    handlers: tuple[ir.Handler, ...] = ()
    handler = node.child_by_field_name("handler")
    if handler is not None:
        name = cx.text(handler.child_by_field_name("parameter"))
        handlers = (ir.Handler(*span(handler), None, name, cx.block(field(handler, "body"), depth + 1)),)
    final = node.child_by_field_name("finalizer")
    last = cx.block(field(final, "body"), depth + 1) if final is not None else ()
    return (ir.Try(*span(node), body, handlers, (), last),)


def _block(cx: Lowering, node: Node, depth: int) -> Statements:
    return cx.block(node, depth + 1)


def _labelled(cx: Lowering, node: Node, depth: int) -> Statements:
    return cx.block(field(node, "body"), depth + 1)


def _nothing(cx: Lowering, node: Node, depth: int) -> Statements:
    return ()


STATEMENTS: dict[str, StatementHandler] = {
    **MODULE_STATEMENTS,
    **dict.fromkeys(("function_declaration", "generator_function_declaration"), _function),
    **dict.fromkeys(("class_declaration", "abstract_class_declaration"), _class),
    **dict.fromkeys(("lexical_declaration", "variable_declaration"), _declaration),
    **dict.fromkeys(("break_statement", "continue_statement"), _jump),
    **dict.fromkeys(("while_statement", "do_statement"), _while),
    **dict.fromkeys(
        ("interface_declaration", "type_alias_declaration", "ambient_declaration", "function_signature", "import_alias"), _nothing
    ),
    "expression_statement": _expression,
    "return_statement": _return,
    "throw_statement": _throw,
    "if_statement": _if,
    "for_statement": _for,
    "for_in_statement": _for_each,
    "switch_statement": _switch,
    "try_statement": _try,
    "statement_block": _block,
    "labeled_statement": _labelled,
}
