"""Whatever the target holds, lowering of JavaScript and TypeScript returns, in bounded depth, and says what it left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import lower
from counterproof.analysis.syntax.javascript.resolution import Manifest, Resolver
from counterproof.analysis.syntax.walk import children, walk
from effort import examples

FOLLOWED = {
    "plus": "x = " + "+".join(["a"] * 3000),
    "or": "x = " + " || ".join(["a"] * 3000),
    "else if": "if (a) {} " + "else if (b) {} " * 1000,
    "chained assignment": "a = " * 1000 + "1",
    "cases": "switch (x) {" + "case 1: " * 2000 + "go() }",
    "huge number": "x = " + "9" * 100_000,
    "surrogate": "x = '\ud800'; y = 1",
    "nul": "x = '\0'; y = 1",
}
DEEP = {
    "arrays": "x = " + "[" * 2000 + "a" + "]" * 2000,
    "calls": "x = a" + ".b()" * 2000,
    "not": "x = " + "!" * 2000 + "a",
    "arrows": "x = " + "a => " * 1000 + "1",
    "conditional": "x = " + "a ? b : " * 1000 + "1",
    "patterns": "const " + "[" * 500 + "a" + "]" * 500 + " = x",
    "blocks": "if (a) {" * 500 + "}" * 500,
    "functions": "function f() {" * 300 + "}" * 300,
    "classes": "class A { m() {" * 200 + "}}" * 200,
}


def depth_of(module: ir.Module) -> int:
    deepest = 0
    pending: list[tuple[ir.Node, int]] = [(each, 1) for each in module.body]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((inner, depth + 1) for inner in children(node))
    return deepest


@pytest.mark.parametrize("text", FOLLOWED.values(), ids=FOLLOWED.keys())
def test_long_but_flat_code_is_followed(text: str) -> None:
    module = lower("m.js", text)
    assert not module.problems
    assert depth_of(module) < ir.MAX_DEPTH


@pytest.mark.rule("X21")
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_code_nested_too_deep_is_lowered_apart(text: str) -> None:
    module = lower("m.js", text)
    assert not any(each.unread for each in module.problems)
    assert depth_of(module) < ir.MAX_DEPTH * 4


@pytest.mark.rule("X21")
def test_names_are_read_in_their_plain_spelling() -> None:
    module = lower("m.js", r"\u0065val(x); e\u{76}al('\u0065')")
    calls = [node.callee for node in walk(*module.body) if isinstance(node, ir.Call)]
    assert {callee.id for callee in calls if isinstance(callee, ir.Name)} == {"eval"}


@pytest.mark.rule("X16")
def test_a_switch_in_a_switch_does_not_multiply() -> None:
    module = lower("m.js", "switch (x) { case 1: a(); case 2: " * 200 + "}" * 200)
    assert sum(1 for _ in walk(*module.body)) < 200_000


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text(alphabet="{}[]()=>.,;:`'\"$/\\ \nabnewclassfunction=>asyncawait<>?!&|*", max_size=200),
    st.sampled_from(["js", "tsx", "ts"]),
)
def test_any_text_is_lowered(text: str, suffix: str) -> None:
    assert lower(f"m.{suffix}", text).path == f"m.{suffix}"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"main": 3, "name": []}', "[" * 100_000, '{"exports": {".": {"import": {}}}}', "null"]
)
def test_any_manifest_is_read(text: str) -> None:
    manifest = Manifest("p", text)
    assert (manifest.name, manifest.main, manifest.private) == ("", "", False)


def test_no_import_leads_out_of_the_project() -> None:
    resolver = Resolver(frozenset({"a/b.js"}), ())
    assert resolver.file("a/b.js", "../../../../etc/passwd") is None
    assert resolver.file("a/b.js", "/etc/passwd") is None
