"""Traits of files as an earlier run told them, those of a whole tree in one entry.

Invariant: a trait is used only for the same path, the same content and the same program; what is damaged is passed over; what
JSON does not give back as it was is not kept. Not handled here: which traits there are.
"""

import json
from functools import cached_property
from typing import Any, cast

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.store import Store
from counterproof.analysis.cache.tree import Tree

Answers = dict[str, tuple[str, dict[str, Any]]]
"""By path: the digest of the file, and what it says by the names of traits."""


class Told:
    """The traits of the files of a tree of this name. Read when first asked."""

    def __init__(self, store: Store, tree: Tree) -> None:
        self._store = store
        self._tree = tree
        self._key = digest_of("traits of files", (), tree.survey.name)
        self._fresh = False
        tree.at_the_end.append(self.keep)

    @cached_property
    def _answers(self) -> Answers:
        return _opened(self._store.find(self._key, "Traits"))

    def find(self, path: str, sha256: str, name: str) -> tuple[bool, Any]:
        """Whether a file of this content was asked for a trait, and what it said."""
        digest, answers = self._answers.get(path, ("", {}))
        return (True, answers[name]) if digest == sha256 and name in answers else (False, None)

    def add(self, path: str, sha256: str, name: str, answer: Any) -> None:
        digest, answers = self._answers.get(path, ("", {}))
        self._answers[path] = (sha256, {**answers, name: answer} if digest == sha256 else {name: answer})
        self._fresh = True

    def keep(self) -> None:
        """Keep what is new about the files that are there, beside what another process kept meanwhile."""
        if not self._fresh:
            return
        self._fresh = False
        merged = {
            path: answers for path, answers in _opened(self._store.find(self._key, "Traits")).items() if path in self._tree.files
        }
        for path, (digest, answers) in self._answers.items():
            if path not in self._tree.files:
                continue
            known, others = merged.get(path, ("", {}))
            merged[path] = (digest, {**others, **answers} if known == digest else answers)
        try:
            body = json.dumps(merged, separators=(",", ":")).encode()
        except (TypeError, ValueError, RecursionError):
            return
        if _opened(body) == merged:
            self._store.keep(self._key, body)


def _opened(body: bytes | None) -> Answers:
    try:
        found: object = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    opened: Answers = {}
    for path, answers in cast("dict[str, object]", found).items():
        match answers:
            case [str(digest), dict()]:
                opened[path] = (digest, cast("list[dict[str, Any]]", answers)[1])
            case _:
                return {}
    return opened
