"""Entry points of Ruby programs.

Invariant: routes lead to controller actions by Rails' naming; filters are read along the class ancestry. Not handled here: the
actions' behaviour.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, OPEN, QUEUED, Verdict, as_written, left_open, strongest
from counterproof.analysis.polyglot.chains import chain_at
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.ruby.classes import Classes, Found
from counterproof.analysis.polyglot.ruby.routes import rails_routes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

MAX_STATEMENTS = 50_000
_VERBS = ("get", "post", "put", "patch", "delete", "options", "head")
_SPACES = ("namespace", "resource", "resources", "group", "route_param", "segment")
_CONTAINERS = ("class", "module", "body_statement", "if", "begin", "then", "block_body")

_SOCKET = left_open("the connection may check callers")
_WORKERS = ("Sidekiq::Worker", "Sidekiq::Job", "Shoryuken::Worker", "Sneakers::Worker", "Resque::Job", "SuckerPunch::Job")
_JOBS = ("ApplicationJob", "ActiveJob::Base", "Struct", "Que::Job", "Karafka::BaseConsumer", "ApplicationConsumer")
_MADE_BY_RAILS = (
    "bundle", "rails", "rake", "setup", "spring", "yarn", "dev", "importmap", "update", "webpack", "rspec", "rubocop",
)  # fmt: skip
_STANDING_BEFORE = ("before", "before_validation", "after_validation", "http_basic", "auth")
"""Functions that Sinatra and Grape run before routes."""
_CHANNELS = ("ApplicationCable::Channel", "ActionCable::Channel::Base")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = corpus.remembered(("ruby classes",), lambda: Classes(corpus))
    yield from rails_routes(classes)
    yield from block_routes(classes)
    yield from background_entries(classes)


def background_entries(classes: Classes) -> Iterator[EntryPoint]:
    """Entry points other than routes: jobs, channels, tasks, commands, schedules, scripts.

    Invariant: code run by a message or schedule has an unknown guard, because the permission to send is decided elsewhere."""
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


def block_routes(classes: Classes) -> Iterator[EntryPoint]:
    """Sinatra and Grape: routes as blocks in a class or file, with enclosing namespaces and filters.

    Invariant: a `before` block applies to everything in its class or namespace."""
    for source in classes.corpus.sources(Language.RUBY):
        grape = b"Grape::API" in source.data
        if grape or b"Sinatra" in source.data or b"'sinatra'" in source.data or b'"sinatra"' in source.data:
            yield from _file(source, "Grape" if grape else "Sinatra")


def _file(source: Source, framework: str) -> Iterator[EntryPoint]:
    pending: list[tuple[Node, str, Verdict]] = [(source.root, "", OPEN)]
    for _ in range(MAX_STATEMENTS):
        if not pending:
            return
        node, prefix, verdict = pending.pop()
        children = list(node.named_children)
        verdict = strongest((verdict, *(_before(source, child) for child in children)))
        prefix = joined(prefix, _settings(source, children, framework)) if prefix or framework == "Grape" else prefix
        for child in reversed(children):
            chain = chain_at(source, child)
            if chain is None:
                if child.type in _CONTAINERS:
                    pending.append((child, prefix, verdict))
                continue
            link = chain.links[-1]
            block = link.block
            path = known_text(source, link.arguments[0]) if link.arguments else None
            if block is None or chain.base is not None:
                continue
            body = block.child_by_field_name("body") or block
            if link.name in _SPACES:
                shown = f":{path}" if link.name == "route_param" else path or ""
                pending.append((body, joined(prefix, shown), verdict))
            elif link.name in _VERBS and (path is not None or framework == "Grape"):
                where = at(source.path, link.line)
                yield EntryPoint(
                    EntryKind.HTTP, link.name.upper(), joined(prefix, path or ""), where, f"{link.name} {path or '/'}", framework,
                    *verdict.parts,
                )  # fmt: skip


def _settings(source: Source, children: list[Node], framework: str) -> str:
    """`prefix :api` and `version "v1"` of Grape."""
    found: dict[str, str] = {}
    for child in children if framework == "Grape" else ():
        chain = chain_at(source, child)
        if chain and chain.base is None and chain.links[0].name in ("prefix", "version") and chain.links[0].arguments:
            link = chain.links[0]
            header = known_text(source, link.keyword("using")) in ("header", "param", "accept_version_header")
            found[link.name] = "" if header else known_text(source, link.arguments[0]) or ""
    return joined(found.get("prefix", ""), found.get("version", "")) if found else ""


def _before(source: Source, node: Node) -> Verdict:
    chain = chain_at(source, node)
    link = chain.links[0] if chain is not None and chain.base is None else None
    if link is None or link.name not in _STANDING_BEFORE:
        return OPEN
    block = source.text(link.block, 80) if link.block is not None else ""
    return as_written(source.path, link.line, f"{link.name} {block}")
