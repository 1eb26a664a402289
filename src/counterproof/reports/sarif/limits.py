"""What a code scanning service accepts, and what we leave out to stay within it: least severe last in, first out.

Flows go before results. Whatever goes is said in a sentence that the run carries as a notification.
"""

from dataclasses import dataclass, replace
from typing import Final

from counterproof.reports.inert import json_text
from counterproof.reports.sarif.log import Result, plain
from counterproof.reports.sarif.results import MAX_STEPS

MAX_BYTES: Final = 25_000_000
MAX_RESULTS: Final = 25_000
RESERVE: Final = 16_384
"""Bytes kept free for the sentences that say what was left out."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Results that fit, and the sentences about those that do not."""

    results: tuple[Result, ...]
    left_out: tuple[str, ...]


def size(value: object) -> int:
    """Bytes that a part takes in the compact file."""
    return len(json_text(plain(value), indent=None).encode())


def fit(results: tuple[Result, ...], room: int, most: int = MAX_RESULTS) -> Fitted:
    """At most `most` results and as many as `room` bytes hold; `results` come most severe first."""
    sentences = list(_long_flows(results))
    kept = results[:most]
    if len(kept) < len(results):
        sentences.append(f"{len(results) - len(kept)} results left out: a run may hold {most}.")
    sizes = [size(each) + 1 for each in kept]
    if sum(sizes) <= room:
        return Fitted(kept, tuple(sentences))
    slim, bare = _without_flows(kept, sizes, room)
    if bare:
        sentences.append(f"The flows of the {bare} least severe results are left out: the file would be too large.")
    fitting = _prefix(slim, room)
    if fitting < len(slim):
        sentences.append(f"{len(slim) - fitting} results left out: the file would be too large.")
    return Fitted(tuple(slim[:fitting]), tuple(sentences))


def _long_flows(results: tuple[Result, ...]) -> tuple[str, ...]:
    cut = sum("flowStepsLeftOut" in (each.properties or {}) for each in results)
    return (f"{cut} flows are cut to their first and last steps: a flow may hold {MAX_STEPS}.",) if cut else ()


def _without_flows(results: tuple[Result, ...], sizes: list[int], room: int) -> tuple[list[Result], int]:
    total, slim, bare = sum(sizes), list(results), 0
    for index in range(len(slim) - 1, -1, -1):
        if total <= room:
            break
        if slim[index].code_flows:
            slim[index] = replace(slim[index], code_flows=())
            total += size(slim[index]) + 1 - sizes[index]
            bare += 1
    return slim, bare


def _prefix(results: list[Result], room: int) -> int:
    used = 0
    for index, each in enumerate(results):
        used += size(each) + 1
        if used > room:
            return index
    return len(results)
