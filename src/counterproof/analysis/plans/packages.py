"""Questions about packages: the plan's code imports one that no manifest declares and no other line of the plan mentions.

Invariant: only if the repository has a manifest of that kind, and if no lock file and no code names the package. A package
declared under another name counts if one name is a part of the other.
"""

import re
import sys
from collections.abc import Iterator

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.libraries.packages import declared_name, is_brought_along
from counterproof.analysis.plans.blocks import OWN, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import modules_of

MANIFESTS = {
    "pypi": re.compile(r"pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml"),
    "npm": re.compile(r"package\.json"),
}
_CONFIGURATION = re.compile(r"(?:ts|js)config[\w.]*\.json|(?:vite|vitest)\.config\.\w+|components\.json|package\.json")
_IMPORT = re.compile(r"[ \t]*(?:import|from|(?:const|let|var)[ \t])")


def missing_packages(case: Case) -> Iterator[Doubt]:
    """Imported packages that nothing declares; those of one kind form one question."""
    missing: dict[str, dict[str, int]] = {}
    for code in case.new_codes:
        kind = "pypi" if code.tree is not None else "npm" if code.block.language in SCRIPTS else ""
        known = kind and _manifests(case, kind) and not _makes_manifest(case, kind)
        for name, line in _taken(case, code, kind) if known else ():
            if name not in missing.get(kind, {}) and not _is_known(case, name, kind):
                missing.setdefault(kind, {})[name] = line
    for kind, found in missing.items():
        yield _undeclared(case, found, min(_manifests(case, kind), key=lambda path: (path.count("/"), path)))


def _manifests(case: Case, kind: str) -> list[str]:
    return [path for path in case.ground.project.files if MANIFESTS[kind].fullmatch(path.rpartition("/")[2])]


def _makes_manifest(case: Case, kind: str) -> bool:
    """Return True if the plan creates a manifest: a command may then declare the package."""
    return any(MANIFESTS[kind].fullmatch(path.rpartition("/")[2]) and not case.ground.resolve(path) for path in case.made_files)


def _taken(case: Case, code: Code, kind: str) -> Iterator[tuple[str, int]]:
    """The external packages that a block imports."""
    for each in code.imports:
        scope = each.module.startswith("@") and not each.module.startswith(OWN)
        name = each.module.partition(".")[0] if kind == "pypi" else "/".join(each.module.split("/")[: 1 + scope])
        outside = not each.module.startswith(OWN) and ":" not in name and not each.optional
        outside = outside and not is_brought_along(name)
        if outside and not (_is_own_module(case, name) if kind == "pypi" else _is_alias(case, name)):
            yield name, each.line


def _is_own_module(case: Case, first: str) -> bool:
    made = case.makes_file(f"{first}.py") or any(f"/{first}/" in f"/{path}" for path in case.made_files)
    own = made or case.ground.is_part(first) or modules_of(case).find(first, "") is not None
    return own or first in sys.stdlib_module_names


def _is_alias(case: Case, name: str) -> bool:
    """Return True if a configuration of the project defines the name as a package or alias, or a folder has it."""
    first = name.partition("/")[0]
    files = case.ground.project.files
    named = (path for path in files if _CONFIGURATION.fullmatch(path.rpartition("/")[2]))
    folder = any(path.startswith((f"{first}/", f"src/{first}/")) for path in files)
    return folder or any(
        f'"{first}/' in case.ground.text(path) or f'"name": "{first}' in case.ground.text(path) for path in named
    )


def _is_known(case: Case, name: str, kind: str) -> bool:
    """Return True if a manifest, a lock file, the code or another line of the plan contains the package or a longer name."""
    wanted = declared_name(name)
    declared = set(case.ground.dependencies)
    if normal_name(wanted) in declared or (kind == "pypi" and any(_is_part_of(normal_name(wanted), each) for each in declared)):
        return True
    word = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, {name, wanted, name.replace('_', '-')}))})(?![\w-])", re.IGNORECASE
    )
    holding = (file.path for file, _ in case.ground.holding((re.findall(r"\w+", name)[-1],)) if file.language)
    texts = (case.ground.text(path) for path in (*_manifests(case, kind), *holding))
    return any(word.search(line) and not _IMPORT.match(line) for line in case.lines) or any(map(word.search, texts))


def _is_part_of(name: str, declared: str) -> bool:
    """Return True if one name is the other with more words: `opencv` and `opencv-python`."""
    mine, theirs = set(re.split(r"[-_./@]+", name)) - {""}, set(re.split(r"[-_./@]+", declared)) - {""}
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def _undeclared(case: Case, found: dict[str, int], manifest: str) -> Doubt:
    first, line = next(iter(found.items()))
    listed = ", ".join(f"`{each}`" for each in found)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    them = "them" if more else "it"
    return Doubt(
        Evidence.UNDECLARED,
        first,
        f"{case.where(line)} imports the package `{first}`{more}",
        f"No manifest declares {listed}, and no code imports {them}. Should a step add {them}?",
        "The import fails where the plan is carried out",
        f"Add the step that declares {listed}",
        lines=tuple(found.values()),
        places=(f"{manifest}:1",),
    )
