"""A sink that code reaches, with what is known of the data it gets.

Always holds: a hit keeps every untrusted origin, also those that a guard or sanitiser took the harm from, so that the
record can say why there is no finding. Does not belong here: turning hits into findings.
"""

from dataclasses import dataclass

from counterproof.analysis.flow.values import Origin, Param, Source, Taint
from counterproof.analysis.ruleset import FlowRule, Sink
from counterproof.model.flow import Break

ALWAYS_SAFE = frozenset({"allow-list", "numeric", "word characters", "safe pattern", "fixed choice"})
"""What takes the harm out of a value for every rule."""


@dataclass(slots=True, eq=False)
class Hit:
    """One sink at one place, as one function sees it.

    `path`, `line`, `end` and `function` are where the data is handed over for good: the sink itself or, where a function only
    passes its parameter on to the sink, the call of that function. `sink_path` and the like are always the sink's own.
    """

    rule: FlowRule
    sink: Sink
    path: str
    line: int
    end: int
    function: str
    call: str
    taints: tuple[Taint, ...]
    origin: Origin
    open: Break | None
    certain: bool
    sink_path: str
    sink_line: int
    sink_end: int
    receiver: Param | None = None
    straight: bool = False
    """The data is a parameter of the function just as it was given, so that the function is a sink itself."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.rule.info.id, self.path, self.line, self.sink_path, self.sink_line, self.call

    def harmful(self) -> tuple[Taint, ...]:
        """Origins that nothing made harmless for this rule."""
        safe = ALWAYS_SAFE.union(self.rule.sanitisers)
        return tuple(each for each in self.taints if not each.passed & safe)

    def sources(self) -> tuple[Taint, ...]:
        return tuple(each for each in self.harmful() if isinstance(each.origin, Source))

    def parameters(self) -> tuple[Taint, ...]:
        return tuple(each for each in self.taints if isinstance(each.origin, Param))
