"""What the web frameworks of JavaScript hand to their handlers.

Always holds: a handler gets its request and its answer by position, as its framework documents it, whatever it calls them.
Does not belong here: finding routes, and frameworks whose handlers get single values (NestJS).
"""

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import INTERNAL, Value, external
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.model.recon import EntryKind, EntryPoint

RESPONSE = "http.ServerResponse()"
SINGLE_VALUES = frozenset({"NestJS", "Next.js", "SvelteKit", "GraphQL"})
_CALLERS = vocabulary("user account auth session principal claims jwt identity tenant actor profile member")
_SENT = vocabulary(
    "body query param params header headers cookie cookies file files uploaded upload arg args payload message req request ip "
    "host raw data field fields input dto form part multipart filter filters page pagination sort search"
)
"""Words of decorators that hand over a part of what was sent. What a project's own ones give else was put onto the request."""
KOA = "koa.Context()"
REPLY = "fastify.FastifyReply()"
"""Sends texts as plain texts and objects as JSON, unless it is told otherwise."""


def filled_by_the_program(parameter: ir.Parameter) -> bool:
    """`@CurrentUser("id") id`, `@GetSpace() space`: decorators that give what the program found out, which no sender chooses."""
    said = frozenset(words(parameter.decorator))
    return bool(said & _CALLERS) or bool(said and not said & _SENT)


def is_whole_request(parameter: ir.Parameter) -> bool:
    """`@Req() req`."""
    return parameter.decorator in ("Req", "Request")


def handed(framework: str, parameters: int) -> list[Value]:
    """What a handler with so many parameters is called with."""
    alone = {"Koa": KOA, "Hono": "hono.Context()", "Hapi": REQUEST}.get(framework)
    if alone is not None:
        return [external(alone), INTERNAL]
    if framework == "Fastify":
        return [external(REQUEST), external(REPLY), INTERNAL]
    pair = [external(REQUEST), external(RESPONSE), INTERNAL]
    return [INTERNAL, *pair] if parameters == 4 else pair


def by_position(info: FunctionInfo, entries: list[EntryPoint]) -> dict[int, Value] | None:
    """The arguments of a handler of one of these frameworks; None for everything else."""
    first = next((each for each in entries if each.kind is EntryKind.HTTP), None)
    if first is None or not info.module.name.startswith("/") or first.framework in SINGLE_VALUES or _is_inner(info):
        return None
    own = 1 if info.owner is not None and not info.is_static else 0
    given = handed(first.framework, len(info.node.parameters) - own)
    return {position + own: value for position, value in enumerate(given) if position + own < len(info.node.parameters)}


def _is_inner(info: FunctionInfo) -> bool:
    """Whether the function only begins on the line of the handler that it stands in."""
    around, line = info.node.within, info.node.line
    return bool(around) and any(each.qualified == around and each.line == line for each in info.module.functions)


def known_by_route(info: FunctionInfo, entries: list[EntryPoint]) -> dict[int, str]:
    """What the parameters of a handler are, whatever they are called, by position; nothing where there is only one, because
    a function of one parameter beside a route may be anything."""
    given = by_position(info, entries) if len(info.node.parameters) > 1 else None
    return {position: value.path for position, value in (given or {}).items() if value.path}
