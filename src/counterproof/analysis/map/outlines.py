"""Outlines of the project files that the map reads: Python and JavaScript, without tests."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import script_file, script_outline
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.survey import Language


def outlines_of(project: Project, codebase: Codebase) -> Iterator[tuple[Outline, Language]]:
    """Every file, sorted by path, Python first."""
    for outline in codebase.outlines():
        yield outline, Language.PYTHON
    for language in SCRIPTS:
        for file in project.of_language(language):
            if not file.test and script_file(file.path):
                yield script_outline(project, file.path), language
