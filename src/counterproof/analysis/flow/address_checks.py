"""Functions of the project that check addresses: by their name and by what they look at.

Always holds: both are needed. A name alone proves nothing, and code that merely parses an address is no check. Does not belong
here: checks that the engine follows test by test.
"""

import re
from functools import lru_cache

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.words import words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_CHECKING = words("""
safe validate validated valid sanitize sanitise sanitized clean check allowed verify secure local assert ensure guard
block blocked reject restrict private public internal
""")
_SUBJECTS = words("""
url urls uri next redirect target link address path host hostname return ip domain ssrf endpoint public private
""")
_PARTS = words("netloc hostname scheme urlparse urlsplit url_has_allowed_host_and_scheme host_url getaddrinfo isIP")
_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+")
MAX_NODES = 2_000


def checks_address(info: FunctionInfo) -> bool:
    """Whether a function is there to keep addresses within the site."""
    if not _is_called_so(info.node.name):
        return False
    for node, _ in zip(walk(*info.node.body), range(MAX_NODES), strict=False):
        name = node.name if isinstance(node, ir.Attribute) else node.id if isinstance(node, ir.Name) else ""
        if name in _PARTS:
            return True
    return False


@lru_cache(maxsize=16_384)
def _is_called_so(name: str) -> bool:
    spoken = {each.lower() for each in _WORD.findall(name[:200])}
    return bool(spoken & _CHECKING) and bool(spoken & _SUBJECTS)
