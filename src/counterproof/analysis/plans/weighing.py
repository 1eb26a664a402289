"""What becomes of a doubt: whether it stops the plan or is only asked. The table in `evidence` decides; this applies it.

Always: evidence is weighed on both sides. What the repository shows against the plan is graded by its record; then the plan is
heard. Where its lines say that the point is not settled, where other work or another plan may bring what is missing, and where
the same doubt comes so often that the reader is the likelier one to err, the doubt is asked.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.plans.blocks import SHELLS
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import CROWD, GRADES, MISSING, SLIPS, Evidence, Grade
from counterproof.model.plan.challenge import Confidence, Weight

_ADMITS = re.compile(
    r"\bif (?:(?:it|they|these|this|not|any|the \w{1,20}|already) ?(?:is |are |do(?:es)? not )?)?"
    r"(?:exists?|present|missing|absent|there|available|needed|necessary)\b"
    r"|\b(?:adjust|adapt|align)\b(?=.{0,60}\b(?:to|if|accordingly|name|path|signature|import|actual|real)\b)"
    r"|\b(?:verify|check|confirm|find|look up|locate|grep|inspect)(?: \w{1,12}){0,3} (?:exact|actual|real|correct|right)\b"
    r"|\b(?:may|might) (?:differ|vary|not exist|already|be (?:named|called|elsewhere|different)|live)\b"
    r"|\bor (?:wherever|similar|equivalent|whatever|`[^`\n]{1,200}`)|\bwherever\b|\bwhatever (?:it|the)\b"
    r"|\b(?:placeholder|TBD|pseudo-?code|sketch|illustrative|not yet|will be (?:added|created|made|wired|written|implemented))\b"
    r"|\b(?:added|created|defined|implemented|built|made) (?:later|in (?:the next|a later|task|step|phase))\b"
    r"|\blocate\b|\brg --files\b|\bfind\b.{1,80}-name\b|如果?(?:存在|缺失|没有)|以实际|占位|后续",
    re.IGNORECASE,
)
"""Words by which a line leaves open what it names."""
_POSTPONES = re.compile(
    r"\b(?:stubs?|stubbed|defer(?:red)?|comment(?:ed)? out|until (?:task|step|phase))\b|桩|注释掉", re.IGNORECASE
)
"""Words by which a step says that a part of it must wait."""
_MAKES = re.compile(
    r"\b(?:creat|add|install|new\b|introduc|export|define|implement|writ)\w{0,4}|\bnpm i\b"
    r"|[\"'][ \t]*:[ \t]*[\"'][\^~]?\d|新建|创建|新增|添加|安装",
    re.IGNORECASE,
)
"""Words by which a line of another plan brings what it names, or a version in a manifest."""
_COMMENT = re.compile(r"(?:#|//|/\*|<!--)(.*)")


def weighed(case: Case, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts with their grades, the heaviest first; those that are asked are MINOR and say why."""
    graded = [each for each in (_graded(case, doubt) for doubt in doubts) if each]
    often = Counter(each.kind for each in graded if each.weight is not Weight.MINOR)
    heard = [
        _asked(each, "There are several of this kind, so it may be meant in another way")
        if each.weight is not Weight.MINOR and often[each.kind] >= CROWD
        else each
        for each in graded
    ]
    return tuple(sorted(heard, key=lambda each: (each.weight.rank, each.grade, each.lines, each.claim)))


def _graded(case: Case, doubt: Doubt) -> Doubt | None:
    """The doubt with its grade. What the plan answers itself goes down by one, and what is least is not raised then."""
    grade = GRADES[doubt.evidence] if doubt.places and doubt.weight is not Weight.MINOR else Grade.NOTED
    answer = _answer(case, doubt)
    if grade is Grade.NOTED and not answer:
        return _asked(doubt, "This alone contradicts nothing: it may be new, or meant in another way", grade)
    if grade is Grade.ASKED or (answer and doubt.evidence in MISSING and case.builds_on):
        return _asked(doubt, answer or "It may be meant in another way", Grade.NOTED if answer else grade)
    if grade is Grade.STANDS:
        return _asked(doubt, answer) if answer else doubt
    return None


def _answer(case: Case, doubt: Doubt) -> str:
    """What the plan, or another one, says to the doubt; '' if nothing."""
    if doubt.evidence in MISSING and case.builds_on:
        return f"The plan builds on {case.builds_on}, which may bring it"
    other = sister(case, doubt)
    if other:
        return f"`{other}` may bring it"
    line = admitted(case, doubt)
    return f"Line {line} of the plan speaks of it" if line else ""


def _asked(doubt: Doubt, why: str, grade: Grade = Grade.ASKED) -> Doubt:
    """The doubt as one that stops nobody."""
    told = doubt.concern if doubt.weight is Weight.MINOR else f"{doubt.concern}. {why}"
    return replace(doubt, concern=told, weight=Weight.MINOR, confidence=Confidence.MED, grade=grade)


def sister(case: Case, doubt: Doubt) -> str:
    """Another plan of the repository that makes what is missed: its work may come first; '' if none does."""
    if doubt.evidence not in MISSING | SLIPS:
        return ""
    subject = doubt.subject.rpartition(".")[2] if doubt.kind is Kind.IMPORT else doubt.subject
    words = re.compile(rf"(?<![\w/@-]){re.escape(subject)}(?![\w/-])")
    made = (path for path, text in case.sisters for line in text.split("\n") if words.search(line) and _MAKES.search(line))
    return next(made, "")


def admitted(case: Case, doubt: Doubt) -> int:
    """The line by which the plan says itself that the point is open: one that names the thing, the one before or after the
    doubted one, or, of an order, any that lets a part of the step wait; 0 if none does. What two lines say is never open."""
    if doubt.evidence in (Evidence.LINES, Evidence.OVERWRITTEN) or not doubt.lines:
        return 0
    first = doubt.lines[0]
    short = re.split(r"[/.\s]", doubt.subject.rpartition("/")[2])[0] or doubt.subject
    named = re.compile(rf"(?<!\w){re.escape(short)}(?!\w)")
    for number, line in enumerate(case.lines, 1):
        said = _said(case, number)
        if (abs(number - first) <= 1 or named.search(line)) and _ADMITS.search(said):
            return number
        if doubt.kind is Kind.ORDER and case.step_of(number) == case.step_of(first) and _POSTPONES.search(said):
            return number
    return 0


def _said(case: Case, number: int) -> str:
    """What a line says to its reader: of code other than commands, its comment."""
    if case.code_lines.get(number, "text") in (*SHELLS, "text"):
        return case.line(number)
    comment = _COMMENT.search(case.line(number))
    return comment[1] if comment else ""
