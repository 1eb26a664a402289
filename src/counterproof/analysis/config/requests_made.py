"""Requests that code sends: the clients, and how their URLs were built.

Invariant: based on names and literal code in the function. Not handled here: whether a URL is harmful.
"""

import re

from counterproof.analysis.libraries import names
from counterproof.analysis.program.interpolation import interpolated
from counterproof.analysis.program.outline import Outline, Site, is_default
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Assign, Await, Call, Expr, Name
from counterproof.analysis.syntax.walk import last_name

MAX_HOPS = 3
_WEB = re.compile(r"https?://")
_CLIENTS = vocabulary("session client http https axios agent browser") | set(names("receiver", "http-module"))


def is_client(outline: Outline, site: Site[Call], receiver: Expr) -> bool:
    """Return True for a client that sends requests, by its name or by a web URL in its arguments."""
    texts = (interpolated(written_address(outline, site, each.value)) for each in site.node.arguments[:2])
    if any(each is not None and _WEB.match(each.text) for each in texts):
        return True
    return bool(set(words(last_name(receiver))) & _CLIENTS)


def written_address(outline: Outline, site: Site[Call], address: Expr, hops: int = 0) -> Expr:
    """The expression for the URL, if it was assigned to a variable first."""
    address = address.value if isinstance(address, Await) else address
    assigned = outline.visible(site.function, address.id) if isinstance(address, Name) and hops < MAX_HOPS else None
    made = assigned.value if assigned is not None and assigned.line < site.line else None
    if isinstance(address, Name) and _stands_in(outline, site, address.id, assigned):
        return address
    return written_address(outline, site, made, hops + 1) if made is not None else address


def _stands_in(outline: Outline, site: Site[Call], name: str, assigned: Assign | None) -> bool:
    """Return True if a variable is only the default for a missing argument of its name."""
    given = site.function is not None and any(each.name == name for each in site.function.parameters)
    return given and any(each.node is assigned and is_default(each, name) for each in outline.settings_of(name))
