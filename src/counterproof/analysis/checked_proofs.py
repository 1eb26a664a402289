"""Findings whose proofs were checked against the source, weighted by the role of their file and program (A55, A56)."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.accounts import knows_callers
from counterproof.analysis.manifest_roots import manifest_roots
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.fact import Operation
from counterproof.model.finding import Finding
from counterproof.model.proof import Assumption, Guess, Part, Proof, Shape
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, root_of
from counterproof.model.severity import Complexity, Impact, Reach
from counterproof.model.survey import FileRole, Language

ASIDE = (FileRole.TEST, FileRole.CI, FileRole.DEVELOPMENT, FileRole.SAMPLE, FileRole.DOCUMENTATION)
"""Roles of files that the program's users do not run."""
_READ = (Language.PYTHON, *SCRIPTS)


def proved(project: Project, findings: Iterable[Finding], entry_points: tuple[EntryPoint, ...]) -> tuple[Finding, ...]:
    """Check every proof against the source with an independent checker (A55), and weight every finding by the role of its file
    (A56)."""
    roots = frozenset(manifest_roots(project)[0])
    served = frozenset(root_of(each.handler.path, roots) for each in entry_points if each.kind in NETWORK_KINDS)
    return tuple(_proved(project, each, roots, served) for each in findings)


def _proved(project: Project, finding: Finding, roots: frozenset[str], served: frozenset[str]) -> Finding:
    if finding.proof is None:
        return finding
    from counterproof.analysis import facts

    checked = replace(finding, proof=facts.checked(project, finding.proof))
    return _weighed(project, checked, bool(served), root_of(finding.location.path, roots) in served)


def _weighed(project: Project, finding: Finding, served: bool, in_service: bool) -> Finding:
    """A value in a file that does not run for users is hardening advice; other code there may never run, or only for trusted
    people."""
    file = project.files.get(finding.location.path)
    if file is None or finding.proof is None:
        return finding
    assumed = _may_be_meant(project, finding) or _nobody_outside(project, finding, served)
    if in_service:
        assumed += _nobody_calls(finding.proof, file.language)
    if file.role in ASIDE:
        if finding.proof.shape is Shape.STORED_VALUE:
            return replace(finding, posture=True)
        role = f"{file.role.value}: {file.role_reason}"
        assumed += (Guess.FILE_ROLE, role), (Guess.UNKNOWN_REACH, role)
    added = tuple(Assumption(guess, about, finding.location) for guess, about in assumed)
    return replace(finding, proof=replace(finding.proof, assumptions=(*finding.proof.assumptions, *added)))


def _may_be_meant(project: Project, finding: Finding) -> tuple[tuple[Guess, str], ...]:
    """Whether every sender may be meant to have this ability: a fetching program requests any URL, an administrator reads any
    file. Code execution, commands and whole databases are never granted on purpose, and no one follows a link on purpose."""
    rating = finding.rating
    if finding.proof is None or finding.proof.shape is not Shape.FLOW or rating.impact is Impact.FULL:
        return ()
    alone = rating.complexity is Complexity.SINGLE_REQUEST
    if rating.reach is Reach.ADMIN and alone:
        return (Guess.MEANT_OPEN, "administrators"), (Guess.UNKNOWN_USE, "what administrators get that is not theirs")
    if rating.reach is not Reach.ANONYMOUS or knows_callers(project):
        return ()
    nobody = ((Guess.MEANT_OPEN, "the program asks nobody who he is"),)
    return nobody if alone else (*nobody, (Guess.UNKNOWN_USE, "what a visitor without an account can lose"))


def _nobody_calls(proof: Proof, language: Language | None) -> tuple[tuple[Guess, str], ...]:
    """In a program with network entry points, the parameter of a function that none of them reaches is no interface; nor is a
    value whose origin was not followed. What a page's script shows comes from the server, without a parameter."""
    entries = [each.fact for each in proof.links if each.part is Part.ENTRY]
    if not entries and proof.shape is Shape.FLOW and language is Language.PYTHON:
        return ((Guess.OWN_CALLERS, "the value"),)
    unknown = any(each.guess is Guess.UNKNOWN_CALLER for each in proof.assumptions)
    return tuple((Guess.OWN_CALLERS, each.symbol) for each in entries if unknown and each.operation is Operation.PARAMETER)


def _nobody_outside(project: Project, finding: Finding, served: bool) -> tuple[tuple[Guess, str], ...]:
    """Whether a critical value has an attacker who can reach it: a network entry point, code that authenticates callers, and a
    known use. In ordinary programs without these, no such value was correct at high severity."""
    proof = finding.proof
    if proof is None or proof.shape is not Shape.STORED_VALUE or finding.rating.impact is not Impact.FULL or finding.posture:
        return ()
    read = all(project.files[each.fact.at.path].language in _READ for each in proof.links if each.part is Part.USE)
    let_in = read and served and knows_callers(project)
    return () if let_in else ((Guess.UNKNOWN_REACH, "who is let in by it"),)
