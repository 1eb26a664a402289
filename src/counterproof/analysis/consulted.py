"""Data-flow results of an earlier run, looked up by the files they depend on.

Data flow depends on the content of every Python file except tests, the names of possible templates, and the content of the
templates that the code renders. Those are known only after the analysis; so their list is stored under a key over everything
else, and the result under a key over both.

Invariant: a result is used only if a new analysis would read the same bytes. The same code, names and templates lead to the same
templates being read. Not handled here: results of other families.
"""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.cache import Results, digest_of
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.model.survey import Language

NAME = "flows"


@dataclass(frozen=True, slots=True)
class Consulted:
    """Files other than code that were read, sorted by path."""

    paths: tuple[str, ...]


def flows_of_python(project: Project, entry_points: str, make: Callable[[], Examination]) -> Examination:
    """Computed once for all agents of a run, or loaded from an earlier run; stored only if complete."""

    def examination() -> Examination:
        results = project.results
        if results is None:
            return make()
        code = _code_key(project, entry_points)
        found = _found(project, results, code)
        if found is not None:
            return found
        with project.noting() as read:
            made = make()
        if made.finished and project.in_time():
            consulted = Consulted(tuple(sorted(path for path in read if project.files[path].language is None)))
            results.keep(code, consulted)
            results.keep(_whole_key(project, code, consulted), made)
        return made

    return project.once(NAME, examination)


def _found(project: Project, results: Results, code: str) -> Examination | None:
    consulted = results.find(Consulted, code)
    if consulted is None or not project.files.keys() >= set(consulted.paths):
        return None
    return results.find(Examination, _whole_key(project, code, consulted))


def _code_key(project: Project, entry_points: str) -> str:
    """The code itself, and the names by which a template can be found."""
    files = [file for file in project.survey.files if not file.test]
    names = "\n".join(file.path for file in files if file.language is None)
    code = (file for file in files if file.language is Language.PYTHON)
    return digest_of(f"{NAME}: code", code, f"{len(names)}\n{names}\n{entry_points}")


def _whole_key(project: Project, code: str, consulted: Consulted) -> str:
    return digest_of(NAME, (project.files[path] for path in consulted.paths), code)
