"""Library files: TOML, read and checked.

    title = "Flask"

    [sink]
    html = ["flask.Markup"]
    redirect = [{ calls = ["flask.redirect"], arguments = [0, "location"] }]

    [sanitiser]
    html = ["flask.escape"]

A sink is a name whose first argument is dangerous, or a table with details. Names may share parts: "subprocess.{run,call}" stands
for two. A table of a concept lists names by kind; a single kind can be a line, `sanitiser.html = ["flask.escape"]`.

Invariant: an unknown concept, kind or key is an error that names the file; nothing is read from an audited target; the cached
form of a folder is used only while its files have the same sizes and times. Not handled here: the meaning of concepts.
"""

import contextlib
import itertools
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, cast

from counterproof.analysis.libraries.concepts import KINDS, Library, Sink
from counterproof.model.errors import InvalidValue

MAX_BYTES = 200_000
MAX_NAMES = 2_000
"""Limit on the names that one entry expands to."""
_VERSION = re.compile(r"\S{1,100} \d{1,9}(?:\.\d{1,9}){0,3}")
_GROUP = re.compile(r"\{([^{}]*)\}")
_SWITCHES = frozenset({"only_certain", "only_remote", "folder", "data", "text", "question"})
_SINK_KEYS = frozenset(each.name for each in fields(Sink)) - {"call"} | {"calls"}


def library_from(name: str, language: str, data: bytes, *, own: bool = False) -> tuple[Library, bool]:
    """A library from the bytes of its file, and whether it extends the library of that name instead of replacing it."""
    if len(data) > MAX_BYTES:
        raise InvalidValue(f"it has more than {MAX_BYTES:,} bytes")
    try:
        return checked(name, language, tomllib.loads(data.decode("utf-8")), own=own)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidValue(str(error)) from error


def shipped(folder: Path) -> Iterator[Library]:
    """Our libraries of one language. Parsing TOML takes longest, so the result is cached like Python bytecode."""
    with os.scandir(folder) as entries:
        stamp: list[list[Any]] = sorted(
            [each.name, each.stat().st_mtime_ns, each.stat().st_size] for each in entries if each.name.endswith(".toml")
        )
    kept = Path(cache_from_source(str(folder) + ".py")).with_suffix(".libraries")
    tables = _kept(kept, stamp)
    if tables is None:
        tables = {name[:-5]: tomllib.loads((folder / name).read_text(encoding="utf-8")) for name, _, _ in stamp}
        _keep(kept, json.dumps([stamp, tables]).encode())
    for name, table in tables.items():
        yield checked(name, folder.name, table)[0]


def _kept(path: Path, stamp: list[list[Any]]) -> dict[str, dict[str, Any]] | None:
    try:
        found, tables = json.loads(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    return tables if found == stamp else None


def _keep(path: Path, data: bytes) -> None:
    if sys.dont_write_bytecode:
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        written = path.with_name(f"{path.name}.{os.getpid()}")
        written.write_bytes(data)
        written.replace(path)


def checked(name: str, language: str, table: dict[str, Any], *, own: bool = False) -> tuple[Library, bool]:
    """The library that a table describes."""
    table = dict(table)
    sinks = {
        _kind("sink", kind): tuple(sink for row in _rows(rows) for sink in _sinks(row))
        for kind, rows in _table(table.pop("sink", {}), "sink").items()
    }
    title, extends = table.pop("title", name), table.pop("extends", False)
    if not isinstance(title, str) or not isinstance(extends, bool):
        raise InvalidValue("title takes a text, extends true or false")
    names = {
        (concept, _kind(concept, kind)): tuple(_names(listed))
        for concept, kinds in table.items()
        for kind, listed in _table(kinds, concept).items()
    }
    return Library(name, language, title, own, sinks, names), extends


def expanded(pattern: str) -> Iterator[str]:
    """ "a.{b,c}" is "a.b" and "a.c"."""
    groups = _GROUP.findall(pattern)
    if not groups:
        yield pattern
        return
    form = _GROUP.sub("\0", pattern).split("\0")
    choices = [group.split(",") for group in groups]
    for chosen in itertools.islice(itertools.product(*choices), MAX_NAMES):
        yield form[0] + "".join(part + rest for part, rest in zip(chosen, form[1:], strict=True))


def _sinks(row: dict[str, Any]) -> Iterator[Sink]:
    unknown = set(row) - _SINK_KEYS
    if unknown:
        raise InvalidValue(f"a sink has no {sorted(unknown)[0]!r}; it has {', '.join(sorted(_SINK_KEYS))}")
    more: dict[str, Any] = {name: True for name in _SWITCHES if row.get(name) is True}
    if "arguments" in row:
        more["arguments"] = tuple(_arguments(row["arguments"]))
    if "when" in row:
        demands = _table(row["when"], "when")
        more["when"] = tuple((reference, str(demand)) for reference, demand in demands.items())
    if "before" in row:
        more["before"] = _version(row["before"])
    for name in ("receiver_from", "channels"):
        if name in row:
            more[name] = tuple(_names(row[name]))
    for call in _names(row.get("calls")):
        yield Sink(call, **more)


def _version(value: Any) -> str:
    if not isinstance(value, str) or not _VERSION.fullmatch(value):
        raise InvalidValue('before takes a package and a version, as "lodash 4.17.12"')
    return value


def _arguments(value: Any) -> Iterator[int | str]:
    for each in cast("list[Any]", value) if isinstance(value, list) else [None]:
        if not isinstance(each, int | str) or isinstance(each, bool):
            raise InvalidValue("arguments takes a list of positions and keywords")
        yield each


def _names(value: Any) -> Iterator[str]:
    for each in cast("list[Any]", value) if isinstance(value, list) else [None]:
        if not isinstance(each, str) or not each:
            raise InvalidValue("names are a list of texts")
        yield from expanded(each)


def _kind(concept: str, kind: Any) -> str:
    known = KINDS.get(concept)
    if known is None:
        raise InvalidValue(f"there is no concept {concept[:60]!r}; there are {', '.join(KINDS)}")
    if known and kind not in known:
        raise InvalidValue(f"there is no kind {str(kind)[:60]!r} of {concept}; there are {', '.join(known)}")
    return kind


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue(f"{name} takes a table")
    return cast("dict[str, Any]", value)


def _rows(value: Any) -> Iterator[dict[str, Any]]:
    """The sinks of a kind: names of calls whose first argument is dangerous, and tables with more detail."""
    if not isinstance(value, list):
        raise InvalidValue("the sinks of a kind are a list of names and tables")
    for each in cast("list[Any]", value):
        yield {"calls": [each]} if isinstance(each, str) else _table(each, "a sink")
