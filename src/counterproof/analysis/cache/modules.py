"""Modules as an earlier run lowered them, all those of a tree in one entry.

Invariant: a module is used only for the same path, the same content and the same program, so that it is what lowering the file
again would give; what is damaged or not ours is passed over. Packing them takes half the time that lowering takes, so only a
helper does it, which has nothing else to do then. Python alone: what a module of JavaScript is also depends on other files.
Not handled here: results.
"""

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.store import Store
from counterproof.analysis.cache.tree import Tree
from counterproof.model.survey import Language

if TYPE_CHECKING:
    from counterproof.analysis.syntax.ir import Module


Packed = dict[str, tuple[str, bytes]]
"""By path: the digest of the file, and its module."""

_LENGTH = 8


class Lowered:
    """The modules of the last run over a tree of this name. Read when first asked: a run that finds its results needs none."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._key = digest_of("lowered modules", (), name)

    @cached_property
    def _packed(self) -> Packed:
        return _opened(self._store.find(self._key, "Modules"))

    def module(self, path: str, sha256: str) -> "Module | None":
        """The module of a file with this content; None if it has to be lowered."""
        digest, body = self._packed.get(path, ("", b""))
        if digest != sha256:
            return None
        from counterproof.analysis.cache.packed_modules import Misfit, unpacked  # only where a module is asked for

        try:
            found = unpacked(body)
        except Misfit:
            return None
        return found if found.path == path else None

    def holds(self, path: str, sha256: str) -> bool:
        """Whether there is a module of a file with this content."""
        return self._packed.get(path, ("",))[0] == sha256

    def keep(self, tree: Tree) -> None:
        """Keep the modules of a tree for the next run; not if they are the same as before."""
        from counterproof.analysis.cache.packed_modules import packed

        now: Packed = {}
        for file in tree.of_language(Language.PYTHON):
            if file.test:
                continue  # few ask for it
            tree.checkpoint()
            known = self._packed.get(file.path)
            if known is None or known[0] != file.sha256:
                known = (file.sha256, packed(tree.module(file.path)))
            now[file.path] = known
        if now != self._packed:
            self._store.keep(self._key, _closed(now))


def _closed(packed: Packed) -> bytes:
    """A list of what follows, its length in front, and the modules one after the other."""
    index = json.dumps([[path, digest, len(body)] for path, (digest, body) in packed.items()]).encode("ascii")
    return b"".join((len(index).to_bytes(_LENGTH, "big"), index, *(body for _, body in packed.values())))


def _opened(body: bytes | None) -> Packed:
    if body is None:
        return {}
    position = _LENGTH + int.from_bytes(body[:_LENGTH], "big")
    try:
        rows: Any = json.loads(body[_LENGTH:position])
    except (ValueError, RecursionError):
        return {}
    found: Packed = {}
    for row in cast("list[object]", rows) if isinstance(rows, list) else ():
        match row:
            case [str(path), str(digest), int(size)] if 0 <= size <= len(body) - position:
                found[path] = (digest, body[position : position + size])
                position += size
            case _:
                return {}
    return found if position == len(body) else {}
