"""Names of commits, looked up in the repository's files by us, so that git never gets a name to interpret.

Invariant: what comes out is a full hash or nothing. Symbolic refs are followed a few steps only.
"""

from counterproof.analysis.git.layout import HASH, MAX_PACKED_REFS, Layout, small_file
from counterproof.model.errors import InvalidValue
from counterproof.model.location import checked_path

_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
_MAX_STEPS = 5
_IN_GIT_DIRECTORY = ("HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD")


class Refs:
    """The refs of one repository as they stand when they are asked for."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def find(self, name: str) -> str:
        """The hash behind a name, looked for in git's order; '' if there is none."""
        if HASH.fullmatch(name):
            return name
        if name in _IN_GIT_DIRECTORY:
            return self._follow(name)
        for place in _PLACES[1:] if not name.startswith("refs/") else ("{}",):
            found = self._follow(place.format(name))
            if found:
                return found
        return ""

    def any_hash(self) -> str:
        """Some hash of this repository, for the sake of its length."""
        head = self._follow("HEAD")
        if head:
            return head
        packed = small_file(self._layout.common, "packed-refs", MAX_PACKED_REFS) or ""
        return next((line[:64].split(" ")[0] for line in packed.split("\n") if HASH.match(line)), "")

    def _follow(self, name: str) -> str:
        for _ in range(_MAX_STEPS):
            text = self._value(name)
            if HASH.fullmatch(text):
                return text
            if not text.startswith("ref:"):
                return ""
            name = text.removeprefix("ref:").strip()
            if not name.startswith("refs/"):
                return ""
        return ""

    def _value(self, name: str) -> str:
        try:
            checked_path(name)
        except InvalidValue:
            return ""
        folders = (self._layout.own, self._layout.common) if not name.startswith("refs/") else (self._layout.common,)
        for folder in folders:
            text = small_file(folder, name)
            if text is not None:
                return text.strip().split("\t")[0]
        return self._packed(name)

    def _packed(self, name: str) -> str:
        text = small_file(self._layout.common, "packed-refs", MAX_PACKED_REFS) or ""
        for line in text.split("\n"):
            found, _, label = line.partition(" ")
            if label == name and HASH.fullmatch(found):
                return found
        return ""
