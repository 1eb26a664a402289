"""The templates of a project, found by the names that code and other templates use.

Invariant: only surveyed files are opened, each is read once per language; where several files fit, the one nearest to who asks
is taken. Not handled here: what templates print.
"""

import re

from counterproof.analysis.program.modules import nearness
from counterproof.analysis.project import Project
from counterproof.analysis.templates.dialects import DJANGO, JINJA, Dialect
from counterproof.analysis.templates.nodes import Template
from counterproof.analysis.templates.parser import read
from counterproof.analysis.templates.script_templates import Raw, raw_outputs
from counterproof.model.errors import CounterproofError

MAX_NAME = 300
MAX_LOOKED_AT = 100_000
MAX_READ = 3_000
"""Templates read in one run."""


_CALLED = re.compile(r"\{\{[^{}\"']{0,200}\w\(|\{%-? {0,3}macro ")


def _is_jinja(path: str, text: str) -> bool:
    """Django renders templates of both languages; only in one of them is anything called."""
    return "jinja" in path.lower() or _CALLED.search(text[:MAX_LOOKED_AT]) is not None


class TemplateFiles:
    """Looks templates up. `problems` says what could not be read."""

    def __init__(self, project: Project, problems: dict[str, None]) -> None:
        self._project = project
        self._by_name: dict[str, list[str]] = {}
        self._read: dict[tuple[str, str], Template | None] = {}
        self._raw: dict[str, tuple[Raw, ...]] = {}
        self.problems = problems
        for file in project.survey.files:
            if file.language is None and not file.test:
                self._by_name.setdefault(file.path.rpartition("/")[2], []).append(file.path)

    def find(self, name: str, asker: str, dialect: Dialect) -> Template | None:
        """The template that `name` means in a file `asker`."""
        name = name.lstrip("./")
        if not name or len(name) > MAX_NAME:
            return None
        names = [name] if dialect.name != "bottle" or "." in name else [f"{name}.tpl", f"{name}.html", name]
        found = [path for each in names for path in self._by_name.get(each.rpartition("/")[2], ()) if _fits(path, each)]
        return self._opened(max(found, key=lambda path: (nearness(path, asker), -len(path))), dialect) if found else None

    def scripted(self, name: str, asker: str, suffixes: tuple[str, ...]) -> tuple[str, tuple[Raw, ...]]:
        """The template of a JavaScript program that `name` means, with or without its suffix, and what it prints raw."""
        name = name.lstrip("./")
        if not name or len(name) > MAX_NAME:
            return "", ()
        names = [name] if name.endswith(suffixes) else [f"{name}{each}" for each in suffixes]
        found = [path for each in names for path in self._by_name.get(each.rpartition("/")[2], ()) if _fits(path, each)]
        if not found:
            return "", ()
        path = max(found, key=lambda path: (nearness(path, asker), -len(path)))
        if path not in self._raw:
            self._raw[path] = self._printed(path) if len(self._raw) < MAX_READ else ()
        return path, self._raw[path]

    def _printed(self, path: str) -> tuple[Raw, ...]:
        try:
            return raw_outputs(path, self._project.text(path))
        except CounterproofError as error:
            self.problems[f"{path} could not be read as a template: {error}"] = None
            return ()

    def _opened(self, path: str, dialect: Dialect) -> Template | None:
        key = (path, dialect.name)
        if key not in self._read:
            self._read[key] = self._new(path, dialect) if len(self._read) < MAX_READ else None
        return self._read[key]

    def _new(self, path: str, dialect: Dialect) -> Template | None:
        self._project.checkpoint()
        try:
            text = self._project.text(path)
            return read(path, text, JINJA if dialect is DJANGO and _is_jinja(path, text) else dialect)
        except CounterproofError as error:
            self.problems[f"{path} could not be read as a template: {error}"] = None
            return None

    def mentions(self, path: str, word: str) -> bool:
        """Whether a file may hold a word, as a cheap test before looking closer."""
        try:
            return word in self._project.text(path)
        except CounterproofError:
            return True


def _fits(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name)
