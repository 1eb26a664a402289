"""The check of `open-listening`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.syntax.ir import Argument, Assign, Call, Expr

_EVERYWHERE = ("0.0.0.0", "::", "[::]")  # noqa: S104 - what is looked for
_HOST = vocabulary("host hostname bind address addr interface listen ip")
_LISTENING = vocabulary("listen serve bind run createServer create_server start_server TCPServer HTTPServer WSServer")


def check(project: Project, path: str) -> Iterator[Match]:
    named = (f"{each}{quote}" in project.text(path) for each in _EVERYWHERE for quote in "\"'")
    outline = installed_outline(project, path) if any(named) else None
    if outline is None:
        return
    for site in outline.of(Call):
        if any(_is_everywhere(each.value) and _is_host(site.node, each) for each in site.node.arguments):
            yield _told(site)
    for assigned in outline.of(Assign):
        value = assigned.node.value
        named = {word for each in names_in(*assigned.node.targets) for word in words(each)}
        if value is not None and _is_everywhere(value) and named & _HOST:
            yield _told(assigned)
    yield from _defaults(outline)


def _defaults(outline: Outline) -> Iterator[Match]:
    for function in outline.functions.values():
        if any(each.default is not None and _is_everywhere(each.default) for each in function.parameters):
            verdict = "every address unless told otherwise"
            yield Match(function.line, function.line, "listening address", verdict, True, Confidence.MEDIUM, function.qualified)


def _told(site: Site[Call] | Site[Assign]) -> Match:
    return bad(site, "listening address", "every address", Confidence.MEDIUM)


def _is_everywhere(value: Expr) -> bool:
    return text_of(value) in _EVERYWHERE


def _is_host(call: Call, given: Argument) -> bool:
    """`listen(port, "0.0.0.0")`, `run(host="0.0.0.0")`, `add_argument("--host", default="0.0.0.0")`, `getenv("HOST", …)`."""
    beside = {word for each in call.arguments for word in words((text_of(each.value) or "").strip("-"))}
    return bool((set(words(given.keyword)) | beside) & _HOST) or called(call) in _LISTENING
