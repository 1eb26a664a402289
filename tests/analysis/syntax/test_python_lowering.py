"""Python source to the intermediate form: structure, names, lines."""

import pickle

import pytest

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.syntax.walk import calls, dotted, walk


def only(text: str) -> ir.Statement:
    (statement,) = lower("m.py", text).body
    return statement


def expression(text: str) -> ir.Expr:
    statement = only(text)
    assert isinstance(statement, ir.ExprStatement)
    return statement.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1_000", 1000),
        ("0x1f", 31),
        ("-3", -3),
        ("1.5e3", 1500.0),
        ("True", True),
        ("None", None),
        (r"'a\n\x41\u00e9\101'", "a\nA\u00e9A"),
        (r"r'\d'", r"\d"),
        ("b'ab'", b"ab"),
        ("'a' \"b\" '''c'''", "abc"),
        ("'a\\\nb'", "ab"),
        ("f'{{x}}'", "{x}"),
        ("''", ""),
    ],
)
def test_literals_are_decoded(text: str, value: object) -> None:
    node = expression(text)
    assert isinstance(node, ir.Const)
    assert node.value == value
    assert type(node.value) is type(value)


def test_interpolated_string_keeps_pieces_and_values() -> None:
    node = expression("f'a{x}b' 'c' f'{y!r:>{w}}'")
    assert isinstance(node, ir.Format)
    assert [type(part) for part in node.parts] == [ir.Const, ir.Name, ir.Const, ir.Format]
    assert {name.id for name in walk(node) if isinstance(name, ir.Name)} == {"x", "y", "w", "repr"}


def test_nested_quotes_of_newer_python_are_read() -> None:
    module = lower("m.py", "x = f'{d['a']} {', '.join(y)}'\ntype T[K] = list[K]\ndef f[T](a: T) -> T: ...\n")
    assert module.problems == ()
    assert [each.name for each in module.functions] == ["f"]


def test_calls_keep_order_keywords_and_stars() -> None:
    node = expression("f(a, *b, c=1, **d)")
    assert isinstance(node, ir.Call)
    assert [(each.keyword, each.spread) for each in node.arguments] == [("", ""), ("", "*"), ("c", ""), ("", "**")]


def test_operators_are_flat_per_operator() -> None:
    node = expression("a + b + c * d * e - f")
    assert isinstance(node, ir.Binary)
    assert node.operator == "-"
    left = node.operands[0]
    assert isinstance(left, ir.Concat)
    assert len(left.parts) == 3


def test_comparison_and_boolean_chains() -> None:
    compared = expression("a < b <= c is not d not in e")
    assert isinstance(compared, ir.Compare)
    assert compared.operators == ("<", "<=", "is not", "not in")
    chained = expression("a or b or c")
    assert isinstance(chained, ir.Boolean)
    assert len(chained.operands) == 3


def test_assignments() -> None:
    chained = only("a = b.c = d[0] = x, y")
    assert isinstance(chained, ir.Assign)
    assert [type(each) for each in chained.targets] == [ir.Name, ir.Attribute, ir.Index]
    assert isinstance(chained.value, ir.Sequence)
    declared = only("a: int")
    assert isinstance(declared, ir.Assign)
    assert declared.value is None
    augmented = only("a //= 2")
    assert isinstance(augmented, ir.Augment)
    assert augmented.operator == "//"


def test_elif_is_flat_and_has_lines() -> None:
    node = only("if a:\n    pass\nelif b:\n    x = 1\nelse:\n    y = 2\n")
    assert isinstance(node, ir.If)
    assert [branch.line for branch in node.branches] == [1, 3]
    assert (node.line, node.end) == (1, 6)
    assert node.otherwise[0].line == 6


def test_try_with_and_loops() -> None:
    module = lower(
        "m.py",
        "try:\n    a()\nexcept (A, B) as e:\n    b()\nexcept:\n    c()\nelse:\n    d()\nfinally:\n    f()\n"
        "with (open(x) as g, h):\n    pass\nfor i, j in k:\n    break\nelse:\n    m()\nwhile q: continue\n",
    )
    attempt, context, loop, while_loop = module.body
    assert isinstance(attempt, ir.Try)
    assert [(handler.name, handler.kind is None) for handler in attempt.handlers] == [("e", False), ("", True)]
    assert attempt.otherwise
    assert attempt.final
    assert isinstance(context, ir.With)
    assert [item.target is not None for item in context.items] == [True, False]
    assert isinstance(loop, ir.Loop)
    assert loop.otherwise
    assert isinstance(while_loop, ir.Loop)
    assert while_loop.target is None


def test_definitions_are_qualified_and_described() -> None:
    module = lower(
        "m.py",
        "class C(Base, metaclass=M):\n    @deco\n    async def m(self, a, /, b: int = 1, *args, c=2, **kw) -> str:\n"
        "        def inner(): yield 1\n        return await b\n",
    )
    by_name = {each.qualified: each for each in module.functions}
    method, inner = by_name["C.m"], by_name["C.m.inner"]
    assert (method.owner, method.is_async, method.is_generator, method.line) == ("C", True, False, 3)
    assert [(each.name, each.kind) for each in method.parameters] == [
        ("self", "positional"),
        ("a", "positional"),
        ("b", "positional"),
        ("args", "*"),
        ("c", "keyword"),
        ("kw", "**"),
    ]
    assert (inner.owner, inner.within, inner.is_generator) == ("", "C.m", True)
    assert [each.keyword for each in module.classes[0].keywords] == ["metaclass"]


def test_imports_are_resolved_against_the_path() -> None:
    module = lower(
        "shop/web/views.py",
        "import os.path\nimport numpy as np\nfrom flask import request as r\nfrom . import forms\nfrom ..models import User\n"
        "from ...far import away\nfrom shop.tools import *\ndef f():\n    import json\n",
    )
    assert module.imports == {
        "os": "os",
        "np": "numpy",
        "r": "flask.request",
        "forms": "shop.web.forms",
        "User": "shop.models.User",
        "away": "far.away",
        "json": "json",
    }
    assert module.wildcards == ("shop.tools",)


def test_a_package_resolves_relative_imports_from_itself() -> None:
    assert lower("shop/__init__.py", "from .models import User").imports == {"User": "shop.models.User"}
    assert lower("shop/__init__.py", "").name == "shop"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from flask import request as r\nr.args.get('x')", "flask.request.args.get"),
        ("import os.path as p\np.join('a')", "os.path.join"),
        ("eval('1')", "eval"),
        ("app.run()", "app.run"),
        ("def eval(x): pass\neval('1')", "m.eval"),
        ("f()()", None),
        ("a[0].b()", None),
    ],
)
def test_dotted_names(text: str, name: str | None) -> None:
    module = lower("m.py", text)
    outermost = next(calls(module))
    assert dotted(outermost.callee, module) == name


def test_lines_are_counted_the_same_with_any_line_ending() -> None:
    text = "x = 1\n\n\ndef f():\n    return 2\n"
    for changed in (text.replace("\n", "\r\n"), "\ufeff" + text, text.replace("\n\n\n", "\n\x0c\n\n")):
        module = lower("m.py", changed)
        assert [(each.line, each.end) for each in module.functions] == [(4, 5)]


def test_module_survives_pickling() -> None:
    module = lower("m.py", "def f(a, *b):\n    return [x async for x in a if x]\n")
    copy = pickle.loads(pickle.dumps(module))
    assert [type(node) for node in walk(*copy.body)] == [type(node) for node in walk(*module.body)]


def test_old_print_and_exec_are_calls() -> None:
    module = lower("m.py", 'print "a"\nexec code\n')
    assert [dotted(each.callee, module) for each in calls(module)] == ["print", "exec"]
