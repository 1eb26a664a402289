"""Templates are cut into pieces, and their expressions read, whatever a hostile file holds."""

import time

import pytest

from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.dialects import DJANGO, JINJA, TORNADO
from counterproof.analysis.templates.expressions import parsed
from counterproof.analysis.templates.nodes import Block, Filter, Include, Member, Print, Spot, Template
from counterproof.analysis.templates.parser import read
from counterproof.analysis.templates.scanner import pieces


def prints(template: Template) -> list[Print]:
    return [node for node in template.body if isinstance(node, Print)]


def test_pieces_keep_their_lines() -> None:
    found = list(pieces("a\n{{ x }}\n{% if y %}\n{# no\n #}{{- z -}}"))
    assert [(each.kind, each.text.strip(), each.line) for each in found if each.text.strip()] == [
        ("text", "a", 1),
        ("print", "x", 2),
        ("tag", "if y", 3),
        ("print", "z", 5),
    ]


def test_closers_inside_quotes_do_not_close() -> None:
    assert [each.text for each in pieces("{{ '}}' ~ x }}")] == ["'}}' ~ x"]


def test_unclosed_pieces_are_text() -> None:
    assert [each.kind for each in pieces("a {{ b")] == ["text", "text", "text"]


def test_filters_bind_closer_than_operators() -> None:
    expr = parsed("a ~ b|safe", 1)
    assert isinstance(expr, ir.Concat)
    assert isinstance(expr.parts[1], Filter)


def test_members_elements_and_calls() -> None:
    expr = parsed("a.b[0].c(1, k=d).e", 1)
    assert isinstance(expr, Member)
    assert isinstance(expr.value, ir.Call)
    assert isinstance(expr.value.callee, ir.Attribute)


def test_django_reads_positions_and_arguments_of_filters() -> None:
    expr = parsed("a.0|default:'x'", 1, django=True)
    assert isinstance(expr, Filter)
    assert isinstance(expr.value, ir.Index)
    assert [each.value for each in expr.arguments if isinstance(each, ir.Const)] == ["x"]


def test_what_cannot_be_read_keeps_its_names() -> None:
    expr = parsed("a ?? b $ c", 1)
    assert isinstance(expr, ir.Unknown)
    assert [each.id for each in expr.children if isinstance(each, ir.Name)] == ["a", "b", "c"]


SPOTS = {
    "<p>{{ x }}": Spot.TEXT,
    "<p title='a {{ x }}'>": Spot.QUOTED,
    "<p title={{ x }}>": Spot.UNQUOTED,
    "<p title = {{ x }}>": Spot.UNQUOTED,
    "<a href='{{ x }}'>": Spot.ADDRESS,
    "<a href='/a/{{ x }}'>": Spot.QUOTED,
    "<link href='{{ x }}'>": Spot.QUOTED,
    "<img src='{{ x }}'>": Spot.QUOTED,
    "<iframe src='{{ x }}'>": Spot.ADDRESS,
    "<a onclick='f({{ x }})'>": Spot.HANDLER,
    "<script>a = {{ x }}": Spot.SCRIPT,
    "<script>a = '{{ x }}'": Spot.SCRIPT_TEXT,
    "<script>a = 'it\\'s {{ x }}'": Spot.SCRIPT_TEXT,
    "<script>// it's\na = {{ x }}": Spot.SCRIPT,
    "<script>a</script>{{ x }}": Spot.TEXT,
    "<style>a { {{ x }}": Spot.OTHER,
    "<STYLE>a</STYLE>{{ x }}": Spot.TEXT,
    "<!-- {{ x }}": Spot.OTHER,
    "<!-- a -->{{ x }}": Spot.TEXT,
    "a < b {{ x }}": Spot.TEXT,
    "<p a='>'>{{ x }}": Spot.TEXT,
    "<p a=b>{{ x }}": Spot.TEXT,
    "<br/>{{ x }}": Spot.TEXT,
}


@pytest.mark.parametrize(("text", "spot"), SPOTS.items(), ids=list(SPOTS))
def test_place_of_a_print(text: str, spot: Spot) -> None:
    [found] = prints(read("x.html", text, JINJA))
    assert found.spot is spot


def test_blocks_inclusions_and_parents() -> None:
    template = read("x.html", "{% extends 'a' %}{% block b %}{{ x }}{% endblock b %}{% include 'c' with y=x only %}", DJANGO)
    assert template.parent is not None
    assert list(template.blocks) == ["b"]
    assert [type(node) for node in template.body] == [Block, Include]


def test_tornado_ends_every_block_alike() -> None:
    template = read("x.html", "{% for a in b %}{% if a %}{{ a }}{% end %}{% end %}{% raw c %}{{ d }}", TORNADO)
    assert [type(node) for node in template.body] == [ir.Loop, Print, Print]
    assert [each.escaped for each in prints(template)] == [False, None]


def test_else_of_a_loop_and_of_a_branch() -> None:
    template = read(
        "x.html", "{% for a in b %}1{% else %}{{ c }}{% endfor %}{% if d %}{{ e }}{% elif f %}{% else %}{{ g }}{% endif %}", JINJA
    )
    loop, branch = template.body
    assert isinstance(loop, ir.Loop)
    assert len(loop.otherwise) == 1
    assert isinstance(branch, ir.If)
    assert (len(branch.branches), len(branch.otherwise)) == (2, 1)


HOSTILE = {
    "openers": "{{" * 200_000,
    "tags": "{% if a %}" * 40_000,
    "brackets": "{{ " + "(" * 1_900 + " }}",
    "quotes": "{{ '" * 100_000,
    "styles": "<style>" * 60_000,
    "quotes in tags": "<a b='" * 60_000,
    "angle brackets": "<" * 400_000,
    "endings": "{% endif %}" * 40_000,
    "verbatim": "{% raw %}" * 40_000,
    "filters": "{{ a" + "|b" * 900 + " }}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_templates_end_soon(text: str) -> None:
    start = time.process_time()
    read("x.html", text, JINJA)
    read("x.html", text, TORNADO)
    assert time.process_time() - start < 5
