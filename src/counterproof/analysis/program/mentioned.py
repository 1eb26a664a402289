"""The names that files mention: imported modules, called functions, decorators, aliases.

They restrict a project-wide query to files that can be relevant. A name counts both as written and as imports resolve it, always
by its last part only.

Invariant: an excluded file mentions none of the requested names. Not handled here: the meaning of names.
"""

from collections.abc import Collection, Iterator

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import laid_out, told, trait
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Name
from counterproof.analysis.syntax.walk import last_name


@trait("imports")
def imported(outline: Outline) -> list[str]:
    """The resolved names of a file's imports, and the modules that it imports with a star."""
    return [*outline.module.imports.values(), *outline.module.wildcards]


@trait("called names")
def called_names(outline: Outline) -> list[str]:
    return sorted({name for site in outline.of(Call) for name in names_of(outline, site.node.callee)})


@trait("decorators")
def decorator_names(outline: Outline) -> list[str]:
    """Names of decorators of functions and classes, with or without arguments."""
    every = (each.value for owner in (*outline.module.functions, *outline.module.classes) for each in owner.decorators)
    plain = (each.callee if isinstance(each, Call) else each for each in every)
    return sorted({name for each in plain for name in names_of(outline, each)})


@trait("names for others")
def _names_for_others(outline: Outline) -> list[list[str]]:
    """Pairs of a name and another that it may be an alias of or derive from: classes and their bases, aliases, renamed
    imports."""
    found = {(each.name, name) for each in outline.module.classes for base in each.bases for name in names_of(outline, base)}
    renamed = ((name, meant.rpartition(".")[2]) for name, meant in outline.module.imports.items())
    found |= {pair for pair in renamed if pair[0] != pair[1]}
    for site in outline.of(Assign):
        value = site.node.value
        if isinstance(value, Name | Attribute):
            aliases = [target.id for target in site.node.targets if isinstance(target, Name)]
            found |= {(alias, name) for alias in aliases for name in names_of(outline, value)}
    return [list(pair) for pair in sorted(found)]


def names_of(outline: Outline, expr: Expr) -> set[str]:
    written = last_name(expr)
    return {written, outline.dotted(expr).rpartition(".")[2]} - {""}


def last_parts(names: Collection[str]) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in names)


def importing(codebase: Codebase, *packages: str) -> Iterator[Outline]:
    """Files that import one of these packages or a part of one."""
    return mentioning(codebase, packages=packages)


def _imports(names: list[str], packages: Collection[str]) -> bool:
    return any(name.partition(".")[0] in packages for name in names)


def mentioning(
    codebase: Codebase, calls: Collection[str] = (), decorators: Collection[str] = (), packages: Collection[str] = ()
) -> Iterator[Outline]:
    """Files that call, or are decorated with, one of these names, or import one of these packages."""
    imports = {path for path, names in told(codebase, imported).items() if _imports(names, packages)} if packages else set[str]()
    called, decorated = told(codebase, called_names) if calls else {}, told(codebase, decorator_names) if decorators else {}
    wanted, worn = frozenset(calls), frozenset(decorators)
    found = (
        path
        for path in codebase.paths
        if path in imports or not wanted.isdisjoint(called.get(path, ())) or not worn.isdisjoint(decorated.get(path, ()))
    )
    return laid_out(codebase, found)


def calling_kin(codebase: Codebase, names: Collection[str]) -> Iterator[Outline]:
    """Files that call one of these names, or something possibly derived from one."""
    return mentioning(codebase, calls=kin(codebase, names))


def with_kin(codebase: Codebase, names: Collection[str]) -> frozenset[str]:
    """Files with something derived from one of these names."""
    wanted = kin(codebase, names)
    every = told(codebase, _names_for_others).items()
    return frozenset(path for path, pairs in every if any(old in wanted for _, old in pairs))


def paths_calling(codebase: Codebase, name: str) -> tuple[str, ...]:
    """Files that call this name, in path order."""

    def by_name() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, names in told(codebase, called_names).items():
            for each in names:
                found.setdefault(each, []).append(path)
        return found

    return tuple(codebase.remembered(("files by called names",), by_name).get(name, ()))


def kin(codebase: Codebase, names: Collection[str]) -> frozenset[str]:
    """These names, and all names of things possibly derived from them, by last part."""
    below: dict[str, set[str]] = {}
    for pairs in told(codebase, _names_for_others).values():
        for name, old in pairs:
            below.setdefault(old, set()).add(name)
    found, pending = set[str](), list(last_parts(names))
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += below.get(name, ())
    return frozenset(found)
