"""Rewrites that move code: arguments into variables and back, calls and reads into functions, methods and modules.

Invariant: what is moved gets all local names that it reads as parameters, so that it means the same. Not handled here:
other ways to write the same expression or the same branch.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from itertools import pairwise

from .drafts import Draft, blocks, built, functions, is_movable, names_read, statements

Change = Callable[[ast.expr], ast.expr]
_REQUEST = ("request", "req")


def _main_value(statement: ast.stmt) -> ast.expr | None:
    plain = isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return)
    value = statement.value if plain else None
    return value.value if isinstance(value, ast.Await) else value


def chain(value: ast.expr | None) -> Iterator[ast.Call]:
    """The calls of `a(x).b(y).c(z)`, the last one first."""
    while isinstance(value, ast.Call):
        yield value
        value = value.func.value if isinstance(value.func, ast.Attribute) else None


def _is_told(value: ast.expr) -> bool:
    """What stays where it is: what the program says itself, and tests, which are rewritten as such."""
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    return isinstance(value, ast.Constant | ast.Lambda | ast.Starred | ast.GeneratorExp | ast.Compare | ast.BoolOp)


def change_arguments(statement: ast.stmt, change: Change) -> None:
    """Put something else in place of each argument of the calls that a statement is made of, and of what it returns."""
    value = _main_value(statement)
    if isinstance(statement, ast.Return) and value is not None and not isinstance(value, ast.Call) and not _is_told(value):
        if is_movable(value):
            statement.value = change(value)
        return
    for call in chain(value):
        call.args = [each if _is_told(each) or not is_movable(each) else change(each) for each in call.args]
        for keyword in call.keywords:
            if keyword.arg and not _is_told(keyword.value) and is_movable(keyword.value):
                keyword.value = change(keyword.value)


def replace_arguments(draft: Draft, change: Change) -> None:
    """Put something else in place of every argument in every function."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for statement in block:
                change_arguments(statement, change)


def argument_first(draft: Draft, made: str = "name = value", used: str = "name") -> None:
    """`f(g(x))` becomes `a = g(x); f(a)`."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for statement in list(block):
                before: list[ast.stmt] = []

                def change(value: ast.expr, before: list[ast.stmt] = before) -> ast.expr:
                    if isinstance(value, ast.Name):
                        return value
                    name = draft.fresh("given")
                    before.extend(statements(value, made.replace("name", name), value=value))
                    return built(value, used.replace("name", name))

                change_arguments(statement, change)
                place = block.index(statement)
                block[place:place] = before


def inlined(draft: Draft) -> None:
    """`a = g(x); f(a)` becomes `f(g(x))` where nothing else reads `a`."""
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            for first, second in list(pairwise(block)):
                if not isinstance(first, ast.Assign) or not isinstance(first.targets[0], ast.Name):
                    continue
                name, value = first.targets[0].id, first.value
                uses = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name]
                read = [each for each in ast.walk(second) if isinstance(each, ast.Name) and each.id == name]
                simple = isinstance(second, ast.Expr | ast.Assign | ast.Return) and len(first.targets) == 1
                if simple and len(uses) == 2 and len(read) == 1 and is_movable(value):
                    _Substituted(name, value).visit(second)
                    block.remove(first)


class _Substituted(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value if node.id == self._name else node


class _Extracted(ast.NodeTransformer):
    """Puts a call of a new function in place of each expression that is asked for, and keeps the functions."""

    def __init__(self, draft: Draft, local: set[str], wanted: Callable[[ast.expr], bool], shape: str) -> None:
        self._draft, self._local, self._wanted, self._shape = draft, local, wanted, shape
        self.made: list[ast.stmt] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            return node
        if isinstance(node, ast.expr) and self._wanted(node) and is_movable(node):
            return self._moved(node)
        return self.generic_visit(node)

    def _moved(self, node: ast.expr) -> ast.expr:
        name = self._draft.fresh("moved")
        given = [each for each in names_read(node) if each in self._local]
        defined, called = (part.replace("NAME", name) for part in self._shape.split("---"))
        self.made += statements(node, defined.replace("PARAMETERS", ", ".join(given)), BODY=node)
        return built(node, called.strip().replace("ARGUMENTS", ", ".join(given)))


FUNCTION = "def NAME(PARAMETERS):\n    return BODY\n---NAME(ARGUMENTS)"
METHOD = "class NAME:\n    def run(itself, PARAMETERS):\n        return BODY\n---NAME().run(ARGUMENTS)"
STATIC = "class NAME:\n    @staticmethod\n    def run(PARAMETERS):\n        return BODY\n---NAME.run(ARGUMENTS)"
CLASS_METHOD = "class NAME:\n    @classmethod\n    def run(its_class, PARAMETERS):\n        return BODY\n---NAME.run(ARGUMENTS)"
GENERATOR = "def NAME(PARAMETERS):\n    yield BODY\n---next(NAME(ARGUMENTS))"
OBJECT = "class NAME:\n    def run(itself, PARAMETERS):\n        return BODY\nNAME_made = NAME()\n---NAME_made.run(ARGUMENTS)"
PROPERTY = "class NAME:\n    @property\n    def read(self):\n        return BODY\n---NAME().read"


def extract(draft: Draft, wanted: Callable[[ast.expr], bool], shape: str) -> None:
    for top, function, local in functions(draft.tree):
        worker = _Extracted(draft, local, wanted, shape)
        for block in blocks(function):
            for number, statement in enumerate(block):
                if not isinstance(statement, ast.Delete):
                    block[number] = _changed(worker, statement)
        place = draft.tree.body.index(top)
        draft.tree.body[place:place] = worker.made


def _changed(worker: _Extracted, statement: ast.stmt) -> ast.stmt:
    """The statement with the expressions that it holds itself replaced; inner blocks have their own turn."""
    for name, value in ast.iter_fields(statement):
        if isinstance(value, ast.expr) and name not in ("target", "annotation"):
            setattr(statement, name, worker.visit(value))
    return statement


def call_in(shape: str) -> Callable[[Draft], None]:
    """The call that a statement makes stands in a function of its own, which gets the arguments."""

    def rewrite(draft: Draft) -> None:
        argument_first(draft)
        main = _main_calls(draft)
        extract(draft, lambda node: node in main, shape)

    return rewrite


def call_elsewhere(draft: Draft) -> None:
    """As `call_in`, in another module."""
    known = {name for each in draft.tree.body if isinstance(each, ast.Import | ast.ImportFrom) for name in _bound(each)}
    known |= set(dir(builtins))
    argument_first(draft)
    reached = {each for each in _main_calls(draft) if _reaches(draft, each) <= known}
    before = list(draft.tree.body)
    extract(draft, lambda node: node in reached, FUNCTION)
    moved = [each for each in draft.tree.body if each not in before]
    imports = [each for each in before if isinstance(each, ast.Import | ast.ImportFrom)]
    name = f"beside_{draft.path.removesuffix('.py').rpartition('/')[2]}"
    folder = draft.path.rpartition("/")[0]
    if moved:
        draft.beside[f"{folder}/{name}.py".lstrip("/")] = ast.Module([*imports, *moved], [])
        draft.tree.body = before
        names = ", ".join(each.name for each in moved if isinstance(each, ast.FunctionDef))
        draft.imports(f"from {'.' * bool(folder)}{name} import {names}")


def _bound(statement: ast.Import | ast.ImportFrom) -> list[str]:
    return [(each.asname or each.name).split(".", 1)[0] for each in statement.names]


def _reaches(draft: Draft, node: ast.expr) -> set[str]:
    """Names of the module that an expression reads."""
    for _, function, local in functions(draft.tree):
        if any(each is node for each in ast.walk(function)):
            return set(names_read(node)) - local
    return set()


def _main_calls(draft: Draft) -> set[ast.expr]:
    found: set[ast.expr] = set()
    for _, function, _ in functions(draft.tree):
        for block in blocks(function):
            found |= {value for each in block if isinstance(value := _main_value(each), ast.Call)}
    return found


def is_read(node: ast.expr) -> bool:
    """A read of the request: `request.args["x"]`, `request.form.get("y")`."""
    inner = node
    depth = 0
    while isinstance(inner, ast.Attribute | ast.Subscript | ast.Call):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
        depth += 1
    return depth > 1 and isinstance(inner, ast.Name) and inner.id in _REQUEST


def read_in(shape: str) -> Callable[[Draft], None]:
    """Reads of the request stand in functions of their own."""
    return lambda draft: extract(draft, is_read, shape)


def read_property(draft: Draft) -> None:
    """Reads of a global request are properties of an object."""
    local = {name for _, _, names in functions(draft.tree) for name in names}
    extract(draft, lambda node: is_read(node) and not set(names_read(node)) & local, PROPERTY)


def _tests(draft: Draft) -> set[ast.expr]:
    """Tests that ask something; a variable that keeps an answer is none."""
    found = {each.test for each in ast.walk(draft.tree) if isinstance(each, ast.If)}
    return {each for each in found if any(isinstance(part, ast.Call | ast.Compare) for part in ast.walk(each))}


def test_in(draft: Draft) -> None:
    """The test of each `if` stands in a function that answers with its truth."""
    tests = _tests(draft)
    extract(draft, lambda node: node in tests, FUNCTION.replace("BODY", "bool(BODY)"))


def test_answers(draft: Draft) -> None:
    """As `test_in`, with a function that answers in two branches."""
    tests = _tests(draft)
    shape = "def NAME(PARAMETERS):\n    if BODY:\n        return True\n    return False\n---NAME(ARGUMENTS)"
    extract(draft, lambda node: node in tests, shape)
