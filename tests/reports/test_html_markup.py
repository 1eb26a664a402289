"""HTML is safe by construction: whatever a string holds, it stays text or the value of the attribute it was given for."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from payloads import hostile_text, patient

from counterproof.reports import inert
from counterproof.reports.html.markup import Markup, lines, tag, together


class Seen(HTMLParser):
    def __init__(self, markup: Markup) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(markup.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_a_string_is_text_and_an_attribute_keeps_to_its_quotes(payload: str) -> None:
    seen = Seen(tag("p", payload, title=payload, class_="own"))
    assert [name for name, _ in seen.tags] == ["p"]
    title = seen.tags[0][1]["title"] or ""
    assert set(seen.tags[0][1]) == {"title", "class"}
    assert title.strip(" ") == inert.line(payload) or len(payload) > inert.MAX_TEXT
    assert seen.text == title


@pytest.mark.rule("X11")
@patient
@given(hostile_text)
def test_lines_of_code_stay_lines_of_code(payload: str) -> None:
    seen = Seen(tag("pre", lines(payload)))
    assert [name for name, _ in seen.tags] == ["pre"]
    assert seen.text == "\n".join(inert.block(payload))


def test_attributes_and_children() -> None:
    assert tag("a", "x", tag("b", "y"), href="#z", aria_label="n", hidden=True, title=False, for_="f").html == (
        '<a href="#z" aria-label="n" hidden for="f">x<b>y</b></a>'
    )
    assert tag("input", type="search").html == '<input type="search"/>'
    assert together((tag("i"), tag("b"))).html == "<i></i>\n<b></b>"
