"""Expressions for the caller: the session, the current user, claims of a token.

Invariant: a name alone is not enough unless frameworks use it for exactly that. Not handled here: guards.
"""

from functools import lru_cache

from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Index, Name, Node
from counterproof.analysis.syntax.walk import walk

_OBJECTS = (*names("session", "store"), *names("session", "user"))
_CONTEXTS = names("session", "request-context")
_PEOPLE = vocabulary("user caller session identity account current principal uid owner member username")
_FUNCTIONS = ("get_jwt_identity", "get_jwt", "current_user", "get_current_user", "current_identity", "get_user")
_CLAIMS = ("sub", "uid", "user_id", "username", "user", "email")
_OF_REQUEST = ("user", "session", "current_user", "tenant", "organization", "organisation", "org", "team", "project", "account",
               "workspace", "company", "member", "customer")  # fmt: skip
"""Attributes that middleware sets on a request for the caller, or the caller's organisation."""
_HOLDERS = ("ctx", "context", "state", "environ", "scope")
"""Containers for middleware data on a request: Sanic, Falcon, Starlette and FastAPI, WSGI, ASGI."""
_OF_PYRAMID = ("authenticated_userid", "unauthenticated_userid", "remote_user")
_OF_HANDLER = ("user", "current_user")
"""Attributes for the caller on a handler class."""
_DATABASE_CALLS = (
    "query", "execute", "exec", "scalars", "scalar", "add", "add_all", "commit", "rollback", "merge", "refresh", "flush",
)  # fmt: skip
_CALLING = vocabulary("user merchant account member customer patient employee student admin tenant seller vendor buyer person")
_NAMES = ("session", "current_user", "caller", "principal", "identity", "me", "claims")


def speaks_of_caller(outline: Outline, node: Node) -> bool:
    """Return True if this node is the caller or one of their attributes."""
    match node:
        case Attribute():
            return _is_mark(outline, node)
        case Index(value=holder, key=Const(value=str() as key)) if _is_request(holder) or _is_hung(holder):
            return bool(set(words(key)) & {*_OF_REQUEST})
        case Index(value=Name(id=name), key=Const(value=str() as key)):
            return key in _CLAIMS and (
                name in _NAMES
                or bool(set(words(name)) & {"resp", "token", "claims", "payload", "decoded", "jwt", "session", "auth"})
            )
        case Call(callee=callee):
            return outline.dotted(callee).rpartition(".")[2] in _FUNCTIONS
        case Name(id=name):
            if name == "session" and is_database_session(outline):
                return False
            return name in ("current_user", "session") or _is_current(name) or outline.dotted(node).startswith(_OBJECTS)
        case _:
            return False


def _is_mark(outline: Outline, node: Attribute) -> bool:
    """`request.user`, `g.user`, `current_user.id`, `self.current_user`."""
    dotted = outline.dotted(node)
    if dotted.startswith(_CONTEXTS):
        return bool(set(words(node.name)) & _PEOPLE)
    if dotted.startswith(_OBJECTS):
        return True
    if isinstance(node.value, Name) and node.value.id == "self":
        return node.name in _OF_HANDLER
    if node.name in _OF_PYRAMID:
        return _is_request(node.value)
    return node.name in _OF_REQUEST and (_is_request(node.value) or _is_hung(node.value))


@lru_cache(maxsize=1024)
def _is_current(name: str) -> bool:
    """`current_merchant`, `current_user_id`: names for the caller in decorators and helpers."""
    spoken = words(name)
    return spoken[:1] == ("current",) and bool(set(spoken[1:]) & _CALLING)


@lru_cache(maxsize=64)
def is_database_session(outline: Outline) -> bool:
    """Return True if a file's database connection is called `session`, as with SQLAlchemy; it does not identify a caller."""
    if outline.module.imports.get("session", "").startswith(_OBJECTS):
        return False
    return any(
        isinstance(site.node.callee, Attribute)
        and site.node.callee.name in _DATABASE_CALLS
        and isinstance(site.node.callee.value, Name)
        and site.node.callee.value.id == "session"
        for site in outline.of(Call)
    )


def _is_request(value: Expr) -> bool:
    return (isinstance(value, Name) and value.id in ("request", "req")) or (
        isinstance(value, Attribute) and value.name in ("request", "req")
    )


def _is_hung(value: Expr) -> bool:
    """`request.ctx`, `req.context`, `request.state`: their contents were set by the application."""
    return isinstance(value, Attribute) and value.name in _HOLDERS and _is_request(value.value)


def caller_mentions(outline: Outline, *roots: Node) -> list[Node]:
    """Every node inside these that refers to the caller."""
    return [node for node in walk(*roots) if speaks_of_caller(outline, node)]
