"""Lowering shared between this process and its helper: one takes the files from the front, the other from the back, until they
meet.

Each writes the modules that it lowered into a file of its own, which has no name and which the other can read. Invariant: a
module is the same whoever lowered it; nobody waits for the other, which may be slow or dead: what it has not written is
lowered here; unpickling makes nodes of the intermediate form and nothing else. Not handled here: modules of an earlier run.
"""

import contextlib
import os
import pickle
import struct
import sys
import tempfile
import weakref
from typing import TYPE_CHECKING, NamedTuple

from counterproof.analysis.project import OutOfTime
from counterproof.analysis.source.notebooks import is_notebook
from counterproof.analysis.source.reading import read_text
from counterproof.analysis.workers.wire import MAX_MESSAGE, unpacked
from counterproof.model.errors import CounterproofError
from counterproof.model.survey import Language
from counterproof.supervision import progress

if TYPE_CHECKING:
    from counterproof.analysis.project import Project
    from counterproof.analysis.syntax.ir import Module

_BROKEN = (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, IndexError, KeyError)
"""What unpickling raises for a body that does not fit this program."""

_HEAD = struct.Struct(">IQ")
"""In front of each module: the number of its file among the Python files of the survey, and its length."""


def nameless() -> int:
    """A file that has no name, so that it is gone with the processes that use it."""
    if sys.platform == "linux":
        return os.memfd_create("modules")
    with tempfile.TemporaryFile() as made:
        return os.dup(made.fileno())


class _Place(NamedTuple):
    """Where a packed module stands: which file, from which byte, how many."""

    descriptor: int
    start: int
    size: int


class Together:
    """The modules of one project that no earlier run lowered, as one of the two processes sees them."""

    def __init__(self, project: "Project", own: int, other: int, backwards: bool = False) -> None:
        self._root, self._checkpoint = project.root, project.checkpoint
        self._kept = project.lowered
        self._own, self._other = own, other
        weakref.finalize(self, _closed, own, other)
        self._files = project.of_language(Language.PYTHON)
        self._order = range(len(self._files))[:: -1 if backwards else 1]
        self._numbers = {file.path: number for number, file in enumerate(self._files)}
        self._written = self._read = 0
        self._places: dict[int, _Place] = {}
        self._made: dict[str, Module] = {}
        self._begun = False

    def module(self, path: str) -> "Module | None":
        """The module of a file; None if it has to be lowered by the one who asks."""
        if not self._begun:
            self._begun = True
            with contextlib.suppress(OutOfTime):  # whoever asks hands in at the next checkpoint
                self._lower()
        made = self._made.pop(path, None)
        return made if made is not None else self._brought(path)

    def packed(self, path: str) -> bytes | None:
        """A module in the form in which it is kept, where one of the two has packed it."""
        self._look()
        place = self._places.get(self._numbers.get(path, -1))
        if place is None:
            return None
        body = os.pread(place.descriptor, place.size, place.start)
        return body if len(body) == place.size else None

    def _brought(self, path: str) -> "Module | None":
        from counterproof.analysis.syntax.ir import Module

        body = self.packed(path)
        try:
            found = unpacked(body) if body else None
        except _BROKEN:
            return None
        return found if isinstance(found, Module) and found.path == path else None

    def _lower(self) -> None:
        """Lower what no earlier run did, from this side, as far as the other has not come from its own."""
        from counterproof.analysis.syntax.python import lower

        for number in self._order:
            file = self._files[number]
            if file.test or is_notebook(file) or progress.spared(file.path):
                continue  # few ask for a test; whoever asks for another of these files is told
            if self._kept and self._kept.holds(file.path, file.sha256):
                continue
            self._checkpoint()
            progress.at(file.path)
            self._look()
            if number in self._places:
                return
            try:
                text = read_text(self._root, file)
            except CounterproofError:
                continue  # whoever asks for this file is told
            module = self._made[file.path] = lower(file.path, text)
            try:
                self._write(number, pickle.dumps(module, pickle.HIGHEST_PROTOCOL))
            except OSError:
                return  # a full disk: each for itself from here on

    def _write(self, number: int, body: bytes) -> None:
        message = _HEAD.pack(number, len(body)) + body
        if os.pwrite(self._own, message, self._written) < len(message):
            raise OSError("the module could not be written")
        self._places[number] = _Place(self._own, self._written + _HEAD.size, len(body))
        self._written += len(message)

    def _look(self) -> None:
        """Take note of what the other has written since; a module that is not there as a whole is not there yet."""
        size = os.fstat(self._other).st_size
        while self._read + _HEAD.size <= size:
            head = os.pread(self._other, _HEAD.size, self._read)
            number, length = _HEAD.unpack(head) if len(head) == _HEAD.size else (0, size)
            if self._read + _HEAD.size + length > size:
                return
            if number < len(self._files) and length <= MAX_MESSAGE:
                self._places.setdefault(number, _Place(self._other, self._read + _HEAD.size, length))
            self._read += _HEAD.size + length


def _closed(*descriptors: int) -> None:
    for each in descriptors:
        os.close(each)
