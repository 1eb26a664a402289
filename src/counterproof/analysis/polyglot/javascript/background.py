"""Entry points of JavaScript programs other than routes: sockets, queues, schedules, remote calls, command lines, main scripts,
Hapi.

Invariant: code run by a message or schedule has an unknown guard, because the permission to send is decided elsewhere.
"""

from collections.abc import Iterator
from typing import cast

from tree_sitter import Node

from counterproof.analysis.endpoints.frameworks.agent_tools import FRAMEWORK as AGENT_TOOL
from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, OPEN, QUEUED, Verdict, left_open, present, unknown, unplaced
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.corpus import SCRIPTS
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.javascript.middleware import handler_of
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import entry, items, known_text, texts
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.errors import CounterproofError
from counterproof.model.recon import TOOL, EntryKind, EntryPoint, Guard
from counterproof.model.survey import Language

_BY_PACKAGE = tuple(names("entry", kind, Language.JAVASCRIPT) for kind in ("socket", "queue", "clock", "command-line"))
_SOCKET_NAMES = ("socket", "ws", "client", "conn", "connection", "wss", "io", "server")
_STATES = ("error", "close", "listening", "open", "disconnect", "end", "exit", "finish")
_CONSUMERS = ("Worker", "process", "define", "consume", "Consumer")
_SCHEDULES = ("schedule", "scheduleJob", "CronJob", "every")
_TOOLS = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "fastmcp", "mcp-framework")
"""Packages for offering tools to language models."""
_OFFERING = ("tool", "registerTool", "resource", "registerResource", "prompt", "registerPrompt", "setRequestHandler", "addTool")
_MODEL = left_open("whoever writes what the model reads")
_SIDES = ("test", "tests", "docs", "examples", "scripts", "public", "static", "assets", "dist", "build")
MAX_MANIFEST = 500_000


def background_entries(modules: Modules) -> Iterator[EntryPoint]:
    for source in modules.corpus.sources(*SCRIPTS):
        packages = modules.packages(source)
        network, queues, clocks, commands = (any(name in known for name in packages) for known in _BY_PACKAGE)
        remote, hapi = (any(family in name for name in packages) for family in ("grpc", "hapi"))
        tools = any(name.startswith(_TOOLS) for name in packages)
        for chain in modules.corpus.chains(source):
            yield from _socket(modules, source, chain, network)
            if queues or clocks or remote:
                yield from _work(modules, source, chain, queues, clocks, remote)
            yield from _command(modules, source, chain) if commands else ()
            yield from _hapi(modules, source, chain) if hapi else ()
            yield from _tool(modules, source, chain) if tools else ()
    yield from _mains(modules)


def _made(
    modules: Modules,
    source: Source,
    kind: EntryKind,
    method: str,
    path: str,
    node: Node,
    verdict: Verdict,
    framework: str = "",
) -> EntryPoint:
    where, own = handler_of(modules, source, node)
    return entered(kind, method, path, where, own if own.guard is Guard.PRESENT else verdict, framework)


def _is_handler(node: Node) -> bool:
    return node.type in (*FUNCTIONS, "identifier", "member_expression", "call_expression")


def _socket(modules: Modules, source: Source, chain: Chain, network: bool) -> Iterator[EntryPoint]:
    link, root = chain.links[-1], chain.root.lower()
    if link.name not in ("on", "of") or len(link.arguments) < 2 or not _is_handler(link.arguments[1]):
        return
    event = known_text(source, link.arguments[0])
    socket = root.rpartition(".")[2] in _SOCKET_NAMES
    named = socket or root.endswith(("socket", "io", "wss"))
    heard = network or (event == "connection" and socket) or chain.root in ("socket", "io")
    if event is not None and event not in _STATES and heard and named:
        said = unplaced(source.path, link.line, "whoever can open the connection")
        yield _made(modules, source, EntryKind.WEBSOCKET, "on", event, link.arguments[1], said)


def _work(modules: Modules, source: Source, chain: Chain, queues: bool, clocks: bool, remote: bool) -> Iterator[EntryPoint]:
    link = chain.links[-1]
    first = link.arguments[0] if link.arguments else None
    handlers = [each for each in link.arguments if _is_handler(each)]
    topic = next((text for each in link.arguments[:2] if (text := known_text(source, each))), "")
    if queues and link.name in _CONSUMERS and handlers and chain.root != "process":
        yield _made(modules, source, EntryKind.QUEUE, link.name, topic or chain.root or "queue", handlers[-1], QUEUED)
    elif queues and link.name == "run" and first is not None and first.type == "object":
        handler = entry(source, first, "eachMessage") or entry(source, first, "eachBatch")
        if handler is not None:
            yield _made(modules, source, EntryKind.QUEUE, "run", chain.root or "queue", handler, QUEUED)
    elif clocks and link.name in _SCHEDULES and handlers:
        yield _made(modules, source, EntryKind.SCHEDULED, link.name, topic, handlers[-1], CLOCK)
    elif remote and link.name == "addService" and len(link.arguments) > 1:
        yield _made(modules, source, EntryKind.RPC, "gRPC", source.text(first, 80), link.arguments[1], QUEUED)


def _command(modules: Modules, source: Source, chain: Chain) -> Iterator[EntryPoint]:
    name = ""
    for link in (each for each in chain.links if each.arguments):
        if link.name == "command":
            name = known_text(source, link.arguments[0]) or name
            handlers = [each for each in link.arguments[1:] if each.type in FUNCTIONS][-1:]
        else:
            handlers = [each for each in link.arguments[:1] if link.name == "action" and _is_handler(each)]
        for each in handlers:
            yield _made(modules, source, EntryKind.CLI, "command", name or source.path, each, LOCAL)


def _tool(modules: Modules, source: Source, chain: Chain) -> Iterator[EntryPoint]:
    """`server.tool(name, schema, handler)`, `setRequestHandler(CallToolRequestSchema, handler)`, `addTool({ execute })`."""
    link = chain.links[-1]
    if link.name in _OFFERING and link.arguments:
        last = link.arguments[-1]
        handler = entry(source, last, "execute") if last.type == "object" else last
        if handler is not None and _is_handler(handler):
            name = known_text(source, link.arguments[0]) or source.text(link.arguments[0], 80)
            yield _made(modules, source, EntryKind.RPC, TOOL, name, handler, _MODEL, AGENT_TOOL)


def _hapi(modules: Modules, source: Source, chain: Chain) -> Iterator[EntryPoint]:
    """`server.route({ method, path, handler, options: { auth } })`; a default strategy is not followed."""
    link = chain.links[-1]
    for each in items(link.arguments[0]) if link.name == "route" and link.arguments else ():
        path = known_text(source, entry(source, each, "path"))
        settings = entry(source, each, "options") or entry(source, each, "config")
        auth = source.text(entry(source, settings, "auth"), 60)
        handler = entry(source, each, "handler") or entry(source, settings, "handler") or each
        verdict = present(source.path, link.line, auth, f"auth {auth}") if auth != "false" else OPEN
        verdict = verdict if auth else unknown(source.path, link.line, "a default strategy may apply")
        for method in texts(source, entry(source, each, "method")) or ("ANY",) if path is not None else ():
            shown = "ANY" if method == "*" else method.upper()
            yield entered(EntryKind.HTTP, shown, path or "", handler_of(modules, source, handler)[0], verdict, "Hapi")


def _mains(modules: Modules) -> Iterator[EntryPoint]:
    """Programs named in a manifest, files with an interpreter line, files that test whether they are the main module."""
    named = dict(_declared(modules))
    for source in modules.corpus.sources(*SCRIPTS):
        if any(part in _SIDES for part in source.path.split("/")[:-1]) and source.path not in named:
            continue
        if source.path in named:
            name, kind = named[source.path]
        elif source.data.startswith(b"#!"):
            name, kind = source.path, EntryKind.CLI
        elif b"require.main === module" in source.data or b"import.meta.main" in source.data:
            name, kind = source.path, EntryKind.MAIN
        else:
            continue
        first = next((child for child in source.root.named_children if child.type not in ("comment", "hash_bang_line")), None)
        yield entered(kind, "script", name, (source, line_of(first) if first is not None else 1, "<module>"), LOCAL)


def _declared(modules: Modules) -> Iterator[tuple[str, tuple[str, EntryKind]]]:
    for file in modules.corpus.project.survey.files:
        folder, _, name = file.path.rpartition("/")
        if name != "package.json" or file.test or file.size > MAX_MANIFEST:
            continue
        try:
            parsed: object = parsed_json(modules.corpus.project.text(file.path))
        except (CounterproofError, ValueError):
            continue  # a broken manifest is reported by the code that reads manifests
        data = cast("dict[str, object]", parsed) if isinstance(parsed, dict) else {}
        programs = data.get("bin")
        pairs = {str(data.get("name", "")): programs} if isinstance(programs, str) else programs
        for program, target in (cast("dict[str, object]", pairs) if isinstance(pairs, dict) else {}).items():
            path = _within(modules, folder, target)
            if path:
                yield path, (str(program)[:100], EntryKind.CLI)
        scripts = data.get("scripts")
        start = cast("dict[str, object]", scripts).get("start") if isinstance(scripts, dict) else None
        for word in str(start or "").split()[:20]:
            if path := _within(modules, folder, word):
                yield path, (path, EntryKind.MAIN)


def _within(modules: Modules, folder: str, target: object) -> str:
    if not isinstance(target, str) or len(target) > 300 or target.startswith(("-", "/")) or ".." in target:
        return ""
    base = f"{folder}/{target.removeprefix('./')}" if folder else target.removeprefix("./")
    return next((path for path in (base, f"{base}.js", f"{base}/index.js") if path in modules.corpus.known), "")
