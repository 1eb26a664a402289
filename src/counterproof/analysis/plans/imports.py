"""Which file an import means, and which files import a file or take a name from it.

Always: an import counts only where it leads to the very file. Nothing is run. What the plan does to a thing does not belong here.
"""

import ast
import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.facts.named import uses
from counterproof.analysis.plans.blocks import OWN
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import dotted, parsed
from counterproof.analysis.plans.script_trees import script_of
from counterproof.analysis.program.modules import Modules
from counterproof.analysis.syntax.walk import module_name

Place = tuple[str, int]

_REQUIRE = re.compile(
    r"(?:\{(?P<names>[^{}]{1,400})\}[ \t]*=[ \t]*)?\b(?:require|import|jest\.mock)\([ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]"
)

MAX_READ = 300
"""Files that are parsed for one name."""
SCRIPTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte")
_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte", ".d.ts", "/index.ts", "/index.tsx", "/index.js", "")


def modules_of(case: Case) -> Modules:
    """The project's Python modules, tests too."""
    paths = [path for path in case.ground.project.files if path.endswith(".py")]
    return case.once("modules", lambda: Modules((path, module_name(path)[0]) for path in paths))


def importers(case: Case, real: str) -> list[Place]:
    """Places outside of a file that import it."""
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


def takers(case: Case, name: str, home: str) -> list[Place]:
    """Places outside of a file that take a name from it: they import it, or reach it through its module."""
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
    """Places whose code calls a name or hands it on, in every language that has a grammar; the first of each file."""
    found: dict[str, int] = {}
    for path, line, _ in uses(case.ground.project, frozenset([name])):
        found.setdefault(path, line)
    return list(found.items())


def _ending(path: str) -> str:
    return path.rpartition(".")[2]


def _holding(case: Case, word: str) -> list[str]:
    return [file.path for file, _ in case.ground.holding((word,))][:MAX_READ] if word else []


def _targets(case: Case, path: str) -> Iterator[tuple[str, int]]:
    """Dotted names that the imports of a file lead to: the module, and each name as if it were a module."""
    for module, name, line, _ in python_imports(case, path):
        yield module, line
        if name:
            yield f"{module}.{name}", line


def python_imports(case: Case, path: str) -> tuple[tuple[str, str, int, str], ...]:
    """(module, name, line, local name) of each import of a Python file; relative ones by their whole names."""
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
    """Lines of a file that import a name from its home or from a package that passes it on, or that reach it through a module."""
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
    """Whether a module imports a name from its home, so that others may take it from there."""
    imports = python_imports(case, path)
    return any(local == name and modules_of(case).find(module, path) == home for module, _, _, local in imports)


def _script_imports(case: Case, path: str) -> tuple[tuple[str, str, int], ...]:
    """(module, name, line) of what a script imports; the name is '' for the module itself."""
    text = case.ground.text(path)
    script = script_of(text, path)
    if script is None:
        return ()
    whole = ((module, "", script.bound.get(local, 1)) for local, module in script.imported.items())
    return (*script.taken, *whole, *_required(text))


def _required(text: str) -> Iterator[tuple[str, str, int]]:
    """What a script takes by `require`: the module, and the names that are taken apart."""
    for match in _REQUIRE.finditer(text):
        line = text.count("\n", 0, match.start("from")) + 1
        yield match["from"], "", line
        yield from ((match["from"], name, line) for name in re.findall(r"[\w$]+", match["names"] or ""))


def exact(case: Case, path: str) -> str:
    """A module's file, where the path leads to one file only."""
    found = case.ground.resolve(path)
    return found if found and case.ground.count(path) == 1 else ""


def module_file(case: Case, path: str, module: str) -> str | None:
    """The file of a script's module; '' if it ought to be there and is not, None if it is not for us to say."""
    if not module.startswith(OWN) or (module.startswith(".") and "/" not in path and not case.ground.resolve(path)):
        return None
    if module.startswith("."):
        bases = [posixpath.normpath(posixpath.join(posixpath.dirname(path), module))]
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
    """The file of a path in the innermost folder around its user: each application of a repository has its own root."""
    folders = posixpath.dirname(case.ground.resolve(user) or user).split("/")
    around = ("/".join([*folders[:depth], path]) for depth in range(len(folders), -1, -1))
    return next((each for each in around if case.ground.resolve(each) == each), "") or exact(case, path)
