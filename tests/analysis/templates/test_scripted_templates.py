"""What templates of JavaScript programs print raw."""

import pytest

from counterproof.analysis.templates.script_templates import raw_outputs


@pytest.mark.parametrize(
    ("path", "text", "chains"),
    [
        ("a.ejs", "<p><%- user.name %></p>\n<p><%= user.name %></p>", [("user", "name")]),
        ("a.ejs", "<%- include('x') %><%- body %><%- JSON.stringify(x) %>", []),
        ("a.ejs", "<% users.forEach(function (u) { %>\n<%- u.name %>\n<% }) %>", [("users", "[]", "name")]),
        ("a.ejs", "<% for (const u of page.users) { %>\n<%- u.name %>", [("page", "users", "[]", "name")]),
        ("a.pug", "p!= text\np Hello !{user.name}\np= text", [("text",), ("user", "name")]),
        ("a.pug", "each item in list\n  li!= item.title", [("list", "[]", "title")]),
        ("a.hbs", "{{{html}}} {{text}} {{& more}}", [("html",), ("more",)]),
        ("a.njk", "{{ html | safe }} {{ text }}", [("html",)]),
    ],
)
def test_raw_values_are_found_with_the_names_that_lead_to_them(path: str, text: str, chains: list[tuple[str, ...]]) -> None:
    assert [each.chain for each in raw_outputs(path, text)] == chains


@pytest.mark.parametrize("suffix", ["ejs", "pug", "hbs", "njk"])
@pytest.mark.parametrize(
    "text", ["<%-" * 60_000, "{{{" * 60_000, "!{" * 60_000, "a.b" * 60_000 + "!=x", "\n" * 200_000, "{{ x |" * 40_000]
)
def test_hostile_templates_end(suffix: str, text: str) -> None:
    assert len(raw_outputs(f"a.{suffix}", text)) <= 500
