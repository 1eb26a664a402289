"""The prefix cache of a provider, for the fault server: how much of a request it has seen before, by the rules of each wire.

Chat completions and responses find the longest beginning of any earlier request by themselves. Anthropic's messages find what an
earlier request marked, at most so many blocks before a mark of their own.
"""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from faults.speech import count

if TYPE_CHECKING:
    from faults.server import Asked

LOOK_BACK = 20
LEAST = 1_024
"""Tokens below which nothing is cached."""


@dataclass(slots=True)
class PrefixCache:
    """`shares` has one row for each request: tokens of input, those read from the cache, those written to it."""

    shares: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    _known: list[str] = field(default_factory=list[str])

    def take(self, asked: "Asked") -> tuple[int, int]:
        """Tokens read and written for a request, which is known from now on."""
        parts = parts_of(asked.body)
        whole = "".join(text for text, _ in parts)
        if asked.wire == "anthropic":
            ends = _marked(parts)
            read = max((count(end) for end in _reachable(parts) if end in self._known), default=0)
            written = max((count(end) for end in ends), default=0) - read
            self._known += ends
        else:
            read = max((count(whole[: common_length(whole, other)]) for other in self._known), default=0)
            written = 0
            self._known.append(whole)
        read = read if read >= LEAST else 0
        self.shares.append((asked.tokens, min(read, asked.tokens), max(0, min(written, asked.tokens - read))))
        return self.shares[-1][1:]


def common_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _marked(parts: list[tuple[str, bool]]) -> list[str]:
    ends: list[str] = []
    text = ""
    for part, marked in parts:
        text += part
        if marked:
            ends.append(text)
    return ends


def _reachable(parts: list[tuple[str, bool]]) -> list[str]:
    """Every beginning that ends at a block not too far before a mark."""
    marks = [number for number, (_, marked) in enumerate(parts) if marked]
    numbers = [n for n in range(len(parts)) if any(0 <= mark - n < LOOK_BACK for mark in marks)]
    return ["".join(text for text, _ in parts[: number + 1]) for number in numbers]


def parts_of(body: dict[str, Any]) -> list[tuple[str, bool]]:
    """Tools, system text and messages in the order in which a provider reads them, and whether each ends in a mark."""
    found = [_part(tool) for tool in body.get("tools") or ()]
    system = body.get("system") or body.get("instructions") or ""
    found += [_part(block) for block in system] if isinstance(system, list) else [(json.dumps(system), False)]
    for message in body.get("messages") or body.get("input") or ():
        content = message.get("content")
        rest = {key: value for key, value in message.items() if key != "content"}
        blocks = content if isinstance(content, list) else [content]
        found.append((json.dumps(rest, sort_keys=True), False))
        found += [_part(block) for block in blocks]
    if body.get("cache_control") and found:
        found[-1] = (found[-1][0], True)
    return found


def _part(block: Any) -> tuple[str, bool]:
    """One block without its mark. Content in one text and content in one block read alike."""
    if isinstance(block, dict):
        plain = {key: value for key, value in block.items() if key != "cache_control"}
        text = plain["text"] if set(plain) == {"type", "text"} else json.dumps(plain, sort_keys=True)
        return text, "cache_control" in block
    return str(block), False
