"""The map of a folder: one analysis, without a model or a run. Not handled here: presentation."""

from pathlib import Path

from counterproof.analysis.map import map_of
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.map import Map


def map_of_folder(folder: Path, options: SurveyOptions | None = None) -> Map:
    """Map a folder. Raises `UserError` if it has nothing to read."""
    return map_of(Project(folder, survey(folder, options)))
