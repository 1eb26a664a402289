"""Ways into Ruby programs besides routes: jobs, channels, tasks, commands, clocks, scripts.

Always holds: what runs for a message or a clock has a guard that is unknown, because who may send is decided elsewhere.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, QUEUED, left_open
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.ruby.classes import Classes, Found
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_SOCKET = left_open("the connection may check callers")
_WORKERS = ("Sidekiq::Worker", "Sidekiq::Job", "Shoryuken::Worker", "Sneakers::Worker", "Resque::Job", "SuckerPunch::Job")
_JOBS = ("ApplicationJob", "ActiveJob::Base", "Struct", "Que::Job", "Karafka::BaseConsumer", "ApplicationConsumer")
_MADE_BY_RAILS = (
    "bundle",
    "rails",
    "rake",
    "setup",
    "spring",
    "yarn",
    "dev",
    "importmap",
    "update",
    "webpack",
    "rspec",
    "rubocop",
)
_CHANNELS = ("ApplicationCable::Channel", "ActionCable::Channel::Base")


def background_entries(classes: Classes) -> Iterator[EntryPoint]:
    for name in classes.names():
        found = classes.find(name)
        if found is not None:
            yield from _class(classes, found)
    for source in classes.corpus.sources(Language.RUBY):
        yield from _tasks(classes, source)
        yield from _script(source)


def _class(classes: Classes, found: Found) -> Iterator[EntryPoint]:
    parent = classes.parent(found)
    included = [
        found.source.text(each)
        for chain in classes.calls_in(found)
        if chain.base is None and chain.links[0].name == "include"
        for each in chain.links[0].arguments
    ]
    own = {
        each.name: each for each in found.source.functions
        if found.node.node.start_byte <= each.start < found.node.node.end_byte
    }  # fmt: skip
    worker = any(each in _WORKERS for each in included) or parent in _JOBS or classes.foreign_parent(found) == "ActiveJob::Base"
    handler = own.get("perform") or own.get("consume") or own.get("work")
    if worker and handler is not None:
        place = at(found.source.path, handler.line)
        yield EntryPoint(EntryKind.QUEUE, "perform", found.name, place, f"{found.name}#{handler.name}", "", *QUEUED.parts)
    if parent in _CHANNELS:
        for each in own.values():
            place = at(found.source.path, each.line)
            yield EntryPoint(
                EntryKind.WEBSOCKET, "channel", f"{found.name}/{each.name}", place, f"{found.name}#{each.name}", "Rails",
                *_SOCKET.parts,
            )  # fmt: skip
    if parent == "Thor":
        for each in own.values():
            place = at(found.source.path, each.line)
            yield EntryPoint(EntryKind.CLI, "command", each.name, place, f"{found.name}#{each.name}", "", *LOCAL.parts)


def _tasks(classes: Classes, source: Source) -> Iterator[EntryPoint]:
    """Rake tasks, and the `every` blocks of schedule files."""
    rake = source.path.endswith((".rake", "Rakefile"))
    schedule = source.path.endswith("config/schedule.rb")
    if not rake and not schedule:
        return
    for chain in classes.corpus.chains(source):
        link = chain.links[-1]
        if rake and link.name == "task" and link.block is not None:
            name = known_text(source, link.arguments[0]) if link.arguments else link.named[0][0] if link.named else ""
            yield EntryPoint(
                EntryKind.CLI,
                "rake",
                name or "task",
                at(source.path, link.line),
                name or "task",
                "",
                *LOCAL.parts,
            )
        elif schedule and link.name == "every" and link.block is not None:
            what = source.text(link.arguments[0], 60) if link.arguments else "every"
            yield EntryPoint(EntryKind.SCHEDULED, "every", what, at(source.path, link.line), what, "", *CLOCK.parts)


def _script(source: Source) -> Iterator[EntryPoint]:
    folder, _, name = source.path.rpartition("/")
    if folder in ("bin", "script") and name in _MADE_BY_RAILS:
        return
    if (
        not source.data.startswith(b"#!")
        and b"__FILE__ == $0" not in source.data
        and b"$PROGRAM_NAME == __FILE__" not in source.data
    ):
        return
    first = next((child for child in source.root.named_children if child.type != "comment"), None)
    if first is not None:
        place = at(source.path, line_of(first))
        yield EntryPoint(EntryKind.MAIN, "script", source.path, place, "<script>", "", *LOCAL.parts)
