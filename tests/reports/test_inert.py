"""Every function of `inert` makes any text harmless (X11)."""

import json
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from payloads import UNSEEN, hostile_text, patient, unseen

from counterproof.reports import inert

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
INERT_INLINE = {"text", "text_special", "code_inline", "softbreak"}


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or []]


@pytest.mark.rule("X11")
def test_no_unseen_character_of_unicode_stays_unseen() -> None:
    survivors = [
        hex(number)
        for number in range(0x110000)
        if unicodedata.category(chr(number)) in UNSEEN and number != 32 and inert.visible(chr(number)) == chr(number)
    ]
    assert survivors == []


@pytest.mark.rule("X11")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a\\u{202e}b"),
        ("\x1b[31m", "\\u{1b}[31m"),
        ("\U000e0041", "\\u{e0041}"),
        ("\udcff", "\\u{dcff}"),
        ("⚠️", "⚠️"),
        ("⚠\ufe0f\ufe0f", "⚠\ufe0f\\u{fe0f}"),
        ("a\ufe0f", "a\\u{fe0f}"),
        ("❤\ufe0f", "❤\\u{fe0f}"),
        ("größe 好", "größe 好"),
    ],
)
def test_unseen_characters_are_spelled_out(text: str, shown: str) -> None:
    assert inert.visible(text) == shown


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_prose_is_one_paragraph_of_plain_text(text: str) -> None:
    shown = inert.prose(text)
    assert "\n" not in shown
    tokens = PARSER.parse(shown)
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
    assert {token.type for token in inline(tokens)} <= INERT_INLINE
    for token in inline(tokens):
        if token.type != "code_inline":
            assert not re.search(r"://|@|www\.", token.content, re.IGNORECASE)


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_prose_is_displayed_as_written(text: str) -> None:
    tokens = PARSER.parse(inert.prose(text))
    read = "".join(token.content for token in inline(tokens))
    assert read == inert.line(text)


@pytest.mark.rule("X11")
@patient
@given(st.lists(st.one_of(hostile_text, st.sampled_from(["`a`", " `a b` ", "`", "``", "@x", " ", ", "]))).map("".join))
def test_a_remark_is_plain_text_and_code_alone(text: str) -> None:
    tokens = PARSER.parse(inert.remark(text))
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
    assert {token.type for token in inline(tokens)} <= INERT_INLINE
    for token in inline(tokens):
        assert token.type == "code_inline" or not re.search(r"://|@|www\.", token.content, re.IGNORECASE)
    read = "".join(token.content for token in inline(tokens))
    assert read.replace("`", "") == inert.line(text).replace("`", "")


def test_quotations_in_a_remark_are_code() -> None:
    assert inert.remark("`f(*a)` is gone, `b` stays: *c*") == "`f(*a)` is gone, `b` stays: \\*c\\*"
    assert inert.remark("a`b` and `c`d") == "a\\`b\\` and \\`c\\`d"


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_a_code_span_is_one_code_span(text: str) -> None:
    tokens = inline(PARSER.parse(f"before {inert.code(text)} after"))
    if inert.line(text):
        assert [token.type for token in tokens] == ["text", "code_inline", "text"]
        assert tokens[1].content == inert.line(text, inert.MAX_CODE)
    else:
        assert tokens[0].content == "before (empty) after"


@pytest.mark.rule("X11")
@patient
@given(hostile_text, hostile_text)
def test_table_cells_stay_in_their_cells(first: str, second: str) -> None:
    row = f"| a | b | c |\n| --- | --- | --- |\n| {inert.cell(first)} | {inert.cell_code(second)} | end |"
    tokens = PARSER.parse(row)
    cells = [tokens[index + 1] for index, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 3
    assert cells[2].content == "end"
    assert {token.type for token in inline(tokens)} <= INERT_INLINE


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_a_fence_holds_its_code_whatever_it_contains(text: str) -> None:
    tokens = PARSER.parse(f"{inert.fenced(text)}\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content == "".join(f"{each}\n" for each in inert.block(text))


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_a_terminal_line_has_no_control_character(text: str) -> None:
    assert unseen(inert.line(text)) == []
    assert all(unseen(each) == [] for each in inert.block(text))


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_terminal_text_keeps_its_layout_and_nothing_else_unseen(text: str) -> None:
    shown = inert.terminal_text(text)
    assert unseen(shown, " \n") == []
    assert shown.count("\n") == text.count("\n")
    assert inert.terminal_text("a  b\r\n\tc") == "a  b\n    c"


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_a_sarif_message_forms_no_link(text: str) -> None:
    shown = inert.message(text)
    assert unseen(shown) == []
    for link in re.finditer(r"\]\(", shown):
        slashes = len(shown[: link.start()]) - len(shown[: link.start()].rstrip("\\"))
        assert slashes % 2 == 1


@pytest.mark.rule("X11")
@patient
@given(st.dictionaries(hostile_text, hostile_text, max_size=3))
def test_json_keeps_values_exactly_and_shows_no_unseen_byte(value: dict[str, str]) -> None:
    text = inert.json_text(value)
    assert json.loads(text) == value
    assert unseen(text, " \n") == []
    text.encode()


def test_long_texts_say_how_much_is_missing() -> None:
    assert inert.line("x" * 2_500) == "x" * 2_000 + " … (500 more characters)"
    assert inert.code("y" * 310) == "`" + "y" * 300 + " … (10 more characters)`"
    assert inert.block("z\n" * 45)[-1] == "… (6 more lines)"


def test_code_keeps_its_indentation_and_loses_its_tabs() -> None:
    assert inert.block("def f():\r\n\treturn 1") == ("def f():", "    return 1")


@pytest.mark.parametrize("text", ["snake_case stays", "3.0.1", "a -> b", "f(x, y)", "50 % of 10"])
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert inert.prose(text) == inert.cell(text) == text


@pytest.mark.rule("X11")
@pytest.mark.parametrize("text", ["`", "[", "](", "_", "&", "\u202e", "1.", "x@", "\\", " \n", "|", "\ufe0f"])
def test_time_does_not_explode(text: str) -> None:
    long = text * (200_000 // len(text))
    started = time.process_time()
    for make in (inert.line, inert.prose, inert.cell, inert.code, inert.fenced, inert.message, inert.json_text):
        make(long)
    assert time.process_time() - started < 2


_SEEN = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=5)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _SEEN


@patient
@given(st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(_SEEN, inner), max_leaves=12))
def test_json_is_laid_out_as_the_standard_library_does_it(value: object) -> None:
    assert inert.json_text(value) == json.dumps(value, indent=2)
