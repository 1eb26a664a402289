"""Doubts about imports of scripts that a plan writes out: names that their module does not export.

Always: the module is a file of the project that the plan leaves alone, or one that the plan writes out; all of it parses, and it
passes nothing on as a whole. A name that any block exports, or that words add, may be meant to stand there.
"""

import difflib
import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.plans.blocks import SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.script_names import MAX_NAMES, OMITTED, blocks_by_file, file_of
from counterproof.analysis.plans.script_trees import Script, script_of

_ADDS = re.compile(
    r"\b(?:export|add|creat|introduc|expos|renam|new\b|defin|implement|extract|mov)\w{0,4}|新增|导出|添加", re.IGNORECASE
)


def unexported_names(case: Case) -> Iterator[Doubt]:
    """Names that blocks import from a module without them: one doubt for one module."""
    found: dict[str, dict[str, int]] = {}
    for home, name, line in islice(_untaken(case), MAX_NAMES):
        if not _is_added(case, name):
            found.setdefault(home, {}).setdefault(name, line)
    yield from (_doubt(case, home, names) for home, names in found.items())


def _untaken(case: Case) -> Iterator[tuple[str, str, int]]:
    """Each name that a block imports and its module does not offer: the module's file, the name, the line."""
    made = blocks_by_file(case)
    for code in case.new_codes:
        script = script_of(code.text, code.path) if code.block.language in SCRIPTS else None
        for module, name, line in script.taken if script else ():
            home = _home(case, code, module, made)
            offered = _offered(case, home, made) if home else None
            if offered is not None and name not in (*offered, "default"):
                yield home, name, code.block.first + line - 1


def _home(case: Case, code: Code, module: str, made: dict[str, list[Code]]) -> str:
    """The file that an import leads to: one of the project, or one of the plan; '' if it is not known."""
    origin = file_of(case, code.path) if code.path else ""
    if not origin or "/" not in origin:
        return ""
    resolver = case.ground.project.scripts()
    found = resolver.file(origin, module)
    if found or not module.startswith("."):
        return found or ""
    base = re.sub(r"\.(?:js|jsx|mjs)\Z", "", posixpath.normpath(posixpath.join(posixpath.dirname(origin), module)))
    ends = re.compile(rf"{re.escape(base)}(?:/index)?(?:\.(?:d\.)?[mc]?[jt]sx?)?")
    paths = [path for path in made if ends.fullmatch(path)]
    return paths[0] if len(paths) == 1 else ""


def _offered(case: Case, home: str, made: dict[str, list[Code]]) -> frozenset[str] | None:
    """What a file will export; None where that cannot be told."""
    there = case.ground.exists(home)
    if there and home in case.worked_on:
        return None
    if not there and any(OMITTED.search(code.text) for code in made.get(home, ())):
        return None
    texts = [case.ground.text(home)] if there else [code.text for code in made.get(home, ())]
    scripts = [script_of(text, home) for text in texts]
    read = [script for script in scripts if script and script.is_module and not script.is_open]
    return (
        _names(read)
        if read and len(read) == len(scripts) and home.endswith((".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts"))
        else None
    )


def _names(scripts: list[Script]) -> frozenset[str]:
    return frozenset(name for script in scripts for name in script.exported)


def _is_added(case: Case, name: str) -> bool:
    """Whether the plan brings a name: a block exports it, or words add it."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    for code in case.codes:
        script = script_of(code.text, code.path) if name in code.text and code.block.language in SCRIPTS else None
        if script and name in script.exported:
            return True
    return any(at not in case.code_lines and word.search(line) for at, line in case.lines_with(_ADDS))


def _doubt(case: Case, home: str, names: dict[str, int]) -> Doubt:
    first, *others = names
    line = names[first]
    script = script_of(case.ground.text(home), home) if case.ground.exists(home) else None
    inside = script.bound.get(first, 0) if script else 0
    more = f", nor {', '.join(f'`{each}`' for each in others)}" if others else ""
    near = difflib.get_close_matches(first, script.exported if script else (), n=3, cutoff=0.3)
    listed = ", ".join(f"`{each}`" for each in near)
    has = f"; it has it for itself alone, in line {inside}" if inside else f"; it exports {listed}" if listed else ""
    return Doubt(
        Kind.IMPORT,
        first,
        "",
        f"The import cannot work: `{home}` does not export `{first}`{has}{more}",
        f"The code of line {line} fails when it is loaded",
        f"Import what `{home}` exports, or say in which step it comes to export `{first}`",
        lines=(line,),
        places=(f"{home}:{inside or 1}",) if script else (f"plan:{line}",),
        evidence=Evidence.SCRIPT_UNEXPORTED,
    )
