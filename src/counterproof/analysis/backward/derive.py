"""From a place to derivations: every sink of a rule there, walked back to its origins, with flows worded for a reader.

Always holds: quotes are lines as they stand. Does not belong here: verdicts.
"""

from functools import lru_cache

from counterproof.analysis.backward.derivation import Derivation, Hop, Way
from counterproof.analysis.backward.items import Item
from counterproof.analysis.backward.pages import handed_to_page
from counterproof.analysis.backward.sinks import SinkAt, Sinks
from counterproof.analysis.backward.slicer import Slicer
from counterproof.analysis.endpoints.entered_program import EnteredProgram, entered_program
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax.ir import Return
from counterproof.model.flow import Flow, FlowStep, StepKind
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint

MAX_FLOWS = 8
_MAX_NOTE = 300


class Backward:
    """The backward method over one program."""

    def __init__(self, program: EnteredProgram) -> None:
        self.program = program
        self.slicer = Slicer(program)
        self.sinks = Sinks(program, self.slicer.naming)
        self.quotes = Quotes(program.project)

    def at(self, rule: FlowRule, place: Location) -> tuple[Derivation, ...]:
        """One derivation per sink of the rule at a place, the most telling first."""
        held = self.program.holds(place.path)
        sinks = self.sinks.at(rule, place.path, place.start, place.end) if held else handed_to_page(self.program, rule, place)
        found = [self.derive(sink) for sink in sinks]
        return tuple(sorted(found, key=lambda each: (not each.open_ways, not each.stopped_ways)))

    def derive(self, sink: SinkAt) -> Derivation:
        self.program.project.checkpoint()
        call = "return" if isinstance(sink.node, Return) else sink.sink.call.removeprefix("*.") if sink.sink else "the page"
        hop = Hop(StepKind.SINK, sink.ground.path, sink.node.line, sink.rule.title)
        starts = tuple(Item(sink.ground, each, hop, sink.node, sink.access, frame=sink.frame) for each in sink.dangerous)
        ways = self.slicer.ways(starts)
        function = sink.ground.function(sink.node)
        where = self.quotes.location(sink.ground.path, sink.node.line, sink.node.line)
        derivation = Derivation(
            sink.rule, sink.sink, where, function.qualified if function else "", call, ways,
            broken=next((way.broken for way in ways if way.broken), None), certain=sink.certain,
        )  # fmt: skip
        remote = (*derivation.open_ways, *derivation.stopped_ways)
        flows = tuple(self.flow(way) for way in remote[:MAX_FLOWS])
        return Derivation(
            derivation.rule, derivation.sink, where, derivation.function, call, ways, flows, derivation.broken, sink.certain
        )

    def flow(self, way: Way) -> Flow:
        """A way as a flow, origin first."""
        steps: list[FlowStep] = []
        for hop in way.hops:
            place = self.quotes.location(hop.path, hop.line, hop.line)
            if steps and steps[-1].location == place and hop.kind is not StepKind.SINK:
                continue
            steps.append(FlowStep(place, hop.kind, self.quotes.line(place.path, place.start), hop.note[:_MAX_NOTE]))
        if len(steps) > 2 and steps[-2].location == steps[-1].location and steps[-2].kind is not StepKind.SOURCE:
            del steps[-2]
        return Flow(tuple(steps), way.broken)


@lru_cache(maxsize=4)
def backward_of(project: Project, entry_points: tuple[EntryPoint, ...]) -> Backward:
    """The method over a project, laid out once."""
    return Backward(entered_program(project, entry_points))
