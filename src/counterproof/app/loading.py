"""Loads the documents named by `[LOADED]` (A3): the analysts' rule packs and the documents in models' prompts.

Invariant: a listed name means that its bytes were read here; names that the package lacks are not listed.
"""

from hashlib import sha256
from importlib.resources import files

from counterproof.analysis.own_files import own_files
from counterproof.protocols.audit.events import Document
from counterproof.protocols.audit.modes import RULES

_PACKS = "analysis/rules"


def loaded(names: tuple[str, ...]) -> tuple[Document, ...]:
    """One document per name; one per pack for the rules."""
    found: list[Document] = []
    for name in names:
        found += _rule_packs() if name == RULES else _role(name)
    return tuple(found)


def _rule_packs() -> list[Document]:
    packs: dict[str, list[bytes]] = {}
    for path, data in own_files(_PACKS):
        parts = path.removeprefix(f"{_PACKS}/").split("/")
        if len(parts) > 1:
            packs.setdefault(parts[0], []).append(f"{path}\n{len(data)}\n".encode() + data)
    return [Document(f"{RULES}/{name}", sha256(b"".join(parts)).hexdigest()) for name, parts in sorted(packs.items())]


def _role(name: str) -> list[Document]:
    place = files("counterproof.agents")
    for part in name.split("/"):
        place = place / part
    return [Document(name, sha256(place.read_bytes()).hexdigest())] if place.is_file() else []
