"""Who read the reviewed code, and so how much "no findings" and "Approve" are worth. Derived from the report; decides nothing."""

from counterproof.model.review.comment import Ruled
from counterproof.model.review.position import DocumentVerdict
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review.presets import COMPACT
from counterproof.reports.wording import counted

_DOCUMENT = "No model read the text, so its content was not judged. Checked: cited files, lines and names, and templates."
_CODE = (
    "No model read the code. Checked: data flow, removed protections, undone fixes and contracts between files; not what the "
    "program is meant to do."
)


def unread(report: ReviewReport) -> tuple[str, ...]:
    """Unread source, and which of it the user accepted (R40)."""
    rows = [f"Nobody read {path}: {why}" for path, why in report.unread]
    return (*rows, *(f"{path} was not read, as accepted on the command line" for path in report.accepted))


def read_by(report: ReviewReport) -> str:
    """The limits of the embedded checks; '' if a model took part."""
    if report.readers:
        return ""
    return _DOCUMENT if report.profile.verdicts else _CODE


def verdict_of(report: ReviewReport, verdict: DocumentVerdict) -> str:
    """A verdict in words: without a model, a document to which the checks do not object was not judged (R48)."""
    unjudged = verdict is DocumentVerdict.APPROVE and not report.readers
    return "Not judged: no model" if unjudged else verdict.value


def team_of(report: ReviewReport) -> str:
    """The readers: the specialists, and which of them a model played."""
    codes = [each.code for each in report.profile.specialists]
    who = f"{codes[0]} and a challenger" if codes == [COMPACT] else ", ".join(codes)
    agents = f" ({report.agents})" if report.agents else ""
    models = f"; models: {', '.join(report.readers)}{agents}" if report.readers else "; no model"
    return f"{who}{models}"


def size_of(report: ReviewReport) -> str:
    """The size of the review, with lock files counted separately."""
    scope = report.scope
    lines = sum(end - start + 1 for file in scope.files for start, end in file.changed)
    size = f", {counted(lines, 'changed line')}" if lines else ""
    inside = counted(sum(count for _, count in scope.locks), "changed line")
    locks = f"; also {counted(len(scope.locks), 'lock file')} with {inside}"
    return f"{counted(len(scope.files), 'file')}{size}{locks if scope.locks else ''}"


MAX_COMMENT = 300


def place_of(each: Ruled) -> str:
    """The location of a comment."""
    return f"{each.comment.path}:{each.comment.line}" if each.comment.path else "no place"


def author_of(each: Ruled) -> str:
    return f"{each.comment.author or 'unknown'}{' (a program)' if each.comment.bot else ''}"


def said_in(each: Ruled) -> str:
    """The beginning of a comment; if it gives orders to its readers, a note about that instead (R31)."""
    text = " ".join(each.comment.text.split())
    begun = text if len(text) <= MAX_COMMENT else text[:MAX_COMMENT] + "…"
    return f"[contains instructions to its readers] {begun}" if each.addressed else begun


def appendix_title(report: ReviewReport) -> str:
    """How many findings are not on the first page, such as "2 Minor findings, 1 dismissed"; '' if all are."""
    dismissed = sum(not each.kept for each in report.resolved)
    minor = len(report.appendix) - dismissed
    said = [counted(minor, "Minor finding")] if minor else []
    said += [f"{dismissed} dismissed" if minor else counted(dismissed, "dismissed finding")] if dismissed else []
    return ", ".join(said)
