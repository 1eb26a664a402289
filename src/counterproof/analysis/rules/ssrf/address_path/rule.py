"""Value in the path of a request's address that is not encoded.

## What it finds
In code that others install: a request whose address has, behind a slash and before any question mark, a name that a function was
given or that a field or an entry holds, put in as it is.

## Why it matters
With `../` or a question mark in it the name leads to another resource of the same service, which the request's credentials may
open: another account, another project, a deletion.

## What is safe
`quote(name, safe="")`, `encodeURIComponent(name)`, numbers, a pattern that the name has to match, any check of it.

## Limits
Told as posture, because where the name comes from is not followed and many services refuse such paths. Any question about the
name counts as one that helps.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.config.requests_made import is_client, written_address
from counterproof.analysis.config.wrapped_sinks import sinks_and_wrappers
from counterproof.analysis.outline.interpolation import HOLE, interpolated
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Call, Expr

_SET = PLAIN | vocabulary(
    """base api endpoint server host hostname origin domain root config settings options port prefix suffix version region
    tenant resource action method route uri url path query params"""
)
"""Words of names of what the program sets, or of paths that are meant to be paths."""


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    language = Language.JAVASCRIPT if script_file(path) else Language.PYTHON
    for site, given in sinks_and_wrappers(project, outline, "http-request", language, is_client):
        for value in _in_path(outline, site, given):
            found = OpenValues(outline, site, _SET).raw(value)
            if found and is_asked_about(outline, site, value):
                yield good(site, "address", "something is asked about it")
            elif found:
                yield bad(site, "address", f"{found} is put into its path as it is", Confidence.MEDIUM)
                break


def _in_path(outline: Outline, site: Site[Call], given: Expr) -> Iterator[Expr]:
    """The values that stand behind a slash of the path."""
    built = interpolated(written_address(outline, site, given))
    if built is None:
        return
    place = -1
    for value in built.values:
        place = built.text.find(HOLE, place + 1)
        before = built.text[:place]
        if place > 0 and before.endswith("/") and not before.endswith("//") and "?" not in before and "#" not in before:
            yield value


RULE = CheckRule(
    title="Path traversal in a request's address: value not encoded",
    kind="request",
    cwe=22,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Whoever chooses the value reaches other resources of the service with the credentials of the request.",
    remedy="Encode each value that is put into a path (quote with safe='', encodeURIComponent).",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="values in the paths of requests",
)
