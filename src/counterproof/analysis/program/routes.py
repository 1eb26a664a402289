"""Functions that a decorator binds to a route. Their data is followed from the request, which is more precise than their text.

Invariant: the decorator alone decides. Not handled here: finding entry points.
"""

from counterproof.analysis.syntax.ir import Attribute, Call, Function

_ROUTING = ("route", "get", "post", "put", "delete", "patch", "websocket")


def handles_route(function: Function | None) -> bool:
    """`@app.route("/x")`, `@router.get("/x")`."""
    calls = [each.value for each in function.decorators if isinstance(each.value, Call)] if function else []
    return any(isinstance(each.callee, Attribute) and each.callee.name in _ROUTING for each in calls)
