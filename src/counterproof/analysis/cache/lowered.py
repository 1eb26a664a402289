"""Modules as an earlier run lowered them, all those of a tree in one entry.

Always holds: a module is used only for the same path, the same content and the same program, so that it is what lowering the file
again would give; what is damaged or not ours is passed over. Packing them takes two thirds of the time that lowering takes, so
only a helper does it, which has nothing else to do then. Python alone: what a module of JavaScript is also depends on other
files. Does not belong here: results.
"""

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.store import Store
from counterproof.model.survey import Language

if TYPE_CHECKING:
    from counterproof.analysis.project import Project
    from counterproof.analysis.syntax.ir import Module

BROKEN = (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, IndexError, KeyError)
"""What unpickling raises for a body that does not fit this program."""

Packed = dict[str, tuple[str, bytes]]
"""By path: the digest of the file, and its module."""


class Lowered:
    """The modules of the last run over a tree of this name. Read when first asked: a run that finds its results needs none."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._key = digest_of("lowered modules", (), name)
        self._read: Packed | None = None

    @property
    def _packed(self) -> Packed:
        if self._read is None:
            self._read = _opened(self._store.find(self._key))
        return self._read

    def module(self, path: str, sha256: str) -> "Module | None":
        """The module of a file with this content; None if it has to be lowered."""
        digest, body = self._packed.get(path, ("", b""))
        if digest != sha256:
            return None
        from counterproof.analysis.syntax.ir import Module  # only where a module is asked for
        from counterproof.analysis.workers.wire import unpacked

        try:
            found = unpacked(body)
        except BROKEN:
            return None
        return found if isinstance(found, Module) and found.path == path else None

    def holds(self, path: str, sha256: str) -> bool:
        """Whether there is a module of a file with this content."""
        return self._packed.get(path, ("",))[0] == sha256

    def keep(self, project: "Project", packed_already: Callable[[str], bytes | None] = lambda _: None) -> None:
        """Keep the modules of a project for the next run; not if they are the same as before."""
        packed: Packed = {}
        for file in project.of_language(Language.PYTHON):
            project.checkpoint()
            known = self._packed.get(file.path)
            if known is None or known[0] != file.sha256:
                body = packed_already(file.path) or pickle.dumps(project.module(file.path), pickle.HIGHEST_PROTOCOL)
                known = (file.sha256, body)
            packed[file.path] = known
        if packed != self._packed:
            self._store.keep(self._key, pickle.dumps(packed, pickle.HIGHEST_PROTOCOL))


def _opened(body: bytes | None) -> Packed:
    if body is None:
        return {}
    from counterproof.analysis.workers.wire import unpacked

    try:
        found = unpacked(body)
    except BROKEN:
        return {}
    return cast("Packed", found) if isinstance(found, dict) and all(map(_fits, cast("Packed", found).items())) else {}


def _fits(entry: tuple[object, object]) -> bool:
    match entry:
        case str(), (str(), bytes()):
            return True
        case _:
            return False
