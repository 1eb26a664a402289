"""Access to parts of a value: attributes, elements, iteration, and the result of calling something unknown.

Invariant: a part of untrusted data is untrusted; a part of a request object is a source exactly if the table of sources says so;
an access on a parameter is recorded, so that callers can replay it. Not handled here: calls with a known target.
"""

from typing import NamedTuple

from counterproof.analysis.flow import constant_folding, django_forms
from counterproof.analysis.flow.frame import EnginePort
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo, is_model
from counterproof.analysis.flow.models import is_text_method
from counterproof.analysis.flow.sources import (
    CONTENT,
    DOCUMENTS,
    LINK,
    MODEL,
    OWN_ADDRESS,
    PLAIN_TEXT,
    PREVIOUS_PAGE,
    REFERERS,
    RELATED,
    REQUEST,
    canonical,
    channel_of,
    client_name,
    in_column,
    is_routed_class,
    is_view_class,
    of_field,
    of_some_field,
    origin_of,
    script_channel,
    undivided,
)
from counterproof.analysis.flow.stores import ACCOUNT, ACCOUNT_IN_REQUEST, ACCOUNTS, ROWS, row_of
from counterproof.analysis.flow.stores import stored as read_back
from counterproof.analysis.flow.values import (
    CLEAN,
    INTERNAL,
    MAX_ACCESS,
    UNSET,
    Constant,
    Param,
    Source,
    Step,
    StepKind,
    Taint,
    Trusted,
    Value,
    is_stored,
    joined,
    literal,
)

_CLIENT_NAMES = frozenset({"filename", "name", "stem", "raw_filename"})


_KEPT_AS = frozenset({"path", "filepath", "tempFilePath", "destination"})
"""Attributes with the path where the server stored an upload; the sender controls neither folder nor file name."""


_MANAGERS = frozenset({"query", "objects"})
"""Attributes of a model for querying its objects."""


_TEXT = frozenset({PLAIN_TEXT})
_NATURE = {
    "file": frozenset({CONTENT}),
    LINK: frozenset({OWN_ADDRESS}),
    **dict.fromkeys(("query", "form", "path", "header", "cookie", "argv"), _TEXT),
}
"""The initial labels of data, by its channel."""


_OWN_PLACES = frozenset({"path", "url", "originalUrl", "full_path", "path_info", "get_full_path", "uri", "base_url", "url_root"})
"""Attributes of a request that contain its own URL."""


_READING = frozenset({"get", "getlist", "getall", "getone", "pop"})
_FETCHING = frozenset({"fetchall", "fetchone", "fetchmany"})
"""Methods of a cursor that was passed in after it ran a statement."""

_BY_COLUMN = _READING | {"values_list", "values", "value", "only"}
"""Methods of rows and queries that take a column name."""


class Place(NamedTuple):
    """The location of an access."""

    path: str
    line: int


REFERENCE = "$ref"
"""The key of a reference in a schema or interface description; nothing else uses it."""
MAX_PATH = 400
"""Limit on the characters of a dotted name; a longer one, built by a loop, is dropped."""


def attribute(engine: EnginePort, value: Value, name: str, at: Place) -> Value:
    """`value.name`."""
    if value.fields and name in value.fields:
        return value.fields[name]
    if name in _CLIENT_NAMES:
        value = client_name(value)
    if isinstance(value.of, ClassInfo):
        found = _member(engine, value, value.of, name)
        if found is not None:
            return found
    if engine.scripts and (member := _script_member(value, name, at)) is not None:
        return member
    path = canonical(f"{value.path}.{name}") if value.path and len(value.path) < MAX_PATH else ""
    known = _known(engine, value, name, path, at)
    if known is not None:
        return known
    if path and (channel := script_channel(path) if engine.scripts else channel_of(path)):
        return _script_source(engine, path, channel, at) if engine.scripts else source(path, channel, at)
    if value.sym:
        return _extended(value, f".{name}", at, path)
    taints = (
        of_field(value, name) if engine.scripts else value.taints
    )  # members of a request's parts are its parameters in JavaScript
    return Value(taints=taints, origin=origin_of(path) if path else value.origin, open=value.open, path=path)


def _script_member(value: Value, name: str, at: Place) -> Value | None:
    """JavaScript-only meanings of a member: an element of an object, all of a package, the number of elements."""
    if value.entries is not None and (name in value.entries or value.rest is not None):
        return element(value, name, at)
    if name == "default" and value.path and not value.taints and "(" not in value.path:
        return value  # the interop code that compilers emit for default exports
    if name in _KEPT_AS and value.taints and not value.sym:
        sent = tuple(each for each in value.taints if not (isinstance(each.origin, Source) and each.origin.channel == "file"))
        return Value(taints=sent, origin=value.origin, open=value.open) if sent != value.taints else None
    if name == "length" and value.taints and not value.sym:
        return Value(taints=tuple(each._replace(passed=each.passed | {"numeric"}) for each in value.taints), open=value.open)
    return None


def _known(engine: EnginePort, value: Value, name: str, path: str, at: Place) -> Value | None:
    """The project's own definition of this name, or the objects that a store keeps under it: accounts, related objects."""
    if path in ACCOUNTS:
        return _read_back(ACCOUNT, at)
    related = engine.index.related(name)
    if related and (value.path == ACCOUNT_IN_REQUEST or any(map(is_stored, value.taints))):
        return _read_back(related, at)
    return engine.names.project_value(path, at.path) if path and not value.taints and not value.sym else None


def _read_back(store: str, at: Place) -> Value:
    found = read_back(store, "", at.path, at.line)
    found.path = RELATED
    return found


def _member(engine: EnginePort, value: Value, info: ClassInfo, name: str) -> Value | None:
    """A method, property, class attribute or stored field of an instance or a class."""
    method = info.method(name)
    if method is not None:
        if method.is_property and value.path != "class":
            return engine.call(method, value)
        return Value(of=method, bound=None if method.is_static else value, origin=INTERNAL.origin)
    stored = engine.stored(info, name)
    if stored is not None:
        if not value.sym:
            return stored
        extended = _extended(value, f".{name}", None, stored.path)
        extended.of = stored.of
        return extended
    outside = info.outside()
    if name in _MANAGERS and is_model(info):
        found = read_back(info.node.name, "", info.module.path, info.node.line)
        found.path = f"{outside[0]}().{name}"
        return found
    given = django_forms.read(engine.index, info, name) or _given_by_framework(info, outside, name)
    if given is not None or not outside:
        return given
    path = f"{outside[0]}().{name}"
    return _extended(value, f".{name}", None, path) if value.sym else Value(path=path, origin=INTERNAL.origin)


def _given_by_framework(info: ClassInfo, outside: tuple[str, ...], name: str) -> Value | None:
    """Values that a framework sets on a view: its request, the route parameters, the fields of its base class."""
    if name == "request" and is_view_class(outside):
        return Value(path=REQUEST, origin=INTERNAL.origin)
    here = Place(info.module.path, info.node.line)
    if name in ("kwargs", "args") and is_routed_class(outside):
        return source(f"the route's {name}", "path", here)
    for base in outside:
        path = f"{base}().{name}"
        if channel := channel_of(path):
            return source(path, channel, here)
    return None


def _extended(value: Value, accessor: str, at: Place | None, path: str) -> Value:
    """An access on a parameter, as a longer chain on that parameter up to the limit."""
    sym = value.sym
    if sym is None or len(sym.access) >= MAX_ACCESS:
        return Value(taints=value.taints, origin=value.origin, open=value.open, path=path)
    deeper = Param(sym.function, sym.position, (*sym.access, accessor))
    before = value.taints[0].step if value.taints else None
    step = Step(StepKind.ASSIGN, at.path, at.line, "", before) if at else before
    passed = value.taints[0].passed if value.taints else CLEAN
    return Value(taints=(Taint(deeper, passed, step),), path=path, sym=deeper)


def source(path: str, channel: str, at: Place, parameter: str = "") -> Value:
    """A value controlled by an outsider."""
    origin = Source(channel, path, parameter, at.path, at.line)
    who = "written by a model" if channel == MODEL else "in a document" if channel in DOCUMENTS else "chosen by the sender"
    step = Step(StepKind.SOURCE, at.path, at.line, f"{path} is {who}", None)
    nature = _NATURE.get(channel, CLEAN)
    if channel == "path" and path.startswith(REQUEST) and path.rpartition(".")[2] in _OWN_PLACES:
        nature |= {OWN_ADDRESS}
    if channel == "header" and path.rpartition(".")[2] in REFERERS:
        nature |= {PREVIOUS_PAGE}
    return Value(taints=(Taint(origin, nature, step),), path=path)


def _script_source(engine: EnginePort, path: str, channel: str, at: Place) -> Value:
    """A source in JavaScript frameworks: `req.params` are strings, while form fields, and in some versions query fields, may be
    objects (`?a[$ne]=`)."""
    if path == f"{REQUEST}.params":
        return source(path, "path", at)
    found = source(path, channel, at)
    if channel == "form" or (channel == "query" and engine.nested_queries):
        found.taints = tuple(taint._replace(passed=taint.passed - {PLAIN_TEXT}) for taint in found.taints)
    return found


def element(value: Value, key: object, at: Place) -> Value:
    """`value[key]`; `key` is UNSET if it is not a known constant."""
    if key == "filename":
        value = client_name(value)
    if value.fields and isinstance(key, str) and key in value.fields:
        return value.fields[key]
    if value.items is not None and isinstance(key, int) and -len(value.items) <= key < len(value.items):
        return value.items[key]
    if value.entries is not None and not isinstance(key, type(UNSET)) and key in value.entries:
        return value.entries[key]  # pyright: ignore[reportArgumentType]
    if value.items is not None or value.entries is not None or value.rest is not None:
        return _some_element(value, known=value.entries is not None and key is not UNSET)
    if value.known and key is not UNSET:
        folded = constant_folding.item(value.const, key)  # pyright: ignore[reportArgumentType]
        return Value(origin=value.origin) if folded is UNSET else literal(folded)
    if key == REFERENCE and not any(isinstance(each.origin, Source) for each in value.taints):
        return source(REFERENCE, "document", at)
    if value.sym:
        return _extended(value, f"[{key}" if isinstance(key, (str, int)) else "[", at, "")
    taints = of_field(value, key) if isinstance(key, str) else of_some_field(value)
    path = f"{value.path}[]" if value.path else ""
    origin = value.origin or (Trusted.NONE if taints else Trusted.INTERNAL)
    return Value(taints=taints, origin=origin, open=value.open, path=path)


def overlaid(entries: dict[Constant, Value], more: Value, at: Place) -> dict[Constant, Value]:
    """The merged entries of a mapping spread over another that may have the same keys: `{...defaults, ...options}`."""
    if more.entries is not None and more.rest is None and not more.taints:
        return entries
    unset = {key: element(more, key, at) for key in entries if key not in (more.entries or {}) and key not in (more.fields or {})}
    return {**entries, **{key: joined(entries[key], inner) for key, inner in unset.items() if inner.taints}}


def _some_element(value: Value, *, known: bool) -> Value:
    """The value of any element. A known key that is missing can only be in the summarised rest."""
    result = value.rest
    if not known:
        for inner in (*(value.items or ()), *(value.entries or {}).values()):
            result = joined(result, inner) if result else inner
    if value.taints:
        own = Value(taints=value.taints, origin=value.origin)
        result = joined(result, own) if result else own
    return result or INTERNAL


def iterated(value: Value, at: Place) -> Value:
    """The loop variable's value for a loop over this value."""
    if value.entries is not None and value.items is None:
        return Value(taints=value.taints, origin=value.origin | Trusted.LITERAL)
    if value.items is not None or value.rest is not None:
        return _some_element(value, known=False)
    if value.known:
        return Value(origin=value.origin)
    if value.sym:
        return _extended(value, "#", at, "")
    return element(value, UNSET, at)


def keys_of(value: Value, at: Place) -> Value:
    """The names of an object's members: trusted if the program wrote them, untrusted if the sender supplied the object."""
    if value.entries is None and value.items is None and value.sym:
        return _extended(value, "#", at, "")
    return Value(taints=value.taints, origin=value.origin, open=value.open)


def asked_for(value: Value, method: str, first: object) -> object:
    """The part selected by the first argument of a call. `row.get("title")` reads a column of stored data; `order_by("-date")`,
    `select_related("writer")` and `raw("SELECT …")` read all of it."""
    whole = method not in _BY_COLUMN and any(map(is_stored, value.taints))
    return UNSET if whole else first


def called(engine: EnginePort, value: Value, first: object, at: Place) -> Value:
    """The result of calling something that is not a project function; `first` is its first argument if constant."""
    if isinstance(value.of, FunctionInfo):
        return engine.call(value.of, value.bound)
    if value.sym:
        return _extended(value, f"({first}" if isinstance(first, str) else "(", at, f"{value.path}()" if value.path else "")
    path = canonical(f"{value.path}()") if value.path else ""
    if path and not value.taints and (channel := channel_of(path)):
        return source(path, channel, at)
    method = value.path.rpartition(".")[2]
    if is_text_method(method):  # the argument of `data.decode("utf-8")` is not a field name
        taints = undivided(value.taints) if method == "decode" else value.taints
    else:
        taints = (
            of_field(value, first) if isinstance(first, str) else of_some_field(value) if method in _READING else value.taints
        )
    origin = value.origin or (Trusted.NONE if taints else origin_of(path))
    return Value(taints=taints, origin=origin, open=value.open, path=path)


def replayed(engine: EnginePort, value: Value, access: tuple[str, ...], at: Place) -> Value:
    """The accesses made on a parameter, replayed on the argument."""
    position = 0
    while position < len(access):
        kind, rest = access[position][0], access[position][1:]
        following = access[position + 1] if position + 1 < len(access) else ""
        position += 1
        if kind == "." and following[:1] == "(" and (value.entries is not None or value.items is not None or value.rest):
            inner = _container_method(value, rest, following[1:], at)
            if inner is not None:
                value, position = inner, position + 1
                continue
        if kind == "." and following[:1] == "(" and rest in _FETCHING and (row := (value.fields or {}).get(ROWS)) is not None:
            value, position = (row if rest == "fetchone" else Value(origin=Trusted.INTERNAL, rest=row)), position + 1
            continue
        if kind == ".":
            value = attribute(engine, value, rest, at)
            value = value if following[:1] == "(" else in_column(value, rest)
        elif kind == "[":
            key: object = int(rest) if rest.lstrip("-").isdigit() else (rest or UNSET)
            value = element(value, key, at)
        elif kind == "#":
            value = iterated(value, at)
        elif kind == "$":
            value = statement_rows(value, at) or INTERNAL
        else:
            before = access[position - 2] if position > 1 else ""
            method = before[1:] if before[:1] == "." else ""
            value = called(engine, value, asked_for(value, method, rest or UNSET), at)
    return value


def statement_rows(sql: Value, at: Place) -> Value | None:
    """A row that a statement reads; for a parameter, an access to be replayed on the argument."""
    if sql.sym is not None:
        return _extended(sql, "$", at, "")
    return row_of(sql.const, at.path, at.line)


def _container_method(value: Value, name: str, first: str, at: Place) -> Value | None:
    """Reading methods of a container that was passed as an argument."""
    if name in ("get", "pop"):
        return element(value, first or UNSET, at)
    if name == "values":
        return Value(origin=value.origin, rest=element(value, UNSET, at))
    if name == "items":
        pair = Value(origin=value.origin, items=(Value(origin=value.origin), element(value, UNSET, at)))
        return Value(origin=value.origin, rest=pair)
    return value if name in ("copy", "keys") else None
