"""The standard library's servers: `do_GET` of request handlers, `handle` of socket servers, WSGI callables passed to a server."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry
from counterproof.analysis.endpoints.routed import handled, own_guards
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import with_kin
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import laid_out, told, trait
from counterproof.analysis.program.traversal import positional
from counterproof.analysis.syntax.ir import Call, Class, Function
from counterproof.model.recon import EntryKind, EntryPoint

_HTTP = ("BaseHTTPRequestHandler", "SimpleHTTPRequestHandler", "CGIHTTPRequestHandler")
_SOCKET = ("socketserver.BaseRequestHandler", "socketserver.StreamRequestHandler", "socketserver.DatagramRequestHandler")
_SERVERS = ("make_server", "run_simple", "serve", "run_server", "WSGIServer", "WSGIContainer")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    listening = with_kin(codebase, (*_HTTP, *_SOCKET)) | told(codebase, _takes_environment).keys()
    for outline in laid_out(codebase, (path for path in codebase.paths if path in listening)):
        for each in outline.module.classes:
            found = Definition(outline, each)
            foreign = codebase.ancestry(found).foreign if each.bases else ()
            if any(name.rpartition(".")[2] in _HTTP for name in foreign):
                yield from _requests(codebase, outline, each)
            elif any(name in _SOCKET for name in foreign) and (handle := outline.methods(each).get("handle")):
                own = own_guards(codebase, outline, handle)
                yield entry(EntryKind.RPC, "socket", each.name, handled(outline, handle), "socketserver", own)
        yield from _wsgi(codebase, outline)


def _requests(codebase: Codebase, outline: Outline, owner: Class) -> Iterator[EntryPoint]:
    for name, function in outline.methods(owner).items():
        if name.startswith("do_"):
            own = own_guards(codebase, outline, function)
            yield entry(EntryKind.HTTP, name[3:].upper(), "*", handled(outline, function), "http.server", own)


def _wsgi(codebase: Codebase, outline: Outline) -> Iterator[EntryPoint]:
    """A function of (environ, start_response), if it is named `application` or passed to a server."""
    candidates = [each for each in outline.module.functions if _is_application(each)]
    if not candidates:
        return
    served = {
        codebase_name.node.qualified
        for site in outline.of(Call)
        if outline.dotted(site.node.callee).rpartition(".")[2] in _SERVERS
        for argument in (positional(site.node, index) for index in range(3))
        if argument is not None and (codebase_name := codebase.meaning(outline, argument, site.function))
        if isinstance(codebase_name.node, Function)
    }
    for function in candidates:
        if function.name in ("application", "app", "wsgi_app") or function.qualified in served:
            own = own_guards(codebase, outline, function)
            yield entry(EntryKind.HTTP, "ANY", "*", handled(outline, function), "WSGI", own)


def _is_application(function: Function) -> bool:
    names = tuple(parameter.name for parameter in function.parameters)[-2:]
    return names == ("environ", "start_response") and not function.owner


@trait("applications of WSGI")
def _takes_environment(outline: Outline) -> bool:
    return any(_is_application(each) for each in outline.module.functions)


CONVENTION = Convention("http.server", (), ("http.server", "socketserver", "wsgiref"), _find)
