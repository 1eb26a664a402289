"""The target of a run as all its agents share it: the frozen survey, the parsed project, what recon saw.

Analysts are CPU-bound, so they take turns on one lock; what one parsed, the next one reuses.
"""

import threading
from functools import cached_property
from pathlib import Path

from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.recon import EntryPoint, Recon
from counterproof.model.survey import Survey


class Workspace:
    """One target. `expire` makes every analysis hand in at its next checkpoint."""

    def __init__(self, root: Path, options: SurveyOptions) -> None:
        self.root = root
        self.options = options
        self.turn = threading.Lock()
        self._expired = threading.Event()
        self._survey: Survey | None = None
        self.entry_points: tuple[EntryPoint, ...] = ()

    def expire(self) -> None:
        self._expired.set()

    def checkpoint(self) -> None:
        if self._expired.is_set():
            raise OutOfTime("the time limit was reached")

    def take_survey(self) -> Survey:
        """Look at the tree once; the result is the scope of everything that follows."""
        self._survey = survey(self.root, self.options)
        return self._survey

    def adopt(self, taken: Survey) -> None:
        """Use a survey from the journal; files are checked against it when they are read."""
        self._survey = taken

    @cached_property
    def project(self) -> Project:
        if self._survey is None:
            self.take_survey()
        assert self._survey is not None
        return Project(self.root, self._survey, self.checkpoint)

    def take_recon(self, attempt: int) -> Recon:
        with self.turn:
            return reconnoitre(self.project, attempt)
