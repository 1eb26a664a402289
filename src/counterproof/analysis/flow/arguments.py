"""The arguments of a call as values, shown the way that the matcher of sinks asks for them.

Always holds: a collection passed with a star may be any argument. Does not belong here: what the call does with them.
"""

from dataclasses import dataclass

from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import UNSET, Source, StepKind, Taint, Value, hops, is_stored

_OBJECTS = frozenset(f"{REQUEST}.{part}" for part in ("params", "query", "headers", "cookies"))
"""Parts of a request that are objects as a whole."""


@dataclass(slots=True, eq=False)
class Arguments:
    """`spread` joins what was passed with a star; `spread_from` is the first position that it can fill."""

    positional: list[Value]
    keywords: dict[str, Value]
    spread: Value | None
    receiver: Value | None = None
    spread_from: int = 0

    def every(self) -> list[Value]:
        return [*self.positional, *self.keywords.values(), *([self.spread] if self.spread else [])]

    def at(self, position: int, keyword: str = "") -> Value | None:
        if keyword and keyword in self.keywords:
            return self.keywords[keyword]
        return self.positional[position] if position < len(self.positional) else None

    def named(self, keyword: str) -> Value | None:
        return self.keywords.get(keyword)

    def starred(self) -> tuple[int, list[Value]]:
        return self.spread_from, [self.spread] if self.spread else []

    def literal(self, value: Value) -> str | None:
        return value.const if isinstance(value.const, str) else None

    def text(self, value: Value) -> str | None:
        if value.const is not UNSET:
            return str(value.const)
        return value.path.removesuffix("()").rsplit(".", 1)[-1] if value.path else None

    def is_mapping(self, value: Value) -> bool:
        return value.entries is not None or value.path in _OBJECTS or _is_record(value)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        return value.items if value.items is not None or value.rest is None else ()

    def entry(self, value: Value, name: str) -> Value | None:
        return (value.fields or {}).get(name) or (value.entries or {}).get(name)


def _is_record(value: Value) -> bool:
    """Whether this is a row, or rows, as read from a store: no column of it, and no text that it was put into."""
    return bool(value.taints) and all(is_stored(each) and _is_whole(each) for each in value.taints)


def _is_whole(taint: Taint) -> bool:
    built = any(step.kind is StepKind.BUILD for step in hops(taint.step))
    return not built and isinstance(taint.origin, Source) and not taint.origin.parameter
