"""The check of `autoescape-off`."""

from counterproof.analysis.config.patterns import Bad, Calls, Matching, Settings
from counterproof.analysis.config.places import Place
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names, serves_requests
from counterproof.analysis.program.traversal import keyword, spreads
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax.ir import Const

_OTHER_TEXT = vocabulary("text texts txt plain sql yaml mail mails email latex code codegen")
_DELIMITERS = ("variable_start_string", "block_start_string")


def _is_off(at: Place) -> bool:
    """Return True unless the environment's name says plain text, or it generates code or templates with its own delimiters."""
    given = keyword(at.call, "autoescape")
    other = Purpose(at.outline, at.site).around() & _OTHER_TEXT or any(keyword(at.call, each) is not None for each in _DELIMITERS)
    return isinstance(given, Const) and not given.value and not other


def _is_set_off(at: Place) -> bool:
    return isinstance(at.value, Const) and at.value.value is False


def _leaves_out(at: Place) -> bool:
    return keyword(at.call, "autoescape") is None and not spreads(at.call)


def _makes_pages(at: Place) -> bool:
    """Return True in a module that serves web pages or a function whose name says HTML."""
    html = at.function is not None and "html" in words(at.function.name)
    return serves_requests(at.outline.module.imports.values()) or html


_MISSING = "not given, and off by default"


def check_script(seen: SeenCall) -> Match | None:
    for position in (0, 1):
        off, on = seen.option(position, "autoescape"), seen.option(position, "noEscape")
        if (off is not None and off.const is False) or (on is not None and on.const is True):
            return seen.bad(seen.name, "values are printed unescaped")
    return seen.good(seen.name, "values are escaped")


check = Matching(
    Calls(("autoescape=",), bad=Bad(_is_off, "switched off")),
    Calls(names("template", "environment"), only=_leaves_out, bad=Bad(_makes_pages, _MISSING, Confidence.MEDIUM)),
    Settings(
        ("autoescape",),
        only=lambda at: at.setting is not None and at.setting.form in ("attribute", "entry"),
        bad=Bad(_is_set_off, "switched off"),
    ),
    good="on, chosen per template, or no pages are made here",
    item="autoescape",
)
calls_script = names("template", "environment", Language.JAVASCRIPT)
