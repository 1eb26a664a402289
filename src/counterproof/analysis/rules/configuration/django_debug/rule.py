"""Django's debug pages or debug toolbar open to everyone.

## What it finds
`DEBUG = True` in a Django settings module, also as the default of an environment look-up, and a debug toolbar whose callback
lets a request parameter or cookie switch it on.

## Why it matters
With `DEBUG` on every error page shows settings, local variables and the SQL that ran. The toolbar shows the same for pages
that work.

## What is safe
`DEBUG = False`, a value from the environment that is off by default, and settings modules named for development or tests.

## Limits
Whether another settings module overrides the value in production is not decided; the file that is named for production wins
only if it is the one that is read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development
from counterproof.analysis.config.values import switch
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import entry_of, is_django_settings, setting
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Function
from counterproof.analysis.syntax.walk import last_name


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    if not is_django_settings(codebase, path):
        return
    named = [site for site in outline.of(Assign) if site.owner is None and "DEBUG" in map(last_name, site.node.targets)]
    certain = [site.line for site in named if not site.tests and site.function is None]
    for site in named:
        if site.line in certain[:-1]:
            yield good(site, "DEBUG", "set again further down")
        else:
            yield _judged(codebase, outline, site)
    yield from _toolbar(codebase, outline)


def _judged(codebase: Codebase, outline: Outline, site: Site[Assign]) -> Match:
    found = switch(codebase, outline, site.node.value, site.function)
    if not found.on:
        return good(site, "DEBUG", "off" if found.on is False else "decided at run time")
    if for_development(outline, None) or site.tests:
        return good(site, "DEBUG", "on, in settings for development or under a condition")
    if found.certain:
        return bad(site, "DEBUG", "on")
    return bad(site, "DEBUG", "on unless the environment switches it off", Confidence.MEDIUM)


def _toolbar(codebase: Codebase, outline: Outline) -> Iterator[Match]:
    callback = entry_of(setting(outline, "DEBUG_TOOLBAR_CONFIG"), "SHOW_TOOLBAR_CALLBACK")
    if callback is None:
        return
    name = text_of(callback)
    found = codebase.define(name, outline.path) if name else codebase.meaning(outline, callback)
    if not found or not isinstance(found.node, Function) or found.path != outline.path:
        return
    site = Site(found.node, found.node, None)
    steered = words_in(*found.node.body) & {"get", "post", "cookies", "headers", "meta"} and not words_in(*found.node.body) & {
        "debug_mode",
        "addr",
    }
    if steered and "user" not in words_in(*found.node.body):
        yield bad(site, "SHOW_TOOLBAR_CALLBACK", "the request itself switches the debug toolbar on")
    else:
        yield good(site, "SHOW_TOOLBAR_CALLBACK", "the request alone does not switch the debug toolbar on")


RULE = CheckRule(
    title="Django debug pages enabled",
    kind="debug",
    cwe=215,
    severity=Severity.MEDIUM,
    consequence="Error pages show settings, local variables and queries to anyone who causes an error.",
    remedy="Set DEBUG to False and let the environment switch it on for development.",
    check=_check,
    query="DEBUG and debug toolbar in Django settings",
    in_tests=True,
)
