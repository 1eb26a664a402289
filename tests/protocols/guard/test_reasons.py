"""What a typed reason adds to a finding, in code and in documents."""

import pytest

from counterproof.model.fact import Fact, Operation
from counterproof.model.location import Location, at
from counterproof.protocols.guard.reasons import Stated, is_reason

SINK = Fact(at("app.py", 5), Operation.CALL, "cursor.execute")
PROVED = Stated((Location("app.py", 4, 6),), (SINK,))
TOLD = Stated((at("app.py", 5), at("page.py", 9)), words="nobody checks whether count is zero")


@pytest.mark.rule("R37", "A53")
@pytest.mark.parametrize(
    ("stated", "fact", "against", "counts"),
    [
        (PROVED, Fact(at("app.py", 5), Operation.CALL, "execute"), True, False),
        (PROVED, Fact(at("app.py", 4), Operation.CALL, "quote"), True, True),
        (TOLD, Fact(at("app.py", 4), Operation.READ, "count"), False, True),
        (TOLD, Fact(at("app.py", 5), Operation.READ, "count"), False, False),
        (TOLD, Fact(at("app.py", 5), Operation.CALL, "self.sum"), False, True),
        (TOLD, Fact(at("app.py", 5), Operation.RETURN), False, False),
        (TOLD, Fact(at("app.py", 5), Operation.COMPARE, "count"), True, True),
        (TOLD, Fact(at("app.py", 5), Operation.COMPARE, "count"), False, False),
        (TOLD, Fact(at("page.py", 9), Operation.READ, "count"), True, False),
        (TOLD, Fact(at("app.py", 5), Operation.MENTION, "sum"), False, False),
        (TOLD, Fact(at("app.py", 5), Operation.MENTION, "sum"), True, False),
        (TOLD, Fact(at("notes.md", 5), Operation.MENTION, "sum"), False, True),
    ],
    ids=[
        "the sink", "beside the sink", "another line", "a name of the finding", "a new name", "no name", "a test against it",
        "a test for it", "the line that it breaks", "a word for it", "a word against it", "a word of another line",
    ],
)  # fmt: skip
def test_a_reason_says_more_than_the_finding(stated: Stated, fact: Fact, against: bool, counts: bool) -> None:
    assert is_reason(fact, stated, against) is counts
