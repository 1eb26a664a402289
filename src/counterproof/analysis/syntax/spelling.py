"""Identifiers as the language reads them: two spellings of one name are one name.

Python compares names after NFKC normalisation, so full-width or ligature letters are plain ones to it; JavaScript resolves
escapes in names. Code is rewritten with the plain spelling before anything looks for a name. Invariant: lines stay where they
are; texts and comments are not touched. Not handled here: characters that only look alike, which stay different names.
"""

import re
import unicodedata
from collections.abc import Callable

from tree_sitter import Node

_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))")


def python_spelling(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def script_spelling(name: str) -> str:
    return _ESCAPE.sub(lambda found: chr(min(int(found[1] or found[2], 16), 0x10FFFF)), name)


def needs_python_spelling(text: str) -> bool:
    return not text.isascii() and not unicodedata.is_normalized("NFKC", text)


def respelled(source: bytes, root: Node, spelling: Callable[[str], str]) -> bytes:
    """The source with every identifier in its plain spelling; the very same where all are."""
    pieces: list[bytes] = []
    position = 0
    for start, end in sorted(_identifiers(root)):
        written = source[start:end].decode("utf-8", "replace")
        plain = spelling(written)
        if plain != written and plain.isidentifier():
            pieces += [source[position:start], plain.encode("utf-8", "replace")]
            position = end
    return b"".join((*pieces, source[position:])) if pieces else source


def _identifiers(root: Node) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    pending = [root]
    while pending:
        current = pending.pop()
        if current.type.endswith("identifier") and not current.named_child_count:
            found.append((current.start_byte, current.end_byte))
        pending.extend(current.named_children)
    return found
