"""Doubts about packages: code of a plan that imports what no manifest declares and no step adds.

Always: only where the repository has a manifest of that kind of packages and nothing in the code imports the package already. How
a package is declared and how it is imported often differ: a name that is a part of a declared one counts as declared.
"""

import re
import sys
from collections.abc import Iterator

from counterproof.analysis.dependencies.ecosystems import LOCKS
from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.plans.blocks import OWN, PYTHON, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.package_facts import BROUGHT, DECLARED_AS, NODE, OFTEN_BROUGHT, TOOLS
from counterproof.analysis.plans.relying import is_relied_on
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.plan.outline import Mention
from counterproof.model.recon import Dependency

_LOCKS = frozenset(name for names in LOCKS.values() for name in names)
MANIFESTS = {
    "pypi": r"pyproject\.toml|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml",
    "npm": r"package\.json",
}
_GENERATES = {
    "pypi": re.compile(r"\b(?:uv|poetry|hatch|pdm)[ \t]+(?:new|init)\b|\bcookiecutter\b"),
    "npm": re.compile(
        r"\b(?:npm|pnpm|yarn|bun)[ \t]+(?:create|init)\b|\bnpx[ \t]+(?:--yes[ \t]+)?create-|\b(?:ng|nest)[ \t]+new\b"
        r"|\bcreate-(?:react|next|vite|t3|expo)\b|\bshadcn\S{0,10}[ \t]+(?:add|init)\b"
    ),
}
"""Commands that write manifests which nobody sees in the plan."""
_INSTALLS = re.compile(r"\b(?:uv|poetry|pdm)[ \t]+add\b|\b(?:pip|pipenv)[ \t]+install[ \t]+(?!-)|\bdependencies[ \t]*=")
_ADDS = re.compile(
    r"\b(?:add|install|uv|pip|npm|pnpm|yarn|bun|cargo|poetry|declare|require|depend\w{0,8}|bump|pyproject|requirements|package\.json)\b",
    re.IGNORECASE,
)


_OUTERMOST = re.compile(r"(?m)^(?:import|from)[ \t]+([A-Za-z_]\w*)[\w.]*(?:[ \t]+(?:import|as)\b|[ \t]*$)")
_LISTED = re.compile(r"(?mi)^[\s\"\[]*(?:[\w-]+\.)*(?:dev-?)?(?:dependencies|install_requires)\b")
"""Where a manifest begins to list packages."""


def missing_packages(case: Case) -> Iterator[Doubt]:
    """Packages that a block imports, no manifest declares, no step adds and no code imports; those of one kind are one doubt."""
    missing: dict[tuple[str, Evidence], dict[str, int]] = {}
    seen: set[str] = set()
    for code in case.new_codes:
        kind = "npm" if code.block.language in SCRIPTS else "pypi"
        for name, line in _packages(case, code):
            if name not in seen and _is_missing(case, name, kind):
                missing.setdefault((kind, _worth(case, code, name, kind)), {})[name] = line
            seen.add(name)
    for (kind, evidence), found in missing.items():
        yield undeclared(case, found, _manifest(case, kind), evidence)


def _is_missing(case: Case, name: str, kind: str) -> bool:
    return not (
        name in TOOLS
        or not _has_manifest(case, kind)
        or normal_name(name) in case.ground.dependencies  # a lock file has it: another package brings it along
        or is_declared(case, name, kind)
        or is_added(case, name)
        or is_imported(case, name)
    )


def _worth(case: Case, code: Code, name: str, kind: str) -> Evidence:
    """Whether the package must be declared: the block is for this project, and nothing else may bring the package along."""
    others = name.lower() in OFTEN_BROUGHT or case.builds_on or _INSTALLS.search(case.text)
    alone = kind == "npm" or _is_locked(case) or not others
    return Evidence.UNDECLARED if alone and _is_placed(case, code, kind) else Evidence.UNDECLARED_LOOSELY


def undeclared(case: Case, found: dict[str, int], manifest: str, evidence: Evidence) -> Doubt:
    """No manifest declares these packages; the line of the nearest one at which its packages begin."""
    first, *more = found
    listed = ", ".join(f"`{each}`" for each in found)
    lines = tuple(found.values())
    them = "them" if more else "it"
    at = f"lines {', '.join(map(str, lines))}" if more else f"line {lines[0]}"
    return Doubt(
        Kind.DEPENDENCY,
        first,
        f"and {len(more)} more" if more else "",
        f"No manifest of the repository declares {listed}, nothing in the code imports {them}, and no step adds {them}",
        f"What {at} takes from there fails where the plan is carried out or deployed",
        f"Add the step that declares {listed}, or use a package that is declared",
        lines=lines,
        places=(case.ground.at(manifest, _LISTED),),
        evidence=evidence,
    )


def _packages(case: Case, code: Code) -> Iterator[tuple[str, int]]:
    """The packages from outside that a block imports; of Python that does not parse, what its outermost lines import."""
    taken = [(each.module, each.line) for each in code.imports if not each.optional]
    if code.tree is None and code.block.language in PYTHON:
        taken = [(match[1], code.line_of(match.start())) for match in _OUTERMOST.finditer(code.text)]
    for module, line in taken:
        if code.block.language not in SCRIPTS:
            first = module.partition(".")[0]
            if first not in sys.stdlib_module_names and not _is_ours(case, first):
                yield first, line
        elif re.match(r"@?[a-z0-9]", module) and ":" not in module:  # what a runtime or a bundler brings: `node:fs`
            parts = module.split("/")
            name = "/".join(parts[:2]) if module.startswith("@") else parts[0]
            if name not in NODE and not _is_alias(case, name):
                yield name, line


def is_foreign(case: Case, code: Code, module: str) -> bool:
    """Whether a block takes a module from outside of the project."""
    if code.tree is not None:
        return not _is_ours(case, module.partition(".")[0])
    return not module.startswith(OWN) and not _is_alias(case, module)


def _is_ours(case: Case, first: str) -> bool:
    """Whether a first word of a module is the project's: a file or a folder of that name, there or made."""
    folder = f"{first}/"
    there = any(path.startswith(folder) or f"/{folder}" in path for path in case.ground.project.files)
    return (
        there
        or bool(case.ground.resolve(f"{first}.py"))
        or case.makes_file(f"{first}.py")
        or any(path.startswith(folder) or f"/{folder}" in path for path in case.made_files)
    )


def _is_alias(case: Case, name: str) -> bool:
    """Whether a name is one of the project's own: a package of its workspace, or an alias of its paths."""
    first = name.partition("/")[0]
    for path in case.ground.project.files:
        base = path.rpartition("/")[2]
        if base == "package.json" and _own_name(case.ground.text(path)).partition("/")[0] == first:
            return True
        if re.fullmatch(
            r"(?:ts|js)config[\w.]*\.json|vite\.config\.\w+|vitest\.config\.\w+|components\.json", base
        ) and f'"{first}' in case.ground.text(path):
            return True
    return any(path.startswith((f"{first}/", f"src/{first}/")) for path in case.ground.project.files)


def own_modules(case: Case) -> frozenset[str]:
    """How modules of the project's own begin in scripts: packages of its workspace, and aliases such as `"@lib/*"`."""
    found: set[str] = set()
    for path in case.ground.project.files:
        base = path.rpartition("/")[2]
        if base == "package.json":
            found.add(_own_name(case.ground.text(path)))
        elif re.fullmatch(r"(?:ts|js)config[\w.-]{0,40}\.json", base):
            found.update(re.findall(r"\"([\w@~$#][\w@~$#./-]{0,80})/\*\"[ \t]*:", case.ground.text(path)))
    return frozenset(found - {""})


def _own_name(text: str) -> str:
    try:
        return str(parsed_json(text).get("name", ""))
    except (ValueError, AttributeError):
        return ""


def _manifests(case: Case, kind: str) -> list[str]:
    return [path for path in case.ground.project.files if re.fullmatch(MANIFESTS[kind], path.rpartition("/")[2])]


def _manifest(case: Case, kind: str) -> str:
    return min(_manifests(case, kind), key=lambda path: (path.count("/"), path), default="")


def _is_placed(case: Case, code: Code, kind: str) -> bool:
    """Whether the file of a block, or one of its step, lies where a manifest is; any other may be of a part that is new. Where
    nothing tells the place, it lies under the root's, unless the plan has a manifest of its own or builds on other work."""
    step = [each.text for each in case.of(Mention.FILE) if each.firm and each.step == code.step]
    paths = [path for path in ([code.path] if "/" in code.path else step) if "/" in path]
    known = [path for path in paths if case.ground.exists(path.partition("/")[0])]
    homes = [path.rpartition("/")[0] for path in _manifests(case, kind)]
    own = any(re.fullmatch(MANIFESTS[kind], path.rpartition("/")[2]) for path in case.made_files)
    return any(not home or path.startswith(f"{home}/") for path in known for home in homes) or (
        not paths and "" in homes and not own and not case.builds_on
    )


def _has_manifest(case: Case, kind: str) -> bool:
    """Whether all manifests of a kind can be read: those of the repository, and those that the plan makes, written out in it."""
    made = [path for path in case.made_files if "/" in path and re.fullmatch(MANIFESTS[kind], path.rpartition("/")[2])]
    written = [f"/{code.path}" for code in case.codes if code.path]
    shown = [path for path in made if any(each.endswith(f"/{path}") or f"/{path}".endswith(each) for each in written)]
    unseen = any(not case.ground.resolve(path) for path in made if path not in shown) or _GENERATES[kind].search(case.text)
    declared = any(one.ecosystem == kind for each in case.ground.dependencies.values() for one in each)
    return bool(_manifest(case, kind)) and declared and not unseen


def is_declared(case: Case, name: str, kind: str) -> bool:
    """Whether a manifest names the package; only of Python's does the name differ from the one that is imported."""
    normal = normal_name(DECLARED_AS.get(name.lower(), name))
    declared = {each for each, places in case.ground.dependencies.items() if not all(_is_lock(one) for one in places)}
    if normal in declared or (kind == "pypi" and any(_is_part_of(normal, each) for each in declared)):
        return True
    if any(each in declared or is_added(case, each) for each in BROUGHT.get(name, "").split()):
        return True
    word = re.compile(rf"(?<![\w@/-]){re.escape(name)}(?![\w/-])")
    kinds = "|".join(MANIFESTS.values())
    manifests = (path for path in case.ground.project.files if re.fullmatch(kinds, path.rpartition("/")[2]))
    return any(word.search(case.ground.text(path)) for path in manifests)


def _is_locked(case: Case) -> bool:
    """Whether all packages of Python that will be there can be told: a lock file lists them, and no step adds any."""
    files = {path.rpartition("/")[2] for path in case.ground.project.files}
    return bool(files & set(LOCKS["pypi"])) and not _INSTALLS.search(case.text)


def _is_lock(dependency: Dependency) -> bool:
    return dependency.declared.path.rpartition("/")[2] in _LOCKS


def _is_part_of(name: str, declared: str) -> bool:
    """Whether one name is the other with more words around it: `opencv` and `opencv-python`."""
    mine, theirs = set(re.split(r"[-_./@]+", name)) - {""}, set(re.split(r"[-_./@]+", declared)) - {""}
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


_IMPORTS = re.compile(r"[ \t]*(?:import|from)\b")
_REQUIRED = re.compile(
    r"[ \t+]{0,8}(?P<name>[A-Za-z][\w.-]{1,60})(?:\[[\w, -]{1,60}\])?[ \t]{0,4}"
    r"(?:(?:[<>=~!]=|[<>])[ \t]{0,4}\d|=[ \t]{0,4}(?:[\"'][\^~=<>* ]{0,3}[\d*]|\{))"
)
"""A line of a list of requirements, or of a table of dependencies."""


def is_added(case: Case, name: str, imports: re.Pattern[str] = _IMPORTS) -> bool:
    """Whether any line of the plan other than an import names the package where it speaks of packages."""
    word = re.compile(
        rf"(?<![\w-]){re.escape(DECLARED_AS.get(name.lower(), name))}(?![\w])|(?<![\w-]){re.escape(name)}(?![\w])", re.IGNORECASE
    )
    dashed = name.replace("_", "-")
    normal = {normal_name(name), normal_name(DECLARED_AS.get(name.lower(), name))}
    lead = ""
    for line in case.lines:
        required = _REQUIRED.match(line)
        if required and normal_name(required["name"]) in normal:
            return True
        item = re.match(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]", line) is not None
        if (
            (word.search(line) or (dashed != name and dashed in line))
            and not imports.match(line)
            and not is_relied_on(line, name)
            and (_ADDS.search(line) or re.match(r"[ \t]*[+]?[ \t]*[\"']", line) or (item and _ADDS.search(lead)))
        ):
            return True
        lead = lead if item or not line.strip() else line
    return False


def is_imported(case: Case, name: str) -> bool:
    if re.fullmatch(r"\w+", name):
        found = case.ground.occurrences(name)
        places = [*found.uses, *found.test_uses, *found.definitions]
        return any(
            re.search(rf"\b(?:import|from|require)\b.{{0,40}}{re.escape(name)}", case.ground.project.line(path, line))
            for path, line in places[:80]
        )
    return any(
        name in case.ground.text(file.path) for file, _ in case.ground.holding((re.findall(r"\w+", name)[-1],)) if file.language
    )
