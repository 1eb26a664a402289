"""What the change does to the code that was there: the classes of semantic edits, as claims.

Always: no tests and nothing that a program wrote; a new file has nothing that could be lost, and is looked at for what it says
alone. What rests on the belief that the old code had a reason is of low severity, so that a review shows it as minor (R35); what
the code itself proves is of medium.
"""

import re
from collections.abc import Callable, Iterator

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.edits.alignment import FileEdit, file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.remarks import remarks
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import FileRole, Language

CODE = (Language.PYTHON, *SCRIPTS)
NEAR = 6
"""Lines between a change and the statement that it leaves behind, within which both are shown."""


def edited(view: View) -> Iterator[Claim]:
    """One claim for each remark; the comparison is made once for all specialists."""
    for each in view.project.once("review edits", lambda: tuple(remarks(_change(view)))):
        yield _claim(view, each)


def _change(view: View) -> Change:
    project = view.project

    def texts(word: str) -> Iterator[tuple[str, str]]:
        for file in project.survey.files:
            if file.language in CODE and not file.test and word in (text := project.text(file.path)):
                yield file.path, text

    def everywhere(word: str) -> Iterator[tuple[str, str]]:
        for file in project.survey.files:
            if word in (text := project.text(file.path)):
                yield file.path, text

    paths = frozenset(file.path for file in project.survey.files)
    return Change(tuple(_files(view)), _mentions(project), texts, everywhere, paths, frozenset(view.before) & paths)


def _files(view: View) -> Iterator[FileEdit]:
    for path, before in view.before.items():
        file = view.project.files.get(path)
        ours = file is not None and file.language in CODE and file.role not in (FileRole.TEST, FileRole.GENERATED)
        if path in view.files and ours:
            view.project.checkpoint()
            made = file_edit(path, before or "", view.project.text(path))
            if made is not None:
                yield made


def _mentions(project: Project) -> Callable[[str], bool]:
    """Whether a word stands anywhere in the tree's code. Answers are kept: a change asks for the same few words."""
    known: dict[str, bool] = {}

    def mentions(word: str) -> bool:
        if word not in known:
            whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            texts = (project.text(file.path) for file in project.survey.files if file.language in CODE)
            known[word] = any(word in text and whole.search(text) for text in texts)
        return known[word]

    return mentions


def _place(view: View, remark: Remark) -> Location:
    """Where the change is that the remark speaks of: what was taken away leaves its trace beside the statement that is left."""
    last = max(1, view.project.files[remark.path].lines)
    line = min(remark.line, last)
    if view.touches(remark.path, line, line):
        return Location(remark.path, line, line)
    edges = [edge for low, high in view.files[remark.path].changed for edge in (min(low, last), min(high, last))]
    nearest = min(edges, key=lambda edge: abs(edge - line), default=line)
    if abs(nearest - line) <= NEAR:
        return Location(remark.path, min(nearest, line), max(nearest, line))
    return Location(remark.path, nearest, min(last, nearest + 1))


def _claim(view: View, remark: Remark) -> Claim:
    place = _place(view, remark)
    line = place.start
    return Claim(
        kind=remark.kind,
        domain=remark.domain,
        title=remark.title[:200],
        severity=Severity.MEDIUM if remark.proved else Severity.LOW,
        confidence=Confidence.HIGH if remark.proved else Confidence.MEDIUM,
        at=place,
        why=remark.why if remark.proved else f"{remark.why} Assumed: the old code had a reason.",
        chain=f"{place} -> {remark.path}:{remark.also or remark.line}" if (remark.also or remark.line) != line else "",
        fix=remark.fix,
    )
