"""Ways into Go programs besides routes: main functions, commands, remote procedures, queues, clocks, sockets.

Invariant: what runs for a message or a clock has a guard that is unknown, because who may send is decided elsewhere.
"""

import posixpath
import re
from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, QUEUED, Verdict, left_open
from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.golang.middleware import handler_of
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_REMOTE = left_open("an interceptor of the server may check callers")
_REGISTER = re.compile(r"Register(\w{1,80}?)(?:Server|Service)(?:Server)?")
_QUEUES = ("sarama", "kafka", "amqp", "nats", "asynq", "machinery", "sqs", "pubsub", "stan", "nsq")
_CLOCKS = ("cron", "gocron", "jasonlvhit")
_CONSUME = ("Subscribe", "QueueSubscribe", "HandleFunc", "AddHandler", "Receive", "RegisterTask")


def background_entries(packages: Packages) -> Iterator[EntryPoint]:
    for source in packages.corpus.sources(Language.GO):
        imported = tuple(packages.imports(source).values())
        for chain in packages.corpus.chains(source):
            yield from _work(packages, source, chain, imported)
            yield from _remote(packages, source, chain)
        yield from _consumers(source, imported)
        yield from _commands(packages, source, imported)
        yield from _main(source)


def _main(source: Source) -> Iterator[EntryPoint]:
    if not re.search(rb"(?m)^package[ \t]{1,10}main\b", source.data[:20_000]):
        return
    for function in source.by_name.get("main", ()):
        if not function.owner and function.node.type == "function_declaration":
            path = posixpath.dirname(source.path) or source.path
            yield EntryPoint(EntryKind.MAIN, "main", path, at(source.path, function.line), "main", "", *LOCAL.parts)


def _made(packages: Packages, source: Source, kind: EntryKind, method: str, path: str, node: Node, said: Verdict) -> EntryPoint:
    where, line, name, _ = handler_of(packages, source, node)
    return EntryPoint(kind, method, path, at(where.path, line), name, "", *said.parts)


def _mentions(imported: tuple[str, ...], names: tuple[str, ...]) -> bool:
    return any(name in path.split("/")[-1] or name in path.split("/") for path in imported for name in names)


def _work(packages: Packages, source: Source, chain: Chain, imported: tuple[str, ...]) -> Iterator[EntryPoint]:
    link = chain.links[-1]
    if len(link.arguments) < 1:
        return
    topic = known_text(source, link.arguments[0]) or ""
    if link.name in ("AddFunc", "AddJob") and len(link.arguments) > 1 and _mentions(imported, _CLOCKS):
        yield _made(packages, source, EntryKind.SCHEDULED, link.name, topic, link.arguments[1], CLOCK)
    elif link.name == "Do" and _mentions(imported, _CLOCKS):
        yield _made(packages, source, EntryKind.SCHEDULED, "Do", "schedule", link.arguments[0], CLOCK)
    elif link.name in _CONSUME and len(link.arguments) > 1 and _mentions(imported, _QUEUES):
        if chain.root != "http":
            yield _made(packages, source, EntryKind.QUEUE, link.name, topic or chain.root, link.arguments[-1], QUEUED)
    elif link.name == "Upgrade" and any("websocket" in path for path in imported):
        function = next(source.around(link.node.start_byte), None)
        if function is not None:
            said = left_open("whoever can open the connection")
            yield EntryPoint(
                EntryKind.WEBSOCKET, "upgrade", function.qualified, at(source.path, function.line), function.qualified, "",
                *said.parts,
            )  # fmt: skip


def _consumers(source: Source, imported: tuple[str, ...]) -> Iterator[EntryPoint]:
    for function in source.by_name.get("ConsumeClaim", ()) if _mentions(imported, _QUEUES) else ():
        place = at(source.path, function.line)
        yield EntryPoint(EntryKind.QUEUE, "ConsumeClaim", function.owner, place, function.qualified, "Kafka", *QUEUED.parts)


def _remote(packages: Packages, source: Source, chain: Chain) -> Iterator[EntryPoint]:
    """`pb.RegisterXServer(s, impl)`: the exported methods of the implementation are called from outside."""
    link = chain.links[-1]
    found = _REGISTER.fullmatch(link.name)
    if not found or len(link.arguments) != 2 or chain.base is None:
        return
    type_ = packages.type_of(source, link.arguments[1])
    inner = unwrapped(link.arguments[1])
    if not type_ and inner is not None and inner.type == "unary_expression":
        type_ = packages.type_of(source, inner.child_by_field_name("operand"))
    methods = [
        place
        for folder in sorted(packages.folders)
        for places in packages.functions(folder).values()
        for place in places
        if type_ and place.function.owner == type_ and place.function.name[:1].isupper()
    ]
    for place in methods:
        where = at(place.source.path, place.function.line)
        path = f"{found[1]}/{place.function.name}"
        yield EntryPoint(EntryKind.RPC, "gRPC", path, where, place.function.qualified, "gRPC", *_REMOTE.parts)
    if not methods:
        yield EntryPoint(EntryKind.RPC, "gRPC", found[1], at(source.path, link.line), link.name, "gRPC", *_REMOTE.parts)


def _commands(packages: Packages, source: Source, imported: tuple[str, ...]) -> Iterator[EntryPoint]:
    """`cobra.Command{Use: "x", Run: f}` and `cli.Command{Name: "x", Action: f}`."""
    if not any("cobra" in path or "urfave/cli" in path for path in imported):
        return
    for node in source.structures:
        if not source.text(node.child_by_field_name("type")).endswith(("cobra.Command", "cli.Command", "cli.App")):
            continue
        fields = dict(_fields(source, node))
        run = next((fields[name] for name in ("RunE", "Run", "Action") if name in fields), None)
        name = known_text(source, fields.get("Use") or fields.get("Name")) or source.path
        if run is not None:
            yield _made(packages, source, EntryKind.CLI, "command", name.partition(" ")[0], run, LOCAL)


def _fields(source: Source, node: Node) -> Iterator[tuple[str, Node]]:
    body = node.child_by_field_name("body")
    for each in body.named_children[:200] if body is not None else ():
        key, value = each.child_by_field_name("key"), unwrapped(each.child_by_field_name("value"))
        if each.type == "keyed_element" and key is not None and value is not None:
            yield source.text(key), value
