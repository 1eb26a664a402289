"""Template engine that does not escape, in JavaScript and TypeScript.

## What it finds
`autoescape: false` for Swig and Nunjucks, `noEscape: true` for Handlebars.

## Why it matters
Every value that any page prints may hold a script.

## What is safe
The default of these engines.

## Limits
Pages are not looked into: one that escapes by hand is reported too.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language


def _check(seen: SeenCall) -> Match | None:
    for position in (0, 1):
        off, on = seen.option(position, "autoescape"), seen.option(position, "noEscape")
        if (off is not None and off.const is False) or (on is not None and on.const is True):
            return seen.bad(seen.name, "values are printed as they are")
    return seen.good(seen.name, "values are escaped")


RULE = CallRule(
    RuleInfo(
        id="javascript-autoescape-off",
        title="Template auto-escaping disabled",
        dimension=Dimension.D8,
        kind="escaping",
        cwe=116,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Scripts in any value that a page prints run in the browsers of its visitors.",
        remedy="Leave escaping on, and mark only the few values that are trusted markup.",
    ),
    calls=names("template", "environment", Language.JAVASCRIPT),
    check=_check,
    query="settings of template engines",
)
