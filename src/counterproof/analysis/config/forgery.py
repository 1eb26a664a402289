"""Applications without CSRF tokens: Tornado, or aiohttp with the project's own middleware, where protection is omitted."""

from counterproof.analysis.config.places import Place
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import anywhere, told, trait
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words, words_in
from counterproof.analysis.syntax.ir import Attribute, Call, Sequence
from counterproof.analysis.syntax.walk import walk


def makes_tornado(at: Place) -> bool:
    """`tornado.web.Application(…)`, also where a subclass passes its options on."""
    return not at.name.endswith("__init__") or at.name.startswith("tornado.") or _is_super_call(at.outline, at.site)


def lacks_xsrf_cookies(at: Place) -> bool:
    """Return True if `xsrf_cookies` is missing: only with it Tornado checks tokens."""
    return at.value is None and not anywhere(at.codebase, _mentions_xsrf) and anywhere(at.codebase, _takes_posts)


def _is_super_call(outline: Outline, site: Site[Call]) -> bool:
    callee = site.node.callee
    is_super = isinstance(callee, Attribute) and callee.name == "__init__" and isinstance(callee.value, Call)
    bases = [outline.dotted(base) for base in site.owner.bases] if site.owner else []
    return is_super and "tornado.web.Application" in bases


@trait("mentions xsrf_cookies", "xsrf_cookies")
def _mentions_xsrf(outline: Outline) -> bool:
    return any("xsrf_cookies" in (text_of(node) or "") for node in walk(*outline.module.body))


@trait("takes posts with Tornado", "tornado")
def _takes_posts(outline: Outline) -> bool:
    return any(
        name.startswith("tornado.web.") and "post" in outline.methods(each)
        for each in outline.module.classes
        for name in (outline.dotted(base) for base in each.bases)
    )


@trait("middleware against forged requests")
def _token_middleware(outline: Outline) -> list[str]:
    names = (each.name for each in outline.module.functions)
    return [name for name in names if "middleware" in name and set(words(name)) & {"csrf", "xsrf"}]


def lacks_own_middleware(at: Place) -> bool:
    """Return True if a CSRF middleware of the project is missing from the list of an aiohttp application."""
    own = any(told(at.codebase, _token_middleware).values())
    return own and isinstance(at.value, Sequence) and not words_in(*at.value.items) & {"csrf", "xsrf"}
