"""Messages between this process and its helper: a length, then a pickle of the project's own nouns.

Invariant: a message is bounded; unpickling makes nouns of this package and plain values, and refuses every other class, so
that a helper which hostile code took over still cannot run anything here. Not handled here: what is sent.
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
"""Paths, under the names of Python 3.13 too."""


class _Nouns(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) in _PLAIN:
            return super().find_class(module_name, global_name)
        found = super().find_class(module_name, global_name) if module_name.startswith("counterproof.") else None
        if not isinstance(found, type) or found.__module__ != module_name or not _is_noun(found):
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is not expected here")
        return found


def _is_noun(kind: type) -> bool:
    """An enumeration, a frozen record or a node of a lowered module: making one does nothing."""
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
    """As newer Pythons do by themselves; in older ones (3.11.2) a member is an attribute of a class, and anything may be one."""
    return type(member), (member.value,)


def _enumerations(kind: type[Enum]) -> Iterator[type[Enum]]:
    for each in kind.__subclasses__():
        yield each
        yield from _enumerations(each)


def received(read: Callable[[int], bytes]) -> Any:
    """One message; raises EOFError when the other side is gone, UnpicklingError for anything that is not a message."""
    size = int.from_bytes(_exactly(read, _LENGTH), "big")
    if size > MAX_MESSAGE:
        raise pickle.UnpicklingError("a message of this size is not expected")
    return unpacked(_exactly(read, size))


def unpacked(body: bytes) -> Any:
    """What a pickle holds; raises UnpicklingError for whatever is not a noun."""
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
