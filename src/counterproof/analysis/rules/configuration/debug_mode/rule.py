"""Debug mode of a web server left on.

## What it finds
`app.run(debug=True)`, `app.debug = True`, `DEBUG` or `debug` set to true in a Flask, FastAPI, Starlette, aiohttp or Tornado
application, and `use_debugger=True`. A switch that the environment sets is judged by its default.

## Why it matters
Debug servers show source, variables and stack traces to whoever causes an error. Flask's debugger runs code that is typed
into the browser.

## What is safe
`debug=False`, no switch at all, or a switch from the environment that is off by default. Settings modules and classes whose
name says that they are for development or tests are judged as such, and so is a default that a class for production switches off.

## Limits
Command line switches and environment variables of the deployment are not seen. Django's `DEBUG` has its own rule.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import Setting, for_development, is_told_to_application, settings_of
from counterproof.analysis.config.values import Switch, switch
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings
from counterproof.analysis.program.spread import given
from counterproof.analysis.program.traversal import positional
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Call, Const, Expr, Name
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.survey import FileRole

_WEB = names("framework", "debug-setting")
_ASKING = vocabulary("debug debugging dev develop development")
_APPLICATIONS = names("framework", "debug-option")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    if is_django_settings(codebase, path):
        return
    for site in outline.of(Call):
        value = given(codebase, outline, site, "use_debugger") if _is_start(outline, site) else None
        value = value if value is not None else _said(codebase, outline, site)
        if value is not None:
            found = switch(codebase, outline, value, site.function)
            slight = Severity.LOW if _by_hand(project, outline, site) else None
            yield from (replace(each, severity=slight) for each in _judged(site, "debug", found))
    for setting in settings_of(outline, frozenset({"DEBUG", "debug"})):
        if _is_switch(codebase, outline, setting):
            found = switch(codebase, outline, setting.value, setting.function)
            yield from _setting(outline, setting, found)


def _by_hand(project: Project, outline: Outline, site: Site[Call]) -> bool:
    """Below `if __name__ == "__main__"` in a file that nothing which ships starts: its developers do."""
    main = any(isinstance(node, Name) and node.id == "__name__" for test in site.tests for node in walk(test))
    name = outline.path.rpartition("/")[2]
    said = (file.path for file in project.survey.files if file.language is None and file.role is not FileRole.DOCUMENTATION)
    return main and not any(name in project.text(path) for path in said if not path.endswith((".md", ".rst", ".txt")))


def _said(codebase: Codebase, outline: Outline, site: Site[Call]) -> Expr | None:
    """`app.run(debug=True)`, `app.run(**options)`, `bottle.debug(True)`."""
    if outline.dotted(site.node.callee) == "bottle.debug":
        return positional(site.node, 0)
    return given(codebase, outline, site, "debug") if _takes_debug(outline, site) else None


def _is_start(outline: Outline, site: Site[Call]) -> bool:
    return outline.dotted(site.node.callee).rpartition(".")[2] in ("run", "run_simple", "run_app", "run_server", "socketio")


def _takes_debug(outline: Outline, site: Site[Call]) -> bool:
    dotted = outline.dotted(site.node.callee)
    if dotted in _APPLICATIONS:
        return True
    receiver = set(words(dotted.rpartition(".")[0]))
    return _is_start(outline, site) and bool(
        receiver & {"app", "application", "server", "socketio", "api", "web", "serving", "uvicorn", "hypercorn", *_WEB}
    )


def _is_switch(codebase: Codebase, outline: Outline, setting: Setting) -> bool:
    """Upper-case settings count in web projects; lower-case ones only on an application or in Tornado's settings."""
    web = any(name.partition(".")[0] in _WEB for name in outline.module.imports.values())
    if setting.name == "DEBUG":
        in_class = setting.form == "name" and setting.owner is not None and "config" in setting.owner.name.lower()
        told = is_told_to_application(codebase, outline, setting.owner) and setting.form == "name"
        forms = ("index", "keyword", "name") if _is_number(setting.value) else ("index", "keyword", "name", "entry")
        return in_class or told or (web and setting.form in forms)
    tornado = any(name.startswith("tornado") for name in outline.module.imports.values())
    return (setting.form in ("entry", "keyword") and tornado) or (setting.form == "attribute" and web)


def _is_number(value: Expr) -> bool:
    """`{"INFO": 20, "DEBUG": 10}` tells levels of a log."""
    return isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool)


def _setting(outline: Outline, setting: Setting, found: Switch) -> Iterator[Match]:
    if found.on and for_development(outline, setting.owner):
        yield good(setting.site, setting.name, "on, in settings for development")
    elif found.on and _off_in_production(outline, setting):
        yield good(setting.site, setting.name, "on by default, and off in the settings for production")
    else:
        yield from _judged(setting.site, setting.name, found)


def _off_in_production(outline: Outline, setting: Setting) -> bool:
    """Whether a class for production that derives from this one switches it off."""
    owner = setting.owner.name if setting.owner is not None else ""
    derived = [each for each in outline.module.classes if owner and owner in {last_name(base) for base in each.bases}]
    return any(
        "prod" in each.name.lower() and isinstance(value := outline.attributes(each).get(setting.name), Const) and not value.value
        for each in derived
    )


def _asked_for(site: Site[Any]) -> bool:
    """`if settings.debug: app.run(debug=True)`; the other arm of `if not debug` and the like are not told apart."""
    return any(words_in(test) & _ASKING for test in site.tests)


def _judged(site: Site[Any], item: str, found: Switch) -> Iterator[Match]:
    if found.on and _asked_for(site):
        yield good(site, item, "debug mode is on where it was asked for")
    elif found.on and found.certain:
        yield bad(site, item, "debug mode is on")
    elif found.on:
        yield bad(site, item, "debug mode is on unless the environment switches it off", Confidence.MEDIUM)
    elif found.on is False:
        yield good(
            site, item, "debug mode is off" if found.certain else "debug mode is off unless the environment says otherwise"
        )
    else:
        yield good(site, item, "debug mode is decided at run time")


RULE = CheckRule(
    title="Debug mode enabled",
    kind="debug",
    cwe=489,
    severity=Severity.MEDIUM,
    impact=Impact.FULL,
    consequence="Errors show source and variables to anyone; an interactive debugger can run code on the server.",
    remedy="Leave debug mode off by default and switch it on for development through the environment.",
    check=_check,
    query="debug switches of web applications",
    in_tests=True,
)
