"""Rewrites of expressions: other ways to build the same text, to carry the same value, to read the same field.

Invariant: the value of every expression stays what it was. Not handled here: moving code and other control flow.
"""

import ast
import inspect
from collections.abc import Callable
from importlib import import_module

from .drafts import Draft, built, functions, statements
from .moving import argument_first, is_read, replace_arguments

Parts = list[ast.expr]


def parts_of(node: ast.expr) -> Parts | None:
    """What a text is put together of; None where the expression builds no text that can be told."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        both = parts_of(node.left) or [node.left], parts_of(node.right) or [node.right]
        every = both[0] + both[1]
        return every if any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in every) else None
    if isinstance(node, ast.JoinedStr):
        found: Parts = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                if each.conversion != -1 or each.format_spec:
                    return None
                found.append(each.value)
            else:
                found.append(each)
        return found
    return None


class _Texts(ast.NodeTransformer):
    def __init__(self, change: Callable[[ast.expr, Parts], ast.expr]) -> None:
        self._change = change

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in node.body:  # decorators and defaults stay
                self.visit(each)
            return node
        parts = parts_of(node) if isinstance(node, ast.expr) else None
        if parts and isinstance(node, ast.expr):
            return self._change(node, [self.visit(each) for each in parts])  # pyright: ignore[reportArgumentType]
        return self.generic_visit(node)


def _said(part: ast.expr) -> str | None:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None


def _values(parts: Parts) -> Parts:
    return [each for each in parts if _said(each) is None]


def _template(parts: Parts, hole: str, *doubled: str) -> str:
    text = ""
    for each in parts:
        said = _said(each)
        for mark in doubled:
            said = said.replace(mark, mark * 2) if said is not None else None
        text += hole if said is None else said
    return text


def _percent(node: ast.expr, parts: Parts) -> ast.expr:
    values = ast.Tuple(_values(parts), ast.Load())
    return built(node, "TEXT % VALUES", TEXT=ast.Constant(_template(parts, "%s", "%")), VALUES=values)


def _format(node: ast.expr, parts: Parts) -> ast.expr:
    call = built(node, "TEXT.format()", TEXT=ast.Constant(_template(parts, "{}", "{", "}")))
    assert isinstance(call, ast.Call)
    call.args = _values(parts)
    return call


def _named_format(node: ast.expr, parts: Parts) -> ast.expr:
    text = ""
    keywords: list[ast.keyword] = []
    for each in parts:
        said = _said(each)
        if said is None:
            keywords.append(ast.keyword(f"part{len(keywords)}", each))
        text += f"{{part{len(keywords) - 1}}}" if said is None else said.replace("{", "{{").replace("}", "}}")
    call = built(node, "TEXT.format()", TEXT=ast.Constant(text))
    assert isinstance(call, ast.Call)
    call.keywords = keywords
    return call


def _join(node: ast.expr, parts: Parts) -> ast.expr:
    texts = [each if _said(each) is not None else built(each, "str(VALUE)", VALUE=each) for each in parts]
    return built(node, "''.join(PARTS)", PARTS=ast.List(texts, ast.Load()))


def _plus(node: ast.expr, parts: Parts) -> ast.expr:
    texts = [each if _said(each) is not None else built(each, "str(VALUE)", VALUE=each) for each in parts]
    result = texts[0]
    for each in texts[1:]:
        result = built(node, "LEFT + RIGHT", LEFT=result, RIGHT=each)
    return result


def _braces(node: ast.expr, parts: Parts) -> ast.expr:
    values = [each if _said(each) is not None else ast.FormattedValue(each, -1) for each in parts]
    return ast.copy_location(ast.JoinedStr(values), node)


TEXTS = {"percent": _percent, "format": _format, "named format": _named_format, "join": _join, "plus": _plus, "braces": _braces}


def text_by(way: str) -> Callable[[Draft], None]:
    def rewrite(draft: Draft) -> None:
        for _, function, _ in functions(draft.tree):
            _Texts(TEXTS[way]).visit(function)

    return rewrite


def global_text(draft: Draft) -> None:
    """The fixed parts of texts are constants of the module."""

    def change(node: ast.expr, parts: Parts) -> ast.expr:
        named = list(parts)
        for number, each in enumerate(parts):
            if _said(each) is not None:
                name = draft.fresh("TEXT")
                draft.tree.body[start:start] = statements(node, f"{name} = VALUE", VALUE=each)
                named[number] = built(node, name)
        return _plus_as_is(node, named)

    start = sum(1 for each in draft.tree.body if isinstance(each, ast.Import | ast.ImportFrom))
    for _, function, _ in functions(draft.tree):
        _Texts(change).visit(function)


def _plus_as_is(node: ast.expr, parts: Parts) -> ast.expr:
    result = parts[0]
    for each in parts[1:]:
        result = built(node, "LEFT + RIGHT", LEFT=result, RIGHT=each)
    return result


def carried(template: str, before: str = "") -> Callable[[Draft], None]:
    """Every argument goes through something that hands it on: `[VALUE][0]`."""

    def rewrite(draft: Draft) -> None:
        replace_arguments(draft, lambda value: built(value, template, VALUE=value))
        if before:
            draft.imports(before)

    return rewrite


def kept(made: str, used: str, before: str = "") -> Callable[[Draft], None]:
    """Every argument lies in something for a while: `name = {'k': value}`, later `name['k']`."""

    def rewrite(draft: Draft) -> None:
        argument_first(draft, made, used)
        if before:
            draft.imports(before)

    return rewrite


class _Reads(ast.NodeTransformer):
    def __init__(self, way: str) -> None:
        self._way = way

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        field = _field(node) if isinstance(node, ast.expr) and is_read(node) else None
        return built(node, self._way, FROM=field[0], KEY=field[1]) if field and isinstance(node, ast.expr) else node


def _field(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What a field is read from, and its name; a number is the place in a list, and no field."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.ctx, ast.Load):
        return (node.value, node.slice) if isinstance(node.slice.value, str) else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "get":
        return None
    return (node.func.value, node.args[0]) if len(node.args) == 1 and not node.keywords else None


def read_by(way: str, before: str = "") -> Callable[[Draft], None]:
    def rewrite(draft: Draft) -> None:
        _Reads(way).visit(draft.tree)
        if before:
            draft.imports(before)

    return rewrite


def read_by_constant(draft: Draft) -> None:
    """The name of the field is a constant of the module."""
    for each in ast.walk(draft.tree):
        field = _field(each) if isinstance(each, ast.expr) and is_read(each) else None
        if field and isinstance(field[1], ast.Constant):
            name = draft.fresh("FIELD")
            draft.imports(f"{name} = {field[1].value!r}")
            if isinstance(each, ast.Subscript):
                each.slice = built(each, name)
            elif isinstance(each, ast.Call):
                each.args[0] = built(each, name)


def _signature(draft: Draft, call: ast.Call) -> list[str]:
    """Names of the parameters of a function of the standard library or of this module."""
    dotted = ast.unparse(call.func) if isinstance(call.func, ast.Name | ast.Attribute) else ""
    for each in draft.tree.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == dotted:
            return [] if each.args.posonlyargs or each.args.vararg else [one.arg for one in each.args.args]
    module, _, name = dotted.rpartition(".")
    if module not in ("os", "subprocess", "shutil", "pickle", "re", "json", "tempfile"):
        return []
    try:
        found = inspect.signature(getattr(import_module(module), name)).parameters.values()
    except (ValueError, AttributeError, TypeError):
        return []
    named = [each.name for each in found if each.kind is each.POSITIONAL_OR_KEYWORD]
    return named or (["args"] if module == "subprocess" else [])


def by_keyword(draft: Draft) -> None:
    """Arguments are given by name where the names are known."""
    for call in [each for each in ast.walk(draft.tree) if isinstance(each, ast.Call)]:
        names = _signature(draft, call)
        if len(names) >= len(call.args) and not any(isinstance(each, ast.Starred) for each in call.args):
            call.keywords[:0] = [ast.keyword(name, value) for name, value in zip(names, call.args, strict=False)]
            call.args = []


def by_mapping(draft: Draft) -> None:
    """As `by_keyword`, out of a mapping."""
    by_keyword(draft)
    for call in [each for each in ast.walk(draft.tree) if isinstance(each, ast.Call)]:
        if call.keywords and not call.args and all(each.arg for each in call.keywords) and _signature(draft, call):
            keys: list[ast.expr | None] = [ast.Constant(each.arg) for each in call.keywords]
            call.keywords = [ast.keyword(None, ast.Dict(keys, [each.value for each in call.keywords]))]


def by_partial(draft: Draft) -> None:
    """`f(x)` becomes `functools.partial(f, x)()`."""
    changed = 0
    for each in ast.walk(draft.tree):
        if isinstance(each, ast.Expr | ast.Assign | ast.Return) and isinstance(each.value, ast.Call):
            call = each.value
            made = built(call, "functools.partial(CALLEE)", CALLEE=call.func)
            assert isinstance(made, ast.Call)
            made.args, made.keywords = [call.func, *call.args], call.keywords
            each.value = built(call, "MADE()", MADE=made)
            changed += 1
    if changed:
        draft.imports("import functools")
