"""What a model states about controls and settings, checked against the source before it is on record (A16, A19, A59).

Sinks are traced by flows that are checked hop by hop. What guards an entry point and what value a setting has is stated with a
line and what that line does; the checker looks it up. In a language with an analyst this stands beside what he found; in the
others it is how coverage of the control-driven and config-driven dimensions is earned.

Always holds: nothing is recorded on anybody's word: the handler is one that reconnaissance knows, the lines were seen by whoever
speaks of them, and the syntax at the line has the operation and the symbol. What a statement is worth is decided in `protocols`.
"""

from dataclasses import dataclass, field

from counterproof.analysis import facts
from counterproof.analysis.inventory.permissions import noun_of
from counterproof.analysis.project import Project
from counterproof.model.dimension import Dimension, Track
from counterproof.model.errors import InvalidValue
from counterproof.model.fact import Fact, Operation
from counterproof.model.ledger import Comparison, Item, Ledger, Trace
from counterproof.model.location import Location, at
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Recon
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.units import unit_at

VERDICTS = ("sound", "weak", "unclear")
_READING = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Cited:
    """A line and what it does with which name."""

    path: str
    line: int
    operation: str
    symbol: str


@dataclass(slots=True)
class Statements:
    """What one agent has stated so far. `guards` holds what was found at each handler, '' for nothing."""

    project: Project
    recon: Recon | None
    dimensions: tuple[Dimension, ...]
    guards: dict[Location, str] = field(default_factory=dict[Location, str])
    settings: dict[tuple[Dimension, str], Location] = field(default_factory=dict[tuple[Dimension, str], Location])

    def guard(self, handler: tuple[str, int], by: Cited | None, dimension: Dimension, seen: frozenset[str]) -> Ledger:
        """The records of an entry point whose guard was looked up; `by` is None where there is none. Raises `ToolRefused`."""
        self._check(dimension, Track.CONTROL)
        entries = self._entries(*handler)
        self._check_seen(handler[0], seen)
        origin = "no guard on the way"
        if by is not None:
            self._check_seen(by.path, seen)
            origin = str(self._fact(by))
        for each in entries:
            self.guards[each.handler] = by.symbol if by else ""
        places = tuple(dict.fromkeys(each.handler for each in entries))
        traces = tuple(Trace(dimension, "endpoint", place, True, origin) for place in places)
        return Ledger(traces=traces, endpoints=places, comparisons=self._compared(entries))

    def setting(self, cited: Cited, kind: str, verdict: str, dimension: Dimension, seen: frozenset[str]) -> Ledger:
        """The record of a core item whose value was judged. Raises `ToolRefused`."""
        self._check(dimension, Track.CONFIG)
        self._check_seen(cited.path, seen)
        fact = self._fact(cited)
        self.settings[dimension, cited.path] = fact.at
        return Ledger(items=(Item(dimension, kind or "setting", fact.at, True, verdict),))

    def paths(self) -> frozenset[str]:
        """Files that were spoken of."""
        return frozenset((*(place.path for place in self.guards), *(path for _, path in self.settings)))

    def open_items(self, ledger: Ledger) -> tuple[Item, ...]:
        """Files that the agent's own searches hit in a config-driven dimension in which it judged other files."""
        begun = {dimension for dimension, _ in self.settings}
        hit = {(each.dimension, path): each.kind for each in ledger.searches if each.dimension in begun for path in each.files}
        left = sorted(set(hit) - set(self.settings))
        return tuple(Item(dimension, hit[dimension, path], at(path, 1), False) for dimension, path in left)

    def _check(self, dimension: Dimension, track: Track) -> None:
        if dimension not in self.dimensions:
            raise ToolRefused(f"{dimension.value} is not one of the task's dimensions")
        if dimension.track is not track:
            raise ToolRefused(f"{dimension.value} is not earned this way: follow its sinks, or search for them")

    def _check_seen(self, path: str, seen: frozenset[str]) -> None:
        if path not in seen:
            raise ToolRefused(f"{path[:200]} was not read; read it first")

    def _fact(self, cited: Cited) -> Fact:
        try:
            fact = Fact(at(cited.path, cited.line), Operation(cited.operation), cited.symbol)
        except (InvalidValue, ValueError) as error:
            raise ToolRefused(f"the line is not told by an operation and a symbol: {error}") from error
        if not facts.holds(self.project, fact):
            said = facts.index_of(self.project, cited.path).get(cited.line, ()) if cited.path in self.project.files else ()
            there = ", ".join(f"{operation.value} {name}" for operation, name in sorted(said) if name)[:600]
            raise ToolRefused(
                f"the program sees no `{fact.operation.value} {fact.symbol}` at {fact.at}; it sees: {there or 'nothing'}"
            )
        return fact

    def _entries(self, path: str, line: int) -> tuple[EntryPoint, ...]:
        known = [each for each in (self.recon.entry_points if self.recon else ()) if each.handler.path == path]
        unit = unit_at(self.project, path, line) if known else None
        here = tuple(each for each in known if unit and unit.first <= each.handler.start <= unit.last)
        if not here:
            raise ToolRefused(
                f"reconnaissance knows no entry point with its handler at {path[:200]}:{line}; name one that it listed"
            )
        return here

    def _compared(self, entries: tuple[EntryPoint, ...]) -> tuple[Comparison, ...]:
        """Resources all of whose operations are looked up now, and whether those that change something are guarded alike."""
        found: list[Comparison] = []
        for noun in dict.fromkeys(noun_of(each.path) for each in entries):
            if self.recon is None or noun not in self.recon.resources:
                continue
            group = [each for each in self.recon.entry_points if each.kind in NETWORK_KINDS and noun_of(each.path) == noun]
            if all(each.handler in self.guards for each in group):
                states = {self.guards[each.handler] for each in group if each.method.upper() not in _READING}
                methods = tuple(sorted({each.method for each in group}))
                found.append(Comparison(noun, methods, len(states) <= 1, min(each.handler for each in group)))
        return tuple(found)
