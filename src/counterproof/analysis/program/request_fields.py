"""Which request field an expression reads, in any framework's notation.

Invariant: the object read is a request by its name, a handler with one, or a value returned by either; through variables of the
same function, bounded in steps. Not handled here: parameters that a framework fills, and the meaning of a field.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Attribute, Await, Call, Expr, Function, Index, Name
from counterproof.analysis.syntax.walk import last_name


class Channel(StrEnum):
    """The part of a request that contains a field."""

    PATH = "path"
    QUERY = "query"
    BODY = "body"
    HEADER = "header"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class Field:
    channel: Channel
    name: str


_PARTS = {
    Channel.PATH: ("path_params", "match_info", "matchdict", "view_args", "kwargs", "path_kwargs", "url_args"),
    Channel.QUERY: ("args", "GET", "query", "query_params", "params", "query_args"),
    Channel.BODY: ("form", "POST", "forms", "values", "data", "media", "json", "json_body", "files", "FILES"),
    Channel.HEADER: ("headers", "META"),
    Channel.COOKIE: ("cookies", "COOKIES"),
}
_BY_PART = {name: channel for channel, names in _PARTS.items() for name in names}
_WHOLE = ("get_json", "json", "form", "post", "multipart", "get_media", "loads")
"""Calls that return a whole body, and request attributes that are mappings."""
_GETTING = ("get", "getlist", "getone", "getall", "getunicode", "pop")
_ASKING = {
    "get_argument": Channel.QUERY, "get_query_argument": Channel.QUERY, "get_body_argument": Channel.BODY,
    "get_param": Channel.QUERY, "get_param_as_int": Channel.QUERY, "get_param_as_float": Channel.QUERY,
    "get_header": Channel.HEADER, "get_cookie": Channel.COOKIE, "get_cookie_values": Channel.COOKIE,
}  # fmt: skip
"""Methods of Tornado's handlers and of Falcon's and Bottle's requests that take the field name."""
_REQUESTS = ("request", "req")
_TURNING = ("int", "str", "float", "Decimal", "UUID")
_TRIMMING = ("strip", "lower", "upper", "decode")
MAX_STEPS = 6


def field_of(outline: Outline, function: Function | None, expr: Expr | None) -> Field | None:
    """The field that an expression reads, unchanged or converted; None if it reads none."""
    expr = _bare(outline, function, expr)
    if isinstance(expr, Index):
        return _entry(outline, function, expr.value, expr.key)
    if not isinstance(expr, Call) or not isinstance(expr.callee, Attribute) or not expr.arguments:
        return None
    name, owner, key = expr.callee.name, expr.callee.value, expr.arguments[0].value
    if name in _ASKING and _is_asked(owner):
        text = text_of(key)
        signed = name == "get_cookie" and any(each.keyword == "secret" for each in expr.arguments)
        return Field(_ASKING[name], text) if text and not signed else None
    return _entry(outline, function, owner, key) if name in _GETTING else None


def _bare(outline: Outline, function: Function | None, expr: Expr | None) -> Expr | None:
    """The inner expression of `int((await x).strip())`, or of the variable assigned from it."""
    for _ in range(MAX_STEPS):
        match expr:
            case Await(value=inner):
                expr = inner
            case Call(callee=Name(id=name), arguments=arguments) if name in _TURNING and arguments:
                expr = arguments[0].value
            case Call(callee=Attribute(value=inner, name=name)) if name in _TRIMMING:
                expr = inner
            case Name(id=name):
                made = outline.local(function, name) if function is not None else None
                if made is None or made.value is None:
                    return expr
                expr = made.value
            case _:
                return expr
    return expr


def _entry(outline: Outline, function: Function | None, holder: Expr, key: Expr) -> Field | None:
    channel, name = _channel(_bare(outline, function, holder)), text_of(key)
    if channel is None or not name:
        return None
    if channel is Channel.HEADER and isinstance(holder, Attribute) and holder.name == "META" and not name.startswith("HTTP_"):
        return None  # the server's own data about the connection
    return Field(channel, name)


def _channel(holder: Expr | None) -> Channel | None:
    if isinstance(holder, Attribute) and holder.name in _BY_PART:
        handler = isinstance(holder.value, Name) and holder.value.id == "self"
        known = handler if holder.name in ("kwargs", "path_kwargs") else is_request(holder.value)
        return _BY_PART[holder.name] if known or (holder.name == "query" and _is_address(holder.value)) else None
    if isinstance(holder, Call) and isinstance(holder.callee, Attribute) and holder.callee.name in _WHOLE:
        loaded = holder.callee.name == "loads" and bool(holder.arguments)
        whole = _of_request(holder.arguments[0].value) if loaded else is_request(holder.callee.value)
        return Channel.BODY if whole else None
    return None


def _is_address(expr: Expr) -> bool:
    """`request.rel_url`, `request.url`, whose `query` is the request's."""
    return isinstance(expr, Attribute) and expr.name in ("rel_url", "url") and is_request(expr.value)


def _of_request(expr: Expr) -> bool:
    """`request.body`, `await request.text()`."""
    expr = expr.value if isinstance(expr, Await) else expr
    expr = expr.callee if isinstance(expr, Call) else expr
    return isinstance(expr, Attribute) and is_request(expr.value)


def _is_asked(owner: Expr) -> bool:
    return is_request(owner) or (isinstance(owner, Name) and owner.id in ("self", "handler"))


def is_request(expr: Expr | None) -> bool:
    """`request`, `req`, `self.request`, `flask.request`."""
    name = last_name(expr)
    return name in _REQUESTS
