"""A68: the terminal form fits 80 columns, the HTML form is one safe file, the JSON form fits its schema."""

import json

import pytest
from jsonschema import Draft202012Validator
from sample_report import a_map

from counterproof.model.map import Map, Part
from counterproof.reports import map as forms
from counterproof.reports.schema import map_schema
from counterproof.reports.screen import columns

HOSTILE = "<script>alert(1)</script>\x1b[31m"


def made() -> Map:
    return a_map(HOSTILE)


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
    Draft202012Validator(map_schema()).validate(json.loads(forms.render_json(forms.document(made()))))


@pytest.mark.rule("A68")
def test_only_and_route_omit_everything_else() -> None:
    shown = forms.document(made(), (Part.ROUTES, Part.SINKS), "/api/*")
    assert [each.ways for each in shown.routes] == [("POST /api/order",)]
    assert (len(shown.sinks), shown.settings, shown.unread, shown.parts) == (1, (), (), ("routes", "sinks"))
