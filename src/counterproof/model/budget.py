"""The cost of model calls: tokens, prices and limits. Money is counted in whole micro-dollars, never in floats.

Invariant: amounts are not negative; prices round up, so a charge is never below the actual cost. Whether a call may be made is
decided in `protocols.guard.budget`.
"""

from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of several. `cached` counts the `input` tokens that the provider read from its cache, `stored` those
    it wrote to it; `ours`: the provider gave no usable figures, so these are our upper bound."""

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
    """Micro-dollars per million tokens. `stored` is the price of writing to the provider's cache."""

    input: int
    output: int
    cached: int
    stored: int

    def __post_init__(self) -> None:
        if min(self.input, self.output, self.cached, self.stored) < 0:
            raise InvalidValue("prices are not negative")

    @property
    def dearest_input(self) -> int:
        """The highest price of an input token, cached or not."""
        return max(self.input, self.cached, self.stored)

    def of(self, usage: Usage) -> int:
        """The cost in micro-dollars, rounded up."""
        plain = usage.input - usage.cached - usage.stored
        parts = plain * self.input + usage.cached * self.cached + usage.stored * self.stored + usage.output * self.output
        return -(-parts // MILLION)

    def at_most(self, tokens_in: int, tokens_out: int) -> int:
        """The upper bound of the cost of a call with these token counts."""
        return -(-(tokens_in * self.dearest_input + tokens_out * self.output) // MILLION)


@dataclass(frozen=True, slots=True)
class Tariff:
    """Prices of one model by input size: each of `steps` is (the number of input tokens from which the price applies, the price);
    the first starts at 0.

    Providers charge the whole call at the step that its input reaches.
    """

    steps: tuple[tuple[int, Price], ...]

    def __post_init__(self) -> None:
        starts = [start for start, _ in self.steps]
        if not starts or starts[0] != 0 or starts != sorted(set(starts)):
            raise InvalidValue("a tariff begins at 0 tokens and rises")

    def price(self, tokens_in: int) -> Price:
        return next(price for start, price in reversed(self.steps) if tokens_in >= start)

    def of(self, usage: Usage) -> int:
        """The cost in micro-dollars, rounded up."""
        return self.price(usage.input).of(usage)

    def at_most(self, tokens_in: int, tokens_out: int) -> int:
        """The upper bound of the cost of a call of at most this size; a smaller call may fall on a more expensive step."""
        return max(price.at_most(tokens_in, tokens_out) for start, price in self.steps if start <= tokens_in)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a run may use. None means no limit of that kind; a model without a price needs at least one limit."""

    tokens: int | None = None
    micros: int | None = None

    def __post_init__(self) -> None:
        if (self.tokens is not None and self.tokens < 0) or (self.micros is not None and self.micros < 0):
            raise InvalidValue("a limit is not negative")


def dollars(micros: int) -> str:
    """Format micro-dollars as dollars and cents, with more digits for small amounts."""
    whole, rest = divmod(micros, MILLION)
    digits = f"{rest:06d}".rstrip("0")
    return f"${whole}.{digits.ljust(2, '0')}"
