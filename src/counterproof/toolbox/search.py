"""Text search with the bundled ripgrep: linear-time patterns, fed through a pipe, confined and bounded.

Ripgrep reads no file, no configuration and no environment here; it is given the surveyed text and answers with line numbers,
which are turned back into places of the survey. Invariant: an invalid pattern is a refusal that says what is wrong with it; a
search that met a bound is a refusal too, never an empty result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.confinement import Bounds, Command, Cut, Ended, run
from counterproof.analysis.confinement.program import bundled_ripgrep
from counterproof.toolbox.corpus import Selection
from counterproof.toolbox.refusal import ToolRefused

MAX_PATTERN = 1_000
MAX_HITS = 20_000
BOUNDS = Bounds(seconds=20.0, output_bytes=4 << 20, memory_bytes=1 << 30)

_OPTIONS = (
    "--no-config", "--engine=default", "--no-ignore", "--no-messages", "--hidden", "--no-follow", "--threads=1", "--text",
    "--encoding=none", "--crlf", "--line-number", "--no-heading", "--no-filename", "--color=never", "--max-columns=1",
    "--regex-size-limit=10M", "--dfa-size-limit=10M",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hits:
    """(file, line) pairs in order. `more`: the limit was reached. `probed`: which of the probes the pattern matched."""

    places: tuple[tuple[str, int], ...]
    more: bool
    probed: tuple[int, ...]

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for path, _ in self.places))


def find(selection: Selection, pattern: str, probes: tuple[str, ...] = (), bounds: Bounds = BOUNDS) -> Hits:
    """Lines that match. `probes` are texts put before the stream, to see whether the pattern would find what it is meant for."""
    checked_pattern(pattern)
    program = bundled_ripgrep()
    if program is None:
        raise ToolRefused("text search is not available: ripgrep is not installed beside this program")
    count = f"--max-count={MAX_HITS + len(probes)}"  # a probe that matches takes no hit's place
    command = Command(program, (*_OPTIONS, count, f"--regexp={pattern}", "--", "-"), Path("/"))
    ended = run(command, bounds, _stream(selection, probes))
    _check(ended)
    lines = [int(line.split(b":", 1)[0]) for line in ended.output.split(b"\n") if line]
    places = tuple(selection.place(line - len(probes)) for line in lines if line > len(probes))[:MAX_HITS]
    return Hits(places, len(places) >= MAX_HITS, tuple(line - 1 for line in lines if line <= len(probes)))


def checked_pattern(pattern: str) -> str:
    """A pattern that can be handed to a program as one argument."""
    if not pattern or len(pattern) > MAX_PATTERN:
        raise ToolRefused(f"a pattern has 1 to {MAX_PATTERN:,} characters")
    if any(ord(character) < 32 or 0xD800 <= ord(character) <= 0xDFFF for character in pattern):
        raise ToolRefused("a pattern holds no control characters; write \\t for a tab")
    return pattern


def _stream(selection: Selection, probes: tuple[str, ...]) -> Iterator[bytes]:
    yield "".join(f"{probe}\n" for probe in probes).encode()
    yield from selection.feed()


def _check(ended: Ended) -> None:
    if ended.cut is not Cut.NONE:
        raise ToolRefused(f"the search was stopped: {ended.cut}")
    if ended.code not in (0, 1):
        said = " ".join(ended.errors.decode("utf-8", "replace").split())[:300]
        raise ToolRefused(f"the pattern cannot be searched for: {said or f'exit code {ended.code}'}")
