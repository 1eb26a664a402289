"""The map of a folder: one analysis, no model, no run. Not handled here: how it is shown."""

from pathlib import Path

from counterproof.analysis.map import map_of
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.map import Map


def map_of_folder(folder: Path, options: SurveyOptions | None = None) -> Map:
    """Raises `UserError` where there is nothing to read."""
    return map_of(Project(folder, survey(folder, options)))
