"""What a standard audit leaves, followed by a deep one (A58): stored data, earlier revisions, other languages.

Invariant: every kind is answered, with what there was and what came of it, or with the reason why nothing was left; what was
known before is not found again. Not handled here: judging whether a dive was deep enough.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from counterproof.analysis import flow, secrets
from counterproof.analysis.checked_proofs import proved_finding
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
"""Of one file, the newest."""
_TELLING = re.compile(r"(?:^|/)(?:\.env|config|settings|secret|credential|database|auth|app|main|server|index)", re.IGNORECASE)
"""Names of files that keep settings or start a program; they are looked at first."""
_NAMED = re.compile(r"([A-Za-z_][\w.-]{2,80})[\"']?\s{0,8}[:=]")

NEAR = 2
"""Lines within which a known finding of the same weakness speaks for a new one too."""


@dataclass(frozen=True, slots=True)
class Followed:
    """New findings, and one answer for each kind. `finished` is False when time ran out."""

    findings: tuple[Finding, ...]
    leftovers: tuple[Leftover, ...]
    finished: bool = True


def follow(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    known: tuple[Finding, ...],
) -> Followed:
    """Everything that is left, kind by kind."""
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
    """Nothing follows data there; a reader must know how much that is."""
    files = [file for file in project.survey.files if file.language and file.language not in FOLLOWED and not file.test]
    names = ", ".join(sorted({file.language.value for file in files if file.language}))
    return (), len(files), f"no analyst follows data in {names}; a model does" if files else "all code has an analyst"


def earlier_secrets(project: Project, dimensions: tuple[Dimension, ...]) -> tuple[tuple[Finding, ...], int, str]:
    """Findings, the number of revisions that were read, and why there were none.

    Invariant: only files that are still there are looked at, so that a finding has a line; no secret is in a finding; that
    the value was not replaced when it left the source is an assumption, and the finding says so."""
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
    """Commit and text of what the file was before, newest first; what cannot be read is left out."""
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
    """What an earlier revision held as a secret and the file does not hold any more. `told` are values told already."""
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
    """Where the file now speaks of the same thing; else its first line."""
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
    """Findings, the number of sinks that stored data was followed to, and why there are none.

    A standard audit asks that of few rules. Invariant: a flow counts only where the code shows both halves, the write of
    what a request brought and the read of the same table or field; its confidence is medium at most."""
    rules = tuple(
        replace(each.rule, stored=True)
        for each in load_rules()
        if isinstance(each.rule, FlowRule) and not each.rule.stored and each.rule.dimension in dimensions
    )
    followed = without_examples(project, flow.examine(project, rules, entry_points))
    met = sum(f"{STORED} data" in trace.origin for trace in followed.traces)
    findings = tuple(proved_finding(project, each) for each in followed.findings)
    return findings, met, "" if met else "no sink is given what was read back from a store"
