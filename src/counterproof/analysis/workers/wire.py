"""Messages between this process and its helper: a length, then a pickle of the project's own data types.

Invariant: a message is bounded; unpickling creates only data types of this package and plain values, and rejects every other
class, so that a helper taken over by hostile code still cannot run anything here. Not handled here: the content of messages.
"""

import io
import pickle
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

MAX_MESSAGE = 1 << 30
_LENGTH = 8
_NODES = "counterproof.analysis.syntax.ir."
_PLAIN = frozenset((home, name) for home in ("pathlib", "pathlib._local") for name in ("PosixPath", "PurePosixPath"))
"""Path classes, also under their module names in Python 3.13."""


class _Nouns(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) in _PLAIN:
            return super().find_class(module_name, global_name)
        found = super().find_class(module_name, global_name) if module_name.startswith("counterproof.") else None
        if not isinstance(found, type) or found.__module__ != module_name or not _is_noun(found):
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is not expected here")
        return found


def _is_noun(kind: type) -> bool:
    """Return True for an enumeration, a frozen dataclass or a node of a lowered module: creating one has no side effects."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return issubclass(kind, Enum) or (parameters is not None and (parameters.frozen or kind.__module__.startswith(_NODES)))


def packed(message: object) -> bytes:
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = dict.fromkeys(_enumerations(Enum), _by_value)
    pickler.dump(message)
    body = stream.getvalue()
    return len(body).to_bytes(_LENGTH, "big") + body


def _by_value(member: Enum) -> tuple[type[Enum], tuple[object]]:
    """Pickle an enumeration member by value, as newer Pythons do by themselves; older ones (3.11.2) use attribute access, which
    could reach anything."""
    return type(member), (member.value,)


def _enumerations(kind: type[Enum]) -> Iterator[type[Enum]]:
    for each in kind.__subclasses__():
        yield each
        yield from _enumerations(each)


def received(read: Callable[[int], bytes]) -> Any:
    """One message; raises EOFError if the other side is gone, UnpicklingError for anything but a message."""
    size = int.from_bytes(_exactly(read, _LENGTH), "big")
    if size > MAX_MESSAGE:
        raise pickle.UnpicklingError("a message of this size is not expected")
    return unpacked(_exactly(read, size))


def unpacked(body: bytes) -> Any:
    """The content of a pickle; raises UnpicklingError for any other class."""
    return _Nouns(io.BytesIO(body)).load()


def _exactly(read: Callable[[int], bytes], count: int) -> bytes:
    parts: list[bytes] = []
    while count:
        part = read(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
