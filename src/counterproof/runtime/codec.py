"""Converts typed values to canonical JSON and back. Validation happens once, here, when decoding.

An encoded value is already valid and its fields are complete, so encoding needs no schema, whose construction would take
longer than everything that a short run writes. Types that the plain encoding does not support, such as dates, are rejected: no
event contains any.
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
    """Encodes values of one type, which may be a union discriminated by `kind`."""

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
