"""A model's result, kept while the model corrects parts of it: a correction costs only the changed entries (A25).

Invariant: a resubmitted entry replaces the one it corrects; a rejected entry that is not resubmitted is dropped; everything
else is unchanged. Not handled here: judging entries.
"""

from collections.abc import Collection
from typing import Any, cast

AGAIN = (
    "The result does not fit the contract, or parts of it would be refused. Hand in the header and only the entries named here, "
    "corrected; what you do not repeat stays as you handed it in, but an entry that is refused is left out:"
)
_KEYS = {"judgements": "claim", "judged": "item", "hits": "hit", "coverage": "dimension"}
_PLACE = ("file", "start", "title")


class Held:
    """One result being corrected. `refused` are fields, and entries as `list[index]`; `named` those mentioned in a message."""

    def __init__(self, fields: dict[str, Any], refused: Collection[str] = (), named: Collection[str] = ()) -> None:
        self._fields = fields
        self._refused = frozenset(refused)
        self._named = frozenset((*refused, *named))

    def corrected(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The complete result with these fields replacing those that they correct."""
        earlier = {name: value for name, value in self._fields.items() if name not in self._refused}
        whole = {**earlier, **{name: value for name, value in fields.items() if value or name not in earlier}}
        for name, old in earlier.items():
            new = fields.get(name, [])
            if isinstance(old, list) and isinstance(new, list) and all(isinstance(each, dict) for each in cast("list[Any]", old)):
                whole[name] = self._entries(name, cast("list[Any]", old), cast("list[Any]", new))
        if isinstance(whole.get("findings"), list) and "nothing_found" in whole:
            whole["nothing_found"] = not whole["findings"]
        return whole

    def _entries(self, name: str, old: list[Any], new: list[Any]) -> list[Any]:
        kept: dict[int, Any] = dict(enumerate(old))
        for each in new:
            for index in self._corrects(name, kept, each):
                kept.pop(index)
        return [*(each for index, each in kept.items() if f"{name}[{index}]" not in self._refused), *new]

    def _corrects(self, name: str, kept: dict[int, Any], each: object) -> list[int]:
        """The entries that this one replaces: those with the same key; for findings the one at the same location, or a
        mentioned one with the same title or location."""
        if not isinstance(each, dict):
            return []
        said = cast("dict[str, Any]", each)
        if name in _KEYS:
            return [index for index, other in kept.items() if other.get(_KEYS[name]) == said.get(_KEYS[name])]
        if name != "findings":
            return [index for index, other in kept.items() if other == said]
        same = [index for index, other in kept.items() if _alike(other, said, _PLACE)]
        named = [index for index in kept if f"{name}[{index}]" in self._named]
        like = [index for index in named if _alike(kept[index], said, ("title",)) or _alike(kept[index], said, ("file", "start"))]
        return (same or like)[:1]


def _alike(one: dict[str, Any], other: dict[str, Any], names: tuple[str, ...]) -> bool:
    given = [name for name in names if name in one or name in other]
    return bool(given) and all(one.get(name) == other.get(name) for name in given)
