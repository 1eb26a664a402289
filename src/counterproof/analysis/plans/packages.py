"""Questions about packages: code of a plan that imports what no manifest declares and no step adds.

Always: only where the repository has a manifest of that kind and no lock file, no code and no other line of the plan names the
package. A package that is declared under another name than it is imported by counts as declared where one name is a part of the
other.
"""

import re
import sys
from collections.abc import Iterator

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.plans.blocks import OWN, RUST, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import modules_of
from counterproof.analysis.plans.package_facts import BROUGHT, DECLARED_AS, NODE, TOOLS
from counterproof.analysis.syntax.structured import parsed_json

MANIFESTS = {
    "pypi": re.compile(r"pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml"),
    "npm": re.compile(r"package\.json"),
    "rust": re.compile(r"Cargo\.toml"),
    "go": re.compile(r"go\.mod"),
}
_CONFIGURATION = re.compile(r"(?:ts|js)config[\w.]*\.json|(?:vite|vitest)\.config\.\w+|components\.json|package\.json")
_USE = re.compile(r"(?m)^[ \t]*(?:pub[ \t]+)?(?:use|extern crate)[ \t]+(?:::)?(?P<name>[a-z][a-z0-9_]{1,60})(?=::|;|[ \t]+as\b)")
_GO_IMPORT = re.compile(
    r"(?m)^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?\"(?P<name>[\w-]+\.[\w.-]+/[\w-]+/[\w-]+)[^\"\n]{0,200}\"[ \t]*$"
)
_CRATES = frozenset(["std", "core", "alloc", "crate", "self", "super", "proc_macro", "test"])
_IMPORT = re.compile(r"[ \t]*(?:import|from|use|extern|pub use|(?:const|let|var)[ \t])")


def missing_packages(case: Case) -> Iterator[Doubt]:
    """Packages that a block imports and nothing declares; those of one kind are one question."""
    missing: dict[str, dict[str, int]] = {}
    for code in case.new_codes:
        kind, taken = _taken(case, code)
        for name, line in taken if kind and _manifests(case, kind) and not _makes_manifest(case, kind) else ():
            if name not in missing.get(kind, {}) and not _is_known(case, name, kind):
                missing.setdefault(kind, {})[name] = line
    yield from (
        _undeclared(case, found, min(_manifests(case, kind), key=lambda path: (path.count("/"), path)))
        for kind, found in missing.items()
    )


def _manifests(case: Case, kind: str) -> list[str]:
    return [path for path in case.ground.project.files if MANIFESTS[kind].fullmatch(path.rpartition("/")[2])]


def _makes_manifest(case: Case, kind: str) -> bool:
    """Whether the plan makes a manifest: what it declares there a command may write."""
    return any(MANIFESTS[kind].fullmatch(path.rpartition("/")[2]) and not case.ground.resolve(path) for path in case.made_files)


def _taken(case: Case, code: Code) -> tuple[str, list[tuple[str, int]]]:
    """(the kind of packages, the packages from outside that a block imports)."""
    language = code.block.language
    if language in RUST or language == "go":
        kind, pattern = ("go", _GO_IMPORT) if language == "go" else ("rust", _USE)
        found = [(match["name"], code.line_of(match.start("name"))) for match in pattern.finditer(code.plain)]
        return kind, [(name, line) for name, line in found if name not in _CRATES and not _is_own_crate(case, name)]
    taken = [(each.module, each.line) for each in code.imports if not each.optional]
    if code.tree is not None:
        firsts = [(module.partition(".")[0], line) for module, line in taken]
        return "pypi", [
            (name, line) for name, line in firsts if name not in sys.stdlib_module_names and not _is_own_module(case, name)
        ]
    if language in SCRIPTS:
        outside = [
            (module, line)
            for module, line in taken
            if re.match(r"@?[a-z0-9]", module) and ":" not in module and not module.startswith(OWN)
        ]
        names = [("/".join(module.split("/")[: 1 + module.startswith("@")]), line) for module, line in outside]
        return "npm", [(name, line) for name, line in names if name not in NODE and not _is_alias(case, name)]
    return "", []


def _is_own_module(case: Case, first: str) -> bool:
    made = case.makes_file(f"{first}.py") or any(f"/{path}".find(f"/{first}/") >= 0 for path in case.made_files)
    return made or case.ground.is_part(first) or modules_of(case).find(first, "") is not None


def _is_own_crate(case: Case, name: str) -> bool:
    declared = any(re.search(rf"\bmod[ \t]+{re.escape(name)}\b", code.text) for code in case.codes)
    return declared or any(case.ground.is_part(each) for each in (name, name.replace("_", "-")))


def _is_alias(case: Case, name: str) -> bool:
    """Whether a name is one of the project's own: a package of its workspace, or an alias of its paths."""
    first = name.partition("/")[0]
    files = case.ground.project.files
    named = [path for path in files if _CONFIGURATION.fullmatch(path.rpartition("/")[2])]
    return any(path.startswith((f"{first}/", f"src/{first}/")) for path in files) or any(
        _own_name(case.ground.text(path)).partition("/")[0] == first
        if path.endswith("package.json")
        else f'"{first}' in case.ground.text(path)
        for path in named
    )


def _own_name(text: str) -> str:
    try:
        return str(parsed_json(text).get("name", ""))
    except (ValueError, AttributeError):
        return ""


def _is_known(case: Case, name: str, kind: str) -> bool:
    """Whether a manifest, a lock file, the code or another line of the plan has the package, under its name or a longer one."""
    if name in TOOLS:
        return True
    wanted = DECLARED_AS.get(name.lower(), name)
    declared = set(case.ground.dependencies)
    if normal_name(wanted) in declared or (kind == "pypi" and any(_is_part_of(normal_name(wanted), each) for each in declared)):
        return True
    if any(each in declared for each in BROUGHT.get(name, "").split()):
        return True
    word = re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, {name, wanted, name.replace('_', '-')}))})(?![\w-])", re.IGNORECASE
    )
    manifests = (path for kinds in MANIFESTS for path in _manifests(case, kinds))
    return (
        any(word.search(case.ground.text(path)) for path in manifests)
        or any(word.search(line) and not _IMPORT.match(line) for line in case.lines)
        or any(
            word.search(case.ground.text(file.path))
            for file, _ in case.ground.holding((re.findall(r"\w+", name)[-1],))
            if file.language
        )
    )


def _is_part_of(name: str, declared: str) -> bool:
    """Whether one name is the other with more words around it: `opencv` and `opencv-python`."""
    mine, theirs = set(re.split(r"[-_./@]+", name)) - {""}, set(re.split(r"[-_./@]+", declared)) - {""}
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def _undeclared(case: Case, found: dict[str, int], manifest: str) -> Doubt:
    first, line = next(iter(found.items()))
    listed = ", ".join(f"`{each}`" for each in found)
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return Doubt(
        Evidence.UNDECLARED,
        first,
        f"{case.where(line)} imports the package `{first}`{more}",
        f"No manifest declares {listed}, and no code imports it. Should a step add it?",
        "The import fails where the plan is carried out",
        f"Add the step that declares {listed}",
        lines=tuple(found.values()),
        places=(f"{manifest}:1",),
    )
