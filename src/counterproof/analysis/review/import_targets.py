"""Where a file's imports lead.

Invariant: JavaScript imports are read from the text, unparsed, because most of those files are not needed otherwise. Not handled
here: which files are near a change.
"""

import re

from counterproof.analysis.kept import kept
from counterproof.analysis.program.modules import Modules
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.walk import module_name
from counterproof.model.survey import Language

GATHERING = ("__init__", "index")
"""Files that represent their folder."""

_SPECIFIED = re.compile(r"""\b(?:from|import|require\s*\(|import\s*\()\s*["']([^"'\n]{1,300})["']""")
_DOTTED = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
"""`import a.b` binds only `a`, and leads to `a.b`."""


class Imports:
    """The imports of a project's files, each file read once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._modules = Modules((file.path, module_name(file.path)[0]) for file in project.of_language(Language.PYTHON))

    @kept
    def of(self, path: str) -> tuple[str, ...]:
        """The project's files that a file imports."""
        self._project.checkpoint()
        if self._project.files[path].language is Language.PYTHON:
            module = self._project.module(path)
            whole = (name for each in _DOTTED.findall(self._project.text(path)) for name in re.split(r"[,\s]+", each) if name)
            names = (*module.imports.values(), *module.wildcards, *whole)
            found = (self.split(name, path)[0] for name in names)
        else:
            resolver = self._project.scripts()
            found = (resolver.file(path, name) for name in _SPECIFIED.findall(self._project.text(path)))
        return tuple(dict.fromkeys(target for target in found if target))

    def split(self, dotted: str, importer: str) -> tuple[str, list[str]]:
        """The file that a Python name starts with, '' if there is none, and the names behind it."""
        return next(self._modules.prefixes(dotted, importer), ("", list[str]()))


def stem(path: str) -> str:
    """The last word of a file's import name."""
    folder, _, name = path.rpartition("/")
    first = name.partition(".")[0]
    return folder.rpartition("/")[2] if first in GATHERING else first
