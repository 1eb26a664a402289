"""Doubts about imports in a plan's code: a name that its module lacks while it defines a very similar one.

Invariant: only if the module is one project file that the plan does not touch, and neither the module nor the plan has the name.
"""

import difflib
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import module_file, modules_of
from counterproof.analysis.plans.python_trees import Imported

CLOSE = 0.8
"""Similarity from which one name is probably a misspelling of another."""
_OPEN = re.compile(r"export[ \t]+\*|module\.exports|import[ \t]+\*|__getattr__|globals\(\)|setattr\(")
"""Signs of a module whose names cannot be determined from its text."""


def missing_imports(case: Case) -> Iterator[Doubt]:
    """Names that a block imports from a module with a very similar name."""
    seen: set[tuple[str, str]] = set()
    for code in case.new_codes:
        for each in code.imports:
            if (each.module, each.name) in seen or each.optional or each.name in ("", "*", "default"):
                continue
            seen.add((each.module, each.name))
            path = _module(case, code, each)
            near = _meant(case, path, each.name) if path and path not in case.worked_on else ""
            if near:
                yield _no_name(case, each, path, near)


def _module(case: Case, code: Code, each: Imported) -> str:
    if code.tree is None:
        return module_file(case, code.path, each.module)
    modules = modules_of(case)
    return "" if modules.find(f"{each.module}.{each.name}", "") else modules.find(each.module, "") or ""


def _meant(case: Case, path: str, name: str) -> str:
    """The name of a module that is probably meant by one that neither the module nor the plan has."""
    text = case.ground.text(path)
    if not text or _OPEN.search(text) or re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) or case.binds(name):
        return ""
    here = [each for each in case.ground.defined_in(path) if not case.names(each)]
    return next(iter(difflib.get_close_matches(name, here, n=1, cutoff=CLOSE)), "")


def _no_name(case: Case, each: Imported, path: str, near: str) -> Doubt:
    at = case.ground.at(path, re.compile(rf"(?<![\w$]){re.escape(near)}(?![\w$])"))
    return Doubt(
        Evidence.NEAR_IMPORT,
        each.name,
        f"{case.where(each.line)} imports `{each.name}` from `{each.module}`",
        f"`{path}` does not have it; `{near}` comes closest ({at})",
        f"The code of line {each.line} fails when it is loaded",
        f"Import `{near}`, or say in which step `{each.name}` is made",
        lines=(each.line,),
        places=(at,),
    )
