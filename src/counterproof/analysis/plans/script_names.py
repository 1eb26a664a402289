"""Questions about names in a plan's JavaScript or TypeScript that other files define and that the code's file does not import.

Invariant: only blocks that parse, for a file that exists or that the plan writes completely. Names count as bound if the file, a
block for it or a block without a known file binds them, or if a module of the project uses them without an import.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.script_scopes import Script, script_of
from counterproof.analysis.plans.script_trees import taken_by

ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".vue")
MAX_READ = 12
"""The number of files searched for one name."""
_OMITTED = re.compile(
    r"(?://|/\*|<!--)[ \t]*(?:\.\.\.|…|(?:existing|unchanged|rest|as before|imports?)\b)|(?:\.\.\.|…)[ \t]*(?:\*/|$)",
    re.IGNORECASE | re.MULTILINE,
)

Missing = tuple[str, int, str, str]
"""A name, its line in the plan, the location that binds it, and the module to import it from."""


def unbound_script_names(case: Case) -> Iterator[Doubt]:
    """One doubt per file for the names that its code uses and that only other files bind."""
    missing: dict[str, list[Missing]] = {}
    for path, code, name in _loose(case):
        script, home = script_of(code.text, path), _home_of(case, name)
        if script and home and not (home[1] == "vitest" and _has_globals(case)):
            missing.setdefault(path, []).append((name, code.block.first + script.read[name] - 1, *home))
    yield from (_doubt(case, path, each) for path, each in missing.items())


def _has_globals(case: Case) -> bool:
    """Return True if the test runner is configured to provide its functions as globals."""
    paths = [path for path in case.ground.project.files if re.search(r"(?:^|/)vite(?:st)?\.config\.\w+\Z", path)]
    return any(re.search(r"\bglobals[ \t]*:[ \t]*true\b", case.ground.text(path)) for path in paths)


def _loose(case: Case) -> Iterator[tuple[str, Code, str]]:
    """(file, block, name) of each name that blocks of a file use and nothing binds."""
    blocks: dict[str, list[Code]] = {}
    for code in case.new_codes:
        if code.path.endswith(ENDINGS) and code.block.language in (*SCRIPTS, *DIFFS):
            blocks.setdefault(case.ground.resolve(code.path) or code.path, []).append(code)
    for path, codes in blocks.items():
        seen = _given(case, path, codes)
        for code in codes if seen is not None else ():
            script = None if _OMITTED.search(code.text) else script_of(code.text, path)
            for name in script.free if script else ():
                if seen is not None and name not in seen:
                    seen.add(name)
                    yield path, code, name


def _given(case: Case, path: str, codes: list[Code]) -> set[str] | None:
    """The names that the code of a file may use; None if its whole content is not known."""
    found: set[str] = set()
    own_blocks = [(code, script_of(code.text, code.path)) for code in codes]
    own = script_of(case.ground.text(path), path) if case.ground.resolve(path) else None
    if case.ground.exists(path):
        if own is None or not (own.is_module or taken_by(case.ground.text(path), path)) or case.ground.count(path) != 1:
            return None  # scripts of a page share their names
        found |= {*own.bound, *own.read}
    elif any(script is None or _OMITTED.search(code.text) for code, script in own_blocks) or not any(
        script and script.imported for _, script in own_blocks
    ):
        return None
    for code in case.codes:
        if code.block.language in (*SCRIPTS, *DIFFS):
            script = script_of(code.text, code.path)
            mine = code in codes or (not code.is_placed and (not code.path or code.step in {each.step for each in codes}))
            found |= (set(script.bound) if script else set(code.words)) if mine or (script and script.is_import) else set[str]()
    return found


def _home_of(case: Case, name: str) -> tuple[str, str] | None:
    """(location, module) of a name; None if nothing binds it or if it is available without an import."""
    held = case.ground.occurrences(name)
    files = dict.fromkeys(each for each, _ in (*held.uses, *held.definitions, *held.test_uses) if each.endswith(ENDINGS))
    there = [(each, script_of(case.ground.text(each), each)) for each in [*files][:MAX_READ]]
    if any(script and name in script.read and name not in script.bound for _, script in there):
        return None
    codes = [code for code in case.codes if code.block.language in SCRIPTS]
    shown = [(f"plan {code.block.first}", script_of(code.text, code.path)) for code in codes]
    texts = {f"plan {code.block.first}": code.text for code in codes}
    for path, script in (*shown, *sorted(there, key=lambda each: each[1] is None or name not in each[1].imported)):
        module = _module_of(script, path, name, texts.get(path) or case.ground.text(path))
        if script and module:
            first = int(path.removeprefix("plan ")) if path.startswith("plan ") else 1
            return f"{path.partition(' ')[0]}:{first + script.bound[name] - 1}", module
    return None


def _module_of(script: Script | None, path: str, name: str, text: str) -> str:
    """The module that a script imports a name from, or the script itself if it exports the name; '' otherwise."""
    if script is None or name not in script.bound:
        return ""
    return script.imported.get(name, "") or (
        path if re.search(rf"(?m)^export\b(?:[^\n{{=(]*|[ \t]*\{{[^}}]*)\b{re.escape(name)}\b", text) else ""
    )


def _doubt(case: Case, path: str, missing: list[Missing]) -> Doubt:
    name, line, home, module = missing[0]
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return Doubt(
        Evidence.SCRIPT_UNIMPORTED,
        f"{path}: {name}",
        f"{case.where(line)} uses `{name}`{more} in code for `{path}`",
        f"The file does not import it; {home} has it from `{module}`. Should the step add the import?",
        f"Line {line} stops with a ReferenceError, or does not compile",
        f"Add to `{path}` the import of {', '.join(f'`{each[0]}`' for each in missing[:7])}",
        lines=(line,),
        places=(home,),
    )
