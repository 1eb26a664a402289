"""Unguarded entries, and the evidence that they should be guarded (CWE-306).

Two kinds of evidence, the stronger first: the path itself says that the entry is for administrators; most other changing entries
are guarded. The first supports high severity, because its audience and the guards in this code are facts; the second leaves open
whether the entry is meant to be public. Invariant: entries are compared within their own application, and none is reported if
unguarded handlers refer to the caller; other checks (a token, a signature, a role) are trusted. Not handled here: entries with an
unknown guard, and object ownership.
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
from counterproof.analysis.control.scripts import (
    CHANGING,
    behind,
    called_name,
    first_change,
    language_of,
    speaks_of_the_caller,
    spoken,
)
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.manifest_roots import manifest_roots
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
"""Name words of other authentication methods, or of endpoints for programs."""
_PROOFS = _MACHINES | vocabulary(
    "token tokens code otp pin session sessions cookie cookies authorization authorisation header headers authenticate jwt "
    "decoded permission permissions role roles isadmin env environ passcode credentials"
)
"""Name words of credentials that a handler may require instead of a login: any of them suppresses the finding."""
_GATES = vocabulary("guard guards auth authenticated authorize authorized role roles permission permissions protected login")
_HANDED = vocabulary("user currentuser authuser account principal session viewer actor")
"""Parameter names for the caller, if the framework injects them."""
_ADDRESSED = ("PUT", "PATCH", "DELETE")
_PARAMETERS = frozenset(":{[<(")
"""The start characters of route parameters, in any framework's notation."""
_CHANGING = (*CHANGING, "MUTATION")
_NOUNS = vocabulary("status index home public about help docs language locale currency ready manifest static contact")
"""Words of public endpoints that can also be part of a changed object: `PATCH /payments/7/status`."""
_SHOWING = frozenset({*ANSWERS, "send", "sendFile", "send_file", "FileResponse", "status", "end", "view"}) | frozenset(
    {"render", "render_template", "TemplateResponse"}
)
MANY = 3
"""From this many entries of one file without the same guard, they are one mistake with one fix."""
_SHARE = 0.6
_UNSEEN = 0.2
_FOLLOWED = 12


@dataclass(frozen=True)
class Application:
    """The entries of one root with a decided guard, each handler once."""

    entries: tuple[EntryPoint, ...]

    @cached_property
    def open(self) -> tuple[EntryPoint, ...]:
        return tuple(each for each in self.entries if each.guard is Guard.ABSENT)

    @cached_property
    def guarded(self) -> tuple[EntryPoint, ...]:
        return tuple(each for each in self.entries if each.guard is Guard.PRESENT and not _by_nature(each))

    @cached_property
    def asked(self) -> EntryPoint | None:
        """A guarded changing entry, if most changing entries are guarded."""
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
    """The findings for all applications of a project."""
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
    """In a file without any guard, the entries lack one common guard: one finding, at the entry with the strongest proof. If
    other entries of the file are guarded, each is a separate mistake."""
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
    """Return True if so many unguarded handlers refer to the caller that a guard outside the code must identify them."""
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
    """One entry and the functions that handle it, in either language."""

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
        """The first change that it makes."""
        if self.operation is not None:  # writes of a reading handler, such as a log, are not changes
            writes = self.operation.effects.writes if self.operation.crud != READ else ()
            return next((each.at for each in writes), None)
        change = first_change(self.project, self.entry) if self.entry.method in _CHANGING and self.functions else None
        return change.at if change else None

    @cached_property
    def speaks_of_caller(self) -> bool:
        """Return True if the handler uses the logged-in user, or receives them as a parameter."""
        if self.operation is not None:
            return bool(caller_mentions(self.operation.ground, *self.operation.function.body))
        handler = self.functions[0] if self.functions else None
        handed = {"".join(words(each.name)) for each in handler.parameters} if handler else set[str]()
        return handler is not None and (bool(handed & _HANDED) or speaks_of_the_caller(handler))

    @property
    def only_shows(self) -> bool:
        """Return True if the handler only returns an existing page."""
        calls = [node for each in self.functions[:1] for node in walk(*each.body) if isinstance(node, ir.Call)]
        return bool(self.functions) and all(called_name(each) in _SHOWING for each in calls)

    @property
    def asks_otherwise(self) -> bool:
        """Return True if a function on the way mentions the caller, or a credential that only some callers have."""
        if self.operation is not None and (self.operation.said_to_be_open or self.operation.proves_itself):
            return True
        if self.speaks_of_caller:
            return True
        said = words_in(*self.functions[0].body) if self.functions else frozenset[str]()
        return bool(said & _PROOFS or self._marks & _GATES) or any(speaks_of_the_caller(each) for each in self.functions)

    @property
    def _marks(self) -> frozenset[str]:
        """The name words of the decorators of the handler and its class."""
        handler = self.functions[0] if self.functions else None
        classes = self.project.module(self.entry.handler.path).classes if handler and handler.owner else ()
        owners = [each for each in classes if handler and each.name == handler.owner]
        return words_in(*(mark for each in (*owners, *self.functions[:1]) for mark in each.decorators))


def _shown(quotes: Quotes, application: Application, entry: EntryPoint, reader: _Reader) -> Finding | None:
    """The finding, if the path or most other entries show that a guard is expected, and no function on the way has one."""
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
    """Return True for an endpoint used before login, or with nothing to protect."""
    return bool(spoken(entry) & (OPEN_BY_NATURE - _NOUNS if entry.method in _ADDRESSED else OPEN_BY_NATURE))
