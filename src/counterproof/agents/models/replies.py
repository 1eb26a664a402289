"""The stored form of raw replies: one header line, then the body byte for byte.

Invariant: a stored reply is returned unchanged or rejected as damaged; the form states its version. Not handled here: where it
is stored.
"""

import json
from typing import Any

from counterproof.agents.models.traffic import Incoming
from counterproof.model.canonical import canonical
from counterproof.model.errors import JournalError
from counterproof.ports import ReplyKey

_VERSION = 1
_KEPT_HEADERS = ("content-type", "x-client-request-id")


def packed(reply: Incoming) -> bytes:
    headers = [[name.lower(), value] for name, value in reply.headers if name.lower() in _KEPT_HEADERS]
    head = {"version": _VERSION, "status": reply.status, "headers": headers, "size": len(reply.body)}
    return canonical(head).encode() + b"\n" + reply.body


def opened(raw: bytes) -> Incoming:
    head, _, body = raw.partition(b"\n")
    try:
        fields: dict[str, Any] = json.loads(head)
        headers = tuple((str(name), str(value)) for name, value in fields["headers"])
        reply = Incoming(int(fields["status"]), headers, body)
        whole = fields["version"] == _VERSION and fields["size"] == len(body)
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError("a stored reply of a model cannot be read") from error
    if not whole:
        raise JournalError("a stored reply of a model is damaged or of another version")
    return reply


class MemoryReplies:
    """A reply store that lives as long as the process: for tests, and for questions outside a run."""

    def __init__(self) -> None:
        self.kept: dict[ReplyKey, bytes] = {}

    def find(self, key: ReplyKey) -> bytes | None:
        return self.kept.get(key)

    def keep(self, key: ReplyKey, raw: bytes) -> None:
        self.kept[key] = raw
