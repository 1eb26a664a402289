"""Calls on document collections, as in MongoDB's drivers: the collection, and the fields in a call.

Invariant: recognised by methods that only such collections have, called with a mapping. Not handled here: ownership.
"""

from collections.abc import Iterator

from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Await, Call, Expr, Index, Mapping, Name
from counterproof.analysis.syntax.walk import walk

CHOOSING = (
    "find_one", "delete_one", "delete_many", "update_one", "update_many", "replace_one", "find_one_and_update",
    "find_one_and_delete", "find_one_and_replace",
)  # fmt: skip
"""Methods whose first argument selects the documents."""
_OTHERS = ("insert_one", "insert_many", "find", "count_documents", "create_index")


def collection_of(call: Call) -> str:
    """`orders` of `db.orders.find_one({…})`, `db["orders"].find_one({…})`, `orders.find_one({…})`; '' for other calls."""
    callee, first = call.callee, positional(call, 0)
    if not isinstance(callee, Attribute) or callee.name not in (*CHOOSING, *_OTHERS) or not isinstance(first, Mapping):
        return ""
    return _name(callee.value)


def _name(holder: Expr) -> str:
    match holder:
        case Attribute(name=name) | Name(id=name):
            return name
        case Index(key=key):
            return text_of(key) or ""
        case Call(callee=Attribute(name="get_collection"), arguments=(first, *_)):
            return text_of(first.value) or ""
        case Await(value=value):
            return _name(value)
        case _:
            return ""


def fields(call: Call) -> Iterator[str]:
    """The fields in the mappings of a call, at any depth."""
    for node in walk(*call.arguments):
        if isinstance(node, Mapping):
            yield from (text for key, _ in node.entries if (text := text_of(key)))
