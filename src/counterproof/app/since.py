"""The comparison of a run with `--since REF`: the findings of the base revision, and what the change touched.

The base is the merge base of the change and REF. Embedded analysts alone audit it, from a checkout in a private folder; the
result is stored for the next run on the same revision. Invariant: the target's tree is not written to; findings that could not
be compared are listed and count as new. Not handled here: which findings are new; the protocol decides.
"""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from counterproof.analysis.cache import digest_of, results_in
from counterproof.analysis.git import History, HistoryError, NoHistory, open_history
from counterproof.analysis.git.checkout import check_out
from counterproof.analysis.project import Project
from counterproof.analysis.review.changes import blob_hash, edits
from counterproof.analysis.source.reading import read_bytes
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import audit as audits
from counterproof.app import setup
from counterproof.app.comparison import known_row
from counterproof.app.standing import Standing
from counterproof.app.stored_runs import audit_report, reported
from counterproof.model.canonical import canonical
from counterproof.model.errors import UserError
from counterproof.model.known import KnownFinding
from counterproof.model.receipt import Exit, Outcome
from counterproof.model.since import Since, Touched, Way, way_of
from counterproof.model.text import real_name
from counterproof.ports import Observer
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home

_SHALLOW: Final = "name a branch, a tag or a commit that is fetched; in CI fetch the whole history (fetch-depth: 0)"

Moved = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Before:
    """The result of auditing a revision."""

    known: tuple[KnownFinding, ...]
    ways: tuple[Way, ...]
    notes: tuple[str, ...]


def held_against(request: AuditRequest, ref: str, observer: Observer, home: Home) -> AuditRequest:
    """The request with the revision's findings and the changes since."""
    target = Path(real_name(request.target))
    with _history(target, ref) as history:
        commit = _base(history, ref)
        before = _before(request, history, commit, ref, observer, home)
        touched, moved = _touched(history, commit, target, request)
    since = Since(ref, commit, touched, before.ways, before.notes, moved)
    return replace(request, known=before.known, since=since)


@contextmanager
def _history(target: Path, ref: str) -> Generator[History]:
    found = open_history(target)
    if isinstance(found, NoHistory):
        raise UserError(f"--since {ref[:80]} needs a repository: {found.reason}", "give the top of a git repository")
    try:
        with found:
            yield found
    except HistoryError as error:
        raise UserError(f"--since {ref[:80]}: {error}", _SHALLOW) from error


def _base(history: History, ref: str) -> str:
    """The merge base with `ref`; `ref` itself if there is no common commit."""
    commit = history.resolve(ref)
    if not commit:
        raise UserError(f"--since {ref[:80]!r} is not a commit of the target", _SHALLOW)
    head = history.head()
    return (history.merge_base(commit, head) if head else "") or commit


def _touched(history: History, commit: str, target: Path, request: AuditRequest) -> tuple[tuple[Touched, ...], Moved]:
    """Changed files with their lines; a file with only a new name is moved, not changed."""
    project = Project(target, survey(target, SurveyOptions(request.include, request.exclude)))
    before = history.files(commit)
    changed = {each.path: each.lines for each in edits(project, history, commit).files}
    gone = {content: path for path, content in sorted(before.items(), reverse=True) if path not in project.files}
    moved: dict[str, str] = {}
    for path, file in sorted(project.files.items()):
        if path in before or not file.lines:
            continue
        then = gone.pop(blob_hash(read_bytes(target, file), len(commit)), "")
        if then:
            moved[path] = then
            changed.pop(path, None)
        else:
            changed[path] = ((1, file.lines),)
    return tuple(Touched(path, changed[path]) for path in sorted(changed)), tuple(moved.items())


def _before(request: AuditRequest, history: History, commit: str, ref: str, observer: Observer, home: Home) -> Before:
    results = results_in(home.root / "results")
    key = digest_of("since", (), canonical(_terms(request, commit, home)))
    known = results.find(Before, key) if results else None
    observer.narrate(f"[SINCE] {ref} {commit[:12]}, {'known from an earlier run' if known else 'audited first'}")
    if known is not None:
        return known
    with tempfile.TemporaryDirectory(prefix="counterproof-since-") as private:
        before, whole = _audited(request, history, commit, ref, observer, Path(private))
    if results and whole:
        results.keep(key, before)
    return before


def _terms(request: AuditRequest, commit: str, home: Home) -> list[object]:
    """All inputs of the result, besides the program."""
    data = request.vulnerability_data
    return [
        commit,
        Path(real_name(request.target)).resolve().name,
        request.mode.value,
        [each.value for each in request.only],
        list(request.include),
        list(request.exclude),
        data.sha256 if data else "",
        str(setup.program_for(home, Path(real_name(request.target))) or ""),
    ]


def _audited(
    request: AuditRequest, history: History, commit: str, ref: str, observer: Observer, private: Path
) -> tuple[Before, bool]:
    """The audit of the revision, and whether to store it: a truncated result must not be reused."""
    folder = private / "code" / (Path(real_name(request.target)).resolve().name or "target")
    folder.mkdir(mode=0o700, parents=True)
    observer.progress("since", f"checking out {ref}")
    written = check_out(history, commit, folder)
    asked = replace(
        request, target=str(folder), yes=True, known=None, accepted=(), since=None, models=(), terms=None, recorded=None
    )
    try:
        finished = audits.start(asked, Standing(), _Prefixed(observer, ref), Home(private / "home"))
    except UserError as error:
        shutil.rmtree(folder, ignore_errors=True)
        return Before((), (), (f"{ref} could not be audited, so every finding counts as new: {_without(error, folder)}",)), False
    if not reported(finished.run):
        raise _stopped(finished.outcome, ref)
    rows = audit_report(finished.run).findings
    notes: list[str] = []
    if written.left_out:
        notes.append(f"{written.left_out:,} files of {ref} could not be checked out; findings in them count as new.")
    if any(reason.code in (Exit.INCOMPLETE, Exit.PAUSED) for reason in finished.outcome.reasons):
        notes.append(f"The audit of {ref} is incomplete; what it missed there counts as new.")
    ways = tuple(way_of(row) for row in rows)
    return Before(tuple(known_row(row) for row in rows), ways, tuple(notes)), not finished.state.time_up


def _stopped(outcome: Outcome, ref: str) -> BaseException:
    """Why there is nothing to compare with: the user interrupted it, or the disk failed."""
    why = "; ".join(reason.text for reason in outcome.reasons)
    if why == "interrupted":
        return KeyboardInterrupt()
    return UserError(f"the audit of {ref} stopped: {why[:300]}", "fix the cause, or run without --since")


def _without(error: UserError, folder: Path) -> str:
    return str(error).replace(str(folder), "the revision")[:300]


class _Prefixed:
    """Marks progress as that of the revision, and keeps its markers apart from the target's."""

    def __init__(self, observer: Observer, ref: str) -> None:
        self._observer = observer
        self._ref = ref

    def narrate(self, text: str) -> None:
        """Ignore the markers of the revision's audit."""

    def progress(self, who: str, text: str) -> None:
        self._observer.progress(f"{self._ref}: {who}", text)
