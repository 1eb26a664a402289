"""Whatever the target holds, lowering returns, in bounded time and depth, and says what it could not follow."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.parsing import Unparsable
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.syntax.walk import walk
from effort import examples

FOLLOWED = {
    "plus": "x = " + "+".join(["a"] * 5000),
    "parentheses": "x = " + "(" * 5000 + "a" + ")" * 5000,
    "or": "x = " + " or ".join(["a"] * 5000),
    "elif": "if a: pass\n" + "elif b: pass\n" * 3000,
    "chained assignment": "a = " * 3000 + "1",
    "alternatives": "match x:\n  case " + "|".join(["1"] * 3000) + ": pass\n",
    "huge number": "x = " + "9" * 100_000,
    "surrogate": "x = '\ud800'\ny = 1",
    "nul": "x = '\0'\ny = 1",
    "dots": "from " + "." * 3000 + "x import y",
}

DEEP = {
    "lists": "x = " + "[" * 5000 + "a" + "]" * 5000,
    "calls": "x = a" + ".b()" * 5000,
    "attributes": "x = a" + ".b" * 5000,
    "not": "x = " + "not " * 5000 + "a",
    "lambda": "x = " + "lambda: " * 3000 + "1",
    "conditional": "x = " + "a if b else " * 3000 + "1",
}
CUT_SHORT = {
    "power": "x = " + "2 ** " * 3000 + "2",
    "mixed": "x = " + "a + b - " * 3000 + "c",
    "broken brackets": "x = " + "[" * 20_000,
    "quotes": "'" * 50_001,
}
MOVED = {
    "blocks": "".join(" " * depth + "if a:\n" for depth in range(300)) + " " * 300 + "x = 1",
    "functions": "".join(" " * depth + f"def f{depth}():\n" for depth in range(300)) + " " * 300 + "x = 1",
}


def depth_of(module: ir.Module) -> int:
    deepest = 0
    pending: list[tuple[object, int]] = [(each, 1) for each in module.body]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, ir.Node):
            deepest = max(deepest, depth)
            names = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
            pending.extend((getattr(node, name), depth + 1) for name in names)
        elif isinstance(node, tuple):
            pending.extend((inner, depth) for inner in node)  # pyright: ignore
    return deepest


@pytest.mark.rule("X16")
@pytest.mark.parametrize("text", FOLLOWED.values(), ids=FOLLOWED.keys())
def test_long_but_flat_code_is_followed(text: str) -> None:
    module = lower("m.py", text)
    assert module.problems == ()
    assert module.body


@pytest.mark.rule("X16")
@pytest.mark.parametrize("text", CUT_SHORT.values(), ids=CUT_SHORT.keys())
def test_deep_or_broken_code_is_cut_short_and_said_so(text: str) -> None:
    started = time.process_time()
    module = lower("m.py", text)
    assert module.problems
    assert depth_of(module) <= 2 * ir.MAX_DEPTH + 5  # a block brings a node for its arm, too
    assert time.process_time() - started < 5


@pytest.mark.rule("X21")
@pytest.mark.parametrize("text", [*DEEP.values(), *MOVED.values()], ids=[*DEEP, *MOVED])
def test_code_that_nests_too_deep_is_lowered_apart(text: str) -> None:
    started = time.process_time()
    module = lower("m.py", text.replace("x = 1", "innermost()").replace("[a]", "[innermost()]"))
    assert module.problems == ()
    assert depth_of(module) <= 3 * ir.MAX_DEPTH
    assert time.process_time() - started < 5
    if text in MOVED.values():
        assert "innermost" in {node.id for node in walk(*module.body) if isinstance(node, ir.Name)}


@pytest.mark.rule("X16")
@pytest.mark.parametrize("text", ["x = 1 " + "\\\n" * 4_000, "f<a," * 20_000], ids=["continued lines", "type arguments"])
def test_what_the_parser_would_work_on_without_end_is_refused(text: str) -> None:
    started = time.process_time()
    with pytest.raises(Unparsable):
        lower("m.py", text)
    assert time.process_time() - started < 5


@pytest.mark.rule("X16")
def test_what_nests_too_deep_too_often_is_unread() -> None:
    module = lower("m.py", ("x = " + "f(" * 400 + ")" * 400 + "\n") * 400)
    assert [problem.unread for problem in module.problems[:1]] == [True]


@pytest.mark.rule("X21")
def test_names_are_read_in_their_plain_spelling() -> None:
    module = lower("m.py", "os.\uff53\uff59\uff53tem('\uff53')  # \uff53\n")
    names = {node.name for node in walk(*module.body) if isinstance(node, ir.Attribute)}
    texts = {node.value for node in walk(*module.body) if isinstance(node, ir.Const)}
    assert (names, texts) == ({"system"}, {"\uff53"})


def test_variables_of_a_cut_expression_are_kept() -> None:
    module = lower("m.py", "x = " + "[" * 500 + "secret" + "]" * 500)
    assert "secret" in {node.id for node in walk(*module.body) if isinstance(node, ir.Name)}


def test_code_after_a_syntax_error_is_still_read() -> None:
    module = lower("m.py", "def a(:\n    pass\n\ndef b():\n    return eval(x)\n")
    assert module.problems
    assert "b" in {each.name for each in module.functions}


PIECES = st.lists(
    st.sampled_from(
        re.split(
            " ", "def class if else: for in while try except ( ) [ ] { } = + - * . , : ' \" f' {x} lambda await @ \n \t a b 1 #"
        )
    ),
    max_size=60,
)


@settings(max_examples=examples(150), deadline=None)
@given(PIECES)
def test_any_text_is_lowered(pieces: list[str]) -> None:
    text = " ".join(pieces)
    module = lower("m.py", text)
    for node in walk(*module.body):
        assert 1 <= node.line <= node.end <= module.lines


@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=200))
def test_any_characters_are_lowered(text: str) -> None:
    assert lower("m.py", text).lines >= 1
