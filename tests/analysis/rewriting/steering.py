"""Rewrites of control flow and of names: other branches, loops, blocks and imports around the same work.

Invariant: the same statements run in the same order on the same values. Not handled here: rewrites of expressions.
"""

import ast
import builtins
from collections.abc import Callable

from .drafts import Draft, Function, blocks, built, functions, is_movable, local_names, names_read, statements


def around(text: str, before: str = "") -> Callable[[Draft], None]:
    """The body of every function stands in a block: `try: BODY finally: pass`."""

    def rewrite(draft: Draft) -> None:
        for _, function, _ in functions(draft.tree):
            if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(function)) or not function.body:
                continue
            outer = statements(function.body[0], text)
            inner = next(each for each in outer for each in ast.walk(each) if _holds_mark(each))
            inner.body = function.body  # pyright: ignore[reportAttributeAccessIssue]
            function.body = outer
        if before:
            draft.imports(before)

    return rewrite


def _holds_mark(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    return isinstance(body, list) and any(isinstance(each, ast.Expr) and _is_name(each.value, "BODY") for each in body)  # pyright: ignore[reportUnknownVariableType]


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def nested_else(draft: Draft) -> None:
    """`if bad: return; work` becomes `if bad: return else: work`."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for number, statement in enumerate(block):
                if isinstance(statement, ast.If) and not statement.orelse and _ends(statement.body) and block[number + 1 :]:
                    statement.orelse = block[number + 1 :]
                    del block[number + 1 :]
                    break


def _ends(block: list[ast.stmt]) -> bool:
    return isinstance(block[-1], ast.Return | ast.Raise | ast.Continue)


def inverted(draft: Draft) -> None:
    """`if a: x else: y` becomes `if not a: y else: x`, after `nested_else`."""
    nested_else(draft)
    for each in ast.walk(draft.tree):
        if isinstance(each, ast.If) and each.orelse:
            plain = each.test.operand if isinstance(each.test, ast.UnaryOp) and isinstance(each.test.op, ast.Not) else None
            each.test = plain or built(each.test, "not TEST", TEST=each.test)
            each.body, each.orelse = each.orelse, each.body


def conditional(draft: Draft) -> None:
    """`if a: x = b else: x = c` becomes `x = b if a else c`; without an else, `x` itself stays."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for number, statement in enumerate(block):
                if isinstance(statement, ast.If) and len(statement.body) == 1 and len(statement.orelse) <= 1:
                    block[number] = _chosen(statement) or statement


def _chosen(statement: ast.If) -> ast.stmt | None:
    then = statement.body[0]
    other = statement.orelse[0] if statement.orelse else None
    if not isinstance(then, ast.Assign) or not isinstance(then.targets[0], ast.Name):
        return None
    name = then.targets[0].id
    if other is None:
        value: ast.expr = built(then, name)
    elif isinstance(other, ast.Assign) and ast.unparse(other.targets[0]) == name:
        value = other.value
    else:
        return None
    chosen = built(then, "THEN if TEST else OTHER", THEN=then.value, TEST=statement.test, OTHER=value)
    return statements(then, f"{name} = VALUE", VALUE=chosen)[0]


def assigned_by(text: str, before: str = "") -> Callable[[Draft], None]:
    """`x = e` becomes something else that binds `x`: `x, _ = (e, None)`."""

    def rewrite(draft: Draft) -> None:
        for _, function, _ in functions(draft.tree):
            for block in blocks(function):
                for number, each in enumerate(block):
                    if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and is_movable(each.value):
                        made = text.replace("TARGET", each.targets[0].id)
                        block[number : number + 1] = statements(each, made, VALUE=each.value)
        if before:
            draft.imports(before)

    return rewrite


_MATCH = "match bool(TEST):\n    case True:\n        pass\n    case _:\n        pass"


def match_values(draft: Draft) -> None:
    """`if a: x else: y` becomes a match on the truth of the test."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for number, each in enumerate(block):
                if isinstance(each, ast.If) and is_movable(each.test):
                    made = statements(each, _MATCH, TEST=each.test)[0]
                    assert isinstance(made, ast.Match)
                    otherwise: list[ast.stmt] = each.orelse or [ast.Pass()]
                    made.cases[0].body, made.cases[1].body = each.body, otherwise
                    block[number] = made


def continued(draft: Draft) -> None:
    """`for …: if a: work` becomes `for …: if not a: continue; work`."""
    for each in ast.walk(draft.tree):
        if isinstance(each, ast.For) and isinstance(last := each.body[-1], ast.If) and not last.orelse:
            work = last.body
            last.body = [*statements(last, "continue")]
            last.test = built(last.test, "not TEST", TEST=last.test)
            each.body += work


def raising(draft: Draft) -> None:
    """`if bad: raise Error()` becomes a call of a function that does just that."""
    for top, function, local in functions(draft.tree):
        made: list[ast.stmt] = []
        for block in blocks(function):
            for number, each in enumerate(block):
                if isinstance(each, ast.If) and not each.orelse and is_movable(each.test) and _only_stops(each.body):
                    name = draft.fresh("insist")
                    given = ", ".join(one for one in names_read(each) if one in local)
                    definition = statements(each, f"def {name}({given}):\n    pass")[0]
                    assert isinstance(definition, ast.FunctionDef)
                    definition.body = [each]
                    made.append(definition)
                    block[number] = statements(each, f"{name}({given})")[0]
        place = draft.tree.body.index(top)
        draft.tree.body[place:place] = made


def _only_stops(body: list[ast.stmt]) -> bool:
    last = body[0]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return len(body) == 1 and ast.unparse(last.value.func) == "abort"
    return len(body) == 1 and isinstance(last, ast.Raise)


_SPECIAL = {"property", "staticmethod", "classmethod"}


def decorated(draft: Draft) -> None:
    """Every function is wrapped by a decorator that does nothing else."""
    for _, function, _ in functions(draft.tree):
        plain = not isinstance(function, ast.AsyncFunctionDef) and not function.name.startswith("__")
        if plain and not _SPECIAL & {ast.unparse(each) for each in function.decorator_list}:
            function.decorator_list.append(built(function, "handed_on"))
    wrapper = "def wrapper(*args, **kwargs):\n        return function(*args, **kwargs)\n    return wrapper"
    draft.imports(f"import functools\ndef handed_on(function):\n    @functools.wraps(function)\n    {wrapper}")


def renamed(draft: Draft) -> None:
    """Local variables, and the functions that only this module calls, get names that say nothing."""
    for _, function, _ in functions(draft.tree):
        parameters = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
        shared = {name for each in ast.walk(function) if isinstance(each, ast.Nonlocal | ast.Global) for name in each.names}
        stored = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        told = {name for each in ast.walk(function) if isinstance(each, ast.MatchAs | ast.ExceptHandler) and (name := each.name)}
        _rename(function, {name: draft.fresh("v") for name in sorted(stored - parameters - shared - told)})
    called = {each.func.id for each in ast.walk(draft.tree) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    own = [each for each in draft.tree.body if isinstance(each, ast.FunctionDef) and each.name in called]
    plain = [each for each in own if not each.decorator_list and not _mentioned(draft, each.name)]
    for function in plain:
        _rename_parameters(draft, function)
    names = {each.name: draft.fresh("f") for each in plain}
    for function in plain:
        function.name = names[function.name]
    _rename(draft.tree, names)


def _mentioned(draft: Draft, name: str) -> bool:
    bound = [local_names(each) for each in ast.walk(draft.tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(name in each for each in bound)


def _rename_parameters(draft: Draft, function: ast.FunctionDef) -> None:
    keywords = {each.arg for each in ast.walk(draft.tree) if isinstance(each, ast.keyword)}
    inner = any(isinstance(each, Function | ast.Lambda) and each is not function for each in ast.walk(function))
    if function.args.kwarg or inner:
        return
    parameters = [each for each in ast.walk(function.args) if isinstance(each, ast.arg)]
    names = {each.arg: draft.fresh("p") for each in parameters if each.arg not in keywords}
    for each in parameters:
        each.arg = names.get(each.arg, each.arg)
    _rename(function, names)


def _rename(node: ast.AST, names: dict[str, str]) -> None:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            each.id = names.get(each.id, each.id)


def aliased(draft: Draft) -> None:
    """Every import gets another name."""
    names: dict[str, str] = {}
    taken = {name for _, _, local in functions(draft.tree) for name in local}
    for each in draft.tree.body:
        if isinstance(each, ast.Import | ast.ImportFrom) and getattr(each, "module", "") != "__future__":
            for alias in each.names:
                bound = alias.asname or alias.name
                if "." not in bound and bound != "*" and bound not in taken:
                    alias.asname = names[bound] = draft.fresh("n")
    _rename(draft.tree, names)


def by_module(draft: Draft) -> None:
    """`from a import b; b()` becomes `import a; a.b()`, for what is not the project's own."""
    taken = {name for _, _, local in functions(draft.tree) for name in local}
    paths: dict[str, str] = {}
    for number, each in enumerate(draft.tree.body):
        if isinstance(each, ast.ImportFrom) and each.module and not each.level and each.module != "__future__":
            bound = {each.module.split(".", 1)[0], *(alias.name for alias in each.names)}
            if bound & taken or _is_own(draft, each.module):
                continue
            paths |= {alias.asname or alias.name: f"{each.module}.{alias.name}" for alias in each.names}
            draft.tree.body[number] = statements(each, f"import {each.module}")[0]
    _Spelled(paths).visit(draft.tree)


def _is_own(draft: Draft, module: str) -> bool:
    stored = {each.id for each in ast.walk(draft.tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return module.split(".", 1)[0] in stored or module.startswith("cases")


class _Spelled(ast.NodeTransformer):
    def __init__(self, paths: dict[str, str]) -> None:
        self._paths = paths

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return built(node, self._paths[node.id]) if node.id in self._paths and isinstance(node.ctx, ast.Load) else node


def by_name(draft: Draft) -> None:
    """`import a; a.b()` becomes `from a import b; b()`."""
    taken = {each.id for each in ast.walk(draft.tree) if isinstance(each, ast.Name)} | set(dir(builtins))
    taken |= {each.arg for each in ast.walk(draft.tree) if isinstance(each, ast.arg)}
    taken |= {each.name for each in ast.walk(draft.tree) if isinstance(each, Function | ast.ClassDef)}
    modules = {each.names[0].name for each in draft.tree.body if isinstance(each, ast.Import) and not each.names[0].asname}
    worker = _Short(modules, taken)
    worker.visit(draft.tree)
    for module, name in sorted(worker.used):
        draft.imports(f"from {module} import {name} as {module}_{name}")


class _Short(ast.NodeTransformer):
    def __init__(self, modules: set[str], taken: set[str]) -> None:
        self._modules, self._taken = modules, taken
        self.used: set[tuple[str, str]] = set()

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules and isinstance(node.ctx, ast.Load):
            self.used.add((node.value.id, node.attr))
            return built(node, f"{node.value.id}_{node.attr}")
        self.generic_visit(node)
        return node


def late_imports(draft: Draft) -> None:
    """Imports stand in the functions that use them."""
    imports = [each for each in draft.tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    late = [each for each in draft.tree.body if isinstance(each, Function)]
    outside = {name for each in draft.tree.body for part in _not_in_functions(each) for name in names_read(part)}
    for each in imports:
        bound = {(alias.asname or alias.name).split(".", 1)[0] for alias in each.names}
        if bound & outside or "*" in bound:
            continue
        for function in late:
            if bound & {one.id for one in ast.walk(function) if isinstance(one, ast.Name)}:
                function.body.insert(0, statements(function.body[0], ast.unparse(each))[0])
        draft.tree.body.remove(each)


def _not_in_functions(statement: ast.stmt) -> list[ast.AST]:
    if isinstance(statement, Function):
        return [*statement.decorator_list, statement.args, *([statement.returns] if statement.returns else [])]
    return [] if isinstance(statement, ast.Import | ast.ImportFrom) else [statement]


def awaited(draft: Draft) -> None:
    """Functions of the module that only its functions call are asynchronous, and so are those that call them."""
    own = [each for each in draft.tree.body if isinstance(each, ast.FunctionDef)]
    simple = [each for each in own if not any(isinstance(one, _INNER) and one is not each for one in ast.walk(each))]
    calls = [each.func.id for each in ast.walk(draft.tree) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
    uses = [each.id for each in ast.walk(draft.tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    plain = [each.name for each in simple if not each.decorator_list]
    chosen = {name for name in plain if 0 < uses.count(name) == calls.count(name)}
    for each in simple:
        if each.name in chosen or chosen & {one.id for one in ast.walk(each) if isinstance(one, ast.Name)}:
            _Awaited(chosen).visit(each)
            parts = {name: getattr(each, name) for name in each._fields if hasattr(each, name)}
            draft.tree.body[draft.tree.body.index(each)] = ast.copy_location(ast.AsyncFunctionDef(**parts), each)


_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.YieldFrom)


class _Awaited(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        asked = isinstance(node.func, ast.Name) and node.func.id in self._names
        return ast.copy_location(ast.Await(node), node) if asked else node
