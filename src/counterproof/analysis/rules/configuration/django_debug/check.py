"""The callback of the debug toolbar."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.settings import entry_of, is_django_settings, setting
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Function


def toolbar(project: Project, path: str) -> Iterator[Match]:
    """Find callbacks of the debug toolbar that let the request itself turn it on."""
    codebase, outline = opened(project, path)
    callback = entry_of(setting(outline, "DEBUG_TOOLBAR_CONFIG"), "SHOW_TOOLBAR_CALLBACK")
    if callback is None or not is_django_settings(codebase, path):
        return
    name = text_of(callback)
    found = codebase.define(name, outline.path) if name else codebase.meaning(outline, callback)
    if not found or not isinstance(found.node, Function) or found.path != outline.path:
        return
    site, said = Site(found.node, found.node, None), words_in(*found.node.body)
    if said & {"get", "post", "cookies", "headers", "meta"} and not said & {"debug_mode", "addr", "user"}:
        yield bad(site, "SHOW_TOOLBAR_CALLBACK", "a request can turn the debug toolbar on")
    else:
        yield good(site, "SHOW_TOOLBAR_CALLBACK", "a request alone cannot turn the debug toolbar on")
