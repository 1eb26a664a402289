"""The limits of GitHub code scanning, and the reduction of a file to meet them, least severe results first.

Flows are removed before results. Removals are stated in a notification of the run.
"""

import gzip
from dataclasses import dataclass
from typing import Final

from counterproof.reports.inert import json_text
from counterproof.reports.sarif.log import Node
from counterproof.reports.sarif.related import MAX_RELATED
from counterproof.reports.sarif.results import MAX_STEPS

MAX_BYTES: Final = 25_000_000
"""Our own limit for the uncompressed file."""
MAX_COMPRESSED: Final = 9_000_000
"""Uploads may have 10 MB compressed; the margin is for less effective compressors."""
MAX_RESULTS: Final = 25_000
"""The most results of a run; as every result has one rule, a run never exceeds the accepted 25,000 rules."""
SHOWN_RESULTS: Final = 5_000
"""The number of results that GitHub shows, by severity. More are sent, because other readers show them."""
RESERVE: Final = 16_384
"""Bytes reserved for the sentences about removed content."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The results that fit, and the sentences about the removed ones."""

    results: tuple[Node, ...]
    left_out: tuple[str, ...]


def size(value: object) -> int:
    """The bytes of a part in the compact file."""
    return len(json_text(value, indent=None).encode())


def fit(kept: tuple[Node, ...], room: int, unsent: int = 0) -> Fitted:
    """As many results as fit in `room` bytes, most severe first; `unsent` more were already over the limit."""
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


def _long_flows(results: tuple[Node, ...]) -> tuple[str, ...]:
    cut = sum("flowStepsLeftOut" in each["properties"] for each in results)
    return (f"Flows shortened to their first and last {MAX_STEPS} steps: {cut}.",) if cut else ()


def _many_places(results: tuple[Node, ...]) -> tuple[str, ...]:
    cut = sum("relatedLocationsLeftOut" in each["properties"] for each in results)
    return (f"Results that list only {MAX_RELATED} of their related locations: {cut}.",) if cut else ()


def uploadable(text: str) -> bool:
    """True if the compressed file is small enough. Most files are small enough uncompressed."""
    data = text.encode()
    return len(data) <= MAX_COMPRESSED or len(gzip.compress(data, mtime=0)) <= MAX_COMPRESSED


def _without_flows(results: tuple[Node, ...], sizes: list[int], room: int) -> tuple[list[Node], int]:
    total, slim, bare = sum(sizes), list(results), 0
    for index in range(len(slim) - 1, -1, -1):
        if total <= room:
            break
        if "codeFlows" in slim[index]:
            slim[index] = {name: value for name, value in slim[index].items() if name != "codeFlows"}
            total += size(slim[index]) + 1 - sizes[index]
            bare += 1
    return slim, bare


def _prefix(results: list[Node], room: int) -> int:
    used = 0
    for index, each in enumerate(results):
        used += size(each) + 1
        if used > room:
            return index
    return len(results)
