"""The text of a claim's place: its lines to the end of the statement, without comments, and the function around it.

Always holds: bounded in lines and length; brackets are counted in the text, not in a tree. Does not belong here: what the text
means.
"""

from dataclasses import dataclass

from counterproof.analysis.project import Project
from counterproof.model.finding import Finding
from counterproof.model.location import Location

MAX_LINES = 40
MAX_LINE = 2_000
MAX_FUNCTION = 400


@dataclass(frozen=True, slots=True)
class Passage:
    """`statement` is one line of text, `before` the lines above it, `function` the text of the enclosing function."""

    place: Location
    statement: str
    function: str
    decorators: str
    whole: str

    @property
    def name(self) -> str:
        """The setting that the statement gives a value, '' if it gives none."""
        head, equals, _ = self.statement.partition("=")
        if not equals or head.endswith(("!", "<", ">", "=")) or "(" in head:
            return ""
        return (
            head.replace("']", "")
            .replace('"]', "")
            .replace("'", "[")
            .replace('"', "[")
            .rpartition("[")[2]
            .strip()
            .rpartition(".")[2]
        )


def passage_of(project: Project, finding: Finding) -> Passage:
    place = finding.location
    lines = project.text(place.path).split("\n")
    statement = _statement(lines, place)
    first, last = _function(lines, place.start - 1)
    above = _decorators(lines, first)
    code = [uncommented(line) for line in lines] if place.path.endswith((".py", ".pyi")) else lines
    return Passage(place, statement, "\n".join(code[first:last])[:100_000], above, "\n".join(code)[:400_000])


def uncommented(line: str) -> str:
    """A line without its comment; a `#` inside quotes stays."""
    quote = ""
    for index, character in enumerate(line[:MAX_LINE]):
        if quote:
            quote = "" if character == quote and line[index - 1] != "\\" else quote
        elif character in "'\"":
            quote = character
        elif character == "#":
            return line[:index]
    return line[:MAX_LINE]


def _statement(lines: list[str], place: Location) -> str:
    """From the first line of the place until its brackets are closed."""
    python = place.path.endswith((".py", ".pyi"))
    parts: list[str] = []
    depth = 0
    for number in range(place.start - 1, min(len(lines), place.start - 1 + MAX_LINES)):
        line = uncommented(lines[number]) if python else lines[number][:MAX_LINE]
        parts.append(line.strip())
        depth += sum(line.count(each) for each in "([{") - sum(line.count(each) for each in ")]}")
        if number + 1 >= place.end and depth <= 0:
            break
    return " ".join(part for part in parts if part)


def _function(lines: list[str], index: int) -> tuple[int, int]:
    """The lines of the `def` around a line, by indentation; a decorator belongs to the `def` below it."""
    while index + 1 < len(lines) and lines[index].lstrip().startswith("@"):
        index += 1
    indent = _indent(lines[index]) if index < len(lines) else 0
    first = index
    own = lines[index].lstrip().startswith(("def ", "async def ")) if index < len(lines) else False
    while not own and first > 0 and index - first < MAX_FUNCTION:
        first -= 1
        if lines[first].lstrip().startswith(("def ", "async def ")) and _indent(lines[first]) < max(indent, 1):
            own = True
    if not own:
        return index, index + 1
    level = _indent(lines[first])
    last = first + 1
    while last < len(lines) and last - first < MAX_FUNCTION and (not lines[last].strip() or _indent(lines[last]) > level):
        last += 1
    return first, last


def _decorators(lines: list[str], first: int) -> str:
    above: list[str] = []
    while first > 0 and len(above) < 12 and lines[first - 1].lstrip().startswith("@"):
        first -= 1
        above.append(lines[first].strip())
    return "\n".join(above)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
