"""Every constructed payload in every format: shown as characters, and nothing more (X11)."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from markdown_it import MarkdownIt
from payload_grid import GRID, MARKDOWN, PAGES, SHEETS, TERMINAL
from payloads import unseen
from sample_report import gallery

from counterproof.model.report import Report
from counterproof.reports import inert, render
from counterproof.reports.explanation import explain
from counterproof.reports.screen import columns
from counterproof.reports.summary import summary_rows

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
REFERENCE = re.compile(r"[a-z]+://|www\.|\w@\w", re.IGNORECASE)
"""What some renderers turn into a link or a mention without being asked."""
PART = 400
PARTS = [GRID[start : start + PART] for start in range(0, len(GRID), PART)]


@pytest.fixture(scope="module", params=range(len(PARTS)))
def report(request: pytest.FixtureRequest) -> Report:
    return gallery(PARTS[request.param])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield str(key)
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def test_the_grid_is_as_large_as_it_should_be() -> None:
    assert len(PAGES) > 500
    assert len(MARKDOWN) > 100
    assert len(TERMINAL) > 400
    assert len(SHEETS) > 60
    assert len(set(GRID)) > 1_000


@pytest.mark.rule("X11")
def test_markdown_holds_no_link_image_or_html(report: Report) -> None:
    text = render(report, "markdown") + "\n" + render(report, "appendix")
    assert unseen(text, " \n") == []
    tokens = PARSER.parse(text)
    children = {child.type for token in tokens for child in token.children or []}
    assert children <= {"text", "text_special", "code_inline", "strong_open", "strong_close", "softbreak"}
    plain = [child.content for token in tokens for child in token.children or [] if child.type == "text"]
    assert [each for each in plain if REFERENCE.search(each)] == []
    assert not {token.type for token in tokens} & {"html_block", "hr", "code_block"}
    headings = [tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open"]
    assert sum(heading.startswith(("C-", "H-", "M-", "L-")) for heading in headings) == len(report.findings)


@pytest.mark.rule("X11")
def test_no_table_cell_is_a_formula(report: Report) -> None:
    for line in render(report, "markdown").split("\n"):
        if line.startswith("| ") and set(line) - set("|- "):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            points = {cell for cell in cells if cell.lstrip("*").startswith(("+", "-")) and cell.strip("*+-").isdigit()}
            assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "%")) and cell not in points]


@pytest.mark.rule("X11")
def test_the_page_holds_no_tag_but_ours(report: Report) -> None:
    text = render(report, "html")
    assert unseen(text, " \n") == []
    harmless = render(gallery(("harmless",) * len(report.findings)), "html")
    assert text.count("<") == harmless.count("<")
    assert text.count("<script") == 1


@pytest.mark.rule("X11")
def test_machine_formats_hold_exact_or_visible_text(report: Report) -> None:
    for name in ("json", "sarif"):
        text = render(report, name)
        assert unseen(text, " \n") == []
        value = json.loads(text)
        if name == "sarif":
            assert all(unseen(each, " \n") == [] for each in strings(value))
        else:
            impacts = [row["finding"]["impact"] for row in value["findings"]]
            assert impacts == [row.finding.impact for row in report.findings]


@pytest.mark.rule("X11")
def test_a_terminal_gets_plain_characters(report: Report) -> None:
    rows = summary_rows(report, 3 * PART)
    assert all(unseen(row.text, " ") == [] and columns(row.text) <= 80 for row in rows)
    for row in report.findings:
        assert unseen(explain(report, row), " \n") == []
        arithmetic = explain(report, row).rpartition("\nSeverity\n")[2].split("\n")
        assert " in sum: " in arithmetic[len(row.calibration.terms)], "each term takes one line"


@pytest.mark.rule("X11")
@pytest.mark.parametrize("part", PARTS)
def test_html_escapes_every_character_that_acts(part: tuple[str, ...]) -> None:
    for payload in part:
        shown = inert.html(payload)
        assert not set("<>\"'") & set(shown)
        assert unseen(shown, " ") == []
