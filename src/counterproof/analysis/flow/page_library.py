"""The templates of a project as the engine sees them: found by name, with the escaping that holds for them.

Always holds: the number of pages run is bounded. Does not belong here: running pages.
"""

from collections.abc import Iterable

from counterproof.analysis.flow.autoescape import Escaping
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.dialects import Dialect
from counterproof.analysis.templates.files import TemplateFiles
from counterproof.analysis.templates.nodes import Template

MAX_PAGES = 20_000
"""Pages run in one examination."""


class Library:
    """All templates, and the switches that the code sets for them."""

    def __init__(self, files: TemplateFiles, modules: Iterable[ir.Module]) -> None:
        self.files = files
        self._escaping = Escaping(files, modules)
        self._left = MAX_PAGES

    def more(self) -> bool:
        self._left -= 1
        return self._left > 0

    def find(self, name: str, asker: str, dialect: Dialect) -> Template | None:
        return self.files.find(name, asker, dialect)

    def escapes(self, framework: str, template: Template, asker: str, *, text: bool) -> bool:
        """Whether a framework escapes what this template prints; texts in the code count as pages."""
        if text:
            return True
        return self._escaping.of_framework(framework, template, asker)

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self.files.problems)
