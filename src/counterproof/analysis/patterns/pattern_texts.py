"""The text of a pattern as the code spells it out: literals, sums, constants of the module or of the class around it.

Invariant: a pattern of which any piece is not known at the time of reading is None, but for numbers and escaped texts that are
put in, for which one of their kind stands; look-ups and lengths are bounded. Not handled here: judging patterns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from counterproof.analysis.patterns.automaton import MAX_PATTERN
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

MAX_HOPS = 12
_USES = ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split")
_SEARCHES = ("search", "findall", "finditer", "sub", "subn", "split")
_MODULES = ("re", "regex")
_NAMES = ("re", "regex", "regexp", "pattern")
"""Last words of names of texts that are patterns."""
_FLAGS = {
    "A": re.ASCII, "ASCII": re.ASCII, "I": re.IGNORECASE, "IGNORECASE": re.IGNORECASE, "M": re.MULTILINE,
    "MULTILINE": re.MULTILINE, "S": re.DOTALL, "DOTALL": re.DOTALL, "X": re.VERBOSE, "VERBOSE": re.VERBOSE,
}  # fmt: skip
_PLACES = re.compile(r"%([sd%])")
_SOME_NUMBER = "3"
_SOME_TEXT = "\ue000"
_FLAG_POSITIONS = {"compile": 1, "sub": 4, "subn": 4, "split": 3}


@dataclass(frozen=True, slots=True)
class Spelled:
    """A pattern, its flags, and the call or entry of a table it stands in; `searches` says whether a match may begin anywhere
    in the text. `pieces` are the parts that the module keeps under names, with their lines."""

    site: Site[Any]
    pattern: str
    flags: int
    searches: bool
    pieces: tuple[tuple[str, int], ...] = ()


def spelled(codebase: Codebase, outline: Outline) -> Iterator[Spelled]:
    """Every pattern of a module that the code spells out."""
    searching = _searching(outline)
    for site in outline.of(ir.Call):
        use = _use(outline, site.node)
        given = argument(site.node, 0, "pattern") if use else None
        if given is None:
            continue
        reader = _Reader(codebase, outline, site.function, site.owner)
        text = reader.text(given, 0)
        if text is not None:
            searches = use in _SEARCHES or id(site.node) in searching
            yield Spelled(site, text, _flags(site.node, use), searches, tuple(reader.pieces))

    yield from _tabled(codebase, outline)
    yield from _named_so(codebase, outline)


def _named_so(codebase: Codebase, outline: Outline) -> Iterator[Spelled]:
    """`MACRO_RE = r"…"` that the module hands to something else than `re`."""
    uses = (site.node for site in outline.of(ir.Call) if _use(outline, site.node))
    compiled = {each.id for use in uses for each in walk(use) if isinstance(each, ir.Name)}
    for site in outline.of(ir.Assign):
        names = {last_name(target) for target in site.node.targets}
        known = site.function is None and not names & compiled and any(map(_says_so, names))
        if known and isinstance(site.node.value, ir.Const | ir.Concat):
            text = _Reader(codebase, outline, None, site.owner).text(site.node.value, 0)
            if text is not None:
                yield Spelled(site, text, 0, searches=True)


def _says_so(name: str) -> bool:
    return name.rpartition("_")[2].lower() in _NAMES


def _tabled(codebase: Codebase, outline: Outline) -> Iterator[Spelled]:
    """`(r"pattern", Kind)` in the `tokens` of a lexer class, tried at every place of the text."""
    tables = {id(each): outline.attributes(each) for each in outline.module.classes if _is_lexer(each)}
    for site in outline.of(ir.Sequence) if tables else ():
        attributes = tables.get(id(site.owner)) if site.owner is not None and site.function is None else None
        tokens = attributes.get("tokens") if attributes else None
        if attributes is None or tokens is None or not tokens.line <= site.line <= tokens.end or len(site.node.items) < 2:
            continue
        text = _Reader(codebase, outline, None, site.owner).text(site.node.items[0], 0)
        if text is not None:
            given = attributes.get("flags")
            yield Spelled(site, text, _flags_in(given) if given is not None else int(re.MULTILINE), searches=True)


def _is_lexer(owner: ir.Class) -> bool:
    return any(last_name(each).endswith("Lexer") for each in owner.bases)


def _searching(outline: Outline) -> set[int]:
    """Compiled patterns that this module searches with, by the name they are kept under or on the spot."""
    used = [each.node.callee for each in outline.of(ir.Call) if isinstance(each.node.callee, ir.Attribute)]
    held = [each.value for each in used if each.name in _SEARCHES]
    names = {each.id if isinstance(each, ir.Name) else each.name for each in held if isinstance(each, ir.Name | ir.Attribute)}
    found = {id(each) for each in held if isinstance(each, ir.Call)}
    for site in outline.of(ir.Assign):
        if isinstance(site.node.value, ir.Call) and any(last_name(target) in names for target in site.node.targets):
            found.add(id(site.node.value))
    return found


def _use(outline: Outline, call: ir.Call) -> str:
    module, _, name = outline.dotted(call.callee).rpartition(".")
    if module in _MODULES:
        return name if name in _USES else ""
    return "compile" if name.endswith("re_compile") else ""


def _flags(call: ir.Call, use: str) -> int:
    given = argument(call, _FLAG_POSITIONS.get(use, 2), "flags")
    return _flags_in(given) if given else 0


def _flags_in(given: ir.Expr) -> int:
    names = (
        each.name if isinstance(each, ir.Attribute) else each.id
        for each in walk(given)
        if isinstance(each, ir.Attribute | ir.Name)
    )
    found = 0
    for name in names:
        found |= _FLAGS.get(name, 0)
    return found


class _Reader:
    def __init__(self, codebase: Codebase, outline: Outline, function: ir.Function | None, owner: ir.Class | None) -> None:
        self._codebase = codebase
        self._outline = outline
        self._function = function
        self._owner = owner
        self.pieces: list[tuple[str, int]] = []

    def text(self, expr: ir.Expr, hops: int) -> str | None:
        if hops > MAX_HOPS:
            return None
        match expr:
            case ir.Const(value=str(value)):
                return value
            case ir.Const(value=bytes(value)):
                return value.decode("latin-1")
            case ir.Concat(parts=parts) | ir.Format(parts=parts):
                return self._joined(parts, hops)
            case ir.Binary(operator="%", operands=operands):
                return self._filled(operands, hops)
            case ir.Name() | ir.Attribute():
                return self._named(expr, hops)
            case ir.Call(callee=callee) if self._outline.dotted(callee) == "re.escape":
                return _SOME_TEXT
            case _:
                return None

    def _joined(self, parts: tuple[ir.Expr, ...], hops: int) -> str | None:
        texts: list[str] = []
        for each in parts:
            text = self.text(each, hops + 1)
            if text is None or sum(map(len, texts)) + len(text) > MAX_PATTERN:
                return None
            texts.append(text)
        return "".join(texts)

    def _filled(self, operands: tuple[ir.Expr, ...], hops: int) -> str | None:
        """`"…%s…%d…" % (other, number)`, each filled in wherever it is wanted."""
        frame = self.text(operands[0], hops + 1) if len(operands) == 2 else None
        if frame is None:
            return None
        given = operands[1].items if isinstance(operands[1], ir.Sequence) else operands[1:]
        kinds = [kind for kind in _PLACES.findall(frame) if kind != "%"]
        if len(kinds) != len(given):
            return None
        values = [_SOME_NUMBER if kind == "d" else self.text(each, hops + 1) for kind, each in zip(kinds, given, strict=True)]
        texts = [each for each in values if each is not None]
        if len(texts) != len(values) or len(frame) + sum(map(len, texts)) > MAX_PATTERN:
            return None
        left = iter(texts)
        return _PLACES.sub(lambda found: "%" if found.group(1) == "%" else next(left), frame)

    def _named(self, expr: ir.Expr, hops: int) -> str | None:
        if isinstance(expr, ir.Name) and self._function is None and self._owner is not None:
            value = self._outline.attributes(self._owner).get(expr.id)
            if value is not None and value is not expr:
                return self.text(value, hops + 1)
        found = self._codebase.meaning(self._outline, expr, self._function)
        if found is None or found.node is expr or isinstance(found.node, ir.Function | ir.Class):
            return None
        if found.outline is not self._outline:
            return _Reader(self._codebase, found.outline, None, None).text(found.node, hops + 1)
        text = self.text(found.node, hops + 1)
        if text is not None:
            self.pieces.append((text, found.node.line))
        return text
