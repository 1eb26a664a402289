"""Remote calls: gRPC servicers, XML-RPC registrations, JSON-RPC methods, GraphQL resolvers, cloud functions."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry
from counterproof.analysis.endpoints.routed import handled, own_guards
from counterproof.analysis.endpoints.verdict import strongest, unplaced
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import decorator_names, last_parts
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function
from counterproof.model.recon import EntryKind, EntryPoint

_JSON_RPC = names("route", "json-rpc-method")
_CODE_FIRST = names("graphql", "resolver-decorator")
"""Decorators that turn a method into a resolver."""

_SCHEMA_FIRST = names("graphql", "resolver-object")
"""Objects whose `field("name")` turns a function into a resolver."""

_CLOUD = ("functions_framework.http", "functions_framework.cloud_event")
_SERVICER = "Servicer"
_BINDING = ("field", "source")
_REGISTERING = ("register_function", "register_instance")
_GRAPHQL = names("graphql", "base")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in having(codebase, _may_serve):
        for each in outline.module.classes:
            yield from _class(codebase, outline, each)
        for function in outline.module.functions:
            yield from _function(codebase, outline, function)
        for site in outline.of(Call):
            yield from _registered(codebase, outline, site)


@trait("remote calls")
def _may_serve(outline: File) -> bool:
    bases = (outline.dotted(base) for each in outline.module.classes for base in each.bases)
    if any(base.endswith(_SERVICER) or base in _GRAPHQL for base in bases):
        return True
    if not last_parts((*_JSON_RPC, *_CODE_FIRST, *_CLOUD, *_BINDING)).isdisjoint(decorator_names.tell(outline)):
        return True
    return any(map(_is_invoked, outline.module.functions)) or any(outline.calls_of(name) for name in _REGISTERING)


def _is_invoked(function: Function) -> bool:
    names = [parameter.name for parameter in function.parameters]
    return function.name in ("lambda_handler", "handler") and names[:2] == ["event", "context"]


def _class(codebase: Codebase, outline: Outline, owner: Class) -> Iterator[EntryPoint]:
    bases = [codebase.name(outline, base) for base in owner.bases]
    if any(base.endswith(_SERVICER) for base in bases):
        for name, function in outline.methods(owner).items():
            if not name.startswith("_"):
                yield _rpc(codebase, outline, function, "grpc", f"{owner.name}/{name}", "gRPC")
    elif any(base in _GRAPHQL for base in bases):
        for name, function in outline.methods(owner).items():
            if name.startswith("resolve_") or name in ("mutate", "mutate_and_get_payload"):
                yield _rpc(codebase, outline, function, "graphql", f"{owner.name}.{name}", "graphene")


def _function(codebase: Codebase, outline: Outline, function: Function) -> Iterator[EntryPoint]:
    if _is_invoked(function):
        yield _rpc(codebase, outline, function, "invoke", function.name, "AWS Lambda")
    for decorator in function.decorators:
        value = decorator.value
        dotted = codebase.name(outline, value.callee if isinstance(value, Call) else value)
        if dotted in _JSON_RPC:
            yield _rpc(codebase, outline, function, "json-rpc", function.name, "JSON-RPC")
        elif dotted in _CODE_FIRST:
            yield _rpc(codebase, outline, function, "graphql", function.qualified, "strawberry")
        elif _is_bound(codebase, outline, value):
            yield _rpc(codebase, outline, function, "graphql", function.name, "ariadne")
        elif dotted in _CLOUD:
            yield _rpc(codebase, outline, function, "invoke", function.name, "Cloud Functions")


def _is_bound(codebase: Codebase, outline: Outline, value: Expr) -> bool:
    """`@query.field("name")` on an object of the schema."""
    if not isinstance(value, Call) or not isinstance(value.callee, Attribute) or value.callee.name not in _BINDING:
        return False
    return codebase.constructor(outline, value.callee.value) in _SCHEMA_FIRST


def _rpc(codebase: Codebase, outline: Outline, function: Function, method: str, path: str, framework: str) -> EntryPoint:
    """The verdict is never absent: interceptors and gateways may check callers outside the code."""
    doubt = unplaced(outline.path, function.line, "an interceptor or gateway could guard it")
    verdict = strongest((own_guards(codebase, outline, function), doubt))
    return entry(EntryKind.RPC, method, path, handled(outline, function), framework, verdict)


def _registered(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
    callee = site.node.callee
    if not isinstance(callee, Attribute) or callee.name not in _REGISTERING:
        return
    if not any("rpc" in name.lower() for name in outline.module.imports.values()):
        return  # databases register functions, too
    target = argument(site.node, 0, "function" if callee.name == "register_function" else "instance")
    found = codebase.meaning(outline, target, site.function) if target is not None else None
    if found and isinstance(found.node, Function):
        name = text_of(positional(site.node, 1)) or found.node.name
        yield _rpc(codebase, found.outline, found.node, "xml-rpc", name, "XML-RPC")
    elif found and isinstance(found.node, Call):
        owner = codebase.meaning(found.outline, found.node.callee)
        yield from _methods(codebase, owner)


def _methods(codebase: Codebase, owner: Definition | None) -> Iterator[EntryPoint]:
    if owner and isinstance(owner.node, Class):
        for name, function in owner.outline.methods(owner.node).items():
            if not name.startswith("_"):
                yield _rpc(codebase, owner.outline, function, "xml-rpc", name, "XML-RPC")


CONVENTION = Convention("gRPC", ("grpcio",), ("grpc",), _find)
