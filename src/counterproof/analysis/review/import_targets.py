"""Where a file's imports lead, and the names they bind.

Invariant: JavaScript imports are read from the text, unparsed, because most of those files are not needed otherwise. An import
that cannot be resolved may bind any name. Not handled here: which files are near a change.
"""

import re

from counterproof.analysis.kept import kept
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.walk import module_name
from counterproof.model.survey import Language

GATHERING = ("__init__", "index")
"""Files that represent their folder."""

WORD = re.compile(r"[\w$]+")
_SPECIFIED = re.compile(
    r"""(?:\b(?:import|export)\s+(?:type\s+)?(?P<clause>[\w$\s{},*]{1,4000}?)\s*from\s*"""
    r"""|\b(?:const|let|var)\s+(?P<variable>[\w$\s{},:]{1,1000}?)\s*=\s*require\s*\(\s*"""
    r"""|\b(?:from|import|require\s*\(|import\s*\()\s*)["'](?P<name>[^"'\n]{1,300})["']"""
)
_DOTTED = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
_STATEMENTS = re.compile(
    r"""^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]{0,4000}\)|[^\n]*)"""
    r"""|(?:import|export)[ \t]+[\w$\s{},*]{1,4000}?from\b[^\n]*)""",
    re.MULTILINE,
)

Bound = list[tuple[frozenset[str] | None, str]]
"""Names that an import binds, None if it may be any, and the file that it leads to."""


class Imports:
    """The imports of a project's files, each file read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = {
            name: file.path for file in project.of_language(Language.PYTHON) for name in python_names(project, file.path)
        }

    def of(self, path: str) -> list[str]:
        return [target for _, target in self.bound(path)]

    @kept
    def bound(self, path: str) -> Bound:
        self._project.checkpoint()
        return self._python(path) if self._project.files[path].language is Language.PYTHON else self._script(path)

    def reached(self, path: str) -> frozenset[str]:
        """The files that a file imports, also through one that only re-exports its folder's contents."""
        direct = self.of(path)
        return frozenset((*direct, *(target for each in direct if gathers(each) for target in self.of(each))))

    def may_lead(self, path: str, wanted: frozenset[str]) -> bool:
        """Return True if an import of a file leads to one of those, or names one of them and cannot be resolved."""
        if wanted & set(self.of(path)):
            return True
        stems = {stem(each) for each in wanted}
        return any(stems & set(re.split(r"[./:]", name)) for name in self._unresolved(path))

    def _python(self, path: str) -> Bound:
        module = self._project.module(path)
        named: list[tuple[frozenset[str] | None, str]] = [(frozenset({alias}), name) for alias, name in module.imports.items()]
        named += [(None, name) for name in module.wildcards]
        # `import a.b` binds `a`, and only that is known
        dotted = (name for match in _DOTTED.finditer(self._project.text(path)) for name in re.split(r"[,\s]+", match[1]))
        named += [(frozenset({name.partition(".")[0]}), name) for name in dotted if "." in name]
        return [(names, target) for names, name in named if (target := self._file(name))]

    def _file(self, name: str) -> str | None:
        return self._names.get(name) or self._names.get(name.rpartition(".")[0])

    def _script(self, path: str) -> Bound:
        resolver = self._project.scripts()
        found: Bound = []
        for match in _SPECIFIED.finditer(self._project.text(path)):
            names = frozenset(WORD.findall(match["clause"] or match["variable"] or ""))
            if target := resolver.file(path, match["name"]):
                found.append((names or None, target))
        return found

    def _unresolved(self, path: str) -> list[str]:
        if self._project.files[path].language is not Language.PYTHON:
            resolver = self._project.scripts()
            names = {match["name"] for match in _SPECIFIED.finditer(self._project.text(path))}
            return [name for name in sorted(names) if not resolver.file(path, name)]
        module = self._project.module(path)
        return [name for name in (*module.imports.values(), *module.wildcards) if not self._file(name)]


def without_imports(text: str) -> str:
    """Code without its imports, which mention names without using them."""
    return _STATEMENTS.sub("", text)


def gathers(path: str) -> bool:
    return path.rpartition("/")[2].partition(".")[0] in GATHERING


def stem(path: str) -> str:
    """The last word of a file's import name."""
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if gathers(path) else name.partition(".")[0]


def python_names(project: Project, path: str) -> tuple[str, ...]:
    """The names under which a Python file is imported; the second omits folders that are not packages, such as `src`."""
    name = module_name(path)[0]
    folders = path.split("/")[:-1]
    top = len(folders)
    while top and "/".join((*folders[:top], "__init__.py")) in project.files:
        top -= 1
    parts = name.split(".")
    short = ".".join(parts[top:]) if top < len(parts) else name
    return tuple(each for each in dict.fromkeys((name, short)) if each)
