"""Entry points of Go programs: routes, main functions, commands, remote procedures, queues, schedules, sockets.

Invariant: names are resolved by package and receiver, never guessed between two; code run by a message or schedule has an unknown
guard, because the permission to send is decided elsewhere. Not handled here: the handlers' behaviour.
"""

import posixpath
import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, QUEUED, left_open
from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.golang.routes import handler_of, web_routes
from counterproof.analysis.polyglot.literals import entries, known_text
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_REMOTE = left_open("an interceptor of the server may check callers")
_SOCKET = left_open("whoever can open the connection")
_REGISTER = re.compile(r"Register(\w{1,80}?)(?:Server|Service)(?:Server)?")
_MAIN = re.compile(rb"(?m)^package[ \t]{1,10}main\b")
_QUEUES = {"sarama", "kafka", "amqp", "nats", "asynq", "machinery", "sqs", "pubsub", "stan", "nsq"}
_CLOCKS = {"cron", "gocron", "jasonlvhit"}
_CONSUME = ("Subscribe", "QueueSubscribe", "HandleFunc", "AddHandler", "Receive", "RegisterTask")
_COMMANDS = ("cobra.Command", "cli.Command", "cli.App")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    packages = Packages(corpus)
    yield from web_routes(packages)
    for source in corpus.sources(Language.GO):
        paths = tuple(packages.imports(source).values())
        imported = {part for path in paths for part in path.split("/")}
        ends = [path.split("/")[-1] for path in paths]
        queues, clocks = (
            bool(names & imported) or any(name in end for end in ends for name in names) for names in (_QUEUES, _CLOCKS)
        )
        for chain in corpus.chains(source):
            yield from _work(packages, source, chain, queues, clocks)
            yield from _remote(packages, source, chain)
        for function in source.by_name.get("ConsumeClaim", ()) if queues else ():
            yield entered(EntryKind.QUEUE, "ConsumeClaim", function.owner, runs(source, function), QUEUED, "Kafka")
        if any("cobra" in path or "urfave/cli" in path for path in paths):
            yield from _commands(packages, source)
        for function in source.by_name.get("main", ()) if _MAIN.search(source.data[:20_000]) else ():
            if not function.owner and function.node.type == "function_declaration":
                path = posixpath.dirname(source.path) or source.path
                yield entered(EntryKind.MAIN, "main", path, runs(source, function), LOCAL)


def _work(packages: Packages, source: Source, chain: Chain, queues: bool, clocks: bool) -> Iterator[EntryPoint]:
    link = chain.links[-1]
    first, last = (link.arguments[0], link.arguments[-1]) if link.arguments else (None, None)
    if first is None or last is None:
        return
    topic = known_text(source, first) or ""
    if link.name in ("AddFunc", "AddJob") and len(link.arguments) > 1 and clocks:
        yield entered(EntryKind.SCHEDULED, link.name, topic, handler_of(packages, source, link.arguments[1])[0], CLOCK)
    elif link.name == "Do" and clocks:
        yield entered(EntryKind.SCHEDULED, "Do", "schedule", handler_of(packages, source, first)[0], CLOCK)
    elif link.name in _CONSUME and len(link.arguments) > 1 and queues and chain.root != "http":
        yield entered(EntryKind.QUEUE, link.name, topic or chain.root, handler_of(packages, source, last)[0], QUEUED)
    elif link.name == "Upgrade" and any("websocket" in path for path in packages.imports(source).values()):
        function = next(source.around(link.node.start_byte), None)
        if function is not None:
            yield entered(EntryKind.WEBSOCKET, "upgrade", function.qualified, runs(source, function), _SOCKET)


def _remote(packages: Packages, source: Source, chain: Chain) -> Iterator[EntryPoint]:
    """`pb.RegisterXServer(s, impl)`: the exported methods of the implementation are called remotely."""
    link = chain.links[-1]
    found = _REGISTER.fullmatch(link.name)
    if not found or len(link.arguments) != 2 or chain.base is None:
        return
    given = unwrapped(link.arguments[1])
    held = given.child_by_field_name("operand") if given is not None and given.type == "unary_expression" else None
    methods = packages.methods_of(packages.type_of(source, given) or packages.type_of(source, held))
    for place in methods:
        path = f"{found[1]}/{place.function.name}"
        yield entered(EntryKind.RPC, "gRPC", path, runs(place.source, place.function), _REMOTE, "gRPC")
    if not methods:
        yield entered(EntryKind.RPC, "gRPC", found[1], (source, link.line, link.name), _REMOTE, "gRPC")


def _commands(packages: Packages, source: Source) -> Iterator[EntryPoint]:
    """`cobra.Command{Use: "x", Run: f}` and `cli.Command{Name: "x", Action: f}`."""
    for node in source.structures:
        if source.text(node.child_by_field_name("type")).endswith(_COMMANDS):
            fields = dict(entries(source, node.child_by_field_name("body")))
            run = next((fields[name] for name in ("RunE", "Run", "Action") if name in fields), None)
            name = known_text(source, fields.get("Use") or fields.get("Name")) or source.path
            if run is not None:
                yield entered(EntryKind.CLI, "command", name.partition(" ")[0], handler_of(packages, source, run)[0], LOCAL)
