"""A text as tokens and brackets: from its syntax tree if there is a grammar, otherwise from its characters.

Invariant: tokens are in text order and never overlap; a literal is one token, located between its quotes; nothing recurses. Not
handled here: the meaning of the tokens.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from counterproof.analysis.source.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Node as SyntaxNode
    from tree_sitter import Tree

MAX_TEXT = 4_000
"""Characters of one literal in a text without a grammar."""

_TOKEN = re.compile(
    r"(?P<mark>‹[^›\n]{0,80}›)|(?P<text>(?:(?<!\w)[brfuBRFU@$]{1,2}|(?<![\w\\]))(?P<quote>\"\"\"|'''|\"|'|`)|(?P<dquote>\"))"
    r"|(?P<name>(?:(?<!\w)[$@:]{1,2}|(?<![\w-])--)?[^\W\d][\w$]*(?:-[^\W\d]\w*)*[?!]?(?![\w]))|(?P<number>\d[\w.]*)"
    r"|(?P<sign>===|!==|==|!=|<>|=>|:=|\?\?=|\|\|=|\?=|[:：=])|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<end>;)"
    r"|(?P<other>->|::|\?\?|\|\||&&|\?:|[^\s\w])"
)
_LITERALS = frozenset(
    (
        "string", "template_string", "string_literal", "interpreted_string_literal", "raw_string_literal", "encapsed_string",
        "heredoc", "nowdoc", "heredoc_body", "bare_string", "text_block",
    )
)  # fmt: skip
_UNITS = ("_statement", "_definition", "_declaration", "_declarator", "assignment", "pair", "method", "class", "module")
_REMARKS = frozenset(("comment", "line_comment", "block_comment", "html_comment", "text", "jsx_text"))
_OPENING = re.compile(r"[A-Za-z@$]{0,3}(\"\"\"|'''|[\"'`])|%[qQ]?[(\[{]")
_LEAVES = (("=== !== == != <> => := ??= ||= ?= : =", "sign"), ("( [ {", "open"), (") ] }", "close"), (",", "comma"), (";", "end"))
_KINDS = {written: kind for every, kind in _LEAVES for written in every.split()}
_GOES_ON = frozenset(
    ["+", ".", "->", "::", "??", "||", "&&", "?", "?:", "|", "or", "and", "==", "=", "=>", ":=", "\\", "(", "[", "{"]
)
_CONTINUES = frozenset([".", "->", "?.", "::", "+", "||", "??", "&&", "?", "?:", "or", "and"])


class Token(NamedTuple):
    """`kind` is one of text, name, number, sign, open, close, comma, end, comment, mark, other."""

    kind: str
    start: int
    end: int
    written: str


@dataclass(slots=True, eq=False)
class Group:
    """The content of a pair of brackets: statements of items of tokens and groups. `around` is the enclosing item."""

    opened: str
    around: "list[Node]"
    index: int
    statements: "list[list[list[Node]]]" = field(default_factory=lambda: [[[]]])

    @property
    def items(self) -> "list[list[Node]]":
        return [item for statement in self.statements for item in statement if item]

    @property
    def before(self) -> "list[Node]":
        return self.around[: self.index]


Node = Token | Group


def tokens_of(text: str, path: str, tree: "Tree | None" = None, wanted: Sequence[int] | None = None) -> Iterator[Token]:
    """Tokens by the file's grammar, if it has one; `tree` is an earlier parse. With `wanted`, statements and definitions without
    any of these positions are skipped."""
    from counterproof.analysis.syntax.parsing import Unparsable

    language = language_of(path) if path else None
    if language is not None:
        try:
            yield from _of_tree(text, path, tree, wanted)
        except Unparsable:
            yield from _of_characters(text)
        return
    yield from _of_characters(text)


def _of_tree(text: str, path: str, tree: "Tree | None", wanted: Sequence[int] | None) -> Iterator[Token]:
    from counterproof.analysis.facts.trees import parse_text

    source = text.encode("utf-8", "replace")
    plain = len(source) == len(text)
    seen = count = 0
    if wanted is not None and not plain:
        wanted = _in_bytes(text, wanted)
    pending = [(tree or parse_text(path, language_of(path), source)).root_node]
    while pending:
        node = pending.pop()
        if wanted is not None and node.type.endswith(_UNITS) and not _holds(node, wanted):
            continue
        whole = (node.type in _LITERALS and node.is_named) or node.type in _REMARKS
        if node.child_count and not whole:
            pending.extend(reversed(node.children))
            continue
        if not plain:
            count += len(source[seen : node.start_byte].decode("utf-8", "replace"))
            seen = node.start_byte
        start = node.start_byte if plain else count
        written = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if node.type in _LITERALS and whole:
            yield _literal(start, written)
        elif node.type in _REMARKS:
            yield Token("comment", start, start + len(written), written)
        elif written.strip():
            kind = _KINDS.get(written, "name" if written.lstrip("$@:").replace("-", "_").isidentifier() else "other")
            yield Token(kind, start, start + len(written), written)


def _holds(node: "SyntaxNode", wanted: Sequence[int]) -> bool:
    first = bisect_left(wanted, node.start_byte)
    return first < len(wanted) and wanted[first] < node.end_byte


def _in_bytes(text: str, places: Sequence[int]) -> list[int]:
    found: list[int] = []
    at = count = 0
    for each in places:
        count += len(text[at:each].encode("utf-8", "replace"))
        at = each
        found.append(count)
    return found


def _literal(start: int, written: str) -> Token:
    opening = _OPENING.match(written)
    first = opening.end() if opening else 0
    closing = opening[1] if opening and opening[1] else ""
    last = len(written) - (len(closing) or (1 if opening else 0))
    return Token("text", start + first, start + max(first, last), written[first : max(first, last)])


def _of_characters(text: str) -> Iterator[Token]:
    position = 0
    while found := _TOKEN.search(text, position):
        position = found.end()
        kind = found.lastgroup or "other"
        if kind in ("text", "quote", "dquote"):
            quote = found["quote"] or '"'
            inside = _inside(text, position, quote)
            if inside is not None:
                position = inside[1] + len(quote)
                yield Token("text", *inside, text[inside[0] : inside[1]])
            continue
        yield Token(kind, found.start(), found.end(), found.group())


def _inside(text: str, start: int, quote: str) -> tuple[int, int] | None:
    """The inside of a string that opens before `start`; a single-line string ends at the end of its line."""
    position = start
    while (end := text.find(quote, position, start + MAX_TEXT)) >= 0:
        if text[end - 1] != "\\" or text[end - 2 : end] == "\\\\":
            return None if len(quote) == 1 and quote != "`" and "\n" in text[start:end] else (start, end)
        position = end + 1
    return None


def groups_of(text: str, tokens: Iterator[Token]) -> list[Group]:
    """The whole text as a group, and every group in it."""
    root = Group("", [], 0)
    groups, stack = [root], [root]
    last = Token("end", 0, 0, "")
    for token in tokens:
        current = stack[-1]
        statement = current.statements[-1]
        parted = current.opened in ("", "{") and bool(statement[-1]) and "\n" in text[last.end : token.start]
        if parted and not _goes_on(current, last, token):
            current.statements.append([[]])
            statement = current.statements[-1]
        match token.kind:
            case "open":
                group = Group(token.written, statement[-1], len(statement[-1]))
                statement[-1].append(group)
                groups.append(group)
                stack.append(group)
            case "close":
                if len(stack) > 1 and current.opened == {")": "(", "]": "[", "}": "{"}[token.written]:
                    stack.pop()
            case "comma":
                statement.append([])
            case "end":
                current.statements.append([[]])
            case "comment":
                continue
            case _:
                statement[-1].append(token)
        last = token
    return groups


def _goes_on(group: Group, last: Token, following: Token) -> bool:
    """Return True if the next line continues the same statement."""
    if last.kind == "text" and following.kind == "text":
        return True
    if "values" in (last.written.lower(), following.written.lower()):
        return True  # of a statement that inserts rows
    if last.written == ":":
        return group.opened == "{"
    return last.written in _GOES_ON or last.kind == "comma" or following.written in _CONTINUES
