"""Annotations that say what they should, and lines that no runner can take for a command (X11)."""

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from payloads import PAYLOADS, unseen
from sample_report import compared_sample, gallery, many, sample

from counterproof.model.report import Report
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.reports.github import PER_LEVEL, render_github, render_job_summary
from counterproof.reports.inert import workflow_line

COMMAND = re.compile(r"::(error|warning|notice) file=([^,:]+),line=(\d+),endLine=(\d+),title=([^,:]+)::(.*)")
COMMANDS = (
    "::set-env name=PATH::/tmp",
    "x\n::error::forged",
    "a,line=1::x",
    "100%0A::stop-commands::t",
    "##[set-output name=x]1",
    " ::add-mask::e",
)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def commands(text: str) -> list[re.Match[str]]:
    """The texts that the runner executes as commands: `::` at the start of a trimmed line, `##[` anywhere in any other line."""
    lines = text.splitlines()
    own = [line for line in lines if line.lstrip().startswith("::")]
    assert not [line for line in lines if "##[" in line and line not in own]
    found = [COMMAND.fullmatch(line) for line in own]
    assert all(found), own
    return [each for each in found if each]


def test_an_annotation_is_at_the_line_and_states_the_fix() -> None:
    report = sample()
    first = next(row for row in report.findings if row.severity.value == "critical")
    level, path, line, end, title, text = commands(render_github(report, "backend"))[0].groups()
    place = first.finding.location
    assert (level, path, line, end) == ("error", f"backend/{place.path}", str(place.start), str(place.end))
    assert unquote(title).startswith(f"{first.number} {first.finding.title}")
    assert first.finding.impact[:20] in unquote(text)


def test_only_what_counts_is_annotated_and_the_rest_is_counted() -> None:
    compared = compared_sample()
    counting_rows = [row for row in compared.findings if counts_against(row) and row.number in compared.first_page]
    assert 0 < len(commands(render_github(compared))) == len(counting_rows) < len(compared.findings)
    crowd = many(200)
    shown = commands(render_github(crowd))
    assert max(sum(each[1] == level for each in shown) for level in ("error", "warning", "notice")) == PER_LEVEL
    assert f"{200 - len(shown)} more findings without an annotation" in render_github(crowd)


def counting(payloads: tuple[str, ...]) -> Report:
    """Findings that are poisoned all through, and count."""
    report = gallery(payloads)
    return replace(report, findings=tuple(replace(row, accepted="", history="") for row in report.findings))


@pytest.mark.rule("X11")
def test_no_text_of_the_reviewed_code_is_a_command_to_the_runner() -> None:
    payloads = (*COMMANDS, *PAYLOADS)
    for start in range(0, len(payloads), PER_LEVEL):
        part = payloads[start : start + PER_LEVEL]
        text = render_github(replace(counting(part), banners=COMMANDS, limitations=COMMANDS, target=COMMANDS[0]))
        assert len(commands(text)) == len(part)
        assert unseen(text, " \n") == []


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", COMMANDS)
def test_a_line_of_a_log_is_no_command(payload: str) -> None:
    for line in workflow_line(payload).splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


@pytest.mark.rule("X11")
def test_the_jobs_page_holds_no_link_image_or_html() -> None:
    for part in (COMMANDS, tuple(PAYLOADS)):
        text = render_job_summary(counting(part))
        assert text.count("| critical |") == len(part)
        tokens = PARSER.parse(text)
        children = {child.type for token in tokens for child in token.children or []}
        assert children <= {"text", "text_special", "code_inline", "strong_open", "strong_close", "softbreak"}
        assert not {token.type for token in tokens} & {"html_block", "hr", "code_block", "fence"}
        assert unseen(text, " \n") == []


def test_the_jobs_page_tells_new_from_old_and_stays_small() -> None:
    page = render_job_summary(compared_sample())
    assert "### New findings" in page
    assert "In all: " in page
    quiet: Report = replace(compared_sample(), findings=())
    assert "Nothing is new." in render_job_summary(quiet)
    assert len(render_job_summary(many(5_000)).encode()) < 1 << 20
