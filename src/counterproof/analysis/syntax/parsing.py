"""Parsing within bounds, the same way for every grammar.

The parser is handed the text in small pieces, and asks for them again wherever it looks ahead; so how often it asks is a
measure of its work that does not depend on the machine. A text that makes it ask far more often than any program does, or for
too long, is cut off there: the rest is not read. The grammar of TypeScript has one shape that costs the square of its length
after all of it was read, type arguments that nobody closes; it is looked for beforehand. Invariant: a cut is an exception,
never a tree that looks whole; one text is parsed at a time, because parsers are shared and two threads in one would crash the
program.
"""

import math
import re
import threading
import time

from tree_sitter import Node, Parser, Tree

from counterproof.model.errors import CounterproofError

PIECE = 512
MAX_ASKED = 200
"""How often the parser may ask for each piece, on average. Programs stay below twenty."""

MAX_SECONDS = 5.0
"""Processor time for one file; the largest that is read takes less than one second."""


_UNCLOSED = re.compile(rb"(?:<\s{0,9}[\w$][\w$.,\s|&?:\[\]]{0,200}){60}")
"""Opening brackets of that many type arguments, one in the other."""

_ONE = threading.Lock()

TOO_LONG = "its syntax takes too long to be read"


class Unparsable(CounterproofError):
    """A text on which the parser would work without end."""


def parsed(parser: Parser, source: bytes) -> Node:
    """The root of the tree."""
    return parsed_whole(parser, source).root_node


def parsed_whole(parser: Parser, source: bytes) -> Tree:
    """The tree, whose nodes know their text."""
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
        allowed = until = math.inf  # from here on it is nodes that are asked for their text
    return tree
