"""The second reading of dependencies that are said to be vulnerable: does the file really name an exact version there?

Always holds: the answer rests on the lines as they stand. Does not belong here: whether that version is vulnerable; the finding
says which records name it, and they are the user's own.
"""

import re

from counterproof.analysis.backward.rereading.answers import Answer, Reader, unclear, yes
from counterproof.analysis.backward.rereading.passage import Passage

_VERSION = re.compile(r"(?<![\w.])v?\d{1,9}(?:\.\d{1,9}){1,4}|==\s{0,4}\d")
_LINES_BELOW = 3
"""Lock files name a package in one line and its version in one of the next."""


def _component(passage: Passage) -> Answer:
    first = passage.place.start - 1
    lines = passage.whole.split("\n")[first : first + 1 + _LINES_BELOW]
    found = next((match for line in lines if (match := _VERSION.search(line[:2_000]))), None)
    if found is None:
        return unclear(f"no exact version was found at {passage.place}")
    return yes(f"the lines at {passage.place} name the version {found.group(0)[:40]}")


SUPPLY: dict[int, Reader] = dict.fromkeys((1395, 506), _component)
