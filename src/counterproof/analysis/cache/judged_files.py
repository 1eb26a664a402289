"""Files as the last survey of a tree judged them, so that what did not change is hashed and not read line by line again.

Invariant: a file is taken over only for the same path, the same bytes and the same program, so that it is what judging it
again would give. Not handled here: which files a tree has; every survey walks for itself.
"""

from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.results import Results
from counterproof.analysis.source.content import Judged
from counterproof.model.survey import SourceFile, Survey


@dataclass(frozen=True, slots=True)
class JudgedFiles:
    """Every file of one survey, in order of path."""

    files: tuple[SourceFile, ...]


class Earlier:
    """The last survey of a tree with the same choice of generated files, where results are kept."""

    def __init__(self, results: Results | None, root: Path, include_generated: bool) -> None:
        self._results = results
        self._key = digest_of("judged files", (), f"{root.absolute()}\n{include_generated}") if results else ""
        found = results.find(JudgedFiles, self._key) if results else None
        self._files = found.files if found else ()

    def judged(self) -> Judged:
        """By path and digest."""
        return {(each.path, each.sha256): each for each in self._files if not each.reached_from}

    def keep(self, survey: Survey) -> None:
        if self._results and survey.files != self._files:
            self._results.keep(self._key, JudgedFiles(survey.files))
