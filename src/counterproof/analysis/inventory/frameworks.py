"""Frameworks with confidence (A3): high if manifest and code agree, medium for code alone, low for a manifest alone."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, conventions
from counterproof.analysis.inventory.domains import normal
from counterproof.analysis.libraries import libraries
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import imported
from counterproof.analysis.program.traits import told
from counterproof.model.recon import Dependency, Framework, FrameworkConfidence


def frameworks_of(codebase: Codebase, dependencies: tuple[Dependency, ...]) -> tuple[Framework, ...]:
    found = [
        each for convention in conventions() if convention.listed and (each := _framework(codebase, convention, dependencies))
    ]
    return tuple(sorted(found, key=lambda each: each.name))


def _framework(codebase: Codebase, convention: Convention, dependencies: tuple[Dependency, ...]) -> Framework | None:
    declared = [each for each in dependencies if normal(each.name) in convention.packages]
    return seen_framework(convention.name, declared, next(iter(_imports(codebase, convention.imports)), ""))


def seen_framework(name: str, declared: list[Dependency], used: str) -> Framework | None:
    """A framework that manifests declare, or that code uses according to `used`; None if neither."""
    if not declared and not used:
        return None
    evidence = tuple(f"{each.declared} {each}" for each in declared[:3]) + ((used,) if used else ())
    version = next((each.version for each in sorted(declared, key=lambda each: not each.pinned)), "")
    if declared and used:
        confidence = FrameworkConfidence.HIGH
    else:
        confidence = FrameworkConfidence.MEDIUM if used else FrameworkConfidence.LOW
    return Framework(name, version, confidence, evidence)


def _imports(codebase: Codebase, modules: tuple[str, ...]) -> Iterator[str]:
    for path, names in told(codebase, imported).items():
        for name in sorted(names):
            if any(name == module or name.startswith(module + ".") for module in modules):
                yield f"{path} imports {name}"


def unread_frameworks(codebase: Codebase) -> tuple[str, ...]:
    """Names of web frameworks in use that no convention supports, reported as a limitation."""
    roots = {name.partition(".")[0] for names in told(codebase, imported).values() for name in names}
    return tuple(each.title for each in libraries("python") if roots.intersection(each.names.get(("framework", "unread"), ())))
