"""Scripts in pages: found at their own lines, whatever the page is made with."""

from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.analysis.syntax.page_scripts import script_of
from counterproof.model.survey import Language

RULES = tuple(
    each.rule for each in load_rules() if isinstance(each.rule, FlowRule) and Language.JAVASCRIPT in each.rule.languages
)
PAGE = """<html><body>
<script src="/jquery.js">ignored()</script>
<p id="found">{{ title }}</p>
<script>
  const wanted = new URLSearchParams(location.search).get('q');
  document.getElementById('found').innerHTML = 'You looked for ' + wanted;
</script>
</body></html>
"""


def found_in(root: Path, name: str, page: str) -> list[str]:
    (root / name).write_text(page, "utf-8")
    (root / "app.py").write_text("print()\n", "utf-8")
    return [f"{each.rule} {each.location}" for each in flow.examine_pages(Project(root, survey(root)), RULES).findings]


@pytest.mark.parametrize("name", ["page.html", "page.ejs", "page.hbs"])
def test_what_the_address_brings_is_followed_into_the_page(tmp_path: Path, name: str) -> None:
    assert found_in(tmp_path, name, PAGE) == [f"javascript-dom-xss {name}:6"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("innerHTML", "textContent"),
        ("location.search", "'?q=1'"),
        ("+ wanted", "+ Number(wanted)"),
        ("<script>\n", "<script type='text/template'>\n"),
        ("<script>\n", "<script src='/own.js'>\n"),
    ],
)
def test_harmless_pages_are_quiet(tmp_path: Path, old: str, new: str) -> None:
    assert old in PAGE
    assert found_in(tmp_path, "page.html", PAGE.replace(old, new)) == []


def test_everything_else_is_blank_and_keeps_its_lines() -> None:
    script = script_of(
        PAGE.replace("'q'", "{{ name }}").replace("</script>\n</body>", "{% if x %}1{% endif %}</script>\n</body>")
    )
    assert script.count("\n") == PAGE.count("\n")
    assert script.split("\n")[4] == "  const wanted = new URLSearchParams(location.search).get(0         );"
    assert "ignored" not in script
    assert "{%" not in script
    assert script_of("<p>nothing</p>") == ""
    assert script_of("<script>unclosed(") == ""
