"""Settings for asking a model: the length of its answer and its thinking effort, by provider or set by the user. Pure.

    openai:gpt-5#effort=low                     think little
    anthropic:claude-opus-4-5#effort=high#output=32000#ceiling=64000

Invariant: a truncated answer may be requested again with a larger limit, up to `ceiling`; a setting that is not given
is the provider's own default, never a guess about a model's name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from counterproof.model.errors import InvalidValue, UserError

EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
_HINT = f"write PROVIDER:MODEL#effort={'|'.join(('none', *EFFORTS))}#output=TOKENS#ceiling=TOKENS#window=TOKENS"
MIN_WINDOW = 8_000
MIN_OPENING = 700
SMALL_WINDOW = 16_000
"""In smaller windows a role's worked answers and all but the first tools are left out."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """`output` is the answer's tokens, thinking included; `ceiling` the maximum after truncated answers; `window` the tokens
    of a whole conversation. `effort` is one of `EFFORTS`, "none", or '' for the model's default."""

    output: int = 8_192
    ceiling: int = 32_768
    effort: str = ""
    window: int = 180_000

    def __post_init__(self) -> None:
        if not 1 <= self.output <= self.ceiling:
            raise InvalidValue("an answer has at least one token and at most the ceiling")
        if self.window < MIN_WINDOW:
            raise InvalidValue(f"a conversation needs a window of {MIN_WINDOW:,} tokens at least")
        if self.effort not in ("", "none", *EFFORTS):
            raise InvalidValue(f"an effort is none or one of {', '.join(EFFORTS)}")

    @property
    def opening(self) -> int:
        """The most tokens of data in the opening: instructions, tools and turns need the rest."""
        return (self.window - MIN_WINDOW) // 2 + MIN_OPENING

    @property
    def small(self) -> bool:
        return self.window < SMALL_WINDOW

    @property
    def narrower(self) -> "Tuning | None":
        """The same with half the window, for a model whose context is shorter than stated. None at the smallest window."""
        if self.window <= MIN_WINDOW:
            return None
        return replace(self, window=max(self.window // 2, MIN_WINDOW))


USUAL = Tuning()


def split_tuning(text: str, usual: Callable[[str], Tuning]) -> tuple[str, Tuning]:
    """Split a model string from its settings; `usual` returns the defaults for the string."""
    name, *parts = text.split("#")
    tuning = usual(name)
    given: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or key not in ("effort", "output", "ceiling", "window") or key in given:
            raise UserError(f"{text!r}: {part!r} is not a model setting", _HINT)
        given[key] = value
    numbers = {key: _number(text, given[key]) for key in ("output", "ceiling", "window") if key in given}
    output = numbers.get("output", tuning.output)
    ceiling = max(numbers.get("ceiling", tuning.ceiling), output)
    try:
        return name, Tuning(output, ceiling, given.get("effort", tuning.effort), numbers.get("window", tuning.window))
    except InvalidValue as error:
        raise UserError(f"{text!r}: {error}", _HINT) from error


def _number(text: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and 1 <= len(value) <= 7):
        raise UserError(f"{text!r}: {value!r} is not a number of tokens", _HINT)
    return int(value)
