"""A review as comments on a pull request: one JSON document whose parts GitHub's and GitLab's APIs accept unchanged.

Invariant: one comment per finding of the first page, at its line if that line is part of the change, otherwise in the text of the
review; Minor findings are counted there and folded. Every comment ends with the finding's fingerprint in invisible form, so that
a later run finds the comment to update; `standing` and `resolved` list which fingerprints are still valid. Texts from the code
are inert. Not handled here: posting.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from counterproof.model.finding import Finding
from counterproof.model.report import ReportedFinding
from counterproof.model.review.conversion import as_older, as_reported, fingerprint
from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope, ScopeFile
from counterproof.protocols.review.guardrails import destructive
from counterproof.reports.inert import code, json_text, line, remark
from counterproof.reports.review.reading import read_by, size_of
from counterproof.reports.wording import counted

_ONE_LINE = re.compile(r"```\w{0,20}\s([^`\n]{1,500})\s?```")
MARK = "<!-- counterproof:{} -->"
MAX_LISTED = 30
"""The most findings in one list in the text of a review."""
MAX_COMMENTS = 100
"""The most comments of one review; the rest is counted in its text."""


def as_comments(report: ReviewReport, folder: str = "") -> str:
    """The document. `folder` is the target's folder in the repository, if it is not the top."""
    rows = sorted(as_reported(report), key=lambda row: (-row.severity.rank, row.finding.location))
    changed = {file.path: file for file in report.scope.files}
    first = [row for row in rows if row.number in {each.finding.id for each in report.first_page}]
    placed = [row for row in first if _commentable(changed.get(row.finding.location.path), row)][:MAX_COMMENTS]
    return json_text(
        {
            "github": {
                "commit_id": report.scope.commit,
                "event": "COMMENT",
                "body": _summary(report, [row for row in rows if row not in placed]),
                "comments": [_github(row, folder, changed) for row in placed],
            },
            "gitlab": [_gitlab(row, folder, report.scope, changed) for row in placed],
            "standing": [row.fingerprint for row in rows],
            "resolved": [fingerprint(each, 0) for each in report.fixed],
        }
    )


def _commentable(file: ScopeFile | None, row: ReportedFinding) -> bool:
    """True if the code hosts accept a comment there: only on lines of the change."""
    return file is not None and bool(file.changed) and _line(file, row) > 0


def _line(file: ScopeFile, row: ReportedFinding) -> int:
    """The first changed line of a finding's location; 0 if none is changed."""
    place = row.finding.location
    return min((max(low, place.start) for low, high in file.changed if low <= place.end and place.start <= high), default=0)


def _path(row: ReportedFinding, folder: str) -> str:
    return f"{folder}/{row.finding.location.path}" if folder else row.finding.location.path


def _github(row: ReportedFinding, folder: str, changed: dict[str, ScopeFile]) -> dict[str, Any]:
    line = _line(changed[row.finding.location.path], row)
    return {"path": _path(row, folder), "line": line, "side": "RIGHT", "body": _body(row)}


def _gitlab(row: ReportedFinding, folder: str, scope: Scope, changed: dict[str, ScopeFile]) -> dict[str, Any]:
    path, line = _path(row, folder), _line(changed[row.finding.location.path], row)
    position = {"position_type": "text", "old_path": path, "new_path": path, "new_line": line}
    commits = {"base_sha": scope.base, "start_sha": scope.base, "head_sha": scope.commit}
    return {"body": _body(row), "position": position | commits}


def _body(row: ReportedFinding) -> str:
    remedy = f"\n\n{_fix(row.finding)}" if row.finding.remedy else ""
    head = f"**{shown(row.severity).value}: {remark(row.finding.title)}** ({row.number})"
    return f"{head}\n\n{remark(row.finding.impact)}{remedy}\n\n{MARK.format(row.fingerprint)}"


def _fix(finding: Finding) -> str:
    """The fix in words, or as a suggestion that GitHub can apply if it replaces one line."""
    found = _ONE_LINE.fullmatch(finding.remedy.strip())
    place, around = finding.location, finding.excerpt
    shown_line = around.lines[place.start - around.first] if around and place.start - around.first < len(around.lines) else ""
    if found is None or place.end != place.start or not shown_line or destructive(finding.remedy):
        return f"**Fix:** {remark(finding.remedy)}"
    indent = shown_line[: len(shown_line) - len(shown_line.lstrip())]
    return f"```suggestion\n{indent}{line(found[1])}\n```"


def _summary(report: ReviewReport, rest: list[ReportedFinding]) -> str:
    """The result of the review, with the findings without a comment at a line. `rest` are these, including Minor ones."""
    counts = [f"{sum(shown(each.severity) is kind for each in report.first_page)} {kind.value}" for kind in Shown][:2]
    found = (
        f"{counted(len(report.first_page), 'finding')} ({', '.join(counts)})" if report.first_page else "no findings to act on"
    )
    said = [f"**Counterproof: {found}** in {size_of(report)}."]
    said += [f"\n{each}" for each in (read_by(report), report.truncated and f"Truncated: {report.truncated}") if each]
    first = {each.finding.id for each in report.first_page}
    above, minor = [row for row in rest if row.number in first], [row for row in rest if row.number not in first]
    said += ["\nNot on a changed line:", *_rows(above)] if above else []
    older = as_older(report)
    for title, rows in (
        (counted(len(minor), "Minor finding"), minor),
        (_OLDER.format(counted(len(older), "older defect")), older),
    ):
        if rows:
            said.append("\n".join((f"\n<details><summary>{title}</summary>\n", *_rows(rows), "\n</details>")))
    return "\n".join(said)


_OLDER = "{}, not part of this change"


def _rows(rows: Sequence[ReportedFinding]) -> Iterator[str]:
    for row in rows[:MAX_LISTED]:
        word, place = shown(row.severity).value, code(str(row.finding.location))
        yield f"- {word}: {place}: {remark(row.finding.title)} {MARK.format(row.fingerprint)}"
    if len(rows) > MAX_LISTED:
        yield f"- and {len(rows) - MAX_LISTED} more in the report"
