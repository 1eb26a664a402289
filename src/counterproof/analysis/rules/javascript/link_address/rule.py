"""Cross-site scripting (XSS): link of JSX whose address is set as it is.

## What it finds
In code that others install: `href={…}` of JSX with an address that a component was given, or that a field or an entry holds,
where the function asks nothing about it.

## Why it matters
`javascript:…` is an address too: whoever follows the link runs it as a script of this page. JSX escapes text, and leaves schemes
as they are.

## What is safe
An address that begins with text of the program's own; a comparison of its scheme, or any check of it.

## Limits
Told as posture: where the address comes from is not followed, and most addresses are the program's own. Any question about the
address counts as one that helps.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.traversal import positional
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Attribute, Call, Index, Name
from counterproof.analysis.syntax.javascript.literals import LINK

_OWN = PLAIN | vocabulary("origin pathname base hash search blob canvas route routes")
"""Words of names of addresses that the program makes itself."""


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "href={" in project.text(path) else None
    for site in outline.of(Call) if outline is not None else ():
        given = positional(site.node, 0) if isinstance(site.node.callee, Name) and site.node.callee.id == LINK else None
        if outline is None or not isinstance(given, Name | Attribute | Index):
            continue
        found = OpenValues(outline, site, _OWN).raw(given)
        if found and is_asked_about(outline, site, given):
            yield good(site, "address", "something is asked about it")
        elif found:
            yield bad(site, "address", f"{found} is linked to whatever its scheme is", Confidence.MEDIUM)


RULE = CheckRule(
    title="Cross-site scripting (XSS): link to an unchecked address",
    kind="html",
    cwe=79,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    posture=True,
    consequence="Whoever chooses the address runs a script in the browser of those who follow the link.",
    remedy="Allow only addresses that begin with http:, https: or a slash.",
    check=_check,
    applies=script_file,
    query="links of JSX whose address is not fixed",
)
