"""Entry points of Ruby programs: Rails, Sinatra and Grape routes, jobs, channels, tasks, commands, schedules, scripts.

Invariant: routes lead to controller actions by Rails' naming; filters are read along the class ancestry and listed, not judged;
code run by a message or schedule has an unknown guard, because the permission to send is decided elsewhere. Not handled here: the
actions' behaviour.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, OPEN, QUEUED, Verdict, as_written, left_open, strongest
from counterproof.analysis.polyglot.chains import Link, chain_at
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.ruby.classes import Classes, Found
from counterproof.analysis.polyglot.ruby.routes import MAX_STATEMENTS, rails_routes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_VERBS = ("get", "post", "put", "patch", "delete", "options", "head")
_SPACES = ("namespace", "resource", "resources", "group", "route_param", "segment")
_CONTAINERS = ("class", "module", "body_statement", "if", "begin", "then", "block_body")
_SINATRA = (b"Sinatra", b"'sinatra'", b'"sinatra"')
_STANDING_BEFORE = ("before", "before_validation", "after_validation", "http_basic", "auth")
"""Functions that Sinatra and Grape run before routes."""
_IN_HEADER = ("header", "param", "accept_version_header")

_SOCKET = left_open("the connection may check callers")
_WORKERS = {"Sidekiq::Worker", "Sidekiq::Job", "Shoryuken::Worker", "Sneakers::Worker", "Resque::Job", "SuckerPunch::Job"}
_JOBS = ("ApplicationJob", "ActiveJob::Base", "Struct", "Que::Job", "Karafka::BaseConsumer", "ApplicationConsumer")
_WORK = ("perform", "consume", "work")
_CHANNELS = ("ApplicationCable::Channel", "ActionCable::Channel::Base")
_PROGRAM = (b"__FILE__ == $0", b"$PROGRAM_NAME == __FILE__")
_MADE_BY_RAILS = (
    "bundle", "rails", "rake", "setup", "spring", "yarn", "dev", "importmap", "update", "webpack", "rspec", "rubocop",
)  # fmt: skip


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    classes = Classes(corpus)
    yield from rails_routes(classes)
    for name in classes.names():
        found = classes.find(name)
        yield from _class(classes, found) if found is not None else ()
    for source in corpus.sources(Language.RUBY):
        grape = b"Grape::API" in source.data
        if grape or corpus.mentions(source, *_SINATRA):
            yield from _blocks(source, "Grape" if grape else "Sinatra")
        yield from _tasks(corpus, source)
        yield from _script(source)


def _class(classes: Classes, found: Found) -> Iterator[EntryPoint]:
    parent, source = classes.parent(found), found.source
    own = {each.name: each for each in source.functions if found.start <= each.start < found.end}
    worker = (
        bool(_WORKERS & set(classes.included(found))) or parent in _JOBS or classes.foreign_parent(found) == "ActiveJob::Base"
    )
    handler = next((own[name] for name in _WORK if name in own), None) if worker else None
    if handler is not None:
        where = source, handler.line, f"{found.name}#{handler.name}"
        yield entered(EntryKind.QUEUE, "perform", found.name, where, QUEUED)
    for each in own.values():
        where = source, each.line, f"{found.name}#{each.name}"
        if parent in _CHANNELS:
            yield entered(EntryKind.WEBSOCKET, "channel", f"{found.name}/{each.name}", where, _SOCKET, "Rails")
        elif parent == "Thor":
            yield entered(EntryKind.CLI, "command", each.name, where, LOCAL)


def _tasks(corpus: Corpus, source: Source) -> Iterator[EntryPoint]:
    """Rake tasks, and the `every` blocks of schedule files."""
    rake, schedule = source.path.endswith((".rake", "Rakefile")), source.path.endswith("config/schedule.rb")
    for link in (chain.links[-1] for chain in corpus.chains(source)) if rake or schedule else ():
        first = link.arguments[0] if link.arguments else None
        if rake and link.name == "task" and link.block is not None:
            name = known_text(source, first) or (link.named[0][0] if link.named and first is None else "task")
            yield entered(EntryKind.CLI, "rake", name, (source, link.line, name), LOCAL)
        elif schedule and link.name == "every" and link.block is not None:
            what = source.text(first, 60) or "every"
            yield entered(EntryKind.SCHEDULED, "every", what, (source, link.line, what), CLOCK)


def _script(source: Source) -> Iterator[EntryPoint]:
    folder, _, name = source.path.rpartition("/")
    made = folder in ("bin", "script") and name in _MADE_BY_RAILS
    if not made and (source.data.startswith(b"#!") or any(mark in source.data for mark in _PROGRAM)):
        first = next((child for child in source.root.named_children if child.type != "comment"), None)
        if first is not None:
            yield entered(EntryKind.MAIN, "script", source.path, (source, line_of(first), "<script>"), LOCAL)


def _blocks(source: Source, framework: str) -> Iterator[EntryPoint]:
    """Sinatra and Grape: routes as blocks in a class or file, with enclosing namespaces and filters.

    Invariant: a `before` block applies to everything in its class or namespace."""
    pending: list[tuple[Node, str, Verdict]] = [(source.root, "", OPEN)]
    for _ in range(MAX_STATEMENTS):
        if not pending:
            return
        node, prefix, verdict = pending.pop()
        links = [(child, _plain(source, child)) for child in node.named_children]
        verdict = strongest((verdict, *(_before(source, link) for _, link in links if link is not None)))
        if framework == "Grape":
            prefix = joined(prefix, _settings(source, [link for _, link in links if link is not None]))
        for child, link in reversed(links):
            if link is None:
                pending += [(child, prefix, verdict)] if child.type in _CONTAINERS else []
                continue
            path = known_text(source, link.arguments[0]) if link.arguments else None
            if link.block is not None and link.name in _SPACES:
                shown = f":{path}" if link.name == "route_param" else path or ""
                pending.append((link.block.child_by_field_name("body") or link.block, joined(prefix, shown), verdict))
            elif link.block is not None and link.name in _VERBS and (path is not None or framework == "Grape"):
                where = source, link.line, f"{link.name} {path or '/'}"
                yield entered(EntryKind.HTTP, link.name.upper(), joined(prefix, path or ""), where, verdict, framework)


def _plain(source: Source, node: Node) -> Link | None:
    """A call without a receiver."""
    chain = chain_at(source, node)
    return chain.links[-1] if chain is not None and chain.base is None and len(chain.links) == 1 else None


def _settings(source: Source, links: list[Link]) -> str:
    """`prefix :api` and `version "v1"` of Grape."""
    found = {
        link.name: "" if known_text(source, link.keyword("using")) in _IN_HEADER else known_text(source, link.arguments[0]) or ""
        for link in links
        if link.name in ("prefix", "version") and link.arguments
    }
    return joined(found.get("prefix", ""), found.get("version", "")) if found else ""


def _before(source: Source, link: Link) -> Verdict:
    block = source.text(link.block, 80)
    return as_written(source.path, link.line, f"{link.name} {block}") if link.name in _STANDING_BEFORE else OPEN
