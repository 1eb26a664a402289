"""What GitHub code scanning accepts, and what we leave out to stay within it: least severe last in, first out.

Flows go before results. Whatever goes is said in a sentence that the run carries as a notification.
"""

import gzip
from dataclasses import dataclass, replace
from typing import Final

from counterproof.reports.inert import json_text
from counterproof.reports.sarif.log import Result, plain
from counterproof.reports.sarif.related import MAX_RELATED
from counterproof.reports.sarif.results import MAX_STEPS

MAX_BYTES: Final = 25_000_000
"""Our own limit for the file as it lies on the disk."""
MAX_COMPRESSED: Final = 9_000_000
"""An upload may have 10 MB when compressed; the rest is for compressors that do worse than ours."""
MAX_RESULTS: Final = 25_000
"""Results a run may have; as every result has one rule, a run never has more than the 25,000 rules that are accepted."""
SHOWN_RESULTS: Final = 5_000
"""Results that are shown, by severity. More are sent all the same, because other readers show them."""
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


def fit(kept: tuple[Result, ...], room: int, unsent: int = 0) -> Fitted:
    """As many results as `room` bytes hold; they come most severe first, and `unsent` more were over the limit."""
    sentences = [*_long_flows(kept), *_many_places(kept)]
    if unsent:
        sentences.append(f"{unsent} results left out: a run may hold {len(kept)}.")
    if len(kept) > SHOWN_RESULTS:
        sentences.append(f"GitHub code scanning shows the {SHOWN_RESULTS} most severe of these {len(kept)} results.")
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


def _many_places(results: tuple[Result, ...]) -> tuple[str, ...]:
    cut = sum("relatedLocationsLeftOut" in (each.properties or {}) for each in results)
    return (f"{cut} results name only {MAX_RELATED} of their related places.",) if cut else ()


def uploadable(text: str) -> bool:
    """True if the file is small enough once compressed. Most are so without."""
    data = text.encode()
    return len(data) <= MAX_COMPRESSED or len(gzip.compress(data, mtime=0)) <= MAX_COMPRESSED


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
