"""Ways into Java programs besides HTTP: queues, clocks, remote procedures, sockets, commands, main methods.

Always holds: what runs for a message or a clock has a guard that is unknown, because who may send is decided elsewhere.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import Verdict
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.java.annotations import Annotation, Constants, annotations
from counterproof.analysis.polyglot.source import Class, Function, Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.survey import Language

_LOCAL = Verdict(Guard.UNKNOWN, "whoever can run programs on the machine")
_QUEUED = Verdict(Guard.UNKNOWN, "whoever can put messages on the queue")
_CLOCK = Verdict(Guard.UNKNOWN, "started by a clock")
_REMOTE = Verdict(Guard.UNKNOWN, "an interceptor of the server may check callers")
_SOCKET = Verdict(Guard.UNKNOWN, "whoever can open the connection")
_ON_METHOD = {
    "KafkaListener": (EntryKind.QUEUE, _QUEUED), "RabbitListener": (EntryKind.QUEUE, _QUEUED),
    "JmsListener": (EntryKind.QUEUE, _QUEUED), "SqsListener": (EntryKind.QUEUE, _QUEUED),
    "StreamListener": (EntryKind.QUEUE, _QUEUED), "Incoming": (EntryKind.QUEUE, _QUEUED),
    "PulsarListener": (EntryKind.QUEUE, _QUEUED), "Scheduled": (EntryKind.SCHEDULED, _CLOCK),
    "MessageMapping": (EntryKind.WEBSOCKET, _SOCKET), "OnMessage": (EntryKind.WEBSOCKET, _SOCKET),
    "ShellMethod": (EntryKind.CLI, _LOCAL), "RabbitHandler": (EntryKind.QUEUE, _QUEUED),
}  # fmt: skip
_TOPICS = ("topics", "queues", "destination", "value", "cron", "fixedRate", "fixedDelay", "key")
_GRPC = re.compile(r"\bextends\s{1,20}(?:\w{1,80}\.)?(\w{1,80})ImplBase\b")
_RUNNERS = re.compile(r"\bimplements\b[^{]{0,300}\b(CommandLineRunner|ApplicationRunner|Runnable|Callable)\b")


def background_entries(corpus: Corpus) -> Iterator[EntryPoint]:
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
            yield _entry(source, function, EntryKind.MAIN, "main", each.name, _LOCAL)
        elif command and function.name in ("run", "call") and _RUNNERS.search(heritage):
            name = next(iter(command.texts(constants, "name")), each.name)
            yield _entry(source, function, EntryKind.CLI, "command", name, _LOCAL)


def _topic(found: Annotation, constants: Constants) -> str:
    return ", ".join(found.texts(constants, *_TOPICS))


def _entry(source: Source, function: Function, kind: EntryKind, method: str, path: str, said: Verdict) -> EntryPoint:
    place = at(source.path, function.line)
    return EntryPoint(kind, method, path, place, function.qualified, "", said.guard, said.evidence)
