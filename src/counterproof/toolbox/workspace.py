"""The target of a run as all its agents share it: the frozen survey, the parsed project, what recon saw.

Analysts are CPU-bound, so they take turns on one lock; what one parsed, the next one reuses.
"""

import threading
from functools import cached_property
from pathlib import Path

from counterproof.analysis.cache import Results, digest_of
from counterproof.analysis.cache.judged_files import Earlier
from counterproof.analysis.cache.traits import Told
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.project import Project
from counterproof.analysis.reuse import settle
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.recon import EntryPoint, Recon
from counterproof.model.survey import Survey
from counterproof.model.vulnerabilities import VulnerabilityData
from counterproof.supervision.collector import COLLECTOR


class Turn:
    """One analyst at a time, with the garbage collector held back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()
        COLLECTOR.hold_back()

    def __exit__(self, *_: object) -> None:
        COLLECTOR.let_go()
        self._lock.release()


class Workspace:
    """One target, and the ceiling that its analysis stays under."""

    def __init__(self, root: Path, options: SurveyOptions, results: Results | None = None) -> None:
        self.root = root
        self.results = results
        self.options = options
        self.turn = Turn()
        self.ceiling = Ceiling()
        self._survey: Survey | None = None
        self.entry_points: tuple[EntryPoint, ...] = ()
        self.recon: Recon | None = None
        self.vulnerability_data: VulnerabilityData | None = None

    def take_survey(self) -> Survey:
        """Look at the tree once; the result is the scope of everything that follows."""
        earlier = Earlier(self.results, self.root, bool(self.options.include))
        self._survey = survey(self.root, self.options, earlier.judged())
        earlier.keep(self._survey)
        return self._survey

    def adopt(self, taken: Survey) -> None:
        """Use a survey from the journal; files are checked against it when they are read."""
        self._survey = taken

    @cached_property
    def project(self) -> Project:
        if self._survey is None:
            self.take_survey()
        assert self._survey is not None
        project = Project(self.root, self._survey, self.ceiling.checkpoint)
        project.vulnerability_data = self.vulnerability_data
        remember(project, self.results)
        return project

    def take_recon(self, attempt: int) -> Recon:
        """One attempt, or what an earlier run found in the same files. What one attempt finds, time over, is kept by nobody."""
        with self.turn:
            project = self.project
            key = digest_of(f"recon {attempt}", project.survey.files, project.survey.name)
            known = self.results.find(Recon, key) if self.results else None
            if known is not None:
                return known
            from counterproof.analysis.recon import reconnoitre  # parsers of all languages: only where there is work for them

            found = reconnoitre(project, attempt)
            if self.results and project.in_time():
                self.results.keep(key, found)
                settle(project)
            return found


def remember(project: Project, results: Results | None) -> None:
    """Let a project find again what earlier runs over a tree of its name left."""
    project.results = results
    if results:
        project.told = Told(results.store, project)
