"""How handlers respond, in any framework's notation: calls that build a response, and assignments to one.

Invariant: recognised by the frameworks' names. Not handled here: what a response must not contain.
"""

from collections.abc import Iterator

from counterproof.analysis.program.words import words
from counterproof.analysis.syntax.ir import Assign, Attribute, Expr, Name, Node

ANSWERS = (
    "jsonify", "JsonResponse", "JSONResponse", "ORJSONResponse", "UJSONResponse", "json_response", "Response", "HTMLResponse",
    "HttpResponse", "HTTPResponse", "PlainTextResponse", "dumps", "make_response", "json", "write", "finish",
)  # fmt: skip
_FILLED = ("media", "text", "body", "data", "json_body", "unicode_body")
"""Response attributes that Falcon, Pyramid and Bottle send."""
_RESPONSES = frozenset({"resp", "response", "res"})


def filled_with(node: Node) -> Iterator[Expr]:
    """`resp.media = x`, `response.body = x`: the value sent."""
    if not isinstance(node, Assign) or node.value is None:
        return
    for target in node.targets:
        if isinstance(target, Attribute) and target.name in _FILLED and isinstance(target.value, Name | Attribute):
            owner = target.value.id if isinstance(target.value, Name) else target.value.name
            if set(words(owner)) & _RESPONSES:
                yield node.value
