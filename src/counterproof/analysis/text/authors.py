"""Words of the authors about their own code, kept from agents in their first pass (X2): comments, docstrings, documents.

An author who writes "already audited" must not decide what a hunter looks at. Recognised by syntax, not by words: every
comment goes, whatever it says. Always holds: lines keep their number and code keeps its column up to the first comment of a
line; a file whose comments cannot be told apart is shown as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from counterproof.analysis.polyglot.grammars import dialect_of, parser_for
from counterproof.analysis.syntax.parsing import Unparsable, parsed
from counterproof.analysis.text.marks import WITHHELD
from counterproof.model.survey import Language

MAX_SIZE = 2_000_000
DOCUMENTS = (".md", ".markdown", ".rst", ".adoc", ".txt", ".org", ".mdc", ".text")
_NAMED_DOCUMENTS = ("readme", "changelog", "contributing", "security", "agents", "claude", "copilot-instructions", ".cursorrules",
                    ".windsurfrules", ".clinerules", "license", "notice", "authors", "codeowners")  # fmt: skip
_DATA_NAMES = re.compile(r"(?:requirements|constraints)[\w.-]*\.txt|cmakelists\.txt|robots\.txt", re.IGNORECASE)
_COMMENT_NODES = ("comment", "line_comment", "block_comment", "html_comment", "hash_bang_line")
_HASHED = (".toml", ".yml", ".yaml", ".ini", ".cfg", ".conf", ".env", ".properties", ".sh", ".tf")
_HASH_LINE = re.compile(r"^([ \t]*)[#;].*$")


@dataclass(frozen=True, slots=True)
class Withheld:
    """A text without its authors' words; `count` comments were taken out."""

    text: str
    count: int = 0


def is_document(path: str) -> bool:
    """Whether a file is prose by the authors: a README, a rules file for agents, release notes."""
    name = PurePosixPath(path).name.lower()
    if _DATA_NAMES.fullmatch(name):
        return False
    return name.endswith(DOCUMENTS) or name.partition(".")[0] in _NAMED_DOCUMENTS or name in _NAMED_DOCUMENTS


def without_comments(path: str, language: Language | None, text: str) -> Withheld:
    """The text with a mark in the place of every comment and docstring."""
    if len(text) > MAX_SIZE:
        return Withheld(text)
    if language is None:
        return _hashed(path, text)
    source = text.encode("utf-8", "surrogatepass")
    try:
        spans = sorted(_spans(parsed(Parser(_grammar(path, language)), source), language))
    except Unparsable:
        return Withheld(text)
    if not spans:
        return Withheld(text)
    pieces: list[bytes] = []
    position = 0
    for start, end in spans:
        if start < position:
            continue
        pieces += [source[position:start], WITHHELD.encode(), b"\n" * source.count(b"\n", start, end)]
        position = end
    shown = (b"".join(pieces) + source[position:]).decode("utf-8", "surrogatepass")
    return Withheld(shown, len(spans))


def _hashed(path: str, text: str) -> Withheld:
    """Settings files: lines that hold nothing but a comment."""
    if not path.lower().endswith(_HASHED):
        return Withheld(text)
    lines = text.split("\n")
    shown = [_HASH_LINE.sub(rf"\1{WITHHELD}", line) for line in lines]
    return Withheld("\n".join(shown), sum(one != other for one, other in zip(lines, shown, strict=True)))


def _grammar(path: str, language: Language) -> Grammar:
    """Grammars are shared between threads, parsers are not: agents read at the same time."""
    if language is Language.PYTHON:
        return _python()
    grammar = parser_for(dialect_of(path, language)).language
    assert grammar is not None
    return grammar


@cache
def _python() -> Grammar:
    return Grammar(tree_sitter_python.language())


def _spans(root: Node, language: Language) -> Iterator[tuple[int, int]]:
    """Byte ranges of comments and, in Python, of strings that stand alone as a statement; without recursion."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _COMMENT_NODES or (language is Language.PYTHON and _is_docstring(node)):
            end = node.end_byte - (1 if node.text and node.text.endswith(b"\n") else 0)
            yield node.start_byte, end
        elif node.child_count:
            pending.extend(node.children)


def _is_docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and node.child_count == 1
        and node.children[0].type in ("string", "concatenated_string")
    )
