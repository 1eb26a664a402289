"""A fact about the code that anyone can check: at this location, the syntax does this operation with that name (A53, A55).

Proofs consist of facts, and a reason counts only if it states one. A fact is a claim until the checker has read the location;
agents cannot set `checked` values. Explanations are rendered from facts, and prose is never parsed back into facts.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location

MAX_SYMBOL = 200


class Operation(StrEnum):
    """The operation of a line on a name. MENTION is for files without a grammar: the words occur in the line."""

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
"""Operations that are valid without a name; if a name is given, it must occur inside them."""


@dataclass(frozen=True, slots=True)
class Fact:
    """`symbol` is the name as written in the code, with its receiver (`cursor.execute`) or without (`execute`): both match. It is
    '' only for operations that need no name."""

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
