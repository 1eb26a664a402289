"""Entries that ask nobody who is calling, and what shows that somebody should be asked (CWE-306).

Two kinds of evidence, the stronger first: the address itself says that the entry is for administrators; most others that change
something ask. The first bears a High, because whom it is for and that guards stand in this code are facts; the second leaves open
whether it is meant. Always holds: entries are compared with those of their own application, and none of it is told where handlers
without a guard speak of the caller; who asks in another way (a token, a signature, a role) is believed. Does not belong here:
entries whose guard is not known, and whose object it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from counterproof.analysis.control.access import (
    MIN_APPLICATION,
    MIN_GUARDED,
    OPEN_BY_NATURE,
    for_administrators,
)
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.messages import MISSING_LOGIN, finding
from counterproof.analysis.control.operations import READ, Operation
from counterproof.analysis.control.script_callers import speaks_of_the_caller
from counterproof.analysis.control.scripts import (
    CHANGING,
    behind,
    called_name,
    first_change,
    language_of,
    spoken,
)
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.inventory.roots import manifest_roots
from counterproof.analysis.program.responses import ANSWERS
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project, Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.proof import strength
from counterproof.model.recon import EntryKind, EntryPoint, Guard, root_of
from counterproof.model.survey import FileRole

_MACHINES = vocabulary("webhook webhooks hook callback ipn verify verified signature signed hmac unsign secret apikey")
"""What asks in another way, or is called by programs."""
_PROOFS = _MACHINES | vocabulary(
    "token tokens code otp pin session sessions cookie cookies authorization authorisation header headers authenticate jwt "
    "decoded permission permissions role roles isadmin env environ passcode credentials"
)
"""What a handler may ask for in place of a login: a word of these is enough to be silent about it."""
_GATES = vocabulary("guard guards auth authenticated authorize authorized role roles permission permissions protected login")
_HANDED = vocabulary("user currentuser authuser account principal session viewer actor")
"""What a handler calls the one who is calling, where the framework hands him over."""
_ADDRESSED = ("PUT", "PATCH", "DELETE")
_PARAMETERS = frozenset(":{[<(")
"""By what a part of an address is told that the caller fills in, in any framework's form."""
_CHANGING = (*CHANGING, "MUTATION")
_NOUNS = vocabulary("status index home public about help docs language locale currency ready manifest static contact")
"""Of what is open by nature, what may as well be a part of a thing that is changed: `PATCH /payments/7/status`."""
_SHOWING = frozenset({*ANSWERS, "send", "sendFile", "send_file", "FileResponse", "status", "end", "view"}) | frozenset(
    {"render", "render_template", "TemplateResponse"}
)
MANY = 3
"""So many entries of one file that lack the same guard are one slip with one remedy."""
_SHARE = 0.6
_UNSEEN = 0.2
_FOLLOWED = 12


@dataclass(frozen=True)
class Application:
    """The entries of one root whose guard was decided, each handler once."""

    entries: tuple[EntryPoint, ...]

    @cached_property
    def open(self) -> tuple[EntryPoint, ...]:
        return tuple(each for each in self.entries if each.guard is Guard.ABSENT)

    @cached_property
    def guarded(self) -> tuple[EntryPoint, ...]:
        return tuple(each for each in self.entries if each.guard is Guard.PRESENT and not _by_nature(each))

    @cached_property
    def asked(self) -> EntryPoint | None:
        """A guarded entry that changes something, if most of those are guarded."""
        changing = [each for each in self.entries if each.method in _CHANGING and not _by_nature(each)]
        guarded = [each for each in changing if each.guard is Guard.PRESENT]
        enough = len(guarded) >= MIN_APPLICATION and len(guarded) >= _SHARE * len(changing)
        return guarded[0] if enough else None


def open_entries(
    project: Project,
    program: EnteredProgram,
    operations: tuple[Operation, ...],
    entries: tuple[EntryPoint, ...],
) -> Iterator[Finding]:
    """Of all applications of a project."""
    quotes = Quotes(project)
    own = {each.entry.handler: each for each in reversed(operations)}
    for application in applications(project, entries):
        readers = [_Reader(project, program, each, own.get(each.handler)) for each in application.open]
        if _unseen_guard(readers):
            continue
        shown: list[Finding] = []
        for reader in readers:
            each = reader.entry
            found = _shown(quotes, application, each, reader)
            if found is not None:
                shown.append(found)
        yield from _once_a_file(application, shown)


def _once_a_file(application: Application, shown: list[Finding]) -> Iterator[Finding]:
    """Entries of a file in which nobody is asked lack one guard, in front of them all: one finding, at the one that is shown
    best. Where others of the file are asked, each is a slip of its own."""
    asking = {each.handler.path for each in application.guarded}
    files: dict[str, list[Finding]] = {}
    for each in shown:
        files.setdefault(each.location.path, []).append(each)
    for path, group in files.items():
        first = max(group, key=lambda each: (strength(each.proof), len(each.proof.links) if each.proof else 0))
        if path in asking or len(group) < MANY:
            yield from group
        else:
            yield replace(first, also=tuple(sorted(each.location for each in group if each is not first)))


def _unseen_guard(readers: list["_Reader"]) -> bool:
    """Whether so many handlers without a guard speak of the caller that something in front of them must know him."""
    left = [each for each in readers if not _by_nature(each.entry)]
    speaking = sum(each.speaks_of_caller for each in left if each.operation is None)
    return speaking >= MIN_APPLICATION and speaking >= _UNSEEN * len(left)


def applications(project: Project, entries: tuple[EntryPoint, ...]) -> Iterator[Application]:
    roots = frozenset(manifest_roots(project)[0])
    found: dict[str, dict[Location, EntryPoint]] = {}
    for each in entries:
        decided = each.kind is EntryKind.HTTP and each.guard is not Guard.UNKNOWN
        if decided and _runs(project, each):
            found.setdefault(root_of(each.handler.path, roots), {}).setdefault(each.handler, each)
    for group in found.values():
        yield Application(tuple(group.values()))


def _runs(project: Project, entry: EntryPoint) -> bool:
    file = project.files.get(entry.handler.path)
    return file is not None and not file.test and file.role is FileRole.RUNTIME


@dataclass(frozen=True)
class _Reader:
    """One entry and the functions that answer it, in either language."""

    project: Project
    program: EnteredProgram
    entry: EntryPoint
    operation: Operation | None

    @cached_property
    def functions(self) -> tuple[ir.Function, ...]:
        if self.operation is not None:
            return tuple(each for _, each in closure(self.program, self.operation.ground, self.operation.function)[0][:_FOLLOWED])
        if language_of(self.project, self.entry) is None:
            return ()
        return tuple(each for _, each in behind(self.project, self.entry, _FOLLOWED))

    @cached_property
    def change(self) -> Location | None:
        """The first thing that it changes."""
        if self.operation is not None:  # what a handler that is asked for something writes down on the way changes nothing
            writes = self.operation.effects.writes if self.operation.crud != READ else ()
            return next((each.at for each in writes), None)
        change = first_change(self.project, self.entry) if self.entry.method in _CHANGING and self.functions else None
        return change.at if change else None

    @cached_property
    def speaks_of_caller(self) -> bool:
        """Whether the handler uses who is logged in, or is handed him."""
        if self.operation is not None:
            return bool(caller_mentions(self.operation.ground, *self.operation.function.body))
        handler = self.functions[0] if self.functions else None
        handed = {"".join(words(each.name)) for each in handler.parameters} if handler else set[str]()
        return handler is not None and (bool(handed & _HANDED) or speaks_of_the_caller(handler))

    @property
    def only_shows(self) -> bool:
        """Whether the handler does nothing but answer with a page that is there."""
        calls = [node for each in self.functions[:1] for node in walk(*each.body) if isinstance(node, ir.Call)]
        return bool(self.functions) and all(called_name(each) in _SHOWING for each in calls)

    @property
    def asks_otherwise(self) -> bool:
        """Whether a function on the way speaks of who is calling, or of something that only some callers have."""
        if self.operation is not None and (self.operation.said_to_be_open or self.operation.proves_itself):
            return True
        if self.speaks_of_caller:
            return True
        said = words_in(*self.functions[0].body) if self.functions else frozenset[str]()
        return bool(said & _PROOFS or self._marks & _GATES) or any(speaks_of_the_caller(each) for each in self.functions)

    @property
    def _marks(self) -> frozenset[str]:
        """The words of what decorates the handler and its class."""
        handler = self.functions[0] if self.functions else None
        classes = self.project.module(self.entry.handler.path).classes if handler and handler.owner else ()
        owners = [each for each in classes if handler and each.name == handler.owner]
        return words_in(*(mark for each in (*owners, *self.functions[:1]) for mark in each.decorators))


def _shown(quotes: Quotes, application: Application, entry: EntryPoint, reader: _Reader) -> Finding | None:
    """Where the address, or most others, show that somebody should be asked, and nothing on the way asks."""
    meant = for_administrators(entry)
    peer = application.guarded[0] if meant and len(application.guarded) >= MIN_GUARDED else None
    if not meant and entry.method in _ADDRESSED and set(entry.path) & _PARAMETERS and reader.change and not _by_nature(entry):
        peer = application.asked
    if peer is None or not reader.functions or reader.only_shows or reader.asks_otherwise:
        return None
    shown = "its address is for administrators, and others are asked" if meant else "most entries that change something ask"
    why = f"Nothing asks who is calling {entry.method} {entry.path}: {shown}, as {peer.method} {peer.path} does."
    return finding(quotes, MISSING_LOGIN, entry.handler, entry, why, entry.name, protects=reader.change, peer=peer, named=meant)


def _by_nature(entry: EntryPoint) -> bool:
    """Whether nobody can have a login yet, or anything to hide."""
    return bool(spoken(entry) & (OPEN_BY_NATURE - _NOUNS if entry.method in _ADDRESSED else OPEN_BY_NATURE))
