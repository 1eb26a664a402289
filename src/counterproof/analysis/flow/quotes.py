"""Lines of the target, as they stand, for quotes in flows and findings.

Always holds: a location made here lies inside its file. Does not belong here: what is quoted.
"""

from counterproof.analysis.project import Project
from counterproof.model.location import Location

MAX_QUOTE = 400
"""Characters of one quoted line."""


class Quotes:
    """Reads each file once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = self.project.text(path).split("\n")
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        lines = self.lines(path)
        return lines[number - 1].strip()[:MAX_QUOTE] if 0 < number <= len(lines) else ""

    def location(self, path: str, start: int, end: int) -> Location:
        last = len(self.lines(path))
        return Location(path, max(1, min(start, last)), max(1, min(max(start, end), last)))

    def evidence(self, where: Location) -> str:
        """The lines of a place, at least one of them not blank."""
        text = "\n".join(self.line(where.path, number) for number in range(where.start, where.end + 1))
        return text.strip() or "(blank line)"
