"""The check of `javascript-raw-output`."""

from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.templates.script_templates import prints_pages, raw_outputs


def check(project: Project, path: str) -> Iterator[Match]:
    for raw in raw_outputs(path, project.text(path)):
        yield Match(raw.line, raw.line, raw.expression, "printed without escaping", True, Confidence.MEDIUM)


applies = prints_pages
