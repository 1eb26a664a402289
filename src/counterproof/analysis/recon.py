"""Reconnaissance: the four inventories (A6) with their evidence, and what follows from them for the rest of the audit.

Everything here is read from the frozen file list, so a second attempt finds what the first one found; `attempt` is taken only
because the protocol counts attempts, and `Recon.wider` stays empty to say that nothing would be done differently (A8). Python
is read from its intermediate form, every other language from its syntax tree. Does not belong here: whether an inventory is
good enough. The protocol decides that.
"""

from counterproof.analysis import control
from counterproof.analysis.dependencies import read_dependencies
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.endpoints.public_api import (
    MIN_LIBRARY_FUNCTIONS,
    outbound_from_arguments,
    public_api,
    public_functions,
)
from counterproof.analysis.endpoints.scripts import scripts
from counterproof.analysis.inventory.content_types import NONE_SEEN, content_types_of
from counterproof.analysis.inventory.frameworks import frameworks_of, unread_frameworks
from counterproof.analysis.inventory.modules import modules_of, p0_files
from counterproof.analysis.inventory.others import class_words, other_content_types, other_p0_files, other_triggers
from counterproof.analysis.inventory.permissions import other_permissions, other_resources
from counterproof.analysis.inventory.project_type import project_type_of
from counterproof.analysis.inventory.roots import manifest_roots
from counterproof.analysis.inventory.stacks import stacks_of, unread_stacks
from counterproof.analysis.inventory.triggers import triggers_of
from counterproof.analysis.outline.codebase import Codebase, codebase_of
from counterproof.analysis.polyglot.corpus import Corpus, corpus_of
from counterproof.analysis.polyglot.exported import exported_api, exported_functions, plain_scripts, sends_for_callers
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Permission, Recon

MAX_PUBLIC_API = 2_000
"""Exported functions listed as entry points; a larger library is cut there, with a limitation."""


def reconnoitre(project: Project, attempt: int = 1) -> Recon:
    """One attempt. Attempts after the first read the same files and give the same answer."""
    del attempt
    codebase, corpus = codebase_of(project), corpus_of(project)
    declared = read_dependencies(project)
    exported = public_functions(project) + len(exported_functions(project))
    ours, others = entry_points(project), other_entry_points(project)
    found, cut = _all_entry_points(project, _ordered(ours, others), exported)
    contents = _content_types(codebase, corpus)
    permissions, resources = _control(project, ours, others)
    triggers = {*triggers_of(codebase, declared.dependencies, contents), *other_triggers(corpus, declared.dependencies)}
    return Recon(
        modules=modules_of(project.survey.files),
        entry_points=found,
        content_types=contents,
        dependencies=declared.dependencies,
        manifests=declared.manifests,
        frameworks=(*frameworks_of(codebase, declared.dependencies), *stacks_of(corpus, declared.dependencies)),
        project_type=project_type_of(codebase, found, declared.dependencies, exported, class_words(corpus)),
        public_functions=exported,
        outbound_from_arguments=outbound_from_arguments(project) or sends_for_callers(project),
        p0_files=tuple(sorted({*p0_files(codebase, found), *other_p0_files(corpus)})),
        triggers=tuple(sorted(triggers)),
        limitations=(*declared.limitations, *cut, *_limitations(codebase), *_other_limitations(corpus)),
        permissions=permissions,
        resources=resources,
        roots=manifest_roots(project),
    )


def _ordered(*parts: tuple[EntryPoint, ...]) -> tuple[EntryPoint, ...]:
    every = [each for part in parts for each in part]
    return tuple(sorted(every, key=lambda each: (each.handler, each.kind, each.path, each.method)))


def _all_entry_points(
    project: Project, found: tuple[EntryPoint, ...], exported: int
) -> tuple[tuple[EntryPoint, ...], tuple[str, ...]]:
    """Entry points as conventions find them; for a library its public interface as well; failing all else, plain scripts."""
    networked = any(each.kind in NETWORK_KINDS for each in found)
    if networked or (found and exported < MIN_LIBRARY_FUNCTIONS):
        return found, ()
    interface = _ordered(public_api(project), exported_api(project))
    cut = (
        (f"Only {MAX_PUBLIC_API} of {len(interface)} exported functions are listed.",) if len(interface) > MAX_PUBLIC_API else ()
    )
    every = (*found, *interface[:MAX_PUBLIC_API])
    return (every or _ordered(scripts(project), plain_scripts(project))), cut


def _content_types(codebase: Codebase, corpus: Corpus) -> tuple[str, ...]:
    found = {*content_types_of(codebase), *other_content_types(corpus)}
    return tuple(sorted(found - {NONE_SEEN})) or (NONE_SEEN,)


def _control(
    project: Project, ours: tuple[EntryPoint, ...], others: tuple[EntryPoint, ...]
) -> tuple[tuple[Permission, ...], tuple[str, ...]]:
    """The matrix and the resource types: Python's by what handlers do, the others' by guards and paths."""
    rows = (*control.permissions(project, ours), *other_permissions(others))
    ordered = tuple(sorted(rows, key=lambda each: (each.handler, each.path, each.method)))
    return ordered, tuple(sorted({*control.resources(project, ours), *other_resources(others)}))


def _limitations(codebase: Codebase) -> tuple[str, ...]:
    found = [
        f"Routes of {name} are not understood; its handlers are missing from the list." for name in unread_frameworks(codebase)
    ]
    for outline in codebase.outlines():
        first = next(iter(outline.module.problems), None)
        if first:
            others_there = len(outline.module.problems) - 1
            more = f", and {others_there} more like it" if others_there else ""
            found.append(f"{outline.path}:{first.line}: {first.text}{more}")
    return tuple(found)


def _other_limitations(corpus: Corpus) -> tuple[str, ...]:
    unread = [f"Routes of {name} are not understood; its handlers are missing from the list." for name in unread_stacks(corpus)]
    return (*unread, *corpus.problems())
