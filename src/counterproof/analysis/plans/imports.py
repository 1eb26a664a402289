"""The file that an import refers to, and the files that import a file or a name from it.

Invariant: an import counts only if it resolves to exactly that file. Nothing is run. Not handled here: the plan's changes.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.facts.named import uses
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.lowered import Imported, imports_in, module_of
from counterproof.analysis.program.modules import Modules
from counterproof.analysis.syntax.ir import Assign, Attribute, Name
from counterproof.analysis.syntax.walk import module_name, spelled, walk

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
        lines = (each.line for each in imports_of(case, path) if source_of(case, path, each)[0] == real)
        found += [(path, line) for line in [*lines][:1]]
    return found


def own_imports(case: Case, real: str) -> list[int]:
    """Lines of the plan's new code that import a file."""
    return [each.line for code in case.new_codes for each in code.imports if source_of(case, code.lowered_as, each)[0] == real]


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
    """The other files that contain a word: Python for Python, scripts for any other file."""
    paths = [file.path for file, _ in case.ground.holding((word,))][:MAX_READ] if word else []
    return [path for path in paths if path != real and path.endswith(".py" if real.endswith(".py") else SCRIPTS)]


def source_of(case: Case, path: str, each: Imported) -> tuple[str, str]:
    """(file, name in it) that an import of a file leads to; ('', '') if there is none."""
    if path.endswith(".py"):
        file, rest = next(modules_of(case).prefixes(each.module, case.ground.resolve(path)), ("", list[str]()))
        return file, ".".join(rest)
    found = case.ground.project.scripts().file(case.ground.resolve(path) or path, each.module) if path.endswith(SCRIPTS) else ""
    return (found, each.name) if found else ("", "")


def imports_of(case: Case, path: str) -> tuple[Imported, ...]:
    return case.once(f"imports {path}", lambda: tuple(imports_in(case.ground.text(path), path)))


def _takes(case: Case, path: str, name: str, home: str) -> Iterator[int]:
    """Lines of a file that import a name from its module or from one that passes it on, or that use it through a module."""
    aliases = set[str]()
    for each in imports_of(case, path):
        there, taken = source_of(case, path, each)
        if there and taken == name and (there == home or (there != path and _passes_on(case, there, name, home))):
            yield each.line
        elif there == home and not taken:
            aliases.add(each.local)
    module = module_of(case.ground.text(path), path) if aliases else None
    for node in walk(*module.body) if module else ():
        if isinstance(node, Assign) and spelled(node.value or Name(0, 0, "")) in aliases:
            aliases |= {spelled(target) for target in node.targets}
        if isinstance(node, Attribute) and node.name == name and spelled(node.value) in aliases:
            yield node.line


def _passes_on(case: Case, path: str, name: str, home: str) -> bool:
    """Return True if a module imports a name from its defining module, so that others may import it there."""
    return any(source_of(case, path, each) == (home, name) for each in imports_of(case, path))
