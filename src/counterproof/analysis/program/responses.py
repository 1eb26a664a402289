"""How handlers answer, in the words of any framework: calls that make an answer, and fields of one that are filled.

Invariant: by the names that frameworks give them. Not handled here: what must not stand in an answer.
"""

from collections.abc import Iterator

from counterproof.analysis.program.words import words
from counterproof.analysis.syntax.ir import Assign, Attribute, Expr, Name, Node

ANSWERS = (
    "jsonify", "JsonResponse", "JSONResponse", "ORJSONResponse", "UJSONResponse", "json_response", "Response", "HTMLResponse",
    "HttpResponse", "HTTPResponse", "PlainTextResponse", "dumps", "make_response", "json", "write", "finish",
)  # fmt: skip
_FILLED = ("media", "text", "body", "data", "json_body", "unicode_body")
"""What Falcon, Pyramid and Bottle send of a response object."""
_RESPONSES = frozenset({"resp", "response", "res"})


def filled_with(node: Node) -> Iterator[Expr]:
    """`resp.media = x`, `response.body = x`: what is sent."""
    if not isinstance(node, Assign) or node.value is None:
        return
    for target in node.targets:
        if isinstance(target, Attribute) and target.name in _FILLED and isinstance(target.value, Name | Attribute):
            owner = target.value.id if isinstance(target.value, Name) else target.value.name
            if set(words(owner)) & _RESPONSES:
                yield node.value
