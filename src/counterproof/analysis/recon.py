"""Reconnaissance: the four inventories (A6) with their evidence, and the conclusions for the rest of the audit.

Python is read from its intermediate form, every other language from its syntax tree. All data comes from the frozen file list, so
repeating an attempt gives the same result. Only if conventions found no module or no entry point could a second attempt find
more, from the plain text; `Recon.wider` says so, and is empty otherwise (A8). Each manifest root is tested separately for being a
library (A10). Not handled here: whether an inventory is sufficient; the protocol decides that.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from counterproof.analysis import control
from counterproof.analysis.dependencies import read_dependencies
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.endpoints.held import held_applications
from counterproof.analysis.endpoints.public_api import (
    MIN_LIBRARY_FUNCTIONS,
    outbound_files,
    public_api,
    public_functions,
)
from counterproof.analysis.endpoints.scripts import LOCAL, scripts
from counterproof.analysis.inventory.content_types import content_types_of
from counterproof.analysis.inventory.credentials import credentials_of
from counterproof.analysis.inventory.domains import ECOSYSTEMS, normal, triggers_of
from counterproof.analysis.inventory.frameworks import frameworks_of, unread_frameworks
from counterproof.analysis.inventory.modules import modules_of, p0_files
from counterproof.analysis.inventory.permissions import administrators_only, other_resources, permissions
from counterproof.analysis.inventory.stacks import stacks_of, unread_stacks
from counterproof.analysis.libraries import FOLDERS, libraries
from counterproof.analysis.manifest_roots import manifest_roots
from counterproof.analysis.map.routes import with_texts
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus, corpus_of
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.polyglot.public_api import exported_api, exported_functions, plain_scripts, sending_files
from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.own_imports import leaving
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.model.errors import CounterproofError
from counterproof.model.location import at
from counterproof.model.recon import (
    NETWORK_KINDS,
    Asks,
    Dependency,
    EntryKind,
    EntryPoint,
    Permission,
    ProjectType,
    Recon,
    RootFacts,
    WrittenGuard,
    root_of,
)

_WORDS: dict[ProjectType, frozenset[str]] = {
    ProjectType.CMS: vocabulary("cms article articles page pages post posts comment comments editor publish"),
    ProjectType.FINANCE: vocabulary("ledger iban transfer portfolio trade trading loan interest settlement payout balance"),
    ProjectType.IDENTITY: vocabulary("oauth oidc saml sso idp realm authorize introspect userinfo"),
    ProjectType.DATA_PLATFORM: vocabulary("pipeline dag dataset warehouse etl ingestion lineage spark"),
    ProjectType.IOT: vocabulary("device devices sensor sensors firmware telemetry mqtt gpio"),
    ProjectType.SAAS: vocabulary("tenant tenants subscription subscriptions workspace plan seats billing"),
}
MIN_SCORE = 4

METHOD = "every source file as a script by its text, tests and unreadable syntax included"
TARGETS = ("modules", "entry_points")
MAX_FILES = 2_000
_COMMENTS = ("#", "//", "/*", "*", "--", "<?php", '"""', "'''")

MAX_PUBLIC_API = 2_000
"""Exported functions listed as entry points; a larger library is truncated, with a limitation."""


def reconnoitre(project: Project, attempt: int = 1) -> Recon:
    """One attempt. The first uses conventions; later ones also the plain text of every source file."""
    codebase, corpus = codebase_of(project), corpus_of(project)
    declared = read_dependencies(project)
    roots, merged = manifest_roots(project)
    known = frozenset(roots)
    exported = Counter(root_of(path, known) for path in _exporting(project))
    ours, others = entry_points(project), other_entry_points(project)
    found, cut = _all_entry_points(project, _marked(project, ours, others), exported, roots)
    modules = modules_of(project.survey.files)
    if attempt > 1:
        found, modules = found or text_entry_points(project), modules or text_modules(project)
    wider = attempt == 1 and not (found and modules)
    contents = content_types_of(codebase, corpus)
    network = any(each.kind in NETWORK_KINDS for each in (*ours, *others))
    held = () if network else held_applications(project)
    permissions, resources = _control(project, ours, others)
    return Recon(
        modules=modules,
        entry_points=found,
        content_types=contents,
        dependencies=declared.dependencies,
        manifests=declared.manifests,
        frameworks=(*frameworks_of(codebase, declared.dependencies), *stacks_of(corpus, declared.dependencies)),
        project_type=project_type_of(codebase, corpus, found, declared.dependencies, 0 if held else exported.total()),
        public_functions=exported.total(),
        outbound_from_arguments=next(_outbound(project), None) is not None,
        p0_files=p0_files(codebase, corpus, found),
        triggers=triggers_of(codebase, corpus, declared.dependencies, contents),
        limitations=(
            *_held(held),
            *declared.limitations,
            *merged,
            *cut,
            *_limitations(codebase),
            *_other_limitations(corpus),
            *leaving(project),
        ),
        permissions=permissions,
        resources=resources,
        roots=roots,
        wider=METHOD if wider else "",
        wider_for=TARGETS if wider else (),
        not_understood=held,
        credentials=credentials_of(project, found),
        by_root=_by_root(project, roots, exported, ours, others) if len(roots) > 1 else (),
    )


def entry_points_of(project: Project) -> tuple[EntryPoint, ...]:
    """The entry points of a first attempt without the rest of the inventory, for callers that need nothing else."""
    roots, _ = manifest_roots(project)
    exported = Counter(root_of(path, frozenset(roots)) for path in _exporting(project))
    found = _marked(project, entry_points(project), other_entry_points(project))
    return _all_entry_points(project, found, exported, roots)[0]


def _marked(project: Project, ours: tuple[EntryPoint, ...], others: tuple[EntryPoint, ...]) -> tuple[EntryPoint, ...]:
    """All entry points in order, with those marked that only administrators can use."""
    reserved = administrators_only((*ours, *others))
    keys = ((each, (each.handler, each.method, each.path)) for each in with_texts(project, _ordered(ours, others)))
    return tuple(replace(each, administrators=True) if key in reserved else each for each, key in keys)


def _exporting(project: Project) -> Iterator[str]:
    """The file of every exported function, in any language."""
    yield from public_functions(project)
    yield from (path for path, _ in exported_functions(project))


def _outbound(project: Project) -> Iterator[str]:
    yield from outbound_files(project)
    yield from sending_files(project)


def _by_root(
    project: Project,
    roots: tuple[str, ...],
    exported: Counter[str],
    ours: tuple[EntryPoint, ...],
    others: tuple[EntryPoint, ...],
) -> tuple[RootFacts, ...]:
    """The data of each root for the library test and the CRUD comparison."""
    known = frozenset(roots)
    outbound = {root_of(path, known) for path in _outbound(project)}
    mine, theirs = _grouped(ours, known), _grouped(others, known)
    facts: list[RootFacts] = []
    for root in roots:
        resources = {*control.resources(project, mine.get(root, ())), *other_resources(theirs.get(root, ()))}
        facts.append(RootFacts(root, exported[root], root in outbound, tuple(sorted(resources))))
    return tuple(facts)


def _grouped(entries: tuple[EntryPoint, ...], roots: frozenset[str]) -> dict[str, tuple[EntryPoint, ...]]:
    found: dict[str, list[EntryPoint]] = {}
    for each in entries:
        found.setdefault(root_of(each.handler.path, roots), []).append(each)
    return {root: tuple(there) for root, there in found.items()}


def _ordered(*parts: tuple[EntryPoint, ...]) -> tuple[EntryPoint, ...]:
    every = [each for part in parts for each in part]
    return tuple(sorted(every, key=lambda each: (each.handler, each.kind, each.path, each.method)))


def _all_entry_points(
    project: Project, found: tuple[EntryPoint, ...], exported: Counter[str], roots: tuple[str, ...]
) -> tuple[tuple[EntryPoint, ...], tuple[str, ...]]:
    """Entry points by convention; for a library also its public API; if there are none, plain scripts."""
    known = frozenset(roots)
    by_convention = _grouped(found, known)
    lacking = [root for root in roots if not _is_enough(by_convention.get(root, ()), exported[root])]
    if not lacking:
        return found, ()
    interface = _grouped(_ordered(public_api(project), exported_api(project)), known)
    exports = tuple(each for root in lacking for each in interface.get(root, ()))
    bare = [root for root in lacking if root not in by_convention and root not in interface]
    plain = _grouped(_ordered(scripts(project), plain_scripts(project)), known) if bare else {}
    last = tuple(each for root in bare for each in plain.get(root, ()))
    over = len(exports) > MAX_PUBLIC_API
    cut = (f"Only {MAX_PUBLIC_API} of {len(exports)} exported functions are listed.",) if over else ()
    return (*found, *exports[:MAX_PUBLIC_API], *last), cut


def _is_enough(found: tuple[EntryPoint, ...], exported: int) -> bool:
    """Return True if a root's conventional entry points are complete: it is networked, or has some and exports almost nothing."""
    return any(each.kind in NETWORK_KINDS for each in found) or (bool(found) and exported < MIN_LIBRARY_FUNCTIONS)


def _control(
    project: Project, ours: tuple[EntryPoint, ...], others: tuple[EntryPoint, ...]
) -> tuple[tuple[Permission, ...], tuple[str, ...]]:
    """The permission matrix, and the resource types: Python's from handlers, other languages' from paths."""
    rows = permissions((*ours, *others))
    ordered = tuple(sorted(rows, key=lambda each: (each.handler, each.path, each.method)))
    shown = {(each.handler, each.method, each.path): each.guards for each in with_texts(project, (*ours, *others))}
    ordered = tuple(_with_guards(each, shown.get((each.handler, each.method, each.path), ())) for each in ordered)
    return ordered, tuple(sorted({*control.resources(project, ours), *other_resources(others)}))


def _with_guards(row: Permission, guards: tuple[WrittenGuard, ...]) -> Permission:
    """A row of the matrix with the guards as written in the code, and their interpretation (A9)."""
    unread = (Asks.NOT_UNDERSTOOD, Asks.NOT_ANALYSED)
    told = (each.understood if each.asks in unread else f"{each.text} → {each.understood}" for each in guards)
    return replace(row, evidence="; ".join(told)) if guards else row


def _held(titles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"Entry points of {title} were not understood; its handlers are missing from the list." for title in titles)


def _limitations(codebase: Codebase) -> tuple[str, ...]:
    found = [
        f"Routes of {name} are not understood; its handlers are missing from the list." for name in unread_frameworks(codebase)
    ]
    for path, (line, text, others_there) in told(codebase, _problems).items():
        more = f", and {others_there} more like it" if others_there else ""
        found.append(f"{path}:{line}: {text}{more}")
    return tuple(found)


@trait("problems of syntax")
def _problems(outline: Outline) -> list[Any]:
    """The line and text of the first problem, and the number of others."""
    first = next(iter(outline.module.problems), None)
    return [first.line, first.text, len(outline.module.problems) - 1] if first else []


def _other_limitations(corpus: Corpus) -> tuple[str, ...]:
    unread = [f"Routes of {name} are not understood; its handlers are missing from the list." for name in unread_stacks(corpus)]
    return (*unread, *corpus.problems())


def text_entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """The first code line of each source file, in path order.

    Includes tests and files with unreadable syntax, so a tree of only those still has modules and entry points. It is the last
    resort: it shows where code starts, not who can reach it."""
    found: list[EntryPoint] = []
    for file in project.survey.files:
        if file.language is None or not file.loc or len(found) == MAX_FILES:
            continue
        project.checkpoint()
        line = _first_code(project, file.path)
        if line:
            found.append(EntryPoint(EntryKind.MAIN, "script", file.path, at(file.path, line), "<text>", "", *LOCAL.parts))
    return tuple(found)


def text_modules(project: Project) -> tuple[str, ...]:
    """Folders with source in any language."""
    return modules_of(project.survey.files, tests=True)


def _first_code(project: Project, path: str) -> int:
    """The first line with code; 0 if there is none or the file can no longer be read."""
    try:
        lines = project.text(path).split("\n")
    except CounterproofError:
        return 0  # the survey read it; a later change is reported by the analysis
    return next((number for number, line in enumerate(lines, 1) if _is_code(line)), 0)


def _is_code(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(_COMMENTS)


def project_type_of(
    codebase: Codebase,
    corpus: Corpus,
    entry_points: tuple[EntryPoint, ...],
    dependencies: tuple[Dependency, ...],
    public_functions: int,
) -> ProjectType:
    """The kind of project.

    A dependency typical of one kind counts three; words in routes, file and class names count one each, at most three. A kind
    must reach four and be the only leader, so that a shop with one "payment" page is not classified as a bank."""
    if not any(each.kind in NETWORK_KINDS for each in entry_points) and public_functions >= MIN_LIBRARY_FUNCTIONS:
        return ProjectType.LIBRARY
    declared = {(FOLDERS[language], each.name) for each in dependencies if (language := ECOSYSTEMS.get(each.ecosystem))}
    named = {word for each in entry_points for word in words(each.path)}
    named |= {word for source in corpus.sources(*OTHERS) for each in source.classes for word in words(each.name)}
    named |= {word for found in told(codebase, _words_of_classes).values() for word in found}
    scores = {kind: 3 * len(_known(kind, declared)) + min(3, len(named & spoken)) for kind, spoken in _WORDS.items()}
    best = max(scores.values())
    leaders = [kind for kind, score in scores.items() if score == best]
    return leaders[0] if best >= MIN_SCORE and len(leaders) == 1 else ProjectType.GENERAL_WEB


def _known(kind: ProjectType, declared: set[tuple[str, str]]) -> set[str]:
    return {name for folder, name in declared if normal(name) in _packages(folder, kind)}


@cache
def _packages(folder: str, kind: ProjectType) -> frozenset[str]:
    key = ("project", kind.value.lower().replace(" ", "-"))
    return frozenset(normal(name) for each in libraries(folder) for name in each.names.get(key, ()))


@trait("words of classes")
def _words_of_classes(outline: Outline) -> list[str]:
    return sorted({word for each in outline.module.classes for word in words(each.name)})
