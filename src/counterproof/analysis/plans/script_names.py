"""Doubts about scripts that a plan writes out: names that their file neither defines nor imports.

Always: only blocks that parse, for a file that is there, or for one that the plan writes out whole. Every name that the file, any
other block for it, or a block whose file is not sure binds or reads counts as bound; so does what some module of the project
uses without an import. Where words of the step speak of imports, or leave the code open, nothing is said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from counterproof.analysis.plans.blocks import DIFFS, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.hearing import IMPORTS, LEFT_OPEN, SKETCH
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.script_globals import is_global
from counterproof.analysis.plans.script_trees import Script, script_of
from counterproof.model.plan.outline import Mention

ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".vue")
MAX_NAMES = 100
"""Names that are looked for, for one plan."""
MAX_READ = 12
"""Files of the project in which one name is looked for."""
AROUND = 40
"""Lines around a block that belong to it where a plan has no steps."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
OMITTED = re.compile(
    r"(?://|/\*|<!--)[ \t]*(?:\.\.\.|…|(?:existing|unchanged|same|rest|other|as before|see|previous|remaining|keep|imports?)\b)"
    r"|(?:\.\.\.|…)[ \t]*(?:\*/|$)",
    re.IGNORECASE | re.MULTILINE,
)
_OMITTED_IMPORTS = re.compile(r"(?://|/\*)[^\n]{0,60}\bimport", re.IGNORECASE)
_TYPE_CHECK = re.compile(
    r"\b(?:tsc|vue-tsc|svelte-check|type-?check\w{0,3}|check[:-]types|types[:-]check|astro check"
    r"|(?:run|next|vite|turbo|nx|ng|npm|pnpm|yarn|bun)[ \t]build)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?(?:async[ \t]+)?function[ \t]+\w{1,80}\([^(){}]{0,400}\)[^{}\n;]{0,120};[ \t]*$")
"""A function without a body."""
_ITEM = re.compile(r"[ \t]*(?:(?:type[ \t]+)?[\w$]+(?:[ \t]+as[ \t]+[\w$]+)?[ \t]*,?[ \t]*)?")
"""A line of a list of names: what is imported, exported or handed on."""
_CONSUMED = re.compile(r"\b(?:consumes?|reuses?|depends on|uses the)\b", re.IGNORECASE)
"""Words that say where a thing comes from."""
_WHOLLY = re.compile(r"\b(?:entire|whole|full|complete)[ \t]+(?:contents?|files?)\b", re.IGNORECASE)
"""Words that put a block in the place of a file."""
_GENERALLY = re.compile(
    r"\b(?:add|extend|update|adjust|include|merge|need\w{0,3}|necessary|required|missing|new|existing|top|its|the|and|with)\b.{0,40}"
    r"\bimports?\b|\bimports?\b\W{0,4}\Z|\bimport\w{0,3} (?:it|them|these|everything|what|as|accordingly)\b|导入|引入",
    re.IGNORECASE,
)
"""Words about the imports of a file as such."""
_PARTLY = re.compile(r"\b(?:pattern|similar\w*|shape|outline|snippet|usage)\b|\b(?:structure|layout)\W{0,4}\Z", re.IGNORECASE)
"""Words before a block that shows the form of something."""


@dataclass(frozen=True, slots=True)
class _Missing:
    """A name that a block uses and its file lacks; `sure` if the block says that it is for this file, and something meets it: a
    type is left out where nothing checks types. `home` is the place that has the name, `module` what to import it from."""

    name: str
    line: int
    sure: bool
    home: str = ""
    module: str = ""


def unbound_script_names(case: Case) -> Iterator[Doubt]:
    """Names that code for a file uses and the file does not have: one doubt for what is elsewhere, one for what is nowhere."""
    missing: dict[tuple[str, bool], list[_Missing]] = {}
    for path, code, name in islice(_loose(case), MAX_NAMES):
        script = script_of(code.text, path)
        found = _home_of(case, name) if script and not _is_told(case, code, path, name) else None
        if script and found and (found[0] or _is_needed(case, code, script, name)):
            line = code.block.first + script.read[name] - 1
            met = script.roles[name] != {"type"} or any(at > line for at, _ in case.lines_with(_TYPE_CHECK))
            missing.setdefault((path, found[0] != ""), []).append(_Missing(name, line, code.is_placed and met, *found))
    careful = {path for path, codes in blocks_by_file(case).items() if _has_imports(codes)} if missing else set[str]()
    there = any(case.ground.exists(path) for path in careful)
    yield from (_doubt(path, each, there or path in careful) for (path, _), each in missing.items())


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
        if own and _is_whole(codes) and all(_WHOLLY.search(code.block.lead) for code in codes):
            found = set(own.free)
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
            script = None if _is_open(case, code) else script_of(code.text, path)
            for name in script.free if script else ():
                if seen is not None and script and not (name in seen or is_global(name) or script.roles[name] == {"namespace"}):
                    seen.add(name)
                    yield path, code, name


def _is_open(case: Case, code: Code) -> bool:
    """Whether the words around a block, or it itself, say that it is no more than a sketch."""
    sketch = (
        SKETCH.search(code.block.lead)
        or _PARTLY.search(code.block.lead)
        or LEFT_OPEN.search(f"{code.block.lead}\n{case.around(code.block)}")
    )
    listed = all(_ITEM.fullmatch(line) for line in code.plain.split("\n"))
    return sketch is not None or listed or bool(_OMITTED_IMPORTS.search(code.text) or _HEAD.search(code.text))


def _is_told(case: Case, code: Code, path: str, name: str) -> bool:
    """Whether words speak of the import: of this name anywhere, or, in the step, of where it comes from or of the imports of
    this file."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    step = next((each for each in case.outline.steps if each.start <= code.block.first <= each.end), None)
    start, end = (step.start, step.end) if step else (code.block.first - AROUND, code.block.first + AROUND)
    if any(start <= at <= end and at not in case.code_lines and word.search(line) for at, line in case.lines_with(_CONSUMED)):
        return True
    others = (each for each in case.codes if each is not code and not (each.is_placed and file_of(case, each.path) != path))
    if any(IMPORTS.search(each.block.lead) and word.search(each.text) for each in others):
        return True
    for at, line in case.lines_with(IMPORTS):
        if word.search(line) and case.code_lines.get(at) not in SCRIPTS:
            return True
        if start <= at <= end and at not in case.code_lines and _is_general(line, path):
            return True
    return False


def _is_general(line: str, path: str) -> bool:
    """Whether a line of prose is about the imports of a file as such, or of no file in particular: it names nothing else."""
    other = re.search(r"`[A-Za-z_$][\w$]*(?:\(\))?`", line) or (FILE.search(line) and path.rpartition("/")[2] not in line)
    return _GENERALLY.search(line) is not None and not other


def _home_of(case: Case, name: str) -> tuple[str, str] | None:
    """Where a name is, and what it is imported from; ('', '') if it is nowhere, None where it may be had without an import."""
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
    return None if held.known or case.binds(name) else ("", "")


def _module_of(script: Script | None, path: str, name: str) -> str:
    """The module that a script has a name from: one that it imports, or itself where it exports the name; '' if none."""
    if script is None or name not in script.bound:
        return ""
    return script.imported.get(name, "") or (path if name in script.exported else "")


def _is_needed(case: Case, code: Code, script: Script, name: str) -> bool:
    """Whether a name that is nowhere must be there: a test shows by its calls what is to be written, and so does the prose."""
    tests = code.is_test or re.search(r"\btests?\b", code.block.lead, re.IGNORECASE)
    return not tests and name not in case.prose_words and not OMITTED.search(code.text) and "type" not in script.roles[name]


def _doubt(path: str, missing: list[_Missing], careful: bool) -> Doubt:
    """What is elsewhere stands where the plan gives the imports of its files, and a block to its file by name; another plan may
    leave that to whoever works."""
    first, *others = sorted(missing, key=lambda each: not each.sure)
    unimported = Evidence.SCRIPT_UNIMPORTED if careful and first.sure else Evidence.LEFT_IMPORT
    more = f", nor {', '.join(f'`{each.name}` (line {each.line})' for each in others[:6])}" if others else ""
    there = f"; {first.home} has it from `{first.module}`" if first.home else "; neither the code nor the plan has it anywhere"
    names = ", ".join(f"`{each.name}`" for each in missing[:7])
    return Doubt(
        Kind.UNBOUND,
        first.name,
        "",
        f"`{path}` neither defines nor imports `{first.name}`{there}{more}",
        f"Line {first.line} stops with a ReferenceError, or does not compile",
        f"Add to `{path}` the import of {names}" if first.home else f"Say what {names} {'is' if len(missing) == 1 else 'are'}",
        lines=(first.line,),
        places=(first.home or f"plan:{first.line}",),
        evidence=unimported if first.home else Evidence.SCRIPT_UNDEFINED,
    )
