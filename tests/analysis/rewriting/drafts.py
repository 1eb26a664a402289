"""A module that is being rewritten: its tree, the names that its functions own, and where its lines went.

Invariant: every node keeps the line it had in the original, nodes that a rewrite adds take the line of what they replace,
so that a line of the result is known by the original lines that went into it. Not handled here: the rewrites.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
Places = dict[tuple[str, int], set[int]]
_BOUND_TO_PLACE = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Starred)


@dataclass(slots=True)
class Draft:
    """One module in the making, and the modules beside it that a rewrite moves code to."""

    path: str
    tree: ast.Module
    beside: dict[str, ast.Module] = field(default_factory=dict[str, ast.Module])
    made: int = 0

    def fresh(self, kind: str) -> str:
        """A name that nothing else has."""
        self.made += 1
        return f"{kind}_q{self.made}"

    def imports(self, text: str) -> None:
        """Put statements at the top of the module, below its docstring and its imports from the future."""
        place = 0
        for number, statement in enumerate(self.tree.body):
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if future or (number == 0 and _is_text(statement)):
                place = number + 1
        self.tree.body[place:place] = [ast.fix_missing_locations(each) for each in ast.parse(text).body]

    def finished(self) -> tuple[dict[str, str], Places]:
        """The texts by path, and which lines of the original each of their lines holds."""
        texts: dict[str, str] = {}
        places: Places = {}
        for path, tree in {self.path: self.tree, **self.beside}.items():
            texts[path] = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            for old, new in _lockstep(tree, ast.parse(texts[path])):
                if isinstance(old, ast.stmt | ast.expr) and isinstance(new, ast.stmt | ast.expr):
                    places.setdefault((path, new.lineno), set()).add(old.lineno)
        return texts, places


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _lockstep(old: ast.AST, new: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Both trees, node by node; texts in braces are left out, because Python before 3.12 does not know where they stand."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(old, new)]
    while waiting:
        one, other = waiting.pop()
        yield one, other
        if type(one) is type(other) and not isinstance(one, ast.JoinedStr):
            waiting.extend(zip(ast.iter_child_nodes(one), ast.iter_child_nodes(other), strict=False))


def names_read(node: ast.AST) -> list[str]:
    """Names that an expression takes from around it, in order."""
    own = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    for each in ast.walk(node):
        if isinstance(each, ast.comprehension):
            own |= names_stored(each.target)
    loads = [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    return [name for name in dict.fromkeys(loads) if name not in own]


def names_stored(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}


def local_names(function: Function) -> set[str]:
    """Everything that a function binds: parameters, variables, imports, inner functions."""
    found = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    for each in ast.walk(function):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).split(".", 1)[0])
        elif isinstance(each, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            found.add(each.name or "_")
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and each is not function:
            found.add(each.name)
    shared = {name for each in ast.walk(function) if isinstance(each, ast.Global) for name in each.names}
    return found - shared


def is_movable(node: ast.expr) -> bool:
    """True if an expression means the same in another function, given its local names."""
    parts = list(ast.walk(node))
    if any(isinstance(each, _BOUND_TO_PLACE) for each in parts):
        return False
    called = {each.func.id for each in parts if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    hidden = any(isinstance(each, ast.Attribute) and each.attr.startswith("__") for each in parts)
    return not called & {"locals", "vars", "super", "globals"} and not hidden


def functions(tree: ast.Module) -> Iterator[tuple[ast.stmt, Function, set[str]]]:
    """Each function with the top-level statement it stands in and all names that are local where it is."""
    for top in list(tree.body):
        yield from _functions(top, top, set())


def _functions(top: ast.stmt, node: ast.AST, outer: set[str]) -> Iterator[tuple[ast.stmt, Function, set[str]]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        outer = outer | local_names(node)
        yield top, node, outer
    elif isinstance(node, ast.ClassDef):
        outer = outer | {each.name for each in ast.walk(node) if isinstance(each, ast.ClassDef) and each is not top}
    for child in list(ast.iter_child_nodes(node)):
        yield from _functions(top, child, outer)


def blocks(function: Function) -> list[list[ast.stmt]]:
    """The statement lists of a function, those of functions and classes in it left out."""
    found: list[list[ast.stmt]] = []
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found.append(block)  # pyright: ignore[reportUnknownArgumentType]
        for child in ast.iter_child_nodes(node):
            nested = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr)
            if not nested:
                waiting.append(child)
    return found


class _Filled(ast.NodeTransformer):
    def __init__(self, line: int, parts: dict[str, ast.expr]) -> None:
        self._line, self._parts = line, parts

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name) and node.id in self._parts:
            return self._parts[node.id]
        if "lineno" in node._attributes:
            vars(node).update(lineno=self._line, end_lineno=self._line, col_offset=0, end_col_offset=0)
        return self.generic_visit(node)


def statements(place: ast.stmt | ast.expr, text: str, **parts: ast.expr) -> list[ast.stmt]:
    """Code on the line of what it stands for, with expressions in place of names."""
    filled = _Filled(place.lineno, parts).visit(ast.parse(text))
    assert isinstance(filled, ast.Module)
    return filled.body


def built(place: ast.stmt | ast.expr, text: str, **parts: ast.expr) -> ast.expr:
    """An expression, as `statements` makes code."""
    statement = statements(place, text, **parts)[0]
    assert isinstance(statement, ast.Expr)
    return statement.value
