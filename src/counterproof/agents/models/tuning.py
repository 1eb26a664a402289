"""How a model is asked: how long its answer may be and how hard it thinks, by provider, and as the user sets it. Pure.

Always holds: an answer that was cut off may be asked for again with a larger limit, up to `ceiling`; a setting that is not given
is the provider's own default, never a guess about a model's name.
"""

from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

EFFORTS = ("minimal", "low", "medium", "high", "xhigh")


@dataclass(frozen=True, slots=True)
class Tuning:
    """`output` tokens of answer, thinking included; `ceiling` is the most after answers were cut off. `effort` is one of
    `EFFORTS`, "none", or '' for what the model does by itself."""

    output: int = 8_192
    ceiling: int = 32_768
    effort: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.output <= self.ceiling:
            raise InvalidValue("an answer has at least one token and at most the ceiling")
        if self.effort not in ("", "none", *EFFORTS):
            raise InvalidValue(f"an effort is none or one of {', '.join(EFFORTS)}")


USUAL = Tuning()
