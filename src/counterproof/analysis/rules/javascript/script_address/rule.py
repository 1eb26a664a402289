"""Cross-site scripting (XSS): URL set without checking its scheme, in JavaScript and TypeScript.

## What it finds
In libraries: a frame, a link or the page itself set to a URL from a parameter, an attribute, an entry of a mapping or a
field, in a function that does not check it.

## Why it matters
`javascript:…` is a URL too: the browser runs it as a script of this page.

## What is safe
A URL with a fixed prefix; a comparison of its scheme, or any check of it; images and scripts, which have other rules.

## Limits
Severity is low: the origin of the URL is not followed, and any check of it counts as sufficient. JSX attributes are not read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Name
from counterproof.analysis.syntax.walk import last_name

_Place = Site[Call] | Site[Assign]
_ELEMENTS = {"src": vocabulary("iframe frame embed"), "href": vocabulary("a anchor link area"), "action": vocabulary("form")}
"""Attributes with a URL that can be a script, and name words of the elements that have them."""
_SETTERS = vocabulary("setAttribute attr prop setAttributeNS")
_GOING = vocabulary("assign replace")
_PAGES = vocabulary("window document self top parent globalThis")
_OWN = PLAIN | vocabulary("origin pathname base hash search blob canvas")
"""Name words of URLs that the program creates itself."""


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    for site, given in (*_assigned(outline), *_called(outline)):
        found = OpenValues(outline, site, _OWN).raw(given) if isinstance(given, Name | Attribute) else ""
        if found and not is_asked_about(outline, site, given):
            yield bad(site, "address", f"{found} is gone to whatever its scheme is", Confidence.MEDIUM)
        elif found:
            yield good(site, "address", "something is asked about it")


def _assigned(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    """`frame.src = address`, `window.location = address`."""
    for site in outline.of(Assign):
        for target in site.node.targets:
            if isinstance(target, Attribute) and site.node.value is not None and _is_place(outline, site, target):
                yield site, site.node.value


def _is_place(outline: Outline, site: _Place, target: Attribute) -> bool:
    if target.name == "location":
        return last_name(target.value) in _PAGES
    return (target.name == "href" and last_name(target.value) == "location") or _is_element(
        outline, site, target.value, target.name
    )


def _called(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    """`frame.setAttribute("src", address)`, `location.replace(address)`, `window.open(address)`."""
    for site in outline.of(Call):
        callee, first, second = site.node.callee, positional(site.node, 0), positional(site.node, 1)
        if not isinstance(callee, Attribute) or first is None:
            continue
        if callee.name in _SETTERS and second is not None and _is_element(outline, site, callee.value, text_of(first) or ""):
            yield site, second
        elif (callee.name in _GOING and last_name(callee.value) == "location") or (
            callee.name == "open" and last_name(callee.value) == "window"
        ):
            yield site, first


def _is_element(outline: Outline, site: _Place, value: Expr, attribute: str) -> bool:
    """Return True if a value is such an element, by its constructor or else by its name."""
    wanted = _ELEMENTS.get(attribute)
    if wanted is None:
        return False
    assigned = outline.local(site.function, value.id) if isinstance(value, Name) else None
    made = assigned.value if assigned is not None else None
    if isinstance(made, Call) and called(made) == "createElement" and (first := positional(made, 0)) is not None:
        return text_of(first) in wanted
    return bool(set(words(last_name(value))) & wanted)


RULE = CheckRule(
    title="Cross-site scripting (XSS): URL set without checking its scheme",
    kind="html",
    cwe=79,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="Anyone who chooses the URL runs a script in the browsers of the page's visitors.",
    remedy="Accept only URLs that start with http: or https:.",
    check=_check,
    applies=script_file,
    query="addresses that frames, links and pages are sent to",
)
