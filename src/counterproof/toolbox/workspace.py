"""The target of a run as shared by all its agents: the frozen survey, the parsed project, recon and the map.

Analysts are CPU-bound, so they take turns on one lock; what one parsed, the next one reuses.
"""

import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from counterproof.analysis.cache import Results, digest_of
from counterproof.analysis.cache.traits import Told
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.project import Project
from counterproof.analysis.reuse import settle
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.map import Map
from counterproof.model.recon import EntryPoint, Recon
from counterproof.model.survey import Survey
from counterproof.model.vulnerabilities import VulnerabilityData
from counterproof.supervision.collector import COLLECTOR

T = TypeVar("T")


class Turn:
    """A lock for one analyst at a time, with the garbage collector paused."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()
        COLLECTOR.hold_back()

    def __exit__(self, *_: object) -> None:
        COLLECTOR.let_go()
        self._lock.release()


class Workspace:
    """One target, and the resource ceiling of its analysis."""

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
        """Scan the tree once; the result is the scope of the whole run."""
        self._survey = survey(self.root, self.options)
        return self._survey

    def adopt(self, taken: Survey) -> None:
        """Use a survey from the journal; files are checked against it when they are read."""
        self._survey = taken

    @cached_property
    def project(self) -> Project:
        project = Project(self.root, self._survey or self.take_survey(), self.ceiling.checkpoint)
        project.vulnerability_data = self.vulnerability_data
        remember(project, self.results)
        return project

    def take_recon(self, attempt: int) -> Recon:
        """Run one attempt, or reuse an earlier run's result for the same files."""

        def made(project: Project) -> Recon:
            from counterproof.analysis.recon import reconnoitre  # imports the parsers of all languages

            return reconnoitre(project, attempt)

        found = self._kept(Recon, f"recon {attempt}", made)
        assert found is not None
        return found

    def take_map(self) -> Map | None:
        """The map for the report's page; None if it cannot be made."""

        def made(project: Project) -> Map | None:
            from counterproof.analysis.map import map_of
            from counterproof.analysis.secrets.outgoing_text import safe

            return project.spared("map", "making the map", lambda: safe(project, map_of(project)), None)

        return self._kept(Map, "map", made)

    def _kept(self, kind: type[T], name: str, make: Callable[[Project], T | None]) -> T | None:
        """A result of an earlier run for the same files, or a new one. A result that ran out of time is not stored."""
        with self.turn:
            project = self.project
            key = digest_of(name, project.survey.files, project.survey.name)
            known = self.results.find(kind, key) if self.results else None
            if known is not None:
                return known
            found = make(project)
            if found is not None and self.results and project.in_time():
                self.results.keep(key, found)
                settle(project)
            return found


def remember(project: Project, results: Results | None) -> None:
    """Let a project reuse the results of earlier runs over the same tree."""
    project.results = results
    if results:
        project.told = Told(results.store, project)
