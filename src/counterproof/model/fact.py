"""A fact about the code that anyone can check: at this place, the syntax does this with that name (A53, A55).

Facts are what proofs are made of and what a reason must name to count. A fact is a claim until the checker has read the place;
`checked` values never come from an agent. Prose has no place here: explanations are rendered from facts, never parsed back.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location

MAX_SYMBOL = 200


class Operation(StrEnum):
    """What the syntax of a line does with a name. MENTION is for files that no grammar reads: the words stand in the line."""

    CALL = "call"
    ASSIGN = "assign"
    READ = "read"
    PARAMETER = "parameter"
    DEFINE = "define"
    RETURN = "return"
    COMPARE = "compare"
    BRANCH = "branch"
    RAISE = "raise"
    BUILD = "build"
    DECORATE = "decorate"
    IMPORT = "import"
    LITERAL = "literal"
    MENTION = "mention"


NAMELESS = (Operation.RETURN, Operation.RAISE, Operation.BUILD, Operation.LITERAL, Operation.BRANCH)
"""Operations that say something without a name; with one, the name must stand inside them."""


@dataclass(frozen=True, slots=True)
class Fact:
    """`symbol` is the name as the code writes it, without its receiver (`execute`, not `cursor.execute`) or with it: both are
    found. It is '' only where the operation needs no name."""

    at: Location
    operation: Operation
    symbol: str = ""

    def __post_init__(self) -> None:
        if len(self.symbol) > MAX_SYMBOL:
            raise InvalidValue(f"a symbol has at most {MAX_SYMBOL} characters")
        if not self.symbol.strip() and self.operation not in NAMELESS:
            raise InvalidValue(f"a fact of kind {self.operation.value} names a symbol")

    def __str__(self) -> str:
        return f"{self.operation.value} {self.symbol} at {self.at}" if self.symbol else f"{self.operation.value} at {self.at}"
