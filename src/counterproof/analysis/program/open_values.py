"""How a function uses a value chosen outside it, and whether it checks the value first.

A value is open if the code shows that it comes from outside: a parameter, a field, an entry, or a loop item of one of those.
Callers are not followed: an open value at a dangerous place shows that no check is between the two, not who sends it.

Invariant: one function at a time, bounded. A test counts for every variable derived from the value, and for a variable the value
was derived from. Not handled here: which places are dangerous.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.traversal import called, calls_in, children, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

MAX_HOPS = 6
"""Assignments between variables that are followed as the same value."""
MAX_ITEMS = 40
_EVERYWHERE = frozenset({"self", "this", "cls", "os", "path", "fs", "os.path"})
_CHECKING = vocabulary(
    """check checked valid validate validated validator verify verified assert ensure sanitize sanitise sanitized safe
    safely secure secured allow allowed whitelist allowlist blocked blocklist forbidden permitted trusted inside within contained
    escape escaped escapes quote quoted basename clean cleaned normalise_name slugify slug restrict restricted guard private
    traversal public internal subpath"""
)
"""Name words of functions that check their argument, or return it sanitized."""
_MATCHING = frozenset({"test", "match", "fullmatch"})
_ASKING = vocabulary(
    """startswith startsWith includes match test search fullmatch isalnum isdigit isidentifier isalpha is_relative_to
    relative_to relative commonpath commonprefix relpath indexOf has count hasOwnProperty literal_eval int parseInt Number
    hash sha1 sha256 md5 hexdigest uuid4 quote encodeURIComponent quote_plus urlencode escape"""
)
"""Methods that do so under other names, and conversions that leave little choice."""
_SAME = vocabulary(
    """toString trim trimEnd trimStart toLowerCase toUpperCase slice substring substr split at shift pop join concat map
    filter rstrip lstrip removeprefix removesuffix splitlines"""
)
"""Methods that return a string or a part of it, in addition to those of raw values."""
_LISTING = vocabulary("""listdir scandir glob rglob iglob iterdir readdir readdirSync range os.walk Object.keys""")
"""Calls whose results come from the file system or from counting."""


_ADDRESS_PARTS = vocabulary("protocol scheme host hostname origin netloc")


class OpenValues(RawValues):
    """Open values at one place: raw values, and loop items taken from them."""

    def __init__(self, outline: Outline, site: Site[Any], harmless: frozenset[str] = PLAIN) -> None:
        super().__init__(outline, site, harmless)
        self._site = site

    @cached_property
    def _loops(self) -> dict[str, ir.Expr]:
        return {} if self._function is None else _loops(self._function)

    @cached_property
    def _unpacked(self) -> dict[str, ir.Expr]:
        return {} if self._function is None else _unpacked(self._function)

    def raw(self, expr: ir.Expr, hops: int = 0) -> str:
        match expr:
            case ir.Await(value=value):
                return self.raw(value, hops)
            case ir.Boolean(operands=operands):
                return next((found for each in operands if (found := self.raw(each, hops + 1))), "")
            case ir.Index(value=value, key=key) if text_of(key) is None:
                return self.raw(value, hops + 1)
            case ir.Sequence(items=items):
                return next((found for each in items[:MAX_ITEMS] if (found := self.raw(each, hops + 1))), "")
            case ir.Call(callee=ir.Attribute(value=ir.Call() as value, name="get")):
                return self.raw(value, hops + 1) if hops < MAX_HOPS else ""
            case ir.Call(callee=ir.Attribute(value=value, name=name)) if name in _SAME and not isinstance(value, ir.Const):
                return self.raw(value, hops + 1) if hops < MAX_HOPS else ""
            case _:
                return super().raw(expr, hops)

    def _name(self, name: str, line: int, hops: int) -> str:
        over = self._loops.get(name)
        if over is not None:
            return name if not self._harmless(name) and not self._is_listed(over) and self._is_open(over, hops) else ""
        if name in self._unpacked and not self._harmless(name):
            return self.raw(self._unpacked[name], hops + 1)
        found = super()._name(name, line, hops)
        function = self._function
        around = self._outline.functions.get(function.within) if function is not None and not found else None
        if around is None or self._is_own(name) or hops >= MAX_HOPS:
            return found
        return type(self)(self._outline, self._site._replace(function=around), self._harmless_words)._name(name, line, hops + 1)

    def _is_own(self, name: str) -> bool:
        """Return True if the function has its own variable of this name, which shadows the enclosing function's."""
        function = self._function
        given = function is not None and any(each.name == name for each in function.parameters)
        return given or self._outline.local(function, name) is not None

    def _is_open(self, over: ir.Expr, hops: int) -> bool:
        """Return True if a loop's iterable is open, or is listed by a method of an open value."""
        while isinstance(over, ir.Call | ir.Await):
            over = over.value if isinstance(over, ir.Await) else over.callee
            over = over.value if isinstance(over, ir.Attribute) else over
        return bool(self.raw(over, hops + 1)) or (isinstance(over, ir.Name) and self._held(over))

    def _held(self, value: ir.Expr) -> bool:
        while isinstance(value, ir.Attribute | ir.Index):
            value = value.value
        if isinstance(value, ir.Name) and value.id in self._loops:
            over = self._loops[value.id]
            return not self._is_listed(over) and self._is_open(over, 1)
        return super()._held(value)

    def _is_listed(self, over: ir.Expr) -> bool:
        """Return True if the program or its file system produces a loop's iterable."""
        listed = (called(each) in _LISTING or self._outline.dotted(each.callee) in _LISTING for each in calls_in(over))
        return isinstance(over, ir.Const) or any(listed)


def _loops(function: ir.Function) -> dict[str, ir.Expr]:
    """Loop variables of a function, with their iterables."""
    return {
        each.id: node.iterable
        for node in walk(*function.body)
        if isinstance(node, ir.Loop) and node.target is not None and node.iterable is not None
        for each in walk(node.target)
        if isinstance(each, ir.Name)
    }


def _unpacked(function: ir.Function) -> dict[str, ir.Expr]:
    """`section, name = line.split(".")`: the names, with the expression that is split."""
    return {
        each.id: node.value
        for node in walk(*function.body)
        if isinstance(node, ir.Assign) and node.value is not None
        for target in node.targets
        if isinstance(target, ir.Sequence)
        for each in target.items
        if isinstance(each, ir.Name)
    }


def is_asked_about(outline: Outline, site: Site[Any], *values: ir.Expr) -> bool:
    """Return True if the function, or one around it, tests a value, its origin or something derived from it, or calls a check of
    it, before this place."""
    return any(each.line <= site.end for each in questions_about(outline, site.function, *values))


def is_checked(outline: Outline, site: Site[Any], value: ir.Expr) -> bool:
    """The same, but only a function named as a check, or a pattern, counts as a test."""
    asked = (
        each for each in questions_about(outline, site.function, value) if isinstance(each, ir.Call) and each.line <= site.end
    )
    return any(called(each) in _MATCHING or set(words(called(each))) & _CHECKING for each in asked)


def questions_about(outline: Outline, function: ir.Function | None, *values: ir.Expr) -> Iterator[ir.Call | ir.Compare]:
    """The tests and calls that check these values."""
    if function is None:
        return
    for _ in range(MAX_HOPS):
        function = outline.functions.get(function.within, function)
    related = _related(function, frozenset(mentioned(*values)) - _EVERYWHERE)
    for node in walk(*function.body):
        if isinstance(node, ir.Call):
            asks = called(node) in _ASKING or bool(set(words(called(node))) & _CHECKING)
        else:
            asks = isinstance(node, ir.Compare) and not all(_says_nothing(each) for each in node.operands[1:])
        if asks and isinstance(node, ir.Call | ir.Compare) and related & _spoken_of(node):
            yield node


def _spoken_of(node: ir.Node) -> set[str]:
    """The names in a test; a test of a part of a URL is a test of the URL."""
    found = set(mentioned(node))
    return found | {whole for each in found for whole, _, part in (each.rpartition("."),) if part in _ADDRESS_PARTS}


def mentioned(*roots: ir.Node) -> Iterator[str]:
    """Variables, and fields with their owner: `entry.path` is not `entry`. For a method, its receiver."""
    for node in roots:
        if isinstance(node, ir.Call):
            yield from mentioned(node.callee.value if isinstance(node.callee, ir.Attribute) else node.callee)
            yield from mentioned(*(each.value for each in node.arguments))
        elif (spelled := _spelled(node)) is not None:
            yield spelled
        else:
            yield from mentioned(*children(node))


def _spelled(node: ir.Node) -> str | None:
    """`entry.path`, `entry["path"]` as a single name."""
    match node:
        case ir.Name(id=name):
            return name
        case ir.Attribute(value=value, name=name) | ir.Index(value=value, key=ir.Const(value=str() as name)):
            held = _spelled(value)
            return f"{held}.{name}" if held is not None else None
        case _:
            return None


def _related(function: ir.Function, names: frozenset[str]) -> frozenset[str]:
    """These names, those they were derived from, and all names derived from any of these."""
    assigned = [
        (frozenset(mentioned(*node.targets)), frozenset(mentioned(node.value)))
        for node in walk(*function.body)
        if isinstance(node, ir.Assign) and node.value is not None
    ]
    made_from = frozenset[str]().union(*(used for targets, used in assigned if targets & names and len(used) == 1))
    found = names | made_from
    for _ in range(MAX_HOPS):
        made = frozenset[str]().union(*(targets for targets, used in assigned if used & found))
        if made <= found:
            break
        found |= made
    return found


def _says_nothing(operand: ir.Expr) -> bool:
    """`is None`, `== ""`, `> 0`: tests that say nothing about a string's content."""
    return isinstance(operand, ir.Const) and (not isinstance(operand.value, str) or not operand.value)
