"""Source as a tree of parts common to Python, JavaScript and TypeScript, for comparing two versions of a file.

Invariant: the text of a part is its normalised code (without comments, types, redundant parentheses, trailing commas and quote
style) without the blocks inside it, so that two parts with one text do the same in the same context. A part nested too deeply is
a leaf. Not handled here: the meaning of code.
"""

from dataclasses import dataclass, field

from tree_sitter import Node

from counterproof.analysis.facts.trees import parse_text
from counterproof.analysis.project import SCRIPTS
from counterproof.analysis.review.edits.grammar import BLOCKS, KINDS, OPERATORS, SKIPPED, TEXTS, TRANSPARENT
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.syntax.parsing import Unparsable
from counterproof.model.survey import Language

MAX_DEPTH = 120
MAX_SIZE = 600_000
"""Bytes of a file beyond which it is not parsed."""
BLOCK = "{}"


@dataclass(slots=True, eq=False)
class Part:
    """One piece of code. `roles` are its children by grammar field; `optional` is set for `a?.b`; `names` caches the names that
    it binds."""

    kind: str
    text: str
    line: int
    end: int
    parts: "tuple[Part, ...]" = ()
    roles: "dict[str, Part]" = field(default_factory=dict[str, "Part"])
    operator: str = ""
    optional: bool = False
    names: frozenset[str] | None = None

    def role(self, *names: str) -> "Part | None":
        """The first child in one of these fields."""
        for name in names:
            if name in self.roles:
                return self.roles[name]
        return None


def parsed(path: str, text: str) -> Part | None:
    """The whole file; None if it is too large, in another language, or broken."""
    language = language_of(path) if not path.endswith((".pyi", ".d.ts")) else None
    source = text.encode("utf-8", "replace").replace(b"\x00", b" ").removeprefix(b"\xef\xbb\xbf")
    if language not in (Language.PYTHON, *SCRIPTS) or len(source) > MAX_SIZE:
        return None
    try:
        root = parse_text(path, language, source).root_node
    except Unparsable:
        return None
    return None if root.has_error else _Reader(source).part(root, 0)


class _Reader:
    """Converts the nodes of one file to parts."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    def part(self, node: Node, depth: int) -> Part:
        if node.type in TRANSPARENT and (inner := _inside(node)) is not None:
            return self.part(inner, depth + 1)
        line, end = node.start_point[0] + 1, node.end_point[0] + 1
        kind = KINDS.get(node.type, node.type)
        if node.type in TEXTS and not any(each.type in ("interpolation", "template_substitution") for each in node.children):
            return Part("text", self._quoted(node), line, end)
        if not node.named_child_count or depth > MAX_DEPTH:
            raw = self._raw(node)
            return Part(kind, " ".join(raw.split()) if kind == "jsx_text" else raw, line, end)
        return self._composed(node, kind, depth, Part(kind, "", line, end))

    def _composed(self, node: Node, kind: str, depth: int, made: Part) -> Part:
        words: list[str] = []
        parts: list[Part] = []
        for index, child in enumerate(node.children):
            if child.type in SKIPPED or (child.type == "jsx_text" and not self._raw(child).strip()):
                continue
            if child.is_named and child.type == "optional_chain":
                made.optional = True
                words.append("?.")
            elif child.is_named:
                part = self.part(child, depth + 1)
                parts.append(part)
                made.roles.setdefault(node.field_name_for_child(index) or "", part)
                words.append(BLOCK if child.type in BLOCKS else part.text)
            elif child.type == "?." or (child.type == "?" and "parameter" in node.type):
                made.optional = True
                words.append(child.type)
            else:
                words.append(self._raw(child))
        if node.type in ("switch_case", "switch_default"):
            parts, words = _with_block(node, made, parts, words)
        made.parts = tuple(parts)
        made.operator = " ".join(word for word in words if word in OPERATORS)
        made.kind = _refined(kind, made.operator)
        made.text = _joined(words)
        return made

    def _raw(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _quoted(self, node: Node) -> str:
        raw = self._raw(node)
        mark = next((each for each in ('"""', "'''", '"', "'", "`") if each in raw[:6] and raw.endswith(each)), "")
        if not mark:
            return raw
        start = raw.index(mark)
        return f'{raw[:start].lower()}"{raw[start + len(mark) : len(raw) - len(mark)]}"'


def _with_block(node: Node, made: Part, parts: list[Part], words: list[str]) -> tuple[list[Part], list[str]]:
    """A `switch` case, whose statements the grammar puts next to its value, as a block."""
    value = made.roles.get("value")
    body = [each for each in parts if each is not value]
    head = [value] if value is not None else []
    block = Part("block", BLOCK, body[0].line if body else made.line, made.end, tuple(body))
    return [*head, block], [*words[: words.index(":")], BLOCK] if ":" in words else words


def _inside(node: Node) -> Node | None:
    named = [each for each in node.named_children if each.type not in SKIPPED]
    if not named:
        return None
    return named[-1] if node.type == "type_assertion" else named[0]


def _refined(kind: str, operator: str) -> str:
    """The specific kind, because grammars use one name for different operators."""
    if kind == "binary":
        return "bool" if operator in ("&&", "||", "??") else "compare" if operator in OPERATORS else "binary"
    if kind == "unary":
        return "not" if operator == "!" else "unary"
    return kind


def _joined(words: list[str]) -> str:
    kept = [word for index, word in enumerate(words) if not (word == "," and _closes(words, index + 1)) and word not in ("", ";")]
    return " ".join(kept)


def _closes(words: list[str], index: int) -> bool:
    return index >= len(words) or words[index] in (")", "]", "}")


def walk(part: Part) -> list[Part]:
    """A part and everything below it, parents first."""
    found: list[Part] = []
    pending = [part]
    while pending:
        current = pending.pop()
        found.append(current)
        pending.extend(reversed(current.parts))
    return found
