"""What the change does to the code that was there: the classes of semantic edits, as claims.

Always: no tests and nothing that a program wrote; a new file has nothing that could be lost, and is looked at for what it says
alone. What rests on the belief that the old code had a reason is of low severity, so that a review shows it as minor (R35), and
where the history knows of no such reason it is noted and not claimed; what the code itself proves is of medium.
"""

import re
from collections.abc import Callable, Iterator

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.edits.alignment import FileEdit, file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.remarks import remarks
from counterproof.analysis.review.fix_history import TakenBack, fixes_taken_back
from counterproof.analysis.review.old_reasons import Found, Reason, reasons
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import FileRole, Language

CODE = (Language.PYTHON, *SCRIPTS)
NEAR = 6
"""Lines between a change and the statement that it leaves behind, within which both are shown."""


MAX_NAMED = 5
_GUARDING = re.compile(
    r"auth|permission|login|role|admin|owner|csrf|token|signature|verif|saniti|escap|password|secret|credential", re.IGNORECASE
)
"""What a remark speaks of that keeps somebody out: its loss is told, whatever brought it."""


def edited(view: View) -> Iterator[Claim]:
    """One claim for each remark; the comparison is made once for all specialists."""
    yield from view.project.once("review edits", lambda: tuple(_claims(view)))


def _claims(view: View) -> Iterator[Claim]:
    change = _change(view)
    found = [(each, _place(view, each)) for each in remarks(change)]
    believed = [(remark, place) for remark, place in found if not remark.proved]
    known = dict(zip((remark for remark, _ in believed), reasons(view, tuple(place for _, place in believed)), strict=True))
    named = {each.commit for each in known.values()}
    back = [each for each in fixes_taken_back(view, change) if each.fix not in named]
    yield from (_lost_fix(each) for each in back)
    quiet: list[str] = []
    for remark, place in found:
        why = known.get(remark)
        if why is not None and why.reason is Reason.NONE and not _GUARDING.search(remark.title):
            quiet.append(f"{remark.kind} at {place}")
        else:
            yield _claim(remark, place, why)
    if quiet:
        named = ", ".join(quiet[:MAX_NAMED]) + (f" and {len(quiet) - MAX_NAMED} more" if len(quiet) > MAX_NAMED else "")
        view.limitations.append(f"taken away or changed with no sign that it was there for a reason, so not claimed: {named}")


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


def _claim(remark: Remark, place: Location, reason: Found | None) -> Claim:
    line = place.start
    return Claim(
        kind=remark.kind,
        domain=remark.domain,
        title=remark.title[:200],
        severity=Severity.MEDIUM if remark.proved else Severity.LOW,
        confidence=Confidence.HIGH if remark.proved else Confidence.MEDIUM,
        at=place,
        why=f"{remark.why}{_belief(reason)}",
        chain=f"{place} -> {remark.path}:{remark.also or remark.line}" if (remark.also or remark.line) != line else "",
        fix=remark.fix,
    )


def _lost_fix(lost: TakenBack) -> Claim:
    places = ", ".join(str(each) for each in lost.places[:MAX_NAMED])
    return Claim(
        kind="fix taken back",
        title=f"takes back what commit {lost.fix} mended"[:200],
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        at=lost.places[0],
        why=f"{'All' if lost.whole else 'Most'} of what commit {lost.fix} did to this file is undone: the code reads again as it "
        f"did before, at {places}. Nothing in the change does the same in another way or says that it is meant. Assumed: the fix "
        "is still needed.",
        fix="Keep what the fix brought, or say in the change why it is no longer needed",
    )


def _belief(reason: Found | None) -> str:
    if reason is None:
        return ""
    if reason.reason is Reason.MENDED:
        return f" What goes came with commit {reason.commit}, which says that it mended something."
    return " Assumed: the old code had a reason."
