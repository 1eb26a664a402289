"""Imports and exports of ES modules. What a module exports is kept in one variable, so that both module systems meet there.

Invariant: an import that leads nowhere in the project keeps its package's name. Not handled here: finding files.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.calls import module_variable
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, Lowering, StatementHandler
from counterproof.analysis.syntax.javascript.scopes import CLASSES, FUNCTIONS
from counterproof.analysis.syntax.tree_walk import named, span

Statements = tuple[ir.Statement, ...]


def _module(cx: Lowering, node: Node) -> str | None:
    source = node.child_by_field_name("source")
    return cx.text(source)[1:-1] if source is not None else None


def _member(cx: Lowering, module: str, name: str) -> str:
    """The dotted name of one thing that a module exports. The default of a package outside is the package itself."""
    home = cx.resolve(module)
    if name == "default" and not home.endswith(f".{EXPORTS}"):
        return home
    return f"{home}.{name}"


def _import(cx: Lowering, node: Node, depth: int) -> Statements:
    module = _module(cx, node)
    names: list[tuple[str, str]] = []
    for clause in named(node):
        if clause.type == "import_require_clause" and named(clause):
            source = clause.child_by_field_name("source")
            names.append((cx.text(named(clause)[0]), cx.resolve(cx.text(source)[1:-1])))
        elif clause.type == "import_clause" and module is not None:
            names.extend(_clause(cx, clause, module))
    cx.imports.update(dict(names))
    return (ir.Import(*span(node), tuple(names)),) if names else ()


def _clause(cx: Lowering, clause: Node, module: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for each in named(clause):
        if each.type == "identifier":
            found.append((cx.text(each), _member(cx, module, "default")))
        elif each.type == "namespace_import" and named(each):
            found.append((cx.text(named(each)[0]), cx.resolve(module)))
        elif each.type == "named_imports":
            for one in named(each):
                name = cx.text(one.child_by_field_name("name"))
                alias = cx.text(one.child_by_field_name("alias")) or name
                found.append((alias, _member(cx, module, name)))
    return found


def _export(cx: Lowering, node: Node, depth: int) -> Statements:
    where = span(node)
    module = _module(cx, node)
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    default = any(child.type == "default" for child in node.children)
    clause = next((each for each in named(node) if each.type == "export_clause"), None)
    if clause is not None:
        return tuple(each for one in named(clause) for each in _passed_on(cx, one, module))
    if module is not None:
        return _everything(cx, node, module)
    if default and declaration is not None and declaration.child_by_field_name("name") is None:
        value, declaration = declaration, None
    if value is not None:
        return (_exported("default", cx.expression(value, depth + 1), where),)
    if declaration is None:
        assigned = next((each for each in named(node) if each.type != "decorator"), None)  # export = value
        return (ir.Assign(*where, (ir.Name(*where, EXPORTS),), cx.expression(assigned, depth + 1)),) if assigned else ()
    found = cx.statement(declaration, depth)
    names = ("default",) if default else ()
    return (*found, *_declared(cx, declaration, found, names, where))


def _declared(cx: Lowering, node: Node, found: Statements, names: tuple[str, ...], where: tuple[int, int]) -> Statements:
    if node.type in FUNCTIONS or node.type in CLASSES:
        own = cx.text(node.child_by_field_name("name"))
        return tuple(_exported(name, ir.Name(*where, own), where) for name in names or (own,))
    targets = [target for each in found if isinstance(each, ir.Assign) for target in each.targets]
    bound = [each.id for each in targets if isinstance(each, ir.Name) and not each.id.startswith("<")]
    return tuple(_exported(name, ir.Name(*where, name), where) for name in bound)


def _exported(name: str, value: ir.Expr, where: tuple[int, int]) -> ir.Assign:
    return ir.Assign(*where, (ir.Attribute(*where, ir.Name(*where, EXPORTS), name),), value)


def _passed_on(cx: Lowering, one: Node, module: str | None) -> Statements:
    where = span(one)
    name = cx.text(one.child_by_field_name("name"))
    alias = cx.text(one.child_by_field_name("alias")) or name
    if module is None:
        return (_exported(alias, ir.Name(*where, name), where),)
    variable = f"<{module} {name}>"
    cx.imports[variable] = _member(cx, module, name)
    return (_exported(alias, ir.Name(*where, variable), where),)


def _everything(cx: Lowering, node: Node, module: str) -> Statements:
    """`export * from "x"`: what is not exported here comes from there."""
    where = span(node)
    whole = ir.Name(*where, module_variable(cx, module))
    namespace = next((each for each in named(node) if each.type == "namespace_export"), None)
    if namespace is not None and named(namespace):
        return (_exported(cx.text(named(namespace)[0]), whole, where),)
    own = ir.Name(*where, EXPORTS)
    return (ir.Assign(*where, (own,), ir.Mapping(*where, ((None, whole), (None, own)))),)


def _namespace(cx: Lowering, node: Node, depth: int) -> Statements:
    """`namespace Name {…}`: its code runs where it stands; what it exports is found under its name."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None or name.type == "string":
        return ()
    found: list[ir.Statement] = []
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for each in cx.block(body, depth + 1):
        target = each.targets[0] if isinstance(each, ir.Assign) and len(each.targets) == 1 else None
        if (
            isinstance(each, ir.Assign)
            and each.value is not None
            and isinstance(target, ir.Attribute)
            and _is_exports(target.value)
        ):
            entries.append((ir.Const(target.line, target.end, target.name), each.value))
        else:
            found.append(each)
    where = span(node)
    return (*found, ir.Assign(*where, (ir.Name(*where, cx.text(name).partition(".")[0]),), ir.Mapping(*where, tuple(entries))))


def _is_exports(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Name) and expr.id == EXPORTS


MODULE_STATEMENTS: dict[str, StatementHandler] = {
    "import_statement": _import,
    "export_statement": _export,
    "internal_module": _namespace,
    "module": _namespace,
}
