"""The files that a file's imports lead to. Python's are resolved by the program model.

Invariant: JavaScript imports are read from the text, unparsed, because most of those files are not needed otherwise. Not handled
here: which files are near a change.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.kept import kept
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.model.survey import Language

GATHERING = ("__init__", "index")
"""Files that represent their folder."""

_SPECIFIED = re.compile(r"""\b(?:from|import|require\s*\(|import\s*\()\s*["'](?P<name>[^"'\n]{1,300})["']""")
_DOTTED = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)


class Imports:
    """The imports of a project's files, each file read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._codebase = codebase_of(project)

    @kept
    def _read(self, path: str) -> dict[str, str]:
        """The names in the imports of a file, with the files that they lead to, '' if unknown."""
        self._project.checkpoint()
        python = self._project.files[path].language is Language.PYTHON
        names = self._python(path) if python else (match["name"] for match in _SPECIFIED.finditer(self._project.text(path)))
        return {name: self._file(path, name, python) for name in names}

    def _python(self, path: str) -> Iterator[str]:
        module = self._project.module(path)
        yield from (*module.imports.values(), *module.wildcards)
        # `import a.b` binds `a`, and only that is known
        yield from (
            name for match in _DOTTED.finditer(self._project.text(path)) for name in re.split(r"[,\s]+", match[1]) if name
        )

    def _file(self, path: str, name: str, python: bool) -> str:
        if not python:
            return self._project.scripts().file(path, name) or ""
        found = self._codebase.find_module(name, path) or self._codebase.find_module(name.rpartition(".")[0], path)
        return found or ""

    def of(self, path: str) -> list[str]:
        return [target for target in self._read(path).values() if target]

    def reached(self, path: str) -> frozenset[str]:
        """The files that a file imports, also through one that only re-exports its folder's contents."""
        direct = self.of(path)
        return frozenset((*direct, *(target for each in direct if _gathers(each) for target in self.of(each))))

    def may_lead(self, path: str, wanted: frozenset[str]) -> bool:
        """Return True if an import of a file leads to one of those, or names one of them and cannot be resolved."""
        stems = {stem(each) for each in wanted}
        names = self._read(path).items()
        return any(target in wanted or (not target and stems & set(re.split(r"[./:]", name))) for name, target in names)


def _gathers(path: str) -> bool:
    return path.rpartition("/")[2].partition(".")[0] in GATHERING


def stem(path: str) -> str:
    """The last word of a file's import name."""
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[2] if _gathers(path) else name.partition(".")[0]
