"""What calls to models cost: tokens, prices and limits. Money is counted in whole micro-dollars, never in floats.

Invariant: amounts are not negative; a price rounds up, so that what is charged is never below what was used. Deciding whether a
call may be made belongs to `protocols.guard.budget`.
"""

from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of many. `cached` counts those of `input` that the provider read from its cache, `stored` those it
    put there; `ours` says that the provider gave no usable figures and our upper bound stands in their place.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    stored: int = 0
    ours: bool = False

    def __post_init__(self) -> None:
        if min(self.input, self.output, self.cached, self.stored) < 0:
            raise InvalidValue("tokens are not negative")
        if self.cached + self.stored > self.input:
            raise InvalidValue("cached tokens are part of the input")

    @property
    def total(self) -> int:
        return self.input + self.output

    def plus(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.stored + other.stored,
            self.ours or other.ours,
        )


@dataclass(frozen=True, slots=True)
class Price:
    """Micro-dollars for a million tokens. `stored` is what writing to the provider's cache costs."""

    input: int
    output: int
    cached: int
    stored: int

    def __post_init__(self) -> None:
        if min(self.input, self.output, self.cached, self.stored) < 0:
            raise InvalidValue("prices are not negative")

    @property
    def dearest_input(self) -> int:
        """What an input token costs at most, whatever the provider caches."""
        return max(self.input, self.cached, self.stored)

    def of(self, usage: Usage) -> int:
        """Micro-dollars, rounded up."""
        plain = usage.input - usage.cached - usage.stored
        parts = plain * self.input + usage.cached * self.cached + usage.stored * self.stored + usage.output * self.output
        return -(-parts // MILLION)

    def at_most(self, tokens_in: int, tokens_out: int) -> int:
        """The upper bound for a call of that size."""
        return -(-(tokens_in * self.dearest_input + tokens_out * self.output) // MILLION)


@dataclass(frozen=True, slots=True)
class Tariff:
    """Prices of one model: `steps` are (input tokens from which the price holds, price), the first from 0.

    Providers charge a whole call at the step that its input reaches.
    """

    steps: tuple[tuple[int, Price], ...]

    def __post_init__(self) -> None:
        starts = [start for start, _ in self.steps]
        if not starts or starts[0] != 0 or starts != sorted(set(starts)):
            raise InvalidValue("a tariff begins at 0 tokens and rises")

    def price(self, tokens_in: int) -> Price:
        return next(price for start, price in reversed(self.steps) if tokens_in >= start)

    def of(self, usage: Usage) -> int:
        """Micro-dollars, rounded up."""
        return self.price(usage.input).of(usage)

    def at_most(self, tokens_in: int, tokens_out: int) -> int:
        """The upper bound for a call of at most that size: a smaller one could stand on a dearer step."""
        return max(price.at_most(tokens_in, tokens_out) for start, price in self.steps if start <= tokens_in)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most a run may use. None means no limit of that kind; at least one limit must hold for a model without a price."""

    tokens: int | None = None
    micros: int | None = None

    def __post_init__(self) -> None:
        if (self.tokens is not None and self.tokens < 0) or (self.micros is not None and self.micros < 0):
            raise InvalidValue("a limit is not negative")


def dollars(micros: int) -> str:
    """For people: dollars and cents, with as many digits as the amount needs."""
    whole, rest = divmod(micros, MILLION)
    digits = f"{rest:06d}".rstrip("0")
    return f"${whole}.{digits.ljust(2, '0')}"
