"""Typed values to canonical JSON and back. Validation happens once, here, on the way in."""

from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from counterproof.model.canonical import canonical
from counterproof.model.errors import JournalError

T = TypeVar("T")


class Codec(Generic[T]):
    """Encodes values of one type, which may be a union told apart by `kind`."""

    def __init__(self, kind: Any) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)

    def encode(self, value: T) -> str:
        return canonical(self._adapter.dump_python(value, mode="json"))

    def decode(self, body: str) -> T:
        try:
            return self._adapter.validate_json(body, strict=False)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise JournalError(f"a journalled value does not fit its type: {first['msg']} at {place}") from error
