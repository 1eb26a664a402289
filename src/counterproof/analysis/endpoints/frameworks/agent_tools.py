"""Tools that language models call: MCP servers, and the function registries of agent frameworks.

The model chooses the arguments, so anyone whose text the model reads can influence them.

Invariant: a tool is recognised only in a file that imports such a library, or if such a library created its server. Not handled
here: which programs a tool may run.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, Handler, entry, handler_of
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import unplaced
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function
from counterproof.model.recon import TOOL, EntryKind, EntryPoint

FRAMEWORK = "Agent tool"
_PACKAGES = names("agent", "package")
_SERVERS = names("agent", "server")
_DECORATORS = names("agent", "tool-decorator")
_METHODS = frozenset(names("agent", "tool-method"))
_REGISTERING = names("agent", "tool-registration")
_BASES = names("agent", "tool-base")
_RUN = frozenset({"_run", "_arun", "run", "arun", "forward", "execute", "call", "invoke"})
"""Methods that run a tool written as a class."""


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in codebase.outlines():
        near = any(f"{name}.".startswith(_PACKAGES) for name in outline.module.imports.values())
        for function in outline.module.functions:
            if any(_makes_tool(codebase, outline, each.value, near=near) for each in function.decorators):
                yield _entry(handled(outline, function), function.name)
        if near:
            for each in outline.module.classes:
                yield from _class(outline, each)
            for site in outline.of(Call):
                yield from _registered(codebase, outline, site)


def _makes_tool(codebase: Codebase, outline: Outline, decorator: Expr, *, near: bool) -> bool:
    """`@mcp.tool()`, `@server.call_tool()`, `@tool`."""
    callee = decorator.callee if isinstance(decorator, Call) else decorator
    if codebase.name(outline, callee) in _DECORATORS:
        return True
    if not isinstance(callee, Attribute) or callee.name not in _METHODS:
        return False
    return near or codebase.constructor(outline, callee.value) in _SERVERS


def _class(outline: Outline, owner: Class) -> Iterator[EntryPoint]:
    if any(outline.dotted(base) in _BASES for base in owner.bases):
        for name, function in outline.methods(owner).items():
            if name in _RUN:
                yield _entry(handled(outline, function), owner.name)


def _registered(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
    """`server.add_tool(read)`, `StructuredTool.from_function(func=read)`, `mcp.tool()(read)`."""
    if not _registers(outline, site.node.callee):
        return
    for each in site.node.arguments:
        found = codebase.meaning(outline, each.value, site.function) if text_of(each.value) is None else None
        if found is not None and isinstance(found.node, Function):
            yield _entry(handler_of(found, outline, each.value), found.node.name)


def _registers(outline: Outline, callee: Expr) -> bool:
    if outline.dotted(callee) in _REGISTERING:
        return True
    inner = callee.callee if isinstance(callee, Call) else callee
    return isinstance(inner, Attribute) and (inner.name == "add_tool" or (inner is not callee and inner.name in _METHODS))


def _entry(handler: Handler, name: str) -> EntryPoint:
    said = unplaced(handler.outline.path, handler.node.line, "whoever writes what the model reads")
    return entry(EntryKind.RPC, TOOL, name, handler, FRAMEWORK, said)


CONVENTION = Convention(FRAMEWORK, ("mcp", "fastmcp"), tuple(each.rstrip(".") for each in _PACKAGES), _find)
