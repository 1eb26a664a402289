"""Bounded parsing, the same for every grammar.

The parser receives the text in small pieces, and requests them again when it looks ahead; so the number of requests measures its
work independently of the machine. A text with far more requests than any program, or with too long a time, is cut off there: the
rest is not read. TypeScript's grammar takes quadratic time for unclosed type arguments after reading everything; they are
detected beforehand. Invariant: a cut-off raises an exception and never returns a tree that looks complete; one text is parsed at
a time, because parsers are shared and two threads in one would crash the program.
"""

import math
import re
import threading
import time

from tree_sitter import Node, Parser, Tree

from counterproof.model.errors import CounterproofError

PIECE = 512
MAX_ASKED = 200
"""Average number of requests per piece. Programs stay below twenty."""

MAX_SECONDS = 5.0
"""Processor time for one file; the largest supported file takes less than one second."""


_UNCLOSED = re.compile(rb"(?:<\s{0,9}[\w$][\w$.,\s|&?:\[\]]{0,200}){60}")
"""That many opening brackets of nested type arguments."""

_ONE = threading.Lock()

TOO_LONG = "its syntax takes too long to be read"


class Unparsable(CounterproofError):
    """Raised for a text whose parsing would not end."""


def parsed(parser: Parser, source: bytes) -> Node:
    """The root of the tree."""
    return parsed_whole(parser, source).root_node


def parsed_whole(parser: Parser, source: bytes) -> Tree:
    """The tree with nodes that can return their text."""
    if _UNCLOSED.search(source):
        raise Unparsable("type arguments nest too deep to be read")
    allowed: float = MAX_ASKED * (len(source) // PIECE + 2)
    until = time.thread_time() + MAX_SECONDS
    asked = 0

    def read(offset: int, _: object) -> bytes:
        nonlocal asked
        asked += 1
        if asked > allowed or time.thread_time() > until:
            asked = int(allowed) + 1
            return b""
        return source[offset : offset + PIECE]

    with _ONE:
        tree = parser.parse(read)
        if asked > allowed:
            parser.reset()
            raise Unparsable(TOO_LONG)
        if not tree.root_node.has_error:
            return parser.parse(source, tree)  # the same tree; its nodes read their texts without requests
        allowed = until = math.inf  # later requests come from reading node texts
    return tree
