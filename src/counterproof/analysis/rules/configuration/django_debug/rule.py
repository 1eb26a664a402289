"""Django debug pages or debug toolbar open to everyone.

## What it finds
`DEBUG = True` in a Django settings module, also as the default of an environment lookup, and a debug toolbar whose callback
lets a request parameter or cookie turn it on.

## Why it matters
With `DEBUG` on, every error page shows settings, local variables and the SQL that ran. The toolbar shows the same on pages
without errors.

## What is safe
`DEBUG = False`, a value from the environment that is off by default, and settings modules named for development or tests.

## Limits
Whether another settings module overrides the value in production is not determined. A production settings file takes
precedence only if it is the file that is loaded.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.patterns import Bad, Matching, Settings
from counterproof.analysis.config.places import Place, on
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.settings import entry_of, is_django_settings, setting
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Function
from counterproof.analysis.syntax.walk import last_name


def _is_on(at: Place) -> bool:
    """Return True unless the setting is assigned again later, is conditional, or is in development settings."""
    named = (each for each in at.outline.of(Assign) if each.owner is None and "DEBUG" in map(last_name, each.node.targets))
    later = any(each.line > at.site.line and not each.tests and each.function is None for each in named)
    return bool(at.switch().on) and not later and not at.development and not at.site.tests


def _toolbar(project: Project, path: str) -> Iterator[Match]:
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


RULE = CheckRule(
    title="Django debug pages enabled",
    kind="debug",
    cwe=215,
    severity=Severity.MEDIUM,
    consequence="Error pages show settings, local variables and queries to anyone who causes an error.",
    remedy="Set DEBUG to False and let the environment turn it on for development.",
    check=Matching(
        Settings(
            ("DEBUG",),
            only=lambda at: at.django and at.setting is not None and at.setting.form == "name" and at.setting.owner is None,
            bad=(
                Bad(lambda at: _is_on(at) and on(at), "on"),
                Bad(_is_on, "on unless the environment turns it off", Confidence.MEDIUM),
            ),
            good="off, decided at run time, for development, under a condition, or set again further down",
        ),
        also=_toolbar,
    ),
    query="DEBUG and debug toolbar in Django settings",
    in_tests=True,
)
