"""Examinations of earlier runs, and data-flow results, which are looked up by the files they depend on.

An examination is stored with the files among its inputs that could not be read, so that they are reported again; not if one of
them may be readable next time.

Data flow depends on the content of every Python file except tests, the names of possible templates, and the content of the
templates that the code renders. Those are known only after the analysis; so their list is stored under a key over everything
else, and the result under a key over both.

Invariant: a result is used only if a new analysis would read the same bytes. The same code, names and templates lead to the same
templates being read. Not handled here: results of other families.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from counterproof.analysis.cache import Results, digest_of
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.model.survey import Language, SourceFile
from counterproof.supervision import progress

NAME = "flows"


@dataclass(frozen=True, slots=True)
class Consulted:
    """Files other than code that were read, sorted by path."""

    paths: tuple[str, ...]


def keep(project: Project, key: str, made: Examination, inputs: Iterable[SourceFile]) -> None:
    """Store a complete examination of these files under a key."""
    from counterproof.analysis.syntax.parsing import TOO_LONG  # loads a parser, which a stored result avoids

    unread = project.unread.values()
    lasting = not progress.every_spared() and not any(each.internal or each.why == TOO_LONG for each in unread)
    if project.results and lasting and made.finished and project.in_time():
        paths = {file.path for file in inputs}
        mine = (each for each in unread if each.path in paths)
        project.results.keep(key, replace(made, unread=tuple(dict.fromkeys((*made.unread, *mine)))))


def find(project: Project, key: str) -> Examination | None:
    """The examination stored under a key; its unread files are recorded again."""
    found = project.results.find(Examination, key) if project.results else None
    for each in found.unread if found else ():
        project.left_unread(each.path, each.why)
    return found


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
        consulted = Consulted(tuple(sorted(path for path in read if project.files[path].language is None)))
        if made.finished and project.in_time():
            results.keep(code, consulted)
            keep(project, _whole_key(project, code, consulted), made, _code(project))
        return made

    return project.once(NAME, examination)


def _found(project: Project, results: Results, code: str) -> Examination | None:
    consulted = results.find(Consulted, code)
    if consulted is None or not project.files.keys() >= set(consulted.paths):
        return None
    return find(project, _whole_key(project, code, consulted))


def _code(project: Project) -> tuple[SourceFile, ...]:
    return tuple(file for file in project.of_language(Language.PYTHON) if not file.test)


def _code_key(project: Project, entry_points: str) -> str:
    """The code itself, and the names by which a template can be found."""
    names = "\n".join(file.path for file in project.survey.files if file.language is None and not file.test)
    return digest_of(f"{NAME}: code", _code(project), f"{len(names)}\n{names}\n{entry_points}")


def _whole_key(project: Project, code: str, consulted: Consulted) -> str:
    return digest_of(NAME, (project.files[path] for path in consulted.paths), code)
