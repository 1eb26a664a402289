"""Reconnaissance: the four inventories (A6) with their evidence, and what follows from them for the rest of the audit.

Everything here is read from the frozen file list, so a second attempt finds what the first one found; `attempt` is taken only
because the protocol counts attempts (A8). Does not belong here: whether an inventory is good enough. The protocol decides that.
"""

from counterproof.analysis.dependencies import read_dependencies
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.endpoints.public_api import (
    MIN_LIBRARY_FUNCTIONS,
    outbound_from_arguments,
    public_api,
    public_functions,
)
from counterproof.analysis.endpoints.scripts import scripts
from counterproof.analysis.inventory.content_types import content_types_of
from counterproof.analysis.inventory.frameworks import frameworks_of, unread_frameworks
from counterproof.analysis.inventory.modules import modules_of, p0_files
from counterproof.analysis.inventory.project_type import project_type_of
from counterproof.analysis.inventory.triggers import triggers_of
from counterproof.analysis.outline.codebase import Codebase, codebase_of
from counterproof.analysis.project import Project
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Recon
from counterproof.model.survey import Language

MAX_PUBLIC_API = 2_000
"""Exported functions listed as entry points; a larger library is cut there, with a limitation."""


def reconnoitre(project: Project, attempt: int = 1) -> Recon:
    """One attempt. Attempts after the first read the same files and give the same answer."""
    del attempt
    codebase = codebase_of(project)
    declared = read_dependencies(project)
    exported = public_functions(project)
    found, cut = _all_entry_points(project, exported)
    contents = content_types_of(codebase)
    return Recon(
        modules=modules_of(project.survey.files),
        entry_points=found,
        content_types=contents,
        dependencies=declared.dependencies,
        manifests=declared.manifests,
        frameworks=frameworks_of(codebase, declared.dependencies),
        project_type=project_type_of(codebase, found, declared.dependencies, exported),
        public_functions=exported,
        outbound_from_arguments=outbound_from_arguments(project),
        p0_files=p0_files(codebase, found),
        triggers=triggers_of(codebase, declared.dependencies, contents),
        limitations=(*declared.limitations, *cut, *_limitations(codebase)),
    )


def _all_entry_points(project: Project, exported: int) -> tuple[tuple[EntryPoint, ...], tuple[str, ...]]:
    """Entry points as conventions find them; for a library its public interface as well; failing all else, plain scripts."""
    found = entry_points(project)
    networked = any(each.kind in NETWORK_KINDS for each in found)
    if networked or (found and exported < MIN_LIBRARY_FUNCTIONS):
        return found, ()
    interface = public_api(project)
    cut = (
        (f"Only {MAX_PUBLIC_API} of {len(interface)} exported functions are listed.",) if len(interface) > MAX_PUBLIC_API else ()
    )
    every = (*found, *interface[:MAX_PUBLIC_API])
    return (every or scripts(project)), cut


def _limitations(codebase: Codebase) -> tuple[str, ...]:
    found = [
        f"Routes of {name} are not understood; its handlers are missing from the list." for name in unread_frameworks(codebase)
    ]
    others = [language for language, _ in codebase.project.survey.languages() if language is not Language.PYTHON]
    found += [f"Entry points of {language} code are not read." for language in others]
    for outline in codebase.outlines():
        first = next(iter(outline.module.problems), None)
        if first:
            others_there = len(outline.module.problems) - 1
            more = f", and {others_there} more like it" if others_there else ""
            found.append(f"{outline.path}:{first.line}: {first.text}{more}")
    return tuple(found)
