"""The complete source of a small program, the same for all hunters (A61).

Invariant: the most relevant files come first; code and settings are complete except for empty lines, page templates are
reduced to active lines, and migrations are shown if they contain a function; anything omitted can be read with tools.
"""

from collections.abc import Iterator
from itertools import groupby

from counterproof.agents.context.pack import Room
from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.context.tokens import tokens
from counterproof.analysis.templates.lines import PAGES, acting_lines
from counterproof.model.survey import FileRole
from counterproof.protocols.audit.questions import in_order
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.metering import MAX_LINES
from counterproof.toolbox.witnessed import WitnessedTools

MAP_ROOM = 12_000
TASK_ROOM = 12_000
MAX_SHOWN_FILE = 200_000
WRITTEN = (
    *PAGES, ".ejs", ".pug", ".hbs", ".mustache", ".erb", ".vue", ".svelte",
    ".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".env", "Dockerfile",
)  # fmt: skip
"""Templates and settings, which belong to no language but matter to readers; lock files, images and styles are not shown."""

TITLE = (
    "The source of the program, file by file (tests, empty lines, and lines of templates without values, tags, forms or scripts "
    "apart):"
)


def source_sections(toolbox: WitnessedTools, hunt: int = 1) -> tuple[Section, ...]:
    """The source in the order of a hunt; selection by relevance does not depend on that order."""
    pieces = (piece for path in _sources(toolbox) for piece in _pieces(toolbox, path))
    ranked = tuple(Piece(each.text, -number, each.shows) for number, each in enumerate(pieces))
    return (Section(TITLE, Category.CODE, in_order(ranked, hunt), 60, shared=True, rest="`read` shows it"),)


def source_room(toolbox: WitnessedTools) -> Room:
    """Room for the whole source, the map, and the task's own sections."""
    needed = sum(tokens(piece.text) + 1 for section in source_sections(toolbox) for piece in section.pieces)
    return Room(needed + MAP_ROOM, TASK_ROOM)


def _sources(toolbox: WitnessedTools) -> tuple[str, ...]:
    """The most relevant files first: if there is too little room, the rest is omitted."""
    important = toolbox.recon.p0_files if toolbox.recon else ()
    running = [
        file
        for file in toolbox.survey.files
        if file.role is FileRole.RUNTIME and file.size <= MAX_SHOWN_FILE and (file.language or file.path.endswith(WRITTEN))
    ]
    ordered = sorted(running, key=lambda file: (is_migration(file.path), file.language is None, file.path))
    found = dict.fromkeys((*important, *(file.path for file in ordered)))
    return tuple(path for path in found if not is_migration(path) or _holds_function(toolbox, path))


def is_migration(path: str) -> bool:
    return "/migrations/" in f"/{path}"


def _holds_function(toolbox: WitnessedTools, path: str) -> bool:
    """A migration without a function restates the models."""
    return any(toolbox.unit(path, number).name for number, line in toolbox.as_shown(path, 1, toolbox.lines_of(path)) if line)


def _pieces(toolbox: WitnessedTools, path: str) -> Iterator[Piece]:
    """A file in pieces as long as a read."""
    rows = toolbox.as_shown(path, 1, toolbox.lines_of(path))
    acting = acting_lines("\n".join(line for _, line in rows)) if path.endswith(PAGES) else None
    kept = [(number, line) for number, line in rows if line.strip() and (acting is None or number in acting)]
    for start in range(0, len(kept), MAX_LINES):
        part = kept[start : start + MAX_LINES]
        text = "\n".join([path, *(f"{number} {line}" for number, line in part)])
        numbers = [number for number, _ in part]
        yield Piece(text, 0, (Shown(path, numbers[0], numbers[-1]),) if acting is None else tuple(_ranges(path, numbers)))


def _ranges(path: str, numbers: list[int]) -> Iterator[Shown]:
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield Shown(path, run[0], run[-1])
