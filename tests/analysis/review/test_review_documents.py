"""Documents: reasons why nothing can be reviewed, and unfilled templates."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import write
from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.documents import DOCUMENT_CHECKS
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.source.survey import SurveyOptions, survey


def asked(folder: Path, text: str) -> list[Claim]:
    write(folder, {"note.md": text})
    project = Project(folder, survey(folder, SurveyOptions(documents=True)))
    done = resolve(project, Wanted(paths=("note.md",), diff=None, documents=True))
    view = View(project, done.scope, done.before)
    return [claim for _, check in DOCUMENT_CHECKS for claim in check(view)]


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
def test_unfilled_template_is_reported_once(tmp_path: Path) -> None:
    assert [(each.kind, each.at.start) for each in asked(tmp_path, TEMPLATE)] == [("template is not filled in", 5)]
    assert not [each for each in asked(tmp_path, WRITTEN) if each.kind == "template is not filled in"]
