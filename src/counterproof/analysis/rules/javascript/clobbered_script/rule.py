"""Cross-site scripting (XSS): the running script taken by a name that the page can give away, in JavaScript and TypeScript.

## What it finds
In code that others install: `document.currentScript`, taken for the script that runs, where the function never asks whether it
is one.

## Why it matters
An element of the page with that name (`<img name="currentScript" src="…">`) stands in its place. Whoever may write harmless
markup then says where the next scripts are loaded from.

## What is safe
A look at the element's kind: `tagName`, `nodeName`, `instanceof HTMLScriptElement`.

## Limits
Low by nature: whether the page shows markup of others, and what is done with the address, is not followed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.outline import Site
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute
from counterproof.analysis.syntax.walk import last_name

_NAME = "currentScript"
_PAGES = vocabulary("document doc")
_KINDS = frozenset({"tagName", "nodeName", "HTMLScriptElement", "SVGScriptElement", "localName"})


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    outline = installed_outline(project, path) if _NAME in text else None
    told: set[str] = set()
    for site in outline.of(Attribute) if outline is not None else ():
        held = site.node.value
        page = last_name(held)
        if site.node.name != _NAME or page not in _PAGES or site.scope in told:
            continue
        told.add(site.scope)
        if _asks_for_kind(text, site):
            yield good(site, "script", "its kind is asked for")
        else:
            yield bad(site, "script", "any element of that name is taken for it", Confidence.MEDIUM)


def _asks_for_kind(text: str, site: Site[Attribute]) -> bool:
    """Whether the function, or the file where there is none, says what kind of element it wants."""
    lines = text.splitlines()
    around = lines[site.function.line - 1 : site.function.end] if site.function is not None else lines
    return any(kind in line for line in around for kind in _KINDS)


RULE = CheckRule(
    title="Cross-site scripting (XSS): running script taken by a name of the page",
    kind="html",
    cwe=79,
    severity=Severity.LOW,
    consequence="Markup that looks harmless decides where scripts are loaded from.",
    remedy='Ask first whether `document.currentScript.tagName` is "SCRIPT".',
    check=_check,
    applies=script_file,
    query="uses of document.currentScript",
)
