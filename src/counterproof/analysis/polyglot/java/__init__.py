"""Entry points of Java programs.

Invariant: annotations are read as written, constants across files. Not handled here: what handlers do.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, QUEUED, Verdict, left_open
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.java.annotations import Annotation, Constants, annotations
from counterproof.analysis.polyglot.java.web import web_routes
from counterproof.analysis.polyglot.source import Class, Function, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_REMOTE = left_open("an interceptor of the server may check callers")
_SOCKET = left_open("whoever can open the connection")
_ON_METHOD = {
    "KafkaListener": (EntryKind.QUEUE, QUEUED), "RabbitListener": (EntryKind.QUEUE, QUEUED),
    "JmsListener": (EntryKind.QUEUE, QUEUED), "SqsListener": (EntryKind.QUEUE, QUEUED),
    "StreamListener": (EntryKind.QUEUE, QUEUED), "Incoming": (EntryKind.QUEUE, QUEUED),
    "PulsarListener": (EntryKind.QUEUE, QUEUED), "Scheduled": (EntryKind.SCHEDULED, CLOCK),
    "MessageMapping": (EntryKind.WEBSOCKET, _SOCKET), "OnMessage": (EntryKind.WEBSOCKET, _SOCKET),
    "ShellMethod": (EntryKind.CLI, LOCAL), "RabbitHandler": (EntryKind.QUEUE, QUEUED),
}  # fmt: skip
_TOPICS = ("topics", "queues", "destination", "value", "cron", "fixedRate", "fixedDelay", "key")
_GRPC = re.compile(r"\bextends\s{1,20}(?:\w{1,80}\.)?(\w{1,80})ImplBase\b")
_RUNNERS = re.compile(r"\bimplements\b[^{]{0,300}\b(CommandLineRunner|ApplicationRunner|Runnable|Callable)\b")


def find(corpus: Corpus) -> Iterator[EntryPoint]:
    yield from web_routes(corpus)
    yield from background_entries(corpus)


def background_entries(corpus: Corpus) -> Iterator[EntryPoint]:
    """Ways in besides HTTP: queues, clocks, remote procedures, sockets, commands, main methods.

    Invariant: what runs for a message or a clock has a guard that is unknown, because who may send is decided elsewhere."""
    constants = Constants(corpus)
    for source in corpus.sources(Language.JAVA):
        for each in source.classes:
            yield from _class(source, each, constants)


def _class(source: Source, each: Class, constants: Constants) -> Iterator[EntryPoint]:
    outer = annotations(source, each.node)
    heritage = source.heritage(each)
    service = _GRPC.search(heritage)
    command = next((found for found in outer if found.name == "Command"), None)
    endpoint = next((found for found in outer if found.name == "ServerEndpoint"), None)
    for child in each.body.named_children[:5_000] if each.body is not None else ():
        function = source.function_at(child) if child.type == "method_declaration" else None
        if function is None:
            continue
        written = source.text(child, 400)
        inner = annotations(source, child)
        for found in inner:
            if found.name in _ON_METHOD:
                kind, said = _ON_METHOD[found.name]
                topic = endpoint if found.name == "OnMessage" and endpoint else found
                yield _entry(source, function, kind, found.name, _topic(topic, constants) or function.qualified, said)
        if service and "public" in written.partition("(")[0]:
            yield _entry(source, function, EntryKind.RPC, "gRPC", f"{service[1]}/{function.name}", _REMOTE)
        elif function.name == "main" and re.search(r"\bstatic\b[^({]{0,80}\bmain\b", written):
            yield _entry(source, function, EntryKind.MAIN, "main", each.name, LOCAL)
        elif command and function.name in ("run", "call") and _RUNNERS.search(heritage):
            name = next(iter(command.texts(constants, "name")), each.name)
            yield _entry(source, function, EntryKind.CLI, "command", name, LOCAL)


def _topic(found: Annotation, constants: Constants) -> str:
    return ", ".join(found.texts(constants, *_TOPICS))


def _entry(source: Source, function: Function, kind: EntryKind, method: str, path: str, said: Verdict) -> EntryPoint:
    place = at(source.path, function.line)
    return EntryPoint(kind, method, path, place, function.qualified, "", *said.parts)
