"""Python statements to the intermediate form, one small function per node type, gathered in `STATEMENTS`.

Invariant: broken code keeps the statements that could still be read. A `match` becomes a `Switch`: literal alternatives are
kept, every other pattern is open, and each name that a pattern may bind is listed. Not handled here: expressions.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python.calls import argument, parameters
from counterproof.analysis.syntax.python.imports import IMPORTS
from counterproof.analysis.syntax.python.lowering import Lowering, StatementHandler
from counterproof.analysis.syntax.tree_walk import field, named, span

_LITERALS = ("string", "concatenated_string", "integer", "float", "true", "false", "none", "unary_operator")
_NEVER_BOUND = ("class_pattern", "keyword_pattern")


def _decorated(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    decorators: list[ir.Decorator] = []
    for child in named(node):
        if child.type == "decorator":
            inner = named(child)
            value = cx.expression(inner[0], depth + 1) if inner else ir.Unknown(*span(child))
            decorators.append(ir.Decorator(*span(child), value))
        elif child.type == "function_definition":
            return (function(cx, child, tuple(decorators), depth),)
        elif child.type == "class_definition":
            return (class_(cx, child, tuple(decorators), depth),)
    return cx.block(node, depth + 1) if not decorators else ()


def function(cx: Lowering, node: Node, decorators: tuple[ir.Decorator, ...], depth: int) -> ir.Function:
    name = cx.text(field(node, "name"))
    qualified = cx.qualified(name)
    owner = cx.scopes[-1][1] if cx.scopes and cx.scopes[-1][0] == "class" else ""
    within = next((scope for kind, scope in reversed(cx.scopes) if kind == "function"), "")
    taken = parameters(cx, node.child_by_field_name("parameters"), depth + 1)
    returns = cx.optional(node.child_by_field_name("return_type"), depth + 1)
    cx.scopes.append(("function", qualified))
    cx.yields.append(False)
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    is_generator = cx.yields.pop()
    cx.scopes.pop()
    is_async = any(child.type == "async" for child in node.children)
    line, end = span(node)
    made = ir.Function(
        line, end, name, qualified, taken, decorators, body, is_async, is_generator, returns, owner=owner, within=within
    )
    cx.functions.append(made)
    return made


def class_(cx: Lowering, node: Node, decorators: tuple[ir.Decorator, ...], depth: int) -> ir.Class:
    name = cx.text(field(node, "name"))
    qualified = cx.qualified(name)
    passed = node.child_by_field_name("superclasses")
    arguments = tuple(argument(cx, each, depth + 1) for each in named(passed)) if passed else ()
    cx.scopes.append(("class", qualified))
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    cx.scopes.pop()
    bases = tuple(each.value for each in arguments if not each.keyword and not each.spread)
    keywords = tuple(each for each in arguments if each.keyword or each.spread)
    made = ir.Class(*span(node), name, qualified, bases, keywords, decorators, body)
    cx.classes.append(made)
    return made


def _function(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    return (function(cx, node, (), depth),)


def _class(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    return (class_(cx, node, (), depth),)


DEFINITIONS: dict[str, StatementHandler] = {
    "decorated_definition": _decorated,
    "function_definition": _function,
    "class_definition": _class,
}

Statements = tuple[ir.Statement, ...]


def _expression(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)
    if not inner:
        return ()
    line, end = span(node)
    if len(inner) > 1:
        items = tuple(cx.expression(each, depth + 1) for each in inner)
        return (ir.ExprStatement(line, end, ir.Sequence(line, end, "tuple", items)),)
    if inner[0].type == "assignment":
        return (_assignment(cx, inner[0], depth),)
    if inner[0].type == "augmented_assignment":
        operator = cx.text(field(inner[0], "operator")).rstrip("=")
        target = cx.expression(field(inner[0], "left"), depth + 1)
        return (ir.Augment(line, end, target, operator, cx.expression(field(inner[0], "right"), depth + 1)),)
    return (ir.ExprStatement(line, end, cx.expression(inner[0], depth + 1)),)


def _assignment(cx: Lowering, node: Node, depth: int) -> ir.Statement:
    line, end = span(node)
    targets: list[ir.Expr] = []
    annotation = cx.optional(node.child_by_field_name("type"), depth + 1)
    current: Node | None = node
    while current is not None and current.type == "assignment":
        targets.append(cx.expression(field(current, "left"), depth + 1))
        current = current.child_by_field_name("right")
    return ir.Assign(line, end, tuple(targets), cx.optional(current, depth + 1), annotation)


def _return(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)
    return (ir.Return(*span(node), cx.expression(inner[0], depth + 1) if inner else None),)


def _raise(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)
    return (ir.Raise(*span(node), cx.expression(inner[0], depth + 1) if inner else None),)


def _assert(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)
    return (ir.Assert(*span(node), cx.expression(inner[0], depth + 1)),) if inner else ()


def _break(cx: Lowering, node: Node, depth: int) -> Statements:
    return (ir.Jump(*span(node), node.type.removesuffix("_statement")),)


def _if(cx: Lowering, node: Node, depth: int) -> Statements:
    arms = [node, *(child for child in node.named_children if child.type == "elif_clause")]
    branches = tuple(
        ir.Branch(
            *span(arm),
            cx.expression(field(arm, "condition"), depth + 1) if arm.child_by_field_name("condition") else ir.Unknown(*span(arm)),
            cx.block(arm.child_by_field_name("consequence"), depth + 1),
        )
        for arm in arms
    )
    return (ir.If(*span(node), branches, _otherwise(cx, node, depth)),)


def _otherwise(cx: Lowering, node: Node, depth: int) -> Statements:
    for child in node.named_children:
        if child.type == "else_clause":
            return cx.block(child.child_by_field_name("body"), depth + 1)
    return ()


def _for(cx: Lowering, node: Node, depth: int) -> Statements:
    target = cx.optional(node.child_by_field_name("left"), depth + 1)
    iterable = cx.optional(node.child_by_field_name("right"), depth + 1)
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    return (ir.Loop(*span(node), target, iterable, None, body, _otherwise(cx, node, depth)),)


def _while(cx: Lowering, node: Node, depth: int) -> Statements:
    test = cx.optional(node.child_by_field_name("condition"), depth + 1)
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    return (ir.Loop(*span(node), None, None, test, body, _otherwise(cx, node, depth)),)


def _try(cx: Lowering, node: Node, depth: int) -> Statements:
    handlers: list[ir.Handler] = []
    final: Statements = ()
    for child in node.named_children:
        if child.type in ("except_clause", "except_group_clause"):
            handlers.append(_handler(cx, child, depth))
        elif child.type == "finally_clause":
            final = cx.block(_block_of(child), depth + 1)
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    return (ir.Try(*span(node), body, tuple(handlers), _otherwise(cx, node, depth), final),)


def _block_of(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type == "block"), None)


def _handler(cx: Lowering, node: Node, depth: int) -> ir.Handler:
    kind: ir.Expr | None = None
    name = ""
    caught = [child for child in named(node) if child.type != "block"]
    if caught and caught[0].type == "as_pattern":
        inner = named(caught[0])
        kind = cx.expression(inner[0], depth + 1)
        name = cx.text(inner[-1])
    elif caught:
        kind = cx.expression(caught[0], depth + 1)
        name = cx.text(caught[1]) if len(caught) > 1 and caught[1].type == "identifier" else ""
    return ir.Handler(*span(node), kind, name, cx.block(_block_of(node), depth + 1))


def _with(cx: Lowering, node: Node, depth: int) -> Statements:
    items: list[ir.WithItem] = []
    pending = [child for child in named(node) if child.type != "block"][::-1]
    while pending:
        current = pending.pop()
        if current.type == "as_pattern":
            inner = named(current)
            target = cx.expression(inner[-1], depth + 1) if len(inner) > 1 else None
            items.append(ir.WithItem(*span(current), cx.expression(inner[0], depth + 1), target))
        elif current.type in ("with_clause", "with_item"):
            pending.extend(reversed(named(current)))
        else:
            items.append(ir.WithItem(*span(current), cx.expression(current, depth + 1), None))
    return (ir.With(*span(node), tuple(items), cx.block(node.child_by_field_name("body"), depth + 1)),)


def _delete(cx: Lowering, node: Node, depth: int) -> Statements:
    targets = [cx.expression(each, depth + 1) for each in named(node)]
    if len(targets) == 1 and isinstance(targets[0], ir.Sequence):
        targets = list(targets[0].items)
    return (ir.Delete(*span(node), tuple(targets)),)


def _scope(cx: Lowering, node: Node, depth: int) -> Statements:
    outer = "module" if node.type == "global_statement" else "function"
    names = tuple(cx.text(each) for each in named(node))
    if outer == "module":
        cx.rebound.extend(names)
    return (ir.Scope(*span(node), outer, names),)


def _old_statement(cx: Lowering, node: Node, depth: int) -> Statements:
    """`print x` and `exec code` of Python 2, as the calls they became."""
    line, end = span(node)
    name = node.type.removesuffix("_statement")
    arguments = tuple(ir.Argument(line, end, cx.expression(each, depth + 1)) for each in named(node))
    return (ir.ExprStatement(line, end, ir.Call(line, end, ir.Name(line, end, name), arguments)),)


def _match(cx: Lowering, node: Node, depth: int) -> Statements:
    return (match(cx, node, depth),)


class _Pattern:
    """What one pattern says, collected from the parts of it that are known."""

    def __init__(self) -> None:
        self.values: list[ir.Expr] = []
        self.binds: list[ir.Name] = []
        self.open = False


def match(cx: Lowering, node: Node, depth: int) -> ir.Switch:
    subjects = [child for child in named(node) if child.type != "block" and child.type != "case_clause"]
    lowered = tuple(cx.expression(each, depth + 1) for each in subjects)
    line, end = span(node)
    subject = lowered[0] if len(lowered) == 1 else ir.Sequence(line, end, "tuple", lowered)
    body = node.child_by_field_name("body") or node
    cases = tuple(_case(cx, child, depth + 1) for child in body.named_children if child.type == "case_clause")
    return ir.Switch(line, end, subject, cases)


def _case(cx: Lowering, node: Node, depth: int) -> ir.Case:
    pattern = _Pattern()
    written = [child for child in named(node) if child.type == "case_pattern"]
    if len(written) == 1:
        _read(cx, written[0], pattern, depth)
    else:
        pattern.open = True
        for each in written:
            _names(cx, each, pattern)
    guard_node = node.child_by_field_name("guard")
    inner = named(guard_node) if guard_node else []
    guard = cx.expression(inner[0], depth + 1) if inner else None
    body = cx.block(field(node, "consequence") if node.child_by_field_name("consequence") else None, depth + 1)
    return ir.Case(*span(node), tuple(pattern.values), tuple(pattern.binds), pattern.open, guard, body)


def _read(cx: Lowering, node: Node, pattern: _Pattern, depth: int) -> None:
    """Follow wrappers and alternatives; the loop is bounded by the size of the pattern."""
    pending = [node]
    while pending:
        current = pending.pop()
        kind = current.type
        inner = named(current)
        if kind in _LITERALS:
            pattern.values.append(cx.expression(current, depth + 1))
        elif kind == "dotted_name" and len(inner) > 1:
            pattern.values.append(_dotted(cx, current))
        elif kind in ("dotted_name", "identifier"):
            pattern.binds.append(ir.Name(*span(current), cx.text(current)))
        elif kind in ("case_pattern", "union_pattern", "as_pattern"):
            pending.extend(reversed(inner))
        else:
            pattern.open = True
            _names(cx, current, pattern)


def _dotted(cx: Lowering, node: Node) -> ir.Expr:
    line, end = span(node)
    first, *rest = [cx.text(each) for each in named(node)]
    value: ir.Expr = ir.Name(line, end, first)
    for name in rest[: ir.MAX_DEPTH // 4]:
        value = ir.Attribute(line, end, value, name)
    return value


def _names(cx: Lowering, node: Node, pattern: _Pattern) -> None:
    pending = [node]
    while pending:
        current = pending.pop()
        inner = named(current)
        if current.type == "dotted_name" and len(inner) == 1:
            pattern.binds.append(ir.Name(*span(current), cx.text(current)))
        elif current.type == "splat_pattern":
            pattern.binds.extend(ir.Name(*span(each), cx.text(each)) for each in inner)
        else:
            skip = 1 if current.type in _NEVER_BOUND else 0
            pending.extend(reversed(inner[skip:]))


def _type_alias(cx: Lowering, node: Node, depth: int) -> Statements:
    inner = named(node)
    if len(inner) < 2:
        return ()
    return (ir.Assign(*span(node), (cx.expression(inner[0], depth + 1),), cx.expression(inner[-1], depth + 1)),)


def _broken(cx: Lowering, node: Node, depth: int) -> Statements:
    return cx.block(node, depth + 1)


STATEMENTS: dict[str, StatementHandler] = {
    "expression_statement": _expression,
    "return_statement": _return,
    "raise_statement": _raise,
    "assert_statement": _assert,
    "break_statement": _break,
    "continue_statement": _break,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "try_statement": _try,
    "with_statement": _with,
    "delete_statement": _delete,
    "global_statement": _scope,
    "nonlocal_statement": _scope,
    "print_statement": _old_statement,
    "exec_statement": _old_statement,
    "match_statement": _match,
    "type_alias_statement": _type_alias,
    "block": _broken,
    "ERROR": _broken,
    **DEFINITIONS,
    **IMPORTS,
}
