"""What becomes of a doubt: whether it stops the plan or is only asked. The table in `evidence` decides; this applies it.

Always: what the repository shows against the plan is graded by its record, and only then is the plan heard. A doubt goes down by
one grade where the plan leaves open the very thing that is doubted, or where another plan of the repository makes it; that the
plan builds on other work lowers here only what would be asked. More mistakes never make a better verdict, nor do more words:
a plan that leaves open so many points that the repository answers is not heard on any of them.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import GRADES, IMPORTED, MANY, MISSING, NOWHERE, SLIPS, UNEARNED, Evidence, Grade
from counterproof.analysis.plans.hearing import LEFT_OPEN, led_openly, said_of
from counterproof.analysis.plans.order import said_in_step
from counterproof.model.plan.challenge import Confidence, Weight

_MAKES = re.compile(
    r"\b(?:creat|add|install|new\b|introduc|export|define|implement|writ)\w{0,4}|\bnpm i\b"
    r"|[\"'][ \t]*:[ \t]*[\"'][\^~]?\d|新建|创建|新增|添加|安装",
    re.IGNORECASE,
)
"""Words by which a line of another plan brings what it names, or a version in a manifest."""

_UNCOMMITTED = re.compile(
    r"\b(?:working|work) tree\b.{0,20}\b(?:already )?(?:contains|has|holds)\b|\buncommitted\b|\bnot (?:yet )?committed\b",
    re.IGNORECASE,
)
"""Words by which a file is not as the repository has it."""


def weighed(case: Case, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts with their grades, the heaviest first; those that are asked are MINOR and say why."""
    answered = [(doubt, admitted(case, doubt)) for doubt in doubts]
    too_open = sum(line > 0 and _grade(doubt) is Grade.STANDS for doubt, line in answered) >= MANY
    graded = [_graded(case, doubt, 0 if too_open else line) for doubt, line in answered]
    return tuple(sorted(filter(None, graded), key=_order))


def _order(doubt: Doubt) -> tuple[int, Grade, bool, tuple[int, ...], str]:
    """The heaviest first; of questions, those that contradict the plan by their nature."""
    return doubt.weight.rank, doubt.grade, doubt.evidence not in UNEARNED, doubt.lines, doubt.claim


def _grade(doubt: Doubt) -> Grade:
    shown = doubt.places or doubt.evidence in NOWHERE
    return GRADES[doubt.evidence] if shown and doubt.weight is not Weight.MINOR else Grade.UNRAISED


def _graded(case: Case, doubt: Doubt, line: int) -> Doubt | None:
    """The doubt with its grade; None where it is not raised. What is answered goes down by one."""
    grade = _grade(doubt)
    answer = _answer(case, doubt, line, grade)
    if grade is Grade.UNRAISED or (grade is Grade.ASKED and answer):
        return None
    if grade is Grade.ASKED or answer:
        return _asked(doubt, answer or "It may be meant in another way")
    said = f", or say on that line that {case.builds_on} brings it" if doubt.evidence in MISSING and case.builds_on else ""
    return replace(doubt, alternative=doubt.alternative + said)


def _answer(case: Case, doubt: Doubt, line: int, grade: Grade) -> str:
    """What the plan, or another one, says to the doubt; '' if nothing."""
    other = sister(case, doubt)
    if other:
        return f"`{other}` may bring it"
    if grade is not Grade.STANDS and doubt.evidence in MISSING and case.builds_on and not _is_told(case):
        return f"The plan builds on {case.builds_on}, which may bring it"
    return f"Line {line} of the plan leaves it open" if line else ""


def _is_told(case: Case) -> bool:
    """Whether the work that the plan builds on is a plan of the repository, by its number: then its text says what it brings."""
    number = re.fullmatch(r"plan\W{0,3}0*(\d{1,4})", case.builds_on, re.IGNORECASE)
    return number is not None and any(re.search(rf"(?:^|/)0*{number[1]}[_-][^/]*\Z", path) for path, _ in case.sisters)


def admitted(case: Case, doubt: Doubt) -> int:
    """The line by which the plan says itself that the point is open; 0 if none does. What two lines say is never open, and a call
    that does not fit is open only where its own line, or the words before its block, say so, the order of steps where the step
    itself does."""
    if doubt.evidence in (Evidence.LINES, Evidence.REPLACED, Evidence.REMOVED, Evidence.REMOVED_IN_WORDS):
        return 0
    if doubt.kind is Kind.ORDER:
        return said_in_step(case, doubt.subject, doubt.lines[0])
    if line := _uncommitted(case, doubt):
        return line
    if doubt.lines and (led := led_openly(case, doubt.lines[0], doubt.evidence in IMPORTED)):
        return led
    line = said_of(case, LEFT_OPEN, doubt.subject, doubt.lines)
    return line if doubt.evidence is not Evidence.MISFIT_ALONE or line in doubt.lines else 0


def _uncommitted(case: Case, doubt: Doubt) -> int:
    """The line by which a file that speaks against the plan is another one by now, in work that is not committed; 0 if none."""
    files = {place.rpartition(":")[0] for place in doubt.places} - {"plan", ""}
    return next((at for at, line in case.lines_with(_UNCOMMITTED) if any(path in line for path in files)), 0)


def _asked(doubt: Doubt, why: str) -> Doubt:
    """The doubt as one that stops nobody."""
    told = f"{doubt.concern}. {why}"
    return replace(doubt, concern=told, weight=Weight.MINOR, confidence=Confidence.MED, grade=Grade.ASKED)


def sister(case: Case, doubt: Doubt) -> str:
    """Another plan of the repository that makes what is missed, or that lies beside this one and names it: its work may come
    first; '' if there is none."""
    if doubt.evidence not in MISSING | SLIPS:
        return ""
    subject = doubt.subject.rpartition(".")[2] if doubt.kind is Kind.IMPORT else doubt.subject
    words = re.compile(rf"(?<![\w/@-]){re.escape(subject)}(?![\w/-])")
    beside = f"{case.folder}/" if case.folder else "\0"
    made = (
        path
        for path, text in case.sisters
        for line in text.split("\n")
        if words.search(line) and (_MAKES.search(line) or path.rpartition("/")[0] + "/" == beside)
    )
    return next(made, "")
