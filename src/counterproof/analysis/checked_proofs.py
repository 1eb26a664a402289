"""Findings with their proofs read against the source, and weighed by what their file and their program are for (A55, A56)."""

from dataclasses import replace

from counterproof.analysis.accounts import knows_callers
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.model.finding import Finding
from counterproof.model.proof import Assumption, Guess, Shape
from counterproof.model.severity import Complexity, Impact, Reach
from counterproof.model.survey import FileRole

ASIDE = (FileRole.TEST, FileRole.CI, FileRole.DEVELOPMENT, FileRole.SAMPLE, FileRole.DOCUMENTATION)
"""Roles of files that no user of the program meets as they stand."""


def proved(project: Project, whole: Examination) -> Examination:
    """What leaves analysis has its proof read against the source, by a checker that shares nothing with who stated it (A55), and
    is weighed by what its file is for (A56)."""
    return replace(whole, findings=tuple(proved_finding(project, each) for each in whole.findings))


def proved_finding(project: Project, finding: Finding) -> Finding:
    if finding.proof is None:
        return finding
    from counterproof.analysis import facts

    return _weighed(project, replace(finding, proof=facts.checked(project, finding.proof)))


def _weighed(project: Project, finding: Finding) -> Finding:
    """A value in a file that does not run for users is posture; that anything else there can be reached is an assumption."""
    file = project.files.get(finding.location.path)
    if file is None or finding.proof is None:
        return finding
    if _may_be_meant(project, finding):
        finding = _with(finding, Assumption(Guess.MEANT_OPEN, "the program asks nobody who he is", finding.location))
        if finding.rating.complexity is not Complexity.SINGLE_REQUEST:
            finding = _with(
                finding, Assumption(Guess.UNKNOWN_USE, "what a visitor without an account can lose", finding.location)
            )
    if file.role not in ASIDE:
        return finding
    if finding.proof is not None and finding.proof.shape is Shape.STORED_VALUE:
        return replace(finding, posture=True)
    return _with(finding, Assumption(Guess.FILE_ROLE, f"{file.role.value}: {file.role_reason}", finding.location))


def _may_be_meant(project: Project, finding: Finding) -> bool:
    """Whether everybody who sends it may be meant to get what it yields, such as any address from a program that fetches what it
    is told. Code, commands and whole databases are given to nobody on purpose."""
    anybody = finding.rating.reach is Reach.ANONYMOUS and finding.rating.impact is not Impact.FULL
    flow = finding.proof is not None and finding.proof.shape is Shape.FLOW
    return anybody and flow and not knows_callers(project)


def _with(finding: Finding, assumed: Assumption) -> Finding:
    assert finding.proof is not None
    return replace(finding, proof=replace(finding.proof, assumptions=(*finding.proof.assumptions, assumed)))
