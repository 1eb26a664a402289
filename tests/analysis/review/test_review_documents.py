"""Documents: contradictions, open points, templates and figures, and the texts that hold none of them."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import write
from counterproof.analysis.project import Project
from counterproof.analysis.review import prose
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.documents import DOCUMENT_CHECKS
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.severity import Severity

NOTE = """# Sessions

Sessions end after 30 minutes so that a lost laptop is no danger.

We move the session store to another database. The system is robust, so no further testing is needed.

A user stays signed in for two hours.
"""
ORDINARY = (
    "# Limits\n\nGuest sessions end after 30 minutes. Staff sessions end after 8 hours. Logs are kept for 30 days.\n",
    "# A library\n\nA fast and reliable library. It is secure. Once this is set, it will create a file and remove the old one.\n",
    "# Keep the trace\n\nCards were bound to customers before. We removed that in 2023, since it cost more than it saved.\n",
    "# Install\n\n1. Add `x` to your settings\n2. Create a password and keep it\n3. Migrate the database\n",
    "# Backup\n\nBackups run every 6 hours. A backup takes 2 hours. It took 3 hours before. If it fails, it takes 9 hours.\n",
    "# Release\n\n```\nWe will drop the table. It is safe.\n```\n\n<!-- TODO: we will migrate everything -->\n\n![Build](https://a/add)\n",
)


def asked(folder: Path, text: str) -> list[Claim]:
    write(folder, {"note.md": text})
    project = Project(folder, survey(folder, SurveyOptions(documents=True)))
    done = resolve(project, Wanted(paths=("note.md",), diff=None, documents=True))
    view = View(project, done.scope, done.before)
    return [claim for _, check in DOCUMENT_CHECKS for claim in check(view)]


def test_a_contradiction_is_reported_and_wording_is_not(tmp_path: Path) -> None:
    found = {(each.title, each.at.start): each.severity for each in asked(tmp_path, NOTE)}
    assert found == {("30 minutes and two hours for the same thing", 7): Severity.HIGH}


@pytest.mark.parametrize("text", ORDINARY)
def test_texts_without_a_contradiction_are_left_alone(tmp_path: Path, text: str) -> None:
    assert asked(tmp_path, text) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The link is valid for one hour.", "Links expire after 24 hours."),
        ("Downtime is 5 minutes.", "The service will be offline for half an hour."),
        ("Files up to 10 MB are accepted.", "Uploads of 0.5 GB are accepted."),
        ("The cluster has three replicas.", "The cluster has 5 replicas."),
    ],
)
def test_figures_of_one_thing_that_differ(tmp_path: Path, first: str, second: str) -> None:
    found = asked(tmp_path, f"# Service\n\n{first}\n\nSome words between them.\n\n{second}\n")
    assert [(each.kind, each.at.start) for each in found] == [("the document contradicts itself", 7)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The link is valid for one hour.", "The link is valid for 60 minutes."),
        ("The link is valid for one hour.", "Today the link is valid for 24 hours."),
        ("The link is valid for one hour.", "The admin link is valid for 24 hours."),
        ("The link is valid for at least one hour.", "The link is valid for at most 24 hours."),
    ],
)
def test_figures_that_do_not_contradict_each_other(tmp_path: Path, first: str, second: str) -> None:
    assert asked(tmp_path, f"# Service\n\n{first}\n\n{second}\n") == []


def test_a_sentence_knows_its_line_and_an_endless_text_is_cut() -> None:
    read = prose.read("# T\n\nOne line\ngoes on. Then\nanother `name`\none. We will [drop](https://a/b) it.\n")
    assert [(each.line, each.text, each.cited) for each in read.sentences] == [
        (1, "T", False),
        (3, "One line goes on.", False),
        (4, "Then another `…` one.", True),
        (6, "We will drop it.", True),
    ]
    assert prose.read("A b.\n\n" * (prose.MAX_SENTENCES + 1)).cut


def test_why_nothing_can_be_reviewed_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"note.md": " \n\n", "app.py": "x = 1\n"})
    project = Project(tmp_path, survey(tmp_path, SurveyOptions(documents=True)))
    refused = resolve(project, Wanted(paths=("note.md", "app.py"), diff=None, documents=True)).refused
    assert refused == "nothing that was named can be reviewed: app.py: not a document (and 1 more)"
    assert resolve(project, Wanted(paths=("note.md",), diff=None, documents=True)).refused.endswith("note.md: empty")


TEMPLATE = """# Title

<!-- Give it a name. -->

## Summary

<!-- One paragraph. -->

## Motivation

[Describe why]

## Design

{{ design }}

## Risks

<!-- What may go wrong? -->
"""
FILLED = TEMPLATE.replace("<!-- One paragraph. -->", "We store the sessions in one place.").replace(
    "[Describe why]", "They get lost today."
)
WRITTEN = FILLED.replace("{{ design }}", "A table holds them all.").replace(
    "<!-- What may go wrong? -->", "The table may be lost; a backup limits that."
)


@pytest.mark.rule("R40")
def test_a_template_that_nobody_filled_in_is_told_once(tmp_path: Path) -> None:
    assert [(each.kind, each.at.start) for each in asked(tmp_path, TEMPLATE)] == [("template is not filled in", 5)]
    assert not [each for each in asked(tmp_path, WRITTEN) if each.kind == "template is not filled in"]


def test_an_empty_section_of_a_written_document_is_told(tmp_path: Path) -> None:
    found = [(each.kind, each.at.start) for each in asked(tmp_path, WRITTEN.replace("A table holds them all.", ""))]
    assert ("empty section", 13) in found
    assert not [each for each in asked(tmp_path, WRITTEN) if each.kind == "empty section"]


def _told(folder: Path, files: dict[str, str], wanted: str) -> list[str]:
    write(folder, files)
    project = Project(folder, survey(folder, SurveyOptions(documents=True)))
    done = resolve(project, Wanted(paths=(wanted,), diff=None, documents=True))
    view = View(project, done.scope, done.before)
    return [f"{each.kind}: {each.why}" for _, check in DOCUMENT_CHECKS for each in check(view)]


PLAN = "# Move the store\n\n## Proposal\n\nWe will move the orders to the new store.\n\n## Drawbacks\n\nNone known.\n"


@pytest.mark.parametrize("word", ["Not applicable.", "None.", "N/A", "- Proposed 03/12"])
def test_a_section_that_says_there_is_nothing_is_not_empty(tmp_path: Path, word: str) -> None:
    text = PLAN + "\n## Alternatives\n\n{}\n\n## Open questions\n\nAll of them are answered.\n"
    assert not [each for each in _told(tmp_path / "a", {"p.md": text.format(word)}, "p.md") if each.startswith("empty section")]
    assert [each for each in _told(tmp_path / "b", {"p.md": text.format("")}, "p.md") if each.startswith("empty section")]


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("`MAX_RETRIES` is 5 for all of them.", "MAX_RETRIES = 3\n", True),
        ("`MAX_RETRIES` is 3 for all of them.", "MAX_RETRIES = 3\n", False),
        ("`MAX_RETRIES` is 5 for all of them.", "MAX_RETRIES = 3\nMAX_RETRIES = 4\n", False),
        ("We will raise it: `MAX_RETRIES` = 5.", "MAX_RETRIES = 3\n", False),
        ("`MAX_RETRIES` is 5 for all of them.", "x = 1\n", False),
    ],
)
def test_a_figure_is_held_against_the_code(tmp_path: Path, line: str, code: str, told: bool) -> None:
    found = _told(tmp_path, {"p.md": f"{PLAN}\n{line}\n", "src/a.py": code}, "p.md")
    assert any(each.startswith("the code says otherwise") for each in found) is told


@pytest.mark.parametrize(
    ("line", "told"),
    [("The exact commands are TBD.", True), ("> What parts of the design are still TBD?", False), ("The name is TBD???", True)],
)
def test_a_question_of_a_template_leaves_nothing_open(tmp_path: Path, line: str, told: bool) -> None:
    found = asked(tmp_path, f"# Split the library\n\nWe will move the commands to a library of their own.\n\n{line}\n")
    assert ("open point" in [each.kind for each in found]) is told
