"""What is known of untrusted data once it is told which part of it is taken: a field, a column, a name, the body as it came.

Always holds: telling more about data never takes a taint away, but for variables that no request sets. Does not belong here:
where data enters, and how code reaches into it.
"""

from counterproof.analysis.flow.hits import CLIENT_NAME, CONTENT, OWN_ADDRESS, PREVIOUS_PAGE, SOME_FIELD
from counterproof.analysis.flow.values import CLEAN, Constant, Param, Source, Taint, Value, is_stored
from counterproof.analysis.libraries import names

_PATHS = tuple(names("receiver", "path"))
"""Modules whose objects are paths."""

_NO_COLUMNS = frozenset({"query", "objects", "all", "first", "last", "distinct", "reverse"})

REFERERS = frozenset({"referer", "referrer", "http_referer", "origin", "http_origin"})
"""What frameworks call the headers with the previous page and its site. The browser writes them; no link can."""

_NATURES = dict.fromkeys(REFERERS, frozenset({PREVIOUS_PAGE})) | dict.fromkeys(("host", "http_host"), frozenset({OWN_ADDRESS}))
"""What headers are by their names. The host is the one that the visitor asked."""

_SENT = ("HTTP_", "QUERY_STRING", "PATH_", "REQUEST_", "CONTENT_", "RAW_", "SCRIPT_", "COOKIE")
"""What names of a WSGI environment begin with that a request fills in."""

_FIELDED = frozenset({"query", "form", "header", "cookie"})
"""Channels that are mappings of fields."""

DJANGO_FILES = "web request.FILES"

RELATED = "django.db.models.Manager()"
"""What the objects of another model are reached through."""


def of_field(value: Value, key: Constant) -> tuple[Taint, ...]:
    """Taints with the name of the request parameter filled in, once it is known."""
    if not isinstance(key, str) or not key:
        return value.taints
    nature = _NATURES.get(key.lower(), CLEAN)
    return tuple(
        taint._replace(
            origin=taint.origin._replace(parameter=key[:80]),
            passed=taint.passed | nature if taint.origin.channel == "header" else taint.passed,
        )
        if isinstance(taint.origin, Source) and not taint.origin.parameter
        else taint
        for taint in value.taints
        if not _is_setting(taint, key)
    )


def of_some_field(value: Value) -> tuple[Taint, ...]:
    """Taints of one field of a request, whichever it is."""
    return tuple(
        taint._replace(passed=taint.passed | {SOME_FIELD})
        if isinstance(taint.origin, Source) and not taint.origin.parameter and taint.origin.channel in _FIELDED
        else taint
        for taint in value.taints
    )


def _is_setting(taint: Taint, key: str) -> bool:
    """A variable of a WSGI environment that the server's operator sets and no request does."""
    from_environment = isinstance(taint.origin, Source) and taint.origin.name == "parameter environ"
    return from_environment and key.isupper() and not key.startswith(_SENT)


def in_column(value: Value, name: str) -> Value:
    """A field of something read from a store: the taints remember which."""
    if not value.taints or name in _NO_COLUMNS or value.path == RELATED or not any(map(is_stored, value.taints)):
        return value
    return Value(taints=of_field(value, name), origin=value.origin, open=value.open, path=value.path, fields=value.fields)


def client_name(value: Value) -> Value:
    """The client's name of an uploaded file, which is no longer its content; the last part of a path."""
    if value.sym or not value.taints:
        return value
    last = value.path.startswith(_PATHS)
    taints = tuple(_without_folders(taint, last=last) for taint in named(value.taints))
    return Value(taints=taints, origin=value.origin, open=value.open, path=value.path, of=value.of)


def _without_folders(taint: Taint, *, last: bool) -> Taint:
    """`Path(name).name`. Django keeps the last part of the name that a client gives a file, and refuses one that is no name."""
    of_django = isinstance(taint.origin, Source) and taint.origin.name == DJANGO_FILES
    return taint._replace(passed=taint.passed | {"os.path.basename"}) if of_django or last else taint


def named(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a file or an archive, turned into those of the names that its maker chose."""
    return tuple(
        taint._replace(passed=taint.passed | {CLIENT_NAME} if isinstance(taint.origin, Param) else taint.passed - {CONTENT})
        for taint in taints
    )


def undivided(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Whoever decodes what a request sent has its body in hand, and not a field of a form."""
    return tuple(
        taint._replace(origin=taint.origin._replace(channel="body"))
        if isinstance(taint.origin, Source) and taint.origin.channel == "form" and not taint.origin.parameter
        else taint
        for taint in taints
    )
