"""Ways into JavaScript programs besides routes: sockets, queues, clocks, remote calls, command lines, main scripts, Hapi.

Invariant: what runs for a message or a clock has a guard that is unknown, because who may send is decided elsewhere.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from tree_sitter import Node

from counterproof.analysis.endpoints.frameworks.agent_tools import FRAMEWORK as AGENT_TOOL
from counterproof.analysis.endpoints.verdict import CLOCK, LOCAL, OPEN, QUEUED, Verdict, left_open, present, unknown, unplaced
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.corpus import SCRIPTS
from counterproof.analysis.polyglot.javascript.middleware import handler_of
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import entry, known_text, texts
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.errors import CounterproofError
from counterproof.model.location import at
from counterproof.model.recon import TOOL, EntryKind, EntryPoint, Guard
from counterproof.model.survey import Language

_SOCKETS, _QUEUES, _CLOCKS, _COMMANDS = (
    names("entry", kind, Language.JAVASCRIPT) for kind in ("socket", "queue", "clock", "command-line")
)
_TOOLS = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "fastmcp", "mcp-framework")
"""Packages by which a program offers tools to language models."""
_OFFERING = ("tool", "registerTool", "resource", "registerResource", "prompt", "registerPrompt", "setRequestHandler", "addTool")
_MODEL = left_open("whoever writes what the model reads")
_SIDES = ("test", "tests", "docs", "examples", "scripts", "public", "static", "assets", "dist", "build")
MAX_MANIFEST = 500_000


def background_entries(modules: Modules) -> Iterator[EntryPoint]:
    for source in modules.corpus.sources(*SCRIPTS):
        packages = _telling(modules.packages(source))
        for chain in modules.corpus.chains(source):
            yield from _socket(modules, source, chain, packages)
            yield from _work(modules, source, chain, packages)
            yield from _command(modules, source, chain, packages)
            yield from _hapi(modules, source, chain, packages)
            yield from _tool(modules, source, chain, packages)
    yield from _mains(modules)


def _telling(packages: tuple[str, ...]) -> tuple[str, ...]:
    """Those that any of the readers below asks for. Every chain of calls asks, and a file may import thousands of others."""
    known = [name for name in packages if name in (*_SOCKETS, *_QUEUES, *_CLOCKS, *_COMMANDS)]
    families = [next((name for name in packages if family in name), "") for family in ("grpc", "hapi")]
    tools = next((name for name in packages if name.startswith(_TOOLS)), "")
    return (*known, *filter(None, (*families, tools)))


def _made(
    modules: Modules, source: Source, kind: EntryKind, method: str, path: str, handler: Node, verdict: Verdict
) -> EntryPoint:
    where, line, name, own = handler_of(modules, source, handler)
    verdict = own if own.guard is Guard.PRESENT else verdict
    return EntryPoint(kind, method, path, at(where.path, line), name, "", *verdict.parts)


def _is_handler(node: Node) -> bool:
    return node.type in (*FUNCTIONS, "identifier", "member_expression", "call_expression")


def _socket(modules: Modules, source: Source, chain: Chain, packages: tuple[str, ...]) -> Iterator[EntryPoint]:
    link = chain.links[-1]
    if link.name not in ("on", "of") or len(link.arguments) < 2 or not _is_handler(link.arguments[1]):
        return
    event = known_text(source, link.arguments[0])
    network = any(name in _SOCKETS for name in packages)
    socket = chain.root.rpartition(".")[2].lower() in ("socket", "ws", "client", "conn", "connection", "wss", "io", "server")
    if event is None or event in ("error", "close", "listening", "open", "disconnect", "end", "exit", "finish"):
        return
    if network or (event == "connection" and socket) or chain.root in ("socket", "io"):
        if not socket and not chain.root.lower().endswith(("socket", "io", "wss")):
            return
        said = unplaced(source.path, link.line, "whoever can open the connection")
        yield _made(modules, source, EntryKind.WEBSOCKET, "on", event, link.arguments[1], said)


def _work(modules: Modules, source: Source, chain: Chain, packages: tuple[str, ...]) -> Iterator[EntryPoint]:
    queues, clocks = any(name in _QUEUES for name in packages), any(name in _CLOCKS for name in packages)
    remote = any("grpc" in name for name in packages)
    if not (queues or clocks or remote):
        return
    link = chain.links[-1]
    handlers = [each for each in link.arguments if _is_handler(each)]
    topic = next((text for each in link.arguments[:2] if (text := known_text(source, each))), "")
    if queues:
        if link.name in ("Worker", "process", "define", "consume", "Consumer") and handlers and link.arguments:
            if chain.root == "process":
                return
            yield _made(modules, source, EntryKind.QUEUE, link.name, topic or chain.root or "queue", handlers[-1], QUEUED)
        elif link.name == "run" and link.arguments and link.arguments[0].type == "object":
            handler = entry(source, link.arguments[0], "eachMessage") or entry(source, link.arguments[0], "eachBatch")
            if handler is not None:
                yield _made(modules, source, EntryKind.QUEUE, "run", chain.root or "queue", handler, QUEUED)
    scheduled = link.name in ("schedule", "scheduleJob", "CronJob", "every")
    if scheduled and handlers and clocks:
        yield _made(modules, source, EntryKind.SCHEDULED, link.name, topic, handlers[-1], CLOCK)
    elif link.name == "addService" and remote and len(link.arguments) > 1:
        yield _made(modules, source, EntryKind.RPC, "gRPC", source.text(link.arguments[0], 80), link.arguments[1], QUEUED)


def _command(modules: Modules, source: Source, chain: Chain, packages: tuple[str, ...]) -> Iterator[EntryPoint]:
    if not any(name in _COMMANDS for name in packages):
        return
    name = ""
    for link in chain.links:
        if link.name == "command" and link.arguments:
            name = known_text(source, link.arguments[0]) or name
            handlers = [each for each in link.arguments[1:] if each.type in FUNCTIONS]
            if handlers:
                yield _made(modules, source, EntryKind.CLI, "command", name, handlers[-1], LOCAL)
        elif link.name == "action" and link.arguments and _is_handler(link.arguments[0]):
            yield _made(modules, source, EntryKind.CLI, "command", name or source.path, link.arguments[0], LOCAL)


def _tool(modules: Modules, source: Source, chain: Chain, packages: tuple[str, ...]) -> Iterator[EntryPoint]:
    """`server.tool(name, schema, handler)`, `setRequestHandler(CallToolRequestSchema, handler)`, `addTool({ execute })`."""
    link = chain.links[-1]
    if link.name not in _OFFERING or not link.arguments or not any(name.startswith(_TOOLS) for name in packages):
        return
    last = link.arguments[-1]
    handler = entry(source, last, "execute") if last.type == "object" else last
    if handler is not None and _is_handler(handler):
        name = known_text(source, link.arguments[0]) or source.text(link.arguments[0], 80)
        made = _made(modules, source, EntryKind.RPC, TOOL, name, handler, _MODEL)
        yield replace(made, framework=AGENT_TOOL)


def _hapi(modules: Modules, source: Source, chain: Chain, packages: tuple[str, ...]) -> Iterator[EntryPoint]:
    """`server.route({ method, path, handler, options: { auth } })`; a strategy set as default is not followed."""
    link = chain.links[-1]
    if link.name != "route" or not link.arguments or not any("hapi" in name for name in packages):
        return
    options = link.arguments[0]
    listed = options.named_children if options.type == "array" else [options]
    for each in listed[:500]:
        path, handler = known_text(source, entry(source, each, "path")), entry(source, each, "handler")
        if path is None:
            continue
        settings = entry(source, each, "options") or entry(source, each, "config")
        auth = entry(source, settings, "auth") if settings is not None else None
        handler = handler or (entry(source, settings, "handler") if settings is not None else None) or each
        if auth is None:
            verdict = unknown(source.path, link.line, "a default strategy may apply")
        elif source.text(auth) == "false":
            verdict = OPEN
        else:
            verdict = present(source.path, link.line, source.text(auth, 60), f"auth {source.text(auth, 60)}")
        where, line, name, _ = handler_of(modules, source, handler)
        for method in texts(source, entry(source, each, "method")) or ("ANY",):
            shown = "ANY" if method == "*" else method.upper()
            yield EntryPoint(EntryKind.HTTP, shown, path, at(where.path, line), name, "Hapi", *verdict.parts)


def _mains(modules: Modules) -> Iterator[EntryPoint]:
    """Programs that a manifest names, files with an interpreter line, files that test whether they are the main one."""
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
        line = first.start_point[0] + 1 if first is not None else 1
        yield EntryPoint(kind, "script", name, at(source.path, line), "<module>", "", *LOCAL.parts)


def _declared(modules: Modules) -> Iterator[tuple[str, tuple[str, EntryKind]]]:
    for file in modules.corpus.project.survey.files:
        folder, _, name = file.path.rpartition("/")
        if name != "package.json" or file.test or file.size > MAX_MANIFEST:
            continue
        try:
            parsed: object = parsed_json(modules.corpus.project.text(file.path))
        except (CounterproofError, ValueError):
            continue  # a broken manifest is reported where manifests are read
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
