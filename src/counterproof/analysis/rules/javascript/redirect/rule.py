"""Redirect to an address that the sender chooses, in JavaScript and TypeScript.

## What it finds
Request data as the address that `res.redirect` or a `Location` header sends the browser to.

## Why it matters
A link to the trusted site leads to one that imitates it.

## What is safe
A path of the site itself with a fixed beginning; a check of the address against a fixed list.

## Limits
Redirects made by scripts in the browser are not judged.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-open-redirect",
        title="Open redirect",
        dimension=Dimension.D6,
        kind="redirect",
        cwe=601,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="A link to this site can lead its visitors anywhere.",
        remedy="Redirect only to paths of this site, or check the address against a fixed list.",
    ),
    sinks=sinks("redirect", Language.JAVASCRIPT),
    sanitisers=("host check", "fixed host", "own address", "previous page"),
    poc="https://evil.example",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
