"""Names split into words: `csrfToken`, `CSRF_TOKEN` and `csrf-token` all contain "csrf" and "token"."""

from functools import lru_cache

from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Const, Index, Mapping, Name, Node, Parameter
from counterproof.analysis.syntax.walk import walk

MAX_NAME = 200
"""Longer texts are not names; they are truncated before splitting."""


@lru_cache(maxsize=65_536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, in order."""
    found: list[str] = []
    current = ""
    previous = ""
    for character, following in zip(name[:MAX_NAME], name[1 : MAX_NAME + 1] + " ", strict=False):
        starts = character.isupper() and (not previous.isupper() or following.islower())
        if not character.isalnum() or starts:
            if current:
                found.append(current)
            current = ""
        if character.isalnum():
            current += character.lower()
        previous = character
    if current:
        found.append(current)
    if "super" in found[:-1]:  # SuperUser and super_user are superusers
        at = found.index("super")
        found[at : at + 2] = ["super" + found[at + 1]]
    return tuple(found)


def vocabulary(text: str) -> frozenset[str]:
    """The set of words in a space-separated string."""
    return frozenset(text.split())


def mentions(found: frozenset[str], wanted: frozenset[str]) -> bool:
    """Return True if one of the wanted words is present, including plurals; longer ones (`session`, `cookie`) also match inside a
    word."""
    if found & wanted or any(word.removesuffix("s") in wanted for word in found):
        return True
    return any(each in word for each in wanted if len(each) >= 6 for word in found)


def names_in(*roots: Node) -> tuple[str, ...]:
    """Identifiers, attribute names, keywords and text keys inside these nodes, in order."""
    found: list[str] = []
    for node in walk(*roots):
        match node:
            case Name(id=name) | Attribute(name=name) | Parameter(name=name):
                found.append(name)
            case Argument(keyword=name) if name:
                found.append(name)
            case Index(key=Const(value=str() as key)):
                found.append(key)
            case Mapping(entries=entries):
                found.extend(key.value for key, _ in entries if isinstance(key, Const) and isinstance(key.value, str))
            case Call(arguments=(Argument(value=Const(value=str() as key)), *_)) if _looks_up(node):
                found.append(key)
            case _:
                pass
    return tuple(found)


def _looks_up(call: Call) -> bool:
    return isinstance(call.callee, Attribute) and call.callee.name in ("get", "getlist", "pop", "get_argument", "getfirst")


def words_in(*roots: Node) -> frozenset[str]:
    """Every word of every name inside these nodes."""
    return frozenset(word for name in names_in(*roots) for word in words(name))
