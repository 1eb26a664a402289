"""The check of `pickled-input`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.libraries import sinks
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import called, calls_in, positional
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Call, Expr, Function, Name

_REBUILDING = tuple(each.call for each in sinks("deserialisation") if each.call.endswith(".loads"))
_ARRIVING = (
    "b64decode", "urlsafe_b64decode", "standard_b64decode", "b32decode", "decodebytes", "decodestring", "recv", "recvfrom",
)  # fmt: skip
_IMPORTING = ("importlib.import_module", "__import__")
_LOADING = vocabulary("load loads hook decode decoder deserialize deserialise unpack unserialize restore rebuild from")
"""Name words of functions that deserialize data."""
_SIGNED = vocabulary("hmac signature sig signed signer unsign verify digest compare lscmp decrypt fernet authkey")


def check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    signed: dict[str, bool] = {}
    for site in outline.of(Call):
        given = positional(site.node, 0)
        if outline.dotted(site.node.callee) not in _REBUILDING or given is None or site.function is None:
            continue
        if not _arrives(outline, site, given) or handles_route(site.function):
            continue
        if site.scope not in signed:
            signed[site.scope] = any(set(words(name)) & _SIGNED for name in names_in(*site.function.body))
        if not signed[site.scope]:
            yield bad(site, "rebuilt object", "the text was decoded or received right before", Confidence.MEDIUM)
    yield from _given(project, path, signed)


def _given(project: Project, path: str, signed: dict[str, bool]) -> Iterator[Match]:
    """Values that a package deserializes from its parameters: queue messages, cache files, models."""
    outline = installed_outline(project, path)
    if outline is None:
        return
    yield from _named(outline)
    for site, given in open_sinks(outline, "deserialisation", Language.PYTHON):
        function = site.function
        if function is None or _arrives(outline, site, given) or is_asked_about(outline, site, given):
            continue
        own = signed.get(site.scope, False) or any(called(each) in ("dumps", "dump") for each in calls_in(*function.body))
        held = not own and OpenValues(outline, site).raw(given)
        if held:
            yield bad(site, "rebuilt object", f"built from {held} without a check", Confidence.MEDIUM, severity=Severity.LOW)


def _named(outline: Outline) -> Iterator[Match]:
    """`getattr(import_module(data["module"]), data["class"])`: the data chooses the class."""
    for site in outline.of(Call):
        owner, name = positional(site.node, 0), positional(site.node, 1)
        if outline.dotted(site.node.callee) != "getattr" or owner is None or name is None or not _reads_data(site.function):
            continue
        if isinstance(owner, Name) and (assigned := outline.local(site.function, owner.id)) is not None:
            owner = assigned.value
        module = positional(owner, 0) if isinstance(owner, Call) and outline.dotted(owner.callee) in _IMPORTING else None
        values = OpenValues(outline, site)
        if module is None or is_asked_about(outline, site, module, name):
            continue
        if (found := values.raw(module)) and values.raw(name):
            yield bad(site, "rebuilt object", f"its class is chosen by {found}", Confidence.MEDIUM, severity=Severity.LOW)


def _reads_data(function: Function | None) -> bool:
    return function is not None and bool(set(words(function.name)) & _LOADING)


def _arrives(outline: Outline, site: Site[Call], given: Expr) -> bool:
    return any(called(call) in _ARRIVING for call in calls_in(outline.behind(site.function, given)))
