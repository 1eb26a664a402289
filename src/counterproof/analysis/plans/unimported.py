"""Doubts about names in a plan's Python or scripts that other files define and that the file of the code does not import.

Invariant: a file is checked only if it exists and parses, or if the plan creates it and its blocks omit nothing, and only if the
plan gives imports. All blocks of a file are read together with it, and a block without a known file may belong to any.
"""

import builtins
import re
import sys
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.lowered import Names, names_in
from counterproof.analysis.source.languages import is_test
from counterproof.analysis.syntax import ir
from counterproof.model.plan.outline import Intent, Mention

SCRIPTS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".vue")
MAX_READ = 12
"""The number of files searched for one name."""
_GIVEN = frozenset([*dir(builtins), "__file__", "__path__", "__class__", "__module__", "__qualname__", "reveal_type", "_"])
_COMMENTED = re.compile(r"(?m)^[ \t]*#.{0,200}?(?<![\w/.-])((?:[\w-]{1,80}/){0,10}[\w-]{1,80}\.py)\b")

_DEFINES = (
    r"(?m)^(?:export\b(?:[^\n{{=(]*|[ \t]*\{{[^}}]*)\b{0}\b|(?:(?:async[ \t]+)?def|class)[ \t]+{0}\b(?!\((?:self|cls)\b)"
    r"|{0}[ \t]*(?::[^=\n]{{1,80}})?=(?!=))"
)
"""A definition that other files can import."""

Missing = tuple[str, int, str]
"""A name, its line in the plan, and the place that defines or imports it."""


def unimported_names(case: Case) -> Iterator[Doubt]:
    """One doubt per file for its missing imports, if the plan gives imports."""
    files = dict(written(case))
    careful = any(there and any(map(_gives_imports, codes)) for codes, there in files.values())
    for path, (codes, there) in files.items():
        found = list(_missing(case, path, codes, there)) if careful or any(map(_gives_imports, codes)) else []
        if found:
            yield _doubt(case, path, found)


def written(case: Case) -> Iterator[tuple[str, tuple[list[Code], Names | None]]]:
    """The files of the blocks whose whole content is known, with their blocks and the names of the existing code."""
    files = case.of(Mention.FILE)
    worked_on = {each.text for each in files if each.intent in (Intent.CREATES, Intent.CHANGES)}
    only_read = {case.ground.resolve(each.text) for each in files} - {case.ground.resolve(each) for each in worked_on}
    for path, codes in case.blocks_by_file.items():
        if not path.endswith((".py", *SCRIPTS)) or path in only_read:
            continue
        there = names_in(case.ground.text(path), path) if case.ground.count(path) == 1 else None
        whole = any(f"/{each}".endswith(f"/{path}") for each in worked_on) and not case.ground.exists(path)
        new = whole and _gives_imports(codes[0]) and not any(code.names is None or code.omits for code in codes)
        known = there is not None and (path.endswith(".py") or there.imported)  # scripts of a page share their names
        if (known or new) and not any("*" in code.words for code in codes) and "*" not in (there.bound if there else ()):
            yield path, (codes, there)


def _gives_imports(code: Code) -> bool:
    return code.names is not None and bool(code.names.imported)


def _missing(case: Case, path: str, codes: list[Code], there: Names | None) -> Iterator[Missing]:
    steps = {code.step for code in codes}
    maybe = [code for code in case.codes if code in codes or _may_hold(code, path, steps)]
    bound = {name for code in maybe for name in (code.names.bound if code.names else code.words)}
    late = any("from __future__ import annotations" in text for text in (case.ground.text(path), *(code.text for code in codes)))
    bound |= {*there.bound, *there.read} if there else set()
    bound |= _GIVEN if path.endswith(".py") else set()
    for code in codes:
        if code.names is None or code.omits or not _is_sure(code):
            continue
        for name in code.names.free:
            home = _home_of(case, name, path) if name not in bound and not (late and name in code.names.hints) else ""
            bound.add(name)
            if home and (there or is_test(path) or not name.startswith("_")):
                yield name, code.block.first + code.names.read[name] - 1, home


def _may_hold(code: Code, path: str, steps: set[int]) -> bool:
    """Return True if a block may belong to this file; a block with only imports may belong to any."""
    only_imports = code.names is not None and code.names.bound.keys() == code.names.imported.keys()
    beside = code.step in steps and not code.is_placed
    named = re.search(rf"(?<![\w-]){re.escape(path.rpartition('/')[2])}", code.block.lead) is not None
    return not code.path or only_imports or named or beside


def _is_sure(code: Code) -> bool:
    """Return True if a block names its file and no other one, and is not a part of a test."""
    part = code.module is not None and any(isinstance(node, ir.Assert) for node in code.module.body)
    others = any(not f"/{code.path}".endswith(f"/{each}") for each in _COMMENTED.findall(code.text))
    return code.is_placed and not part and not others


def _home_of(case: Case, name: str, path: str) -> str:
    """The place that defines a name for others, else one that imports it; '' if there is none or if no import is needed."""
    python = path.endswith(".py")
    held = case.ground.occurrences(name)
    paths = dict.fromkeys(each for each, _ in (*held.definitions, *held.test_uses, *held.uses))
    files = [each for each in paths if each.endswith(".py" if python else SCRIPTS)][:MAX_READ]
    there = [(each, 1, case.ground.text(each), each) for each in files]
    if not python and any(_is_given(name, names_in(text, each)) for *_, text, each in there):
        return ""  # every file has it
    blocks = [each for each in case.codes if each.lowered_as.endswith(".py") is python]
    known = [*(("plan", code.block.first, code.text, code.lowered_as) for code in blocks if code.lowered_as), *there]
    defines = re.compile(_DEFINES.format(re.escape(name)))
    for place, first, text, each in known:
        match = defines.search(text)
        if match and (names := names_in(text, each)) and name in names.bound:
            return f"{place}:{first + text.count(chr(10), 0, match.start())}"
    if python and name in sys.stdlib_module_names:
        return "Python"
    for place, first, text, each in known:
        names = names_in(text, each)
        if names and name in names.imported:
            given = names.imported[name].startswith("vitest|") and _has_globals(case)
            return "" if given else f"{place}:{first + names.bound[name] - 1}"
    return ""


def _is_given(name: str, names: Names | None) -> bool:
    return names is not None and name in names.read and name not in names.bound


def _has_globals(case: Case) -> bool:
    """Return True if the test runner is configured to provide its functions as globals."""
    paths = [path for path in case.ground.project.files if re.search(r"(?:^|/)vite(?:st)?\.config\.\w+\Z", path)]
    return any(re.search(r"\bglobals[ \t]*:[ \t]*true\b", case.ground.text(path)) for path in paths)


def _doubt(case: Case, path: str, missing: list[Missing]) -> Doubt:
    python = path.endswith(".py")
    name, line, home = missing[0]
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    homes = ", ".join(f"`{each}` comes from {place}" for each, _, place in missing[:5])
    return Doubt(
        Evidence.UNIMPORTED if python else Evidence.SCRIPT_UNIMPORTED,
        f"{path}: {name}",
        f"{case.where(line)} uses `{name}`{more} in code for `{path}`",
        f"Neither the file nor a block for it imports it; {homes}" + ("" if python else ". Should the step add the import?"),
        f"Line {line} raises NameError" if python else f"Line {line} stops with a ReferenceError, or does not compile",
        f"Add the import of {', '.join(f'`{each}`' for each, _, _ in missing[:7])}",
        lines=tuple(at for _, at, _ in missing),
        places=(home if ":" in home else f"plan:{line}",),
    )
