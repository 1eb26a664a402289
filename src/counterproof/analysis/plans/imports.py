"""The file that an import refers to, and the files that import a file or a name from it.

Invariant: an import counts only if it resolves to exactly that file. Nothing is run. Not handled here: the plan's changes.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.facts.named import uses
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import dotted, parsed
from counterproof.analysis.plans.script_trees import taken_by
from counterproof.analysis.program.modules import Modules
from counterproof.analysis.syntax.walk import module_name

Place = tuple[str, int]

MAX_READ = 300
"""Files parsed for one name."""
SCRIPTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte")


def modules_of(case: Case) -> Modules:
    """The project's Python modules, including tests."""
    paths = [path for path in case.ground.project.files if path.endswith(".py")]
    return case.once("modules", lambda: Modules((path, module_name(path)[0]) for path in paths))


def importers(case: Case, real: str) -> list[Place]:
    """Locations outside a file that import it."""
    stem = re.sub(r"/(?:__init__|index|mod)\.\w+\Z", "", real).rpartition("/")[2].partition(".")[0]
    found: list[Place] = []
    for path in _holding(case, stem, real):
        lines = (line for module, name, line, _ in imports_in(case, path) if real in _targets(case, path, module, name))
        found += [(path, line) for line in [*lines][:1]]
    return found


def own_imports(case: Case, real: str) -> list[int]:
    """Lines of the plan's new code that import a file."""
    return [
        each.line
        for code in case.new_codes
        for each in code.imports
        if real in _targets(case, code.path or ("a.py" if code.tree else ""), each.module, each.name)
    ]


def takers(case: Case, name: str, home: str) -> list[Place]:
    """Locations outside a file that use a name from it: by import, or in Python through its module."""
    if not home.endswith((".py", *SCRIPTS)):
        return [place for place in named_uses(case, name) if _ending(place[0]) == _ending(home) and place[0] != home]
    found: list[Place] = []
    for path in _holding(case, name, home):
        lines = sorted({*_takes(case, path, name, home)})
        found += [(path, line) for line in lines[:1]]
    return found


def named_uses(case: Case, name: str) -> list[Place]:
    """Locations whose code calls a name or passes it on, in every language with a grammar; the first of each file."""
    found: dict[str, int] = {}
    for path, line, _ in uses(case.ground.project, frozenset([name])):
        found.setdefault(path, line)
    return list(found.items())


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def _holding(case: Case, word: str, real: str) -> list[str]:
    """The other files of the same language that contain a word."""
    paths = [file.path for file, _ in case.ground.holding((word,))][:MAX_READ] if word else []
    return [path for path in paths if path != real and path.endswith(".py") == real.endswith(".py")]


def file_of(case: Case, path: str, module: str) -> str:
    """The file of a module, as imported in another file; '' if there is none."""
    if path.endswith(".py"):
        return modules_of(case).find(module, case.ground.resolve(path)) or ""
    return case.ground.project.scripts().file(case.ground.resolve(path) or path, module) or "" if path.endswith(SCRIPTS) else ""


def _targets(case: Case, path: str, module: str, name: str) -> set[str]:
    """The files that an import may lead to: the module, and in Python its name as a module."""
    names = (module, f"{module}.{name}") if name and path.endswith(".py") else (module,)
    return {file_of(case, path, each) for each in names}


def imports_in(case: Case, path: str) -> tuple[tuple[str, str, int, str], ...]:
    """(module, name, line, local name) of each import of a file; relative ones of Python by full name."""
    if path.endswith(".py"):
        return case.once(f"imports {path}", lambda: tuple(_read_imports(case, path)))
    taken = taken_by(case.ground.text(path), path) if path.endswith(SCRIPTS) else ()
    return tuple((module, name, line, name) for module, name, line in taken or ())


def _read_imports(case: Case, path: str) -> Iterator[tuple[str, str, int, str]]:
    tree = parsed(case.ground.text(path))
    package = [part for part in module_name(path)[1].split(".") if part]
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            for each in node.names:
                yield each.name, "", node.lineno, each.asname or each.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for each in node.names:
                yield module, each.name, each.lineno, each.asname or each.name


def _takes(case: Case, path: str, name: str, home: str) -> Iterator[int]:
    """Lines of a file that import a name from its module or from one that passes it on, or that use it through a module."""
    aliases = set[str]()
    for module, each, line, local in imports_in(case, path):
        there = file_of(case, path, module)
        if each == name and (there == home or (there and there != path and _passes_on(case, there, name, home))):
            yield line
        elif home in _targets(case, path, module, each):
            aliases.add(local)
    tree = parsed(case.ground.text(path)) if aliases and path.endswith(".py") else None
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Attribute) and node.attr == name and dotted(node.value) in aliases:
            yield node.lineno


def _passes_on(case: Case, path: str, name: str, home: str) -> bool:
    """Return True if a module imports a name from its defining module, so that others may import it there."""
    return any(local == name and file_of(case, path, module) == home for module, _, _, local in imports_in(case, path))
