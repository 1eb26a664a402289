"""Doubts about scripts that a plan writes out: names from elsewhere that their file does not import.

Always: only blocks that parse, for a file that is there, or for one that the plan writes out whole. Every name that the file, any
other block for it, or a block whose file is not sure binds or reads counts as bound; so does what some module of the project
uses without an import. Where prose speaks of importing a name, nothing is said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from counterproof.analysis.plans.blocks import DIFFS, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.script_globals import is_global
from counterproof.analysis.plans.script_trees import Script, script_of
from counterproof.model.plan.outline import Mention

ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".vue")
MAX_NAMES = 100
"""Names that are looked for, for one plan."""
MAX_READ = 12
"""Files of the project in which one name is looked for."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
OMITTED = re.compile(
    r"(?://|/\*|<!--)[ \t]*(?:\.\.\.|…|(?:existing|unchanged|same|rest|other|as before|see|previous|remaining|keep|imports?)\b)"
    r"|(?:\.\.\.|…)[ \t]*(?:\*/|$)",
    re.IGNORECASE | re.MULTILINE,
)
_OMITTED_IMPORTS = re.compile(r"(?://|/\*)[^\n]{0,60}\bimport", re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*(?:(?:type[ \t]+)?[\w$]+(?:[ \t]+as[ \t]+[\w$]+)?[ \t]*,?[ \t]*)?")
"""A line of a list of names: what is imported, exported or handed on."""


@dataclass(frozen=True, slots=True)
class _Missing:
    """A name that a block uses and its file lacks; `sure` if the block names its file and the name is no mere type. `home` is the
    place that has the name, `module` what to import it from."""

    name: str
    line: int
    sure: bool
    home: str = ""
    module: str = ""


def unbound_script_names(case: Case) -> Iterator[Doubt]:
    """Names that code for a file uses, that are elsewhere, and that the file does not have: one doubt for a file."""
    missing: dict[str, list[_Missing]] = {}
    for path, code, name in islice(_loose(case), MAX_NAMES):
        script = script_of(code.text, path)
        found = _home_of(case, name) if script and not _is_imported_in_words(case, name) else None
        if script and found:
            line = code.block.first + script.read[name] - 1
            sure = code.is_placed and script.roles[name] != {"type"}
            missing.setdefault(path, []).append(_Missing(name, line, sure, *found))
    careful = {path for path, codes in blocks_by_file(case).items() if _has_imports(codes)} if missing else set[str]()
    there = any(case.ground.exists(path) for path in careful)
    yield from (_doubt(case, path, each, there or path in careful) for path, each in missing.items())


def _has_imports(codes: list[Code]) -> bool:
    """Whether a plan gives the imports of a file."""
    scripts = (script_of(code.text, code.path) for code in codes)
    return any(script and script.imported for script in scripts)


def blocks_by_file(case: Case) -> dict[str, list[Code]]:
    """The blocks of scripts, by the file that they are for."""
    found: dict[str, list[Code]] = {}
    for code in case.new_codes:
        if code.path.endswith(ENDINGS) and code.block.language in (*SCRIPTS, *DIFFS):
            found.setdefault(file_of(case, code.path), []).append(code)
    return found


def file_of(case: Case, path: str) -> str:
    """The whole path of a file. A bare name stands for the path that the plan gives elsewhere; '' if it gives several."""
    full = {each.text for each in case.of(Mention.FILE) if "/" not in path and each.text.endswith(f"/{path}")}
    full = {case.ground.resolve(each) or each for each in full} or {case.ground.resolve(path) or path}
    return full.pop() if len(full) == 1 else ""


def _given(case: Case, path: str, codes: list[Code]) -> set[str] | None:
    """The names that code for a file may use; None where that cannot be told."""
    found: set[str] = set()
    if path and case.ground.exists(path):
        text = case.ground.text(path) if case.ground.count(path) == 1 else ""
        own = script_of(text, path)
        if not text or (own and not own.is_module and "require(" not in text):
            return None  # a script of a page shares its names with others
        found |= {*own.bound, *own.read} if own else set(_WORD.findall(text))
    elif not path or not _is_whole(codes):
        return None
    for code in case.codes:
        script = script_of(code.text, code.path) if code.block.language in (*SCRIPTS, *DIFFS) else None
        if (code.path and file_of(case, code.path) == path) or _may_bind(code, script, codes):
            found |= set(script.bound) if script else code.words
    return found


def _is_whole(codes: list[Code]) -> bool:
    """Whether blocks are all of a file: they parse, leave nothing out, and open with imports."""
    scripts = [script_of(code.text, code.path) for code in codes]
    whole = all(script and not OMITTED.search(code.text) for code, script in zip(codes, scripts, strict=True))
    return whole and scripts[0] is not None and bool(scripts[0].imported)


def _may_bind(code: Code, script: Script | None, codes: list[Code]) -> bool:
    """Whether a block may be for the file of others though another is taken for its own: the words before it do not name that
    one, and it holds imports, or stands beside them and is a test as they are."""
    if code.block.language not in (*SCRIPTS, *DIFFS):
        return False
    beside = any(each.step == code.step and each.is_test == code.is_test for each in codes)
    return not code.is_placed and (not code.path or beside or (script is not None and script.is_import))


def _loose(case: Case) -> Iterator[tuple[str, Code, str]]:
    """Each name that blocks for a file use and nothing gives them, with the file and the first of these blocks."""
    for path, codes in blocks_by_file(case).items():
        seen = _given(case, path, codes)
        for code in codes if seen is not None else ():
            script = None if _is_open(code) else script_of(code.text, path)
            for name in script.free if script else ():
                if seen is not None and script and not (name in seen or is_global(name) or script.roles[name] == {"namespace"}):
                    seen.add(name)
                    yield path, code, name


def _is_open(code: Code) -> bool:
    """Whether a block is a list of names, or leaves its imports to a comment."""
    listed = all(_ITEM.fullmatch(line) for line in code.plain.split("\n"))
    return listed or _OMITTED_IMPORTS.search(code.text) is not None


def _is_imported_in_words(case: Case, name: str) -> bool:
    """Whether a line outside of scripts speaks of importing a name."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    lines = (line for at, line in enumerate(case.lines, 1) if case.code_lines.get(at) not in SCRIPTS)
    return any("import" in line.lower() and word.search(line) for line in lines)


def _home_of(case: Case, name: str) -> tuple[str, str] | None:
    """Where a name is, and what it is imported from; None where it is nowhere, or may be had without an import."""
    held = case.ground.occurrences(name)
    files = dict.fromkeys(each for each, _ in (*held.uses, *held.definitions, *held.test_uses) if each.endswith(ENDINGS))
    there = [(each, script_of(case.ground.text(each), each)) for each in [*files][:MAX_READ]]
    if any(script and script.is_module and name in script.read and name not in script.bound for _, script in there):
        return None
    for code in case.codes:
        script = script_of(code.text, code.path) if code.block.language in SCRIPTS and name in code.text else None
        module = _module_of(script, code.path, name)
        if script and module:
            return f"plan:{code.block.first + script.bound[name] - 1}", module
    for path, script in sorted(there, key=lambda each: each[1] is None or name not in each[1].imported):
        module = _module_of(script, path, name)
        if script and module:
            return f"{path}:{script.bound[name]}", module
    return None


def _module_of(script: Script | None, path: str, name: str) -> str:
    """The module that a script has a name from: one that it imports, or itself where it exports the name; '' if none."""
    if script is None or name not in script.bound:
        return ""
    return script.imported.get(name, "") or (path if name in script.exported else "")


def _doubt(case: Case, path: str, missing: list[_Missing], careful: bool) -> Doubt:
    """A block that names its file, in a plan that gives the imports of its files, leaves the import out; another may leave it to
    whoever writes the code."""
    first, *others = sorted(missing, key=lambda each: not each.sure)
    more = f" and {len(others)} more" if others else ""
    names = ", ".join(f"`{each.name}`" for each in missing[:7])
    return Doubt(
        Evidence.SCRIPT_UNIMPORTED if careful and first.sure else Evidence.LEFT_IMPORT,
        f"{path}: {first.name}",
        f"{case.where(first.line)} uses `{first.name}`{more} in code for `{path}`",
        f"The file does not import it; {first.home} has it from `{first.module}`. Should the step add the import?",
        f"Line {first.line} stops with a ReferenceError, or does not compile",
        f"Add to `{path}` the import of {names}",
        lines=(first.line,),
        places=(first.home,),
    )
