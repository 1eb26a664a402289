"""Middleware as a guard for everything behind it: the project's own by its code, known ones by name, others unknown."""

from counterproof.analysis.endpoints.denial import hook_verdict
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest, unknown
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Call, Class, Expr, Function

_NEUTRAL = (
    "CORSMiddleware", "GZipMiddleware", "BrotliMiddleware", "TrustedHostMiddleware", "HTTPSRedirectMiddleware",
    "SessionMiddleware", "ProxyHeadersMiddleware", "PrometheusMiddleware", "SentryAsgiMiddleware",
    "SentryMiddleware", "CorrelationIdMiddleware",
    "SlowAPIMiddleware", "ServerErrorMiddleware", "ExceptionMiddleware", "RequestIDMiddleware", "session_middleware",
    "normalize_path_middleware", "OpenTelemetryMiddleware",
)  # fmt: skip
_STARLETTE = "starlette.middleware.authentication.AuthenticationMiddleware"
"""Identifies the caller and rejects no anonymous one."""
_METHODS = ("dispatch", "__call__", "process_request", "process_resource")


def middleware_verdict(codebase: Codebase, outline: Outline, value: Expr | None, function: Function | None) -> Verdict:
    """The verdict of a middleware, given as an expression or as the function itself."""
    if function is not None:
        return hook_verdict(codebase, outline, function)
    if value is None:
        return OPEN
    found = codebase.meaning(outline, value)
    if found and isinstance(found.node, Call):
        made = codebase.meaning(found.outline, found.node.callee)
        dotted = found.outline.dotted(found.node.callee)
        return _read(codebase, found.outline, made, dotted, value.line)
    return _read(codebase, outline, found, outline.dotted(value), value.line)


def _read(codebase: Codebase, outline: Outline, found: Definition | None, dotted: str, line: int) -> Verdict:
    if found and isinstance(found.node, Function):
        inner = [each for each in found.outline.module.functions if each.qualified.startswith(found.node.qualified + ".")]
        return strongest(hook_verdict(codebase, found.outline, each) for each in (found.node, *inner))
    if found and isinstance(found.node, Class):
        methods = [method for name in _METHODS if (method := codebase.method(found, name))]
        return strongest(hook_verdict(codebase, *method) for method in methods)
    if dotted.rpartition(".")[2] in _NEUTRAL or dotted == _STARLETTE:
        return OPEN
    return unknown(outline.path, line, f"middleware {dotted or 'value'} could not be read")
