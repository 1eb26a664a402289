"""The areas that a standard audit leaves and a deep one covers (A58): stored data, earlier revisions, other languages.

Invariant: every area has a result, with its scope and findings, or the reason why there was nothing to do; known findings are not
reported again. Not handled here: whether the audit was deep enough.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from counterproof.analysis import flow, secrets
from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.examples import without_examples
from counterproof.analysis.families import FOLLOWED
from counterproof.analysis.flow.values import STORED
from counterproof.analysis.git import History, HistoryError, NoHistory, open_history
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.secrets.examination import reported_values
from counterproof.analysis.secrets.file_kinds import reads_names
from counterproof.analysis.secrets.outgoing_text import safe
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding, Validation
from counterproof.model.leftover import Left, Leftover
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Proof, Shape
from counterproof.model.recon import EntryPoint
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import FileRole, SourceFile

MAX_FILES = 80
MAX_REVISIONS = 25
"""The newest revisions examined per file."""
_TELLING = re.compile(r"(?:^|/)(?:\.env|config|settings|secret|credential|database|auth|app|main|server|index)", re.IGNORECASE)
"""Names of files with settings or a program's start, which are examined first."""
_NAMED = re.compile(r"([A-Za-z_][\w.-]{2,80})[\"']?\s{0,8}[:=]")

NEAR = 2
"""Lines within which a known finding of the same weakness covers a new one."""


@dataclass(frozen=True, slots=True)
class Followed:
    """New findings, and one result for each area. `finished` is False if time ran out."""

    findings: tuple[Finding, ...]
    leftovers: tuple[Leftover, ...]
    finished: bool = True


def follow(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    known: tuple[Finding, ...],
) -> Followed:
    """Examine all areas one by one."""
    kinds: dict[Left, Callable[[], tuple[tuple[Finding, ...], int, str]]] = {
        Left.STORES: lambda: stored_flows(project, entry_points, dimensions),
        Left.REVISIONS: lambda: earlier_secrets(project, dimensions),
        Left.LANGUAGES: lambda: _others(project),
    }
    findings: list[Finding] = []
    answers: list[Leftover] = []
    for kind, look in kinds.items():
        try:
            found, met, why = look()
        except OutOfTime:
            return Followed(tuple(findings), tuple(answers), finished=False)
        new = [each for each in found if not _told(each, (*known, *findings))]
        findings += new
        answers.append(Leftover(kind, met, len(new), why))
    return Followed(tuple(findings), tuple(answers))


def _told(new: Finding, known: tuple[Finding, ...]) -> bool:
    return any(
        each.cwe == new.cwe and each.location.path == new.location.path and abs(each.location.start - new.location.start) <= NEAR
        for each in known
    )


def _others(project: Project) -> tuple[tuple[Finding, ...], int, str]:
    """Other languages: data flow does not cover them, and the report must say how large they are."""
    files = [file for file in project.survey.files if file.language and file.language not in FOLLOWED and not file.test]
    names = ", ".join(sorted({file.language.value for file in files if file.language}))
    return (), len(files), f"no analyst follows data in {names}; a model does" if files else "all code has an analyst"


def earlier_secrets(project: Project, dimensions: tuple[Dimension, ...]) -> tuple[tuple[Finding, ...], int, str]:
    """Findings, the number of revisions read, and the reason if there are none.

    Invariant: only files that still exist are examined, so that a finding has a line; no finding contains a secret; that the
    value was not replaced when it was removed is an assumption, and the finding says so."""
    if Dimension.D7 not in dimensions:
        return (), 0, "secrets were not asked for"
    history = open_history(project.root)
    if isinstance(history, NoHistory):
        return (), 0, f"there is no history to read: {history.reason}"
    with history:
        return _earlier(project, history)


def _earlier(project: Project, history: History) -> tuple[tuple[Finding, ...], int, str]:
    found: list[Finding] = []
    met = 0
    for file in _relevant(project):
        project.checkpoint()
        current = project.text(file.path)
        told: set[str] = set()
        for commit, text in _revisions(history, file.path):
            met += 1
            found += _gone(project, file, current, commit, text, told)
    return tuple(found), met, "" if met else "no file has an earlier revision"


def _relevant(project: Project) -> list[SourceFile]:
    files = [each for each in project.survey.files if each.role is FileRole.RUNTIME and (each.language or reads_names(each.path))]
    return sorted(files, key=lambda each: (not _TELLING.search(each.path), each.path))[:MAX_FILES]


def _revisions(history: History, path: str) -> list[tuple[str, str]]:
    """Commit and text of the file's earlier versions, newest first, without unreadable ones."""
    try:
        commits = history.log(path, MAX_REVISIONS).commits[1:]
    except HistoryError:
        return []
    texts: list[tuple[str, str]] = []
    for commit in commits:
        try:
            texts.append((commit.id, history.show_file(commit.id, path).decode("utf-8")))
        except (HistoryError, UnicodeDecodeError):
            continue
    return texts


def _gone(project: Project, file: SourceFile, current: str, commit: str, text: str, told: set[str]) -> list[Finding]:
    """Secrets that an earlier revision contained and the file no longer does. `told` are values already reported."""
    before = Project(
        project.root, replace(project.survey, files=(replace(file, lines=len(text.splitlines())),)), project.checkpoint
    )
    before.freeze({file.path: text})
    values = {line: value for line, value, _ in reported_values(before, file.path) if value not in current and value not in told}
    if not values:
        return []
    told.update(values.values())
    old = text.splitlines()
    findings = secrets.examine(before, frozenset({file.path})).findings
    return [
        safe(project, _placed(each, commit, *_now(file.path, current, old[each.location.start - 1])))
        for each in findings
        if any(each.location.start <= line <= each.location.end for line in values)
    ]


def _now(path: str, current: str, line: str) -> tuple[Location, str]:
    """The current location of the same code; else the file's first line."""
    lines = current.splitlines()
    named = _NAMED.search(line)
    if named:
        for number, each in enumerate(lines, 1):
            if (here := _NAMED.search(each)) and here.group(1) == named.group(1):
                return at(path, number), each.strip()
    return next(((at(path, number), each.strip()) for number, each in enumerate(lines, 1) if each.strip()), (at(path, 1), path))


def _placed(found: Finding, commit: str, place: Location, line: str) -> Finding:
    unknown = Assumption(Guess.UNKNOWN_USE, "the value may have been replaced when it left the source", place)
    return replace(
        found,
        title=f"In revision {commit[:10]}: {found.title}"[:200],
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        location=place,
        evidence=line[:300],
        impact=f"Whoever has the repository can read it in revision {commit[:10]}. {found.impact}",
        remedy="Replace the value wherever it is in use; taking it out of the source does not take it out of the history.",
        validation=Validation(),
        also=(),
        proof=Proof(Shape.STORED_VALUE, (), assumptions=(unknown,)),
    )


def stored_flows(
    project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]
) -> tuple[tuple[Finding, ...], int, str]:
    """Findings, the number of sinks that stored data was followed to, and the reason if there are none.

    A standard audit does this only for few rules. Invariant: a flow counts only if the code shows both halves, the write of
    request data and the read of the same table or field; its confidence is at most medium."""
    rules = tuple(
        replace(each.rule, stored=True)
        for each in load_rules()
        if isinstance(each.rule, FlowRule) and not each.rule.stored and each.rule.dimension in dimensions
    )
    followed = without_examples(project, flow.examine(project, rules, entry_points))
    met = sum(f"{STORED} data" in trace.origin for trace in followed.traces)
    findings = proved(project, followed.findings, entry_points)
    return findings, met, "" if met else "no sink is given what was read back from a store"
