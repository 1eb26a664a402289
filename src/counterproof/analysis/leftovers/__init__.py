"""What a standard audit leaves, followed by a deep one (A58): stored data, earlier revisions, other languages.

Always holds: every kind is answered, with what there was and what came of it, or with the reason why nothing was left; what was
known before is not found again. Does not belong here: judging whether a dive was deep enough.
"""

from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.families import FOLLOWED
from counterproof.analysis.leftovers.revisions import earlier_secrets
from counterproof.analysis.leftovers.stores import stored_flows
from counterproof.analysis.project import OutOfTime, Project
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.leftover import Left, Leftover
from counterproof.model.recon import EntryPoint

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
