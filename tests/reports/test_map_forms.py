"""A68: the terminal form fits 80 columns, the HTML form is one safe file, the JSON form fits its schema."""

import json

import pytest
from jsonschema import Draft202012Validator

from counterproof.model.location import at
from counterproof.model.map import Component, Difference, Fact, Map, NotRead, Part, Route, Setting, Sibling, Siblings, Way
from counterproof.model.recon import Asks, EntryKind, WrittenGuard
from counterproof.reports import map as forms
from counterproof.reports.map.schema import schema
from counterproof.reports.screen import columns

HOSTILE = "<script>alert(1)</script>\x1b[31m"


def made() -> Map:
    guard = WrittenGuard(at("app.py", 3), f'@login_required("{HOSTILE}")', Asks.ROLE, "ADD")
    handler = at("app.py", 4)
    first = Route(EntryKind.HTTP, (Way("POST", "/order/<int:key>"), Way("POST", "/o")), handler, "order", "Flask", (guard,))
    second = Route(EntryKind.RPC, (Way("POST", "/api/order"),), at("api.py", 9), "Api.order", "Flask", (), "no @permission")
    ways = (Sibling(first.label, first.handler, first.asks), Sibling(second.label, second.handler, second.asks))
    rights = (Siblings(Difference.SAME_OPERATION, "Api.order", at("api.py", 9), ways),)
    sink = Fact("command-execution", at("api.py", 12), "subprocess.run(script)" * 9, "Api.order", (first.label, second.label))
    setting = Setting("reconnect.script", (at("api.py", 11),), ("command",), (at("api.py", 12),))
    return Map(
        HOSTILE, "0" * 64, (first, second), rights, (sink,), (setting,), (), (), (), (Component("src", 2, 90, ("python",)),),
        (NotRead("lib", "12 files, 2,003 lines of C#", 12, 2_003, first_party=True), NotRead("a.gif", "binary")), 90,
    )  # fmt: skip


@pytest.mark.rule("A68")
def test_terminal_form_fits_eighty_columns_and_names_text_and_meaning_of_each_guard() -> None:
    text = forms.render_terminal(forms.document(made()))
    assert max(columns(line) for line in text.split("\n")) <= 80
    assert "\x1b" not in text
    assert "role ADD" in text
    assert "2 web routes, 1 other entry point in 2 handlers, 2 with different rights than a sibling" in " ".join(text.split())
    assert "reconnect.script → command" in text
    assert "unknown" not in text


@pytest.mark.rule("A68")
def test_html_form_is_one_file_without_requests_and_escapes_code() -> None:
    page = forms.render_html(forms.document(made()))
    assert "<script>alert(1)" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


@pytest.mark.rule("A68")
def test_json_form_fits_the_published_schema() -> None:
    Draft202012Validator(schema()).validate(json.loads(forms.render_json(forms.document(made()))))


@pytest.mark.rule("A68")
def test_only_and_route_omit_everything_else() -> None:
    shown = forms.document(made(), (Part.ROUTES, Part.SINKS), "/api/*")
    assert [each.ways for each in shown.routes] == [("POST /api/order",)]
    assert (len(shown.sinks), shown.settings, shown.unread, shown.parts) == (1, (), (), ("routes", "sinks"))
