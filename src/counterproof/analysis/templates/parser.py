"""Parsing the pieces of a template to statements: prints, loops, branches, blocks, macros, includes.

Invariant: nesting is bounded; an unknown tag is skipped, an unmatched end ignored. Not handled here: finding the files that a
template names.
"""

import re

from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.dialects import Dialect
from counterproof.analysis.templates.expressions import parsed
from counterproof.analysis.templates.markup import Page
from counterproof.analysis.templates.nodes import Block, Include, Macro, Macros, Print, Template
from counterproof.analysis.templates.scanner import Piece, pieces

MAX_OPEN = 60
"""Nesting limit of blocks."""

_TAG = re.compile(r"<[a-zA-Z!/]")
_OFF = frozenset({"off", "false", "False", "None", "none"})
_WORD = re.compile(r"\w+")
_GIVEN = re.compile(r"(\w{1,80})\s*=(?!=)\s*(.+?)(?=[,\s]\s*\w{1,80}\s*=(?!=)|\Z)", re.DOTALL)
_OPENING = frozenset(
    ("for", "if", "with", "block", "macro", "call", "filter", "autoescape", "while", "try", "apply", "trans", "blocktrans",
     "blocktranslate", "spaceless", "ifchanged", "set", "cache")
)  # fmt: skip


class _Open:
    """An open block."""

    def __init__(self, word: str, line: int, head: str) -> None:
        self.word = word
        self.line = line
        self.head = head
        self.body: list[ir.Node] = []
        self.branches: list[tuple[str, int, tuple[ir.Node, ...]]] = []
        self.escaped: bool | None = None


def read(path: str, text: str, dialect: Dialect, line: int = 1) -> Template:
    """The template in a text that starts at `line` of its file."""
    reader = _Reader(Template(path, text.count("\n") + line, markup=bool(_TAG.search(text[:200_000]))), dialect, line - 1)
    for piece in pieces(text):
        reader.take(piece)
    return reader.finished()


class _Reader:
    def __init__(self, template: Template, dialect: Dialect, shift: int) -> None:
        self._template = template
        self._dialect = dialect
        self._shift = shift
        self._page = Page()
        self._open = [_Open("", 1, "")]

    def take(self, piece: Piece) -> None:
        line = piece.line + self._shift
        if piece.kind == "text":
            self._page.feed(piece.text)
        elif piece.kind == "print":
            self._print(piece.text, line, raw=False)
        else:
            self._tag(piece.text, line)

    def finished(self) -> Template:
        while len(self._open) > 1:
            self._close()
        self._template.body = tuple(self._open[0].body)
        return self._template

    # --- prints ----------------------------------------------------------------------------------------------------

    def _expr(self, text: str, line: int) -> ir.Expr:
        return parsed(text, line, django=self._dialect.colon)

    def _print(self, text: str, line: int, *, raw: bool) -> None:
        if text.startswith("!"):  # unescaped output in Bottle and Tornado-like languages
            text, raw = text[1:], True
        escaped = False if raw else next((each.escaped for each in reversed(self._open) if each.escaped is not None), None)
        self._add(Print(line, line, self._expr(text, line), self._page.spot, escaped))
        self._page.printed()

    def _add(self, node: ir.Node) -> None:
        self._open[-1].body.append(node)

    # --- tags ------------------------------------------------------------------------------------------------------

    def _tag(self, text: str, line: int) -> None:
        word, _, rest = text.partition(" ")
        word, rest = word.strip(), rest.strip()
        if word.startswith("end"):
            self._end(word[3:])
        elif word in ("elif", "else", "elseif", "empty", "except", "finally"):
            self._branch(word, rest, line)
        elif word in _SINGLE:
            _SINGLE[word](self, rest, line)
        elif word == "set" and ("=" in rest or self._dialect.ends):
            self._assign(rest, line)
        elif word == "autoescape" and self._dialect.ends:
            self._open[0].escaped = rest not in _OFF
        elif word in _OPENING and len(self._open) < MAX_OPEN:
            self._begin(word, rest, line)

    def _begin(self, word: str, rest: str, line: int) -> None:
        opened = _Open(word, line, rest)
        if word == "autoescape":
            opened.escaped = rest.split(None, 1)[0] not in _OFF if rest else True
        if word == "block":
            found = _WORD.match(rest)
            opened.head = found.group() if found else "?"
            if self._template.parent is not None:
                self._page = Page()  # its context is the parent's page
        if word == "with":
            opened.body.extend(
                ir.Assign(line, line, (ir.Name(line, line, name),), value) for name, value in self._pairs(rest, line)
            )
        if word == "filter" and rest in ("e", "escape", "force_escape", "forceescape"):
            opened.escaped = True
        self._open.append(opened)

    def _branch(self, word: str, rest: str, line: int) -> None:
        current = self._open[-1]
        if len(self._open) > 1:
            current.branches.append((current.head, current.line, tuple(current.body)))
            current.head, current.line, current.body = (rest if word != "else" else ""), line, []

    def _end(self, word: str) -> None:
        if word and not any(each.word == word for each in self._open[1:]):
            return
        while len(self._open) > 1:
            last = self._open[-1].word
            self._close()
            if not word or last == word:
                return

    def _close(self) -> None:
        closed = self._open.pop()
        line = closed.line
        body = tuple(closed.body)
        if closed.word == "for":
            self._loop(closed, body)
        elif closed.word == "if":
            branches = [*closed.branches, (closed.head, line, body)]
            last = branches.pop() if not closed.head and len(branches) > 1 else None
            made = tuple(ir.Branch(at, at, self._expr(head, at), inner) for head, at, inner in branches)  # pyright: ignore[reportArgumentType]
            self._add(ir.If(line, line, made, last[2] if last else ()))  # pyright: ignore[reportArgumentType]
        elif closed.word == "block":
            self._template.blocks.setdefault(closed.head, body)
            self._add(Block(line, line, closed.head))
        elif closed.word in ("macro", "def"):
            self._macro(closed, body)
        else:
            for _, _, inner in closed.branches:
                self._open[-1].body.extend(inner)
            self._open[-1].body.extend(body)

    def _loop(self, closed: _Open, body: tuple[ir.Node, ...]) -> None:
        head, line = closed.branches[0][:2] if closed.branches else (closed.head, closed.line)
        first = closed.branches[0][2] if closed.branches else body
        otherwise = body if closed.branches else ()
        names, _, iterable = head.partition(" in ")
        targets = tuple(ir.Name(line, line, name) for name in _WORD.findall(names))
        if not targets or not iterable:
            return
        target = targets[0] if len(targets) == 1 else ir.Sequence(line, line, "tuple", targets)
        iterable = iterable.removesuffix(" recursive").removesuffix(" reversed")
        self._add(ir.Loop(line, line, target, self._expr(iterable.strip(), line), None, first, otherwise))  # pyright: ignore[reportArgumentType]

    def _macro(self, closed: _Open, body: tuple[ir.Node, ...]) -> None:
        found = re.match(r"(\w+)\s*\((.*)\)\s*$", closed.head, re.DOTALL)
        if not found:
            return
        parameters: list[tuple[str, ir.Expr | None]] = []
        for part in found.group(2).split(","):
            name, _, default = part.partition("=")
            if name.strip().isidentifier():
                parameters.append((name.strip(), self._expr(default, closed.line) if default.strip() else None))
        self._template.macros[found.group(1)] = Macro(closed.line, closed.line, found.group(1), tuple(parameters), body)

    def _assign(self, rest: str, line: int) -> None:
        names, _, value = rest.partition("=")
        targets = tuple(ir.Name(line, line, name) for name in _WORD.findall(names))
        if targets and value:
            target = targets[0] if len(targets) == 1 else ir.Sequence(line, line, "tuple", targets)
            self._add(ir.Assign(line, line, (target,), self._expr(value.strip(), line)))

    # --- tags without an end ---------------------------------------------------------------------------------------

    def _extends(self, rest: str, line: int) -> None:
        self._template.parent = self._expr(rest, line)

    def _include(self, rest: str, line: int) -> None:
        for ending in (" without context", " with context", " ignore missing", " only"):
            rest = rest.removesuffix(ending)
        name, _, given = rest.partition(" with ")
        self._add(Include(line, line, self._expr(name.strip(), line), self._pairs(given, line)))

    def _pairs(self, text: str, line: int) -> tuple[tuple[str, ir.Expr], ...]:
        """`a=b c=d` and `b as a`."""
        if " as " in text:
            value, _, name = text.partition(" as ")
            return ((name.strip(), self._expr(value.strip(), line)),) if name.strip().isidentifier() else ()
        return tuple((found[1], self._expr(found[2], line)) for found in _GIVEN.finditer(text))

    def _import(self, rest: str, line: int) -> None:
        name, _, alias = rest.partition(" as ")
        alias = alias.split(None, 1)[0] if alias.strip() else ""
        if alias.isidentifier():
            self._add(Macros(line, line, self._expr(name.strip(), line), alias, ()))

    def _from(self, rest: str, line: int) -> None:
        name, _, listed = rest.partition(" import ")
        listed = listed.removesuffix(" with context").removesuffix(" without context")
        names: list[tuple[str, str]] = []
        for part in listed.split(","):
            there, _, here = part.strip().partition(" as ")
            names.append((there.strip(), (here or there).strip()))
        self._add(Macros(line, line, self._expr(name.strip(), line), "", tuple(names)))

    def _raw(self, rest: str, line: int) -> None:
        if rest:
            self._print(rest, line, raw=True)

    def _do(self, rest: str, line: int) -> None:
        self._add(ir.ExprStatement(line, line, self._expr(rest, line)))


_SINGLE = {
    "extends": _Reader._extends,  # pyright: ignore[reportPrivateUsage]
    "include": _Reader._include,  # pyright: ignore[reportPrivateUsage]
    "import": _Reader._import,  # pyright: ignore[reportPrivateUsage]
    "from": _Reader._from,  # pyright: ignore[reportPrivateUsage]
    "raw": _Reader._raw,  # pyright: ignore[reportPrivateUsage]
    "do": _Reader._do,  # pyright: ignore[reportPrivateUsage]
}
