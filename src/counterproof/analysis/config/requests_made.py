"""Requests that code makes: what makes them, and how their address was put together.

Invariant: by names and by what the function spells out. Not handled here: whether an address is harmful.
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
    """What makes requests, by its name, or by an address of the web that it is given."""
    texts = (interpolated(written_address(outline, site, each.value)) for each in site.node.arguments[:2])
    if any(each is not None and _WEB.match(each.text) for each in texts):
        return True
    return bool(set(words(last_name(receiver))) & _CLIENTS)


def written_address(outline: Outline, site: Site[Call], address: Expr, hops: int = 0) -> Expr:
    """The address where it was put into a variable first."""
    address = address.value if isinstance(address, Await) else address
    assigned = outline.visible(site.function, address.id) if isinstance(address, Name) and hops < MAX_HOPS else None
    made = assigned.value if assigned is not None and assigned.line < site.line else None
    if isinstance(address, Name) and _stands_in(outline, site, address.id, assigned):
        return address
    return written_address(outline, site, made, hops + 1) if made is not None else address


def _stands_in(outline: Outline, site: Site[Call], name: str, assigned: Assign | None) -> bool:
    """Whether a variable was set only where an argument of its name was not given."""
    given = site.function is not None and any(each.name == name for each in site.function.parameters)
    return given and any(each.node is assigned and is_default(each, name) for each in outline.settings_of(name))
