"""Project functions that check URLs, or patterns supplied by others, recognised by their name and their code.

Invariant: both are required. A name alone proves nothing, and code that only parses a URL is not a check. Not handled here:
checks that the engine follows condition by condition.
"""

import re
from functools import lru_cache
from itertools import islice

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

_CHECKING = vocabulary("""
safe validate validated valid sanitize sanitise sanitized clean check allowed verify secure local assert ensure guard
block blocked reject restrict private public internal
""")
_SUBJECTS = vocabulary("""
url urls uri next redirect target link address path host hostname return ip domain ssrf endpoint public private
remote origin
""")
_PARTS = vocabulary("netloc hostname scheme urlparse urlsplit url_has_allowed_host_and_scheme host_url getaddrinfo isIP")
_PATTERNS = vocabulary("regex regexp pattern patterns regexes")
_REPEATED = re.compile(r"\[[^\]]*(?:\+\*|\*\+)")
"""A character class with quantifiers, as in code that searches for nested repetition."""
MAX_CHECK_NODES = 2_000
MAX_CALLS = 2
"""Nested calls of checks that are followed."""


def checks_address(info: FunctionInfo) -> bool:
    """Return True if a function checks that URLs stay on the site, or calls such a function of its module."""
    return _is_called_so(info.node.name) and _looks_at_parts(info.module, info.node, MAX_CALLS)


def checks_pattern(info: FunctionInfo) -> bool:
    """Return True if a function rejects slow patterns: it searches the pattern text for repetition."""
    spoken = set(words(info.node.name))
    if not (spoken & _CHECKING and spoken & _PATTERNS):
        return False
    written = (node.value for node in islice(walk(*info.node.body), MAX_CHECK_NODES) if isinstance(node, ir.Const))
    return any(isinstance(text, str) and _REPEATED.search(text) for text in written)


def _looks_at_parts(module: ir.Module, function: ir.Function, calls: int) -> bool:
    for node in islice(walk(*function.body), MAX_CHECK_NODES):
        name = last_name(node)
        if name in _PARTS:
            return True
        asked = next((each for each in module.functions if each.name == name), None) if calls and _is_called_so(name) else None
        if asked is not None and _looks_at_parts(module, asked, calls - 1):
            return True
    return False


@lru_cache(maxsize=16_384)
def _is_called_so(name: str) -> bool:
    spoken = set(words(name))
    return bool(spoken & _CHECKING) and bool(spoken & _SUBJECTS)
