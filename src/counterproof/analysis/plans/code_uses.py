"""Doubts about code that a plan writes out: what it imports and calls that neither the repository nor the plan has.

Always: an import is doubted only where the module is known to be the project's own; a call only where its receiver is known, or
where no file of the code and no block of the plan holds the name at all. Blocks of a language that is not read say nothing.
"""

import posixpath
import re
import sys
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import OWN, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.likeness import gaps_of, is_slip
from counterproof.analysis.plans.python_trees import Imported

_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte", ".d.ts", "/index.ts", "/index.tsx", "/index.js", "")
_OPEN = re.compile(r"export[ \t]+\*|module\.exports|import[ \t]+\*|__getattr__|globals\(\)|setattr\(")
"""Signs of a module whose names cannot be told from its text."""


def missing_imports(case: Case) -> Iterator[Doubt]:
    """Names that a block takes from a module of the project which does not have them, and modules that are not there."""
    seen: set[tuple[str, str]] = set()
    lacking: dict[tuple[int, str, bool], list[Imported]] = {}
    for code in case.new_codes:
        for each in code.imports:
            if (each.module, each.name) in seen or (each.module, "") in seen or each.optional:
                continue
            seen.add((each.module, each.name))
            found = module_of(case, code, each)
            if found is None:
                continue
            if not found:
                seen.add((each.module, ""))
                yield _no_module(case, each, _sister(case, code, each.module))
            elif (
                each.name
                and each.name not in ("*", "default")
                and lacks(case, found, each.name)
                and _is_meant(case, found, each.name)
            ):
                lacking.setdefault((each.line, found, code.tree is not None), []).append(each)
    yield from (_no_names(case, each, path, parsed) for (_, path, parsed), each in lacking.items())


def module_of(case: Case, code: Code, each: Imported) -> str | None:
    """The file that an import leads to; '' if it ought to be there and is not, None if it is not for us to say."""
    return _python_module(case, each) if code.tree is not None else script_module(case, code, each.module)


def _python_module(case: Case, each: Imported) -> str | None:
    """The file of a module of the project; '' if it ought to be there and is not, None if it is not for us to say."""
    path = each.module.replace(".", "/")
    if path in sys.stdlib_module_names:
        return None  # a module of that name inside of a package is imported by its whole path
    found = _exact(case, f"{path}.py") or _exact(case, f"{path}/__init__.py")
    if found:
        if each.name and (_exact(case, f"{path}/{each.name}.py") or _exact(case, f"{path}/{each.name}/__init__.py")):
            return None
        return found
    first, _, rest = each.module.partition(".")
    package = case.ground.resolve(f"{first}/__init__.py")
    ours = bool(rest and package) and package.count("/") <= 2
    made = case.makes_file(f"{path}.py") or case.makes_file(f"{path}/__init__.py") or case.makes_file(path)
    folder = (
        any(
            each_path.startswith(f"{package.removesuffix('__init__.py')}{rest.replace('.', '/')}/")
            for each_path in case.ground.project.files
        )
        if ours
        else False
    )
    return "" if ours and not made and not folder else None


def is_own(case: Case, code: Code, module: str) -> bool:
    """Whether a block's module is one of the project."""
    return case.ground.is_part(module.partition(".")[0]) if code.tree is not None else module.startswith(OWN)


def _exact(case: Case, path: str) -> str:
    """A module's file, where the path leads to one file only."""
    found = case.ground.resolve(path)
    return found if found and case.ground.count(path) == 1 else ""


def script_module(case: Case, code: Code, module: str) -> str | None:
    """The file of a module that a script's block imports."""
    return module_file(case, code.path, module)


def module_file(case: Case, path: str, module: str) -> str | None:
    """The file of a script's module; '' if it ought to be there and is not, None if it is not for us to say."""
    if not module.startswith(OWN):
        return None
    if module.startswith("."):
        if not path or "/" not in path:
            return None
        base = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        bases = [base]
    else:
        inner = module.lstrip("@~$/")
        bases = [f"src/{inner}", inner, f"app/{inner}"]
    bases = [re.sub(r"\.(?:js|jsx|mjs)\Z", "", base) for base in bases]
    found = (_closest(case, path, f"{base}{ending}") for base in bases for ending in _ENDINGS)
    if there := next(filter(None, found), ""):
        return there
    folders = {posixpath.dirname(base) for base in bases}
    known = any(path.startswith(f"{folder}/") for folder in folders if folder for path in case.ground.project.files)
    made = any(case.makes_file(f"{base}{ending}") for base in bases for ending in _ENDINGS)
    return "" if known and not made and module.startswith(".") and not re.search(r"\.\w{2,5}\Z", module) else None


def _closest(case: Case, user: str, path: str) -> str:
    """The file of a path in the innermost folder around its user: each application of a repository has its own root. Where none
    is around it, the only file of that path."""
    folders = posixpath.dirname(case.ground.resolve(user) or user).split("/")
    around = ("/".join([*folders[:depth], path]) for depth in range(len(folders), -1, -1))
    return next((each for each in around if case.ground.resolve(each) == each), "") or _exact(case, path)


def lacks(case: Case, path: str, name: str) -> bool:
    """Whether a module's text has no trace of a name, and the plan makes it nowhere."""
    text = case.ground.text(path)
    if not text or _OPEN.search(text) or re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        return False
    return not case.defines(name) and not (case.makes_name(name) and name in case.prose_made and not case.slip_for(name))


def _is_in(case: Case, path: str, name: str) -> bool:
    """Whether a module defines a name that the plan does not speak of."""
    unnamed = not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", case.text)
    return unnamed and any(home == path for home, _ in case.ground.occurrences(name).definitions)


def _is_meant(case: Case, path: str, name: str) -> bool:
    """Whether the name is looked for where it is not, and not to be added there: the plan leaves the module alone, or the code
    has one so close that it was meant."""
    package = path.rpartition("/")[0] if path.endswith(("__init__.py", "/index.ts", "/index.js")) else path
    worked_on = any(each == path or (package != path and each.startswith(f"{package}/")) for each in case.worked_on)
    return not worked_on or bool(case.slip_for(name))


def _sister(case: Case, code: Code, module: str) -> str:
    """The one file in a module's folder that was meant: its name differs by a slip or by one word, and the plan never names it;
    '' if none."""
    script = code.tree is None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(code.path), module)) if script else module.replace(".", "/")
    folder, _, name = path.rpartition("/")
    stems = {each: each.rpartition("/")[2].partition(".")[0] for each in case.ground.project.files if f"{folder}/" in f"/{each}"}
    gaps = set(gaps_of(name))
    alike = {each for each, stem in stems.items() if is_slip(name, stem) or gaps & set(gaps_of(stem))}
    near = sorted((each for each in alike if f"/{each}".rpartition("/")[0].endswith(f"/{folder}")), key=len)  # tests come after
    return near[0] if len({stems[each] for each in near}) == 1 and not re.search(rf"\b{stems[near[0]]}\b", case.text) else ""


def _no_module(case: Case, each: Imported, near: str) -> Doubt:
    return Doubt(
        Kind.IMPORT,
        each.module,
        "",
        f"The import cannot work: the project has no module `{each.module}`, and no step makes it"
        + (f"; `{near}` comes closest" if near else ""),
        f"The code of line {each.line} fails when it is loaded",
        f"Import it from `{near}`" if near else "Import it from where it is, or add the step that makes it",
        lines=(each.line,),
        places=(f"{near}:1",) if near else (),
        evidence=Evidence.NEAR_IMPORT,
        search=(f"/{each.module.replace('.', '/').strip('/')}",),
    )


def _no_names(case: Case, lacking: list[Imported], path: str, parsed: bool) -> Doubt:
    """What one import takes from a file that does not have it: one mistake, however many names."""
    first, *others = lacking
    siblings = [each for each in case.ground.siblings(first.name) if _is_in(case, path, each)]
    sibling = siblings[0] if len(siblings) == 1 else ""
    near = sibling or case.ground.nearest_name(first.name)
    near = "" if near == first.name else near
    elsewhere = case.ground.occurrences(first.name).definitions[:1]
    place = f"{elsewhere[0][0]}:{elsewhere[0][1]}" if elsewhere else ""
    told = f"; it is defined at {place}" if place else f"; `{near}` comes closest" if near else ""
    more = f", nor {', '.join(f'`{each.name}`' for each in others)}" if others else ""
    fix = (
        f"Import it from {elsewhere[0][0]}"
        if elsewhere
        else f"Import `{near}`"
        if near
        else f"Say in which step `{first.name}` is made"
    )
    slip = sibling != "" or any(is_slip(each.name, case.ground.nearest_name(each.name)) for each in lacking)
    return Doubt(
        Kind.IMPORT,
        f"{first.module}.{first.name}" if "/" not in first.module else first.name,
        "",
        f"The import cannot work: `{path}` has no `{first.name}`{told}{more}",
        f"The code of line {first.line} fails when it is loaded",
        fix,
        lines=(first.line,),
        places=(place or f"{path}:1",),
        evidence=Evidence.NEAR_IMPORT if slip else Evidence.LACKING_IMPORT if parsed and not place else Evidence.FOREIGN_IMPORT,
    )
