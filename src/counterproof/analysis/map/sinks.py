"""Calls of dangerous functions by kind, with the entry points that reach them (A68).

Invariant: a call is recognised by its imported name, or as a method of an object that the library files define; reachability uses
resolved calls only. Not handled here: whether outsiders control the arguments.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from counterproof.analysis.libraries import public_name, sinks
from counterproof.analysis.libraries.concepts import KINDS, SQL_TEXT, Sink
from counterproof.analysis.libraries.matcher import SinkTable
from counterproof.analysis.map.outlines import outlines_of
from counterproof.analysis.map.places import Key, Places
from counterproof.analysis.map.side import runs_in_browser
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.queries import statement_text
from counterproof.analysis.syntax.ir import Attribute, Call, Concat, Const, Expr, Format, Lambda, Mapping
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.location import at
from counterproof.model.map import Fact, Route
from counterproof.model.survey import Language

MAX_TEXT = 120
MAX_REACHED = 40
"""Entry points listed for one sink."""
_ASIDE = frozenset({
    "file-probe", "pattern-match", "slow-match", "header", "allocation", "prototype", "session",
    "regex-construction",
})  # fmt: skip
"""Kinds too common to be informative without a data flow."""
_OPEN_METHODS = frozenset({"sql", "dom", "nosql", "command-execution"})
"""Kinds whose methods are matched without a known receiver, because their names are rare."""
_STATEMENT = re.compile(r"(?:select|insert|update|delete|replace|with|create|alter|drop|pragma|begin|call|explain|truncate)\b")
_SHARED_METHODS = frozenset({
    "get", "all", "run", "each", "find", "filter", "remove", "count", "update", "raw", "exec", "execute", "prepare", "query",
})  # fmt: skip
WRITING = ("w", "a", "x", "+")


@dataclass(frozen=True, slots=True)
class SinkCall:
    """One call, with the enclosing function."""

    kind: str
    outline: Outline
    site: Site[Call]
    sink: Sink


def sink_calls(places: Places) -> Iterator[SinkCall]:
    """Yield every sink call once."""
    for outline, language in outlines_of(places.project, places.codebase):
        table = _table(Language.PYTHON if language is Language.PYTHON else Language.JAVASCRIPT)
        for site in outline.of(Call):
            found = None if _is_fixed(site.node) else _matched(places, outline, site, table)
            if found is not None:
                yield SinkCall(found[0], outline, site, found[1])


def _is_fixed(call: Call) -> bool:
    """Return True if all arguments of a call are literals, so that nobody else controls them."""
    return bool(call.arguments) and all(isinstance(each.value, Const) for each in call.arguments)


@cache
def _table(language: Language) -> SinkTable[str]:
    return SinkTable((kind, each) for kind in KINDS["sink"] if kind not in _ASIDE for each in sinks(kind, language))


def _matched(places: Places, outline: Outline, site: Site[Call], table: SinkTable[str]) -> tuple[str, Sink] | None:
    callee = site.node.callee
    name = public_name(outline.dotted(callee).removeprefix("node:"))
    for kind, sink in table.exact(name):
        return kind, sink
    if not isinstance(callee, Attribute):
        return None
    made = _made(places, outline, site, callee.value)
    for kind, sink in table.method_of_made(callee.name) if made else ():
        if sink.call == f"{made}().{callee.name}":
            return kind, sink
    for kind, sink in table.method(callee.name):
        if made and any(made.startswith(each.rstrip("().").rstrip(".")) for each in sink.receiver_from if each):
            return kind, sink
        fits = _is_statement(outline, site) if SQL_TEXT in sink.when else _fits(callee.name, site.node)
        if kind in _OPEN_METHODS and not (sink.receiver_from and sink.only_certain) and fits:
            return kind, sink
    return None


def _is_statement(outline: Outline, site: Site[Call]) -> bool:
    """Return True if the first argument starts like an SQL statement; of a method that only databases have, also without a
    text. `app.get("/x", …)` registers a route."""
    first = site.node.arguments[0].value if site.node.arguments else None
    text = statement_text((outline.behind(site.function, first),)) if first is not None else ""
    return bool(_STATEMENT.match(text)) if text else last_name(site.node.callee) not in _SHARED_METHODS


def _fits(method: str, call: Call) -> bool:
    """Return True if a method of an unknown receiver can be this sink. Calls with a function argument, such as `list.find(test)`,
    cannot; methods that collections share count only if the first argument is a string or mapping built in the call."""
    given = [each.value for each in call.arguments]
    if not given or any(isinstance(each, Lambda) for each in given):
        return False
    return method not in _SHARED_METHODS or isinstance(given[0], Const | Format | Concat | Mapping)


def _made(places: Places, outline: Outline, site: Site[Call], receiver: Expr) -> str:
    if outline.path in places.program.codebase.paths:
        return public_name(places.codebase.constructor(outline, receiver, site.function))
    return ""


class Reach:
    """The entry points that lead to each function."""

    def __init__(self, places: Places, routes: tuple[Route, ...]) -> None:
        self._places = places
        self._labels: dict[Key, list[str]] = {}
        for route in routes:
            for key in places.reached_from((route.handler.path, route.handler.start)):
                labels = self._labels.setdefault(key, [])
                if route.label not in labels and len(labels) < MAX_REACHED:
                    labels.append(route.label)

    def at(self, path: str, line: int) -> tuple[str, tuple[str, ...]]:
        """The function around a line, and the entry points that reach it."""
        around = self._places.function_at(path, line)
        if around is None:
            return "", ()
        return around[1], tuple(self._labels.get(around[0], ()))


def fact(kind: str, call: SinkCall, reach: Reach, places: Places) -> Fact:
    function, reached = reach.at(call.outline.path, call.site.line)
    text = places.project.line(call.outline.path, call.site.line)[:MAX_TEXT]
    browser = not reached and (kind == "dom" or runs_in_browser(places.project, call.outline.path))
    return Fact(kind, at(call.outline.path, call.site.line), text, function, reached, browser)


def writes_file(call: SinkCall) -> bool:
    """Return True if a file call writes, removes or moves a file, by its name or its mode argument."""
    name = call.outline.dotted(call.site.node.callee).rpartition(".")[2]
    if name == "open":
        given = [each.value for each in call.site.node.arguments if not each.keyword or each.keyword == "mode"][:2]
        modes = [each.value for each in given[-1:] if isinstance(each, Const) and isinstance(each.value, str)]
        return any(mark in mode for mode in modes for mark in WRITING) and len(given) > 1
    return any(part in name.lower() for part in _WRITERS)


_WRITERS = (
    "write", "save", "remove", "unlink", "rename", "replace", "move", "copy", "mkdir", "makedirs", "rmtree", "rmdir", "symlink",
    "chmod", "chown", "extract", "append", "truncate", "touch", "cp", "mv", "rm",
)  # fmt: skip
