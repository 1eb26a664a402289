"""Examinations of earlier runs, looked up by the files they depend on.

An examination is stored with the files among its inputs that could not be read, so that they are reported again; not if one of
them may be readable next time. Invariant: a result is used only if a new analysis would read the same bytes. Not handled here:
which files those are.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.model.survey import SourceFile
from counterproof.supervision import progress


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
