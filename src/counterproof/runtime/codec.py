"""Typed values to canonical JSON and back. Validation happens once, here, on the way in.

On the way out a value is valid already and its fields say everything, so no schema is needed; making one takes longer than all
that a short run writes. What the plain way does not know, such as a date, is refused: no event holds any.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from counterproof.model.canonical import canonical, plain
from counterproof.model.errors import JournalError
from counterproof.model.misfits import in_plain_words

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


class Codec(Generic[T]):
    """Encodes values of one type, which may be a union told apart by `kind`."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> "TypeAdapter[T]":
        from pydantic import TypeAdapter

        return TypeAdapter(self._kind)

    def encode(self, value: T) -> str:
        return canonical(plain(value))

    def decode(self, body: str) -> T:
        from pydantic import ValidationError

        try:
            return self._adapter.validate_json(body, strict=False)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise JournalError(f"a stored value does not match its type: {in_plain_words(first['msg'])} at {place}") from error
