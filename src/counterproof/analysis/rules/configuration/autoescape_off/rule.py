"""Templates that do not escape what they print.

## What it finds
`autoescape=False` (or None) for Jinja and Tornado templates, `jinja_env.autoescape = False`, an `Environment` without autoescape
in a module that serves web pages or in a function that makes HTML by its name, Mako's `TemplateLookup` without a filter that
escapes in such a module, and `"autoescape": False` in Django's template options. In scripts: `autoescape: false` for Swig and
Nunjucks, `noEscape: true` for Handlebars.

## Why it matters
Autoescape is what keeps data from turning into markup. Without it every variable in every template is a possible place for
cross-site scripting. It is a setting, so it is reported under D8; its effect is that of CWE-79.

## What is safe
`autoescape=True`, `select_autoescape(…)`, and environments that render something other than web pages. In scripts the default of
these engines.

## Limits
Templates that switch escaping off for a block are not read here. Pages of scripts are not looked into: one that escapes by hand
is reported too.
"""

import re
from collections.abc import Iterator
from typing import Any

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names, serves_requests
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import calls_in, keyword, spreads, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Const, Mapping, Name, Sequence
from counterproof.analysis.syntax.walk import walk

_ENVIRONMENTS = names("template", "environment")
_MAKO = "mako.lookup.TemplateLookup"
_ESCAPING = frozenset({"h", "html_escape", "escape"})
_OTHER_TEXT = vocabulary("text texts txt plain sql yaml mail mails email latex code codegen")


_MADE_FROM = re.compile(r"\.(?:j2|jinja2?|template|tmpl|tpl|in)$")
_DELIMITERS = ("variable_start_string", "block_start_string")
_TEXT_FILES = (".cfg", ".txt", ".conf", ".ini", ".yml", ".yaml", ".toml", ".py", ".sql", ".md", ".tex", ".sh", ".json", ".csv")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        given = keyword(site.node, "autoescape")
        if given is not None and Purpose(outline, site).around() & _OTHER_TEXT:
            yield good(site, "autoescape", "by its name it renders plain text, not pages")
        elif given is not None and any(keyword(site.node, name) is not None for name in _DELIMITERS):
            yield good(site, "autoescape", "with delimiters of its own it writes code or other templates, not pages")
        elif given is not None:
            yield _judged(site, isinstance(given, Const) and not given.value)
        elif outline.dotted(site.node.callee) in _ENVIRONMENTS and _leaves_out(outline, site):
            yield _missing(outline, site)
        elif outline.dotted(site.node.callee) == _MAKO and not spreads(site.node):
            yield _unfiltered(outline, site)
    for setting in settings_of(outline, frozenset({"autoescape"})):
        if setting.form in ("attribute", "entry"):
            yield _judged(setting.site, isinstance(setting.value, Const) and setting.value.value is False)


def _unfiltered(outline: Outline, site: Site[Call]) -> Match:
    """Mako escapes nothing unless a filter is given for all templates."""
    given = keyword(site.node, "default_filters")
    filters = {text_of(node) for node in walk(given)} if given is not None else set[str | None]()
    if filters & _ESCAPING or (given is not None and not isinstance(given, Sequence)):
        return good(site, "default_filters", "a filter escapes, or is chosen elsewhere")
    return _missing(outline, site)


def _judged(site: Site[Any], off: bool) -> Match:
    return bad(site, "autoescape", "switched off") if off else good(site, "autoescape", "on, or chosen per template")


def _leaves_out(outline: Outline, site: Site[Call]) -> bool:
    return all(_sets_other_options(outline, site, each) for each in spreads(site.node))


def _sets_other_options(outline: Outline, site: Site[Call], given: Argument) -> bool:
    """`**options` where the function sets options itself, at least to an empty mapping, and never speaks of autoescape."""
    assigned = outline.local(site.function, given.value.id) if isinstance(given.value, Name) else None
    if assigned is None or assigned.value is None or site.function is None:
        return False
    if not any(isinstance(each, Mapping) for each in walk(assigned.value)):
        return False
    return not any(text_of(each) == "autoescape" for each in walk(*site.function.body))


def _renders_text(site: Site[Call]) -> bool:
    """Whether every template that the function asks for by name is something other than a page."""
    names = [
        text_of(call.arguments[0].value)
        for call in (calls_in(*site.function.body) if site.function else ())
        if isinstance(call.callee, Attribute) and call.callee.name == "get_template" and call.arguments
    ]
    return bool(names) and all(name is not None and _MADE_FROM.sub("", name).endswith(_TEXT_FILES) for name in names)


def _missing(outline: Outline, site: Site[Call]) -> Match:
    if _renders_text(site):
        return good(site, "autoescape", "the templates that are asked for are no pages")
    if serves_requests(outline.module.imports.values()) or (site.function and "html" in words(site.function.name)):
        return bad(site, "autoescape", "not given, and off by default", Confidence.MEDIUM)
    return good(site, "autoescape", "not given; nothing here serves web pages")


RULE = CheckRule(
    title="Template auto-escaping disabled",
    kind="template",
    cwe=79,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="Any value that users can influence turns into markup, so scripts can be put into other users' pages.",
    remedy="Switch autoescape on for the whole environment.",
    check=_check,
    query="autoescape of template environments",
    in_tests=True,
)


def _check_script(seen: SeenCall) -> Match | None:
    for position in (0, 1):
        off, on = seen.option(position, "autoescape"), seen.option(position, "noEscape")
        if (off is not None and off.const is False) or (on is not None and on.const is True):
            return seen.bad(seen.name, "values are printed as they are")
    return seen.good(seen.name, "values are escaped")


SCRIPTS = RULE.in_scripts(
    CallRule,
    kind="escaping",
    cwe=116,
    remedy="Leave escaping on, and mark only the few values that are trusted markup.",
    calls=names("template", "environment", Language.JAVASCRIPT),
    check=_check_script,
    query="settings of template engines",
)
