"""The file that an import refers to, and the files that import a file or a name from it.

Invariant: an import counts only if it resolves to exactly that file. Nothing is run. Not handled here: the plan's changes.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.facts.named import uses
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import dotted, parsed
from counterproof.analysis.plans.script_trees import Taken, taken_by
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
    for path in _holding(case, stem):
        if path == real:
            continue
        if path.endswith(".py") and real.endswith(".py"):
            lines = (line for target, line in _targets(case, path) if modules_of(case).find(target, path) == real)
        elif path.endswith(SCRIPTS) and real.endswith(SCRIPTS):
            lines = (line for module, _, line in _script_imports(case, path) if module_file(case, path, module) == real)
        else:
            continue
        found += [(path, line) for line in [*dict.fromkeys(lines)][:1]]
    return found


def own_imports(case: Case, real: str) -> list[int]:
    """Lines of the plan's new code that import a file."""
    found: list[int] = []
    for code in case.new_codes:
        for each in code.imports:
            name = f"{each.module}.{each.name}" if each.name else each.module
            python = code.tree is not None and real.endswith(".py")
            paths = [modules_of(case).find(one, "") for one in (name, each.module)] if python else []
            paths += [module_file(case, code.path, each.module)] if code.path.endswith(SCRIPTS) else []
            found += [each.line] if real in paths else []
    return found


def takers(case: Case, name: str, home: str) -> list[Place]:
    """Locations outside a file that use a name from it: by import, or through its module."""
    found: list[Place] = []
    for path in _holding(case, name):
        if path == home:
            continue
        if path.endswith(".py") and home.endswith(".py"):
            lines = [*_python_takes(case, path, name, home)]
        elif path.endswith(SCRIPTS) and home.endswith(SCRIPTS):
            taken = _script_imports(case, path)
            lines = [line for module, each, line in taken if each == name and module_file(case, path, module) == home]
        else:
            continue
        found += [(path, line) for line in sorted(set(lines))[:1]]
    if found or home.endswith((".py", *SCRIPTS)):
        return found
    return [place for place in named_uses(case, name) if _ending(place[0]) == _ending(home) and place[0] != home]


def named_uses(case: Case, name: str) -> list[Place]:
    """Locations whose code calls a name or passes it on, in every language with a grammar; the first of each file."""
    found: dict[str, int] = {}
    for path, line, _ in uses(case.ground.project, frozenset([name])):
        found.setdefault(path, line)
    return list(found.items())


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def _holding(case: Case, word: str) -> list[str]:
    return [file.path for file, _ in case.ground.holding((word,))][:MAX_READ] if word else []


def _targets(case: Case, path: str) -> Iterator[tuple[str, int]]:
    """Dotted names that a file's imports refer to: the module, and each name as if it were a module."""
    for module, name, line, _ in python_imports(case, path):
        yield module, line
        if name:
            yield f"{module}.{name}", line


def python_imports(case: Case, path: str) -> tuple[tuple[str, str, int, str], ...]:
    """(module, name, line, local name) of each import of a Python file; relative ones by full name."""
    return case.once(f"imports {path}", lambda: tuple(_read_imports(case, path)))


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


def _python_takes(case: Case, path: str, name: str, home: str) -> Iterator[int]:
    """Lines of a file that import a name from its module or from a package that re-exports it, or that use it through a
    module."""
    modules, aliases = modules_of(case), set[str]()
    for module, each, line, local in python_imports(case, path):
        there = modules.find(module, path) or ""
        if each == name and (there == home or (there and there != path and _passes_on(case, there, name, home))):
            yield line
        elif (modules.find(f"{module}.{each}", path) if each else there) == home:
            aliases.add(local)
    tree = parsed(case.ground.text(path)) if aliases else None
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Attribute) and node.attr == name and dotted(node.value) in aliases:
            yield node.lineno


def _passes_on(case: Case, path: str, name: str, home: str) -> bool:
    """Return True if a module imports a name from its defining module, so that others may import it there."""
    imports = python_imports(case, path)
    return any(local == name and modules_of(case).find(module, path) == home for module, _, _, local in imports)


def _script_imports(case: Case, path: str) -> tuple[Taken, ...]:
    return taken_by(case.ground.text(path), path) or ()


def module_file(case: Case, path: str, module: str) -> str:
    """The file of a JavaScript module, as imported in another file; '' if there is none."""
    return case.ground.project.scripts().file(case.ground.resolve(path) or path, module) or ""
