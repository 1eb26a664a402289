"""A second way to read what was found: backwards from the sink for data flow, the plain lines for everything else (R15).

Always: nothing here asks the check that made the claim. Where there is no second way, nothing is said, and nobody votes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis import backward
from counterproof.analysis.review.checks.security import entry_points
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.nearby import ground
from counterproof.model.finding import Finding, StepResult
from counterproof.model.judgement import Verdict
from counterproof.model.location import Location, at
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the second look says, and at which line. `agrees` is None where it could follow only a part: that is no vote."""

    agrees: bool | None
    why: str
    at: Location
    severity: Severity


def second_opinion(view: View, finding: ReviewFinding, witness: Finding | None) -> Opinion | None:
    """None where there is no second way."""
    if witness is not None:
        return _backwards(view, finding, witness)
    method = _METHODS.get(finding.kind)
    if method is None:
        return None
    lines = view.project.text(finding.location.path).split("\n")
    return method(finding, lines)


def _backwards(view: View, finding: ReviewFinding, witness: Finding) -> Opinion | None:
    project = ground(view)
    judged = backward.judge(project, entry_points(project), witness)
    judgement = judged.judgement
    place = judgement.at or witness.location
    steps = judgement.validation.steps
    if judgement.verdict is Verdict.CONFIRMED:
        reasons = "; ".join(step.reason for step in steps if step.result is StepResult.PASS)
        return Opinion(True, f"Followed from the sink backwards, it holds: {reasons}"[:1_900], place, finding.severity)
    failed = next((step for step in steps if step.result in (StepResult.FAIL, StepResult.PARTIAL)), None)
    why = f"Followed from the sink backwards, it does not hold in full: {failed.reason if failed else 'no way was found'}"[:1_900]
    return Opinion(None if judgement.verdict is Verdict.DOWNGRADED else False, why, place, finding.severity)


Method = Callable[[ReviewFinding, list[str]], Opinion | None]


def _agree(finding: ReviewFinding, why: str, line: int) -> Opinion:
    return Opinion(True, why, at(finding.location.path, line), finding.severity)


def _against(finding: ReviewFinding, why: str, line: int) -> Opinion:
    return Opinion(False, why, at(finding.location.path, line), finding.severity)


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _awaiting(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    number = finding.location.start
    text = " ".join(_line(lines, each) for each in range(number, finding.location.end + 1))
    if re.search(r"\bawait\b|create_task|ensure_future|gather\(|run\(", text):
        return _against(finding, "The line itself hands the coroutine on", number)
    around = next(
        (_line(lines, each) for each in range(number, 0, -1) if re.match(r"\s*(?:async\s+)?def ", _line(lines, each))), ""
    )
    where = "an async function" if "async" in around else "a plain function"
    return _agree(finding, f"The line, read as text, holds no await and hands nothing on; it stands in {where}", number)


def _guarded(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """Looks upwards for a test of the same thing, or a `try`, above the line."""
    number = finding.location.start
    named = re.match(r"the result of (\w{1,200})\(\)", finding.title)
    tested = re.compile(rf"\s*(?:if|elif|while|assert)\b.*(?<!\w){re.escape(named[1])}\(") if named else None
    depth = _indent(_line(lines, number))
    for each in range(number - 1, max(0, number - 40), -1):
        text = _line(lines, each)
        if not text.strip():
            continue
        if tested and tested.match(text[:500]):
            return _against(finding, f"Line {each} tests the same call before: {text.strip()[:100]}", each)
        if _indent(text) < depth:
            depth = _indent(text)
            if re.match(r"\s*try\s*:", text):
                return _against(finding, f"Line {each} opens a try block around it: {text.strip()[:100]}", each)
            if re.match(r"\s*(?:async\s+)?def ", text):
                break
    return _agree(finding, "Reading upwards to the head of the function, no surrounding test or try block looks after it", number)


def _explained(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """A comment that says why makes silence a decision."""
    for number in range(finding.location.start, finding.location.end + 4):
        text = _line(lines, number)
        comment = text.partition("#")[2].strip()
        if len(comment.split()) >= 3 and not re.match(r"(?:noqa|type:|pylint|pragma|TODO|FIXME)", comment):
            return _against(finding, f"A comment says that this is meant: {comment[:150]}", number)
        if number > finding.location.start and text.strip() and _indent(text) <= _indent(_line(lines, finding.location.start)):
            break
    return _agree(finding, "No comment beside the handler says why the error may be lost", finding.location.start)


def _twice(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    named = re.match(r"(\w{1,200})\(\)", finding.title)
    if not named:
        return None
    pattern = re.compile(rf"(\s*)(?:async\s+)?def {re.escape(named[1])}\s*\(")
    heads = [(number, len(match[1])) for number, text in enumerate(lines, 1) if (match := pattern.match(text))]
    same = [number for number, depth in heads if depth == heads[0][1]]
    if len(same) < 2:
        return _against(finding, "Read as text, the name is not defined twice at one depth", finding.location.start)
    return _agree(finding, f"Read as text, the name is defined at lines {', '.join(map(str, same[:5]))}", same[-1])


def _exit_before(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    number = finding.location.start
    depth = _indent(_line(lines, number))
    for each in range(number - 1, max(0, number - 60), -1):
        text = _line(lines, each)
        if text.strip() and _indent(text) == depth and re.match(r"\s*(?:return|raise|continue|break)\b", text):
            return _agree(finding, f"Line {each} leaves the block at the same depth: {text.strip()[:100]}", each)
        if text.strip() and _indent(text) < depth:
            return _against(finding, f"Read as text, line {each} opens another block between the exit and this line", each)
    return None


def _closing(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    number = finding.location.start
    name = _line(lines, number).partition("=")[0].strip()
    depth = _indent(_line(lines, number))
    for each in range(number + 1, min(len(lines), number + 400) + 1):
        text = _line(lines, each)
        if text.strip() and _indent(text) < depth and re.match(r"\s*(?:async\s+)?(?:def|class) ", text):
            break
        if name and re.search(rf"(?<!\w){re.escape(name)}\.close\b", text):
            return _against(finding, f"Line {each} closes it: {text.strip()[:100]}", each)
    return _agree(finding, "Read as text to the end of the function, nothing closes the file", number)


def _in_code(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    number = finding.location.start
    text = _line(lines, number)
    if re.search(r"Promise\.all|allSettled", text):
        return _against(finding, "The line gathers the promises", number)
    return _agree(finding, "The line, read alone, keeps no promise of the callback", number)


def _in_async(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """Looks upwards for the function that the line stands in."""
    number = finding.location.start
    depth = _indent(_line(lines, number))
    for each in range(number - 1, 0, -1):
        text = _line(lines, each)
        if text.strip() and _indent(text) < depth:
            depth = _indent(text)
            if re.match(r"\s*async\s+def ", text):
                return _agree(finding, f"Line {each} is the head of the function around it: {text.strip()[:100]}", each)
            if re.match(r"\s*def |\s*lambda", text):
                return _against(finding, f"Line {each} makes the function around it a plain one: {text.strip()[:100]}", each)
    return None


def _set_before(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """Reads upwards from the `try` for any line that sets the name."""
    name = re.escape(finding.title.partition(" ")[0])
    said = re.search(r"try block at line (\d{1,7})", finding.evidence)
    start = int(said[1]) if said else finding.location.start
    sets = re.compile(
        rf"\s*(?:(?:global|nonlocal)\s.*\b{name}\b|(?:[\w, ]*\b)?{name}\b[\w, ]*(?::[^=]+)?=(?!=)|for\s.*\b{name}\b)"
    )
    for each in range(start - 1, max(0, start - 200), -1):
        text = _line(lines, each)
        if sets.match(text[:500]):
            return _against(finding, f"Line {each} may set it before: {text.strip()[:100]}", each)
        if re.match(r"\s*(?:async\s+)?def ", text) and _indent(text) < _indent(_line(lines, start)):
            break
    return _agree(finding, "Reading upwards from the try block to the head of the function, no line sets the name", start)


def _copied(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """Looks at the head of the loop as text."""
    said = re.search(r"loop at line (\d{1,7})", finding.evidence)
    number = int(said[1]) if said else finding.location.start
    if re.search(r"\b(?:list|tuple|set|sorted|dict)\(|\.copy\(|\[:\]", _line(lines, number)):
        return _against(finding, "The head of the loop makes a copy", number)
    return _agree(finding, "The head of the loop, read as text, makes no copy", number)


def _folded(finding: ReviewFinding, lines: list[str]) -> Opinion | None:
    """Looks for the other side being folded further up."""
    name = re.escape(finding.title.partition(" ")[0].rpartition(".")[2])
    fold = re.compile(rf"\b{name}\b.{{0,40}}(?:\.lower\(|toLowerCase|casefold)")
    for each in range(finding.location.start, max(0, finding.location.start - 80), -1):
        if fold.search(_line(lines, each)[:500]):
            return _against(finding, f"Line {each} folds it too: {_line(lines, each).strip()[:100]}", each)
    return _agree(finding, "No line above, read as text, makes it lower-case", finding.location.start)


_METHODS: dict[str, Method] = {
    "coroutine is not awaited": _awaiting,
    "may be unset after a failed try": _set_before,
    "changed while it is iterated": _copied,
    "case is folded on one side": _folded,
    "None is not expected": _guarded,
    "error is swallowed": _explained,
    "definition is replaced": _twice,
    "code that never runs": _exit_before,
    "file is not closed": _closing,
    "async callback in forEach": _in_code,
    "blocking call in async code": _in_async,
}
