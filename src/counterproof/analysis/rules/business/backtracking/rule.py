"""Regular expression that backtracks without end.

## What it finds
A pattern whose repeated parts can cut up one text in very many ways before the match fails: exponentially many, or as many as the
third power of its length and more. It is found where the pattern is written, whatever it is applied to.

## Why it matters
A parser, validator or renderer that applies it to what somebody sends stands still for minutes on a text of some hundred
characters.

## What is safe
Repeated parts that cannot take the same character, a separator between them that neither can take, possessive repetitions and
atomic groups, and a bound on the length of the text.

## Limits
Where the text comes from is not judged, except that scripts at the top of the tree that only developers run are left out.
Patterns that take the square of the length are not reported, because nearly every program has some. Patterns with look-ahead
inside a repetition, and patterns that are put together at run time, are not judged.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.patterns import ambiguity
from counterproof.analysis.patterns.pattern_texts import spelled
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

CUBE = 3
_WORKSHOP = frozenset(("script", "scripts", "tools", "dev", "ci", ".ci", ".github", "docs", "setup.py"))
"""Where a project keeps what its own developers run; nobody else sends them a text."""


def _check(project: Project, path: str) -> Iterator[Match]:
    if path.partition("/")[0].lower() in _WORKSHOP:
        return
    codebase, outline = opened(project, path)
    for each in spelled(codebase, outline):
        found = ambiguity(each.pattern, each.flags)
        if found.exponential:
            yield bad(each.site, "pattern", "a failing text can be cut up in exponentially many ways", Confidence.MEDIUM)
        elif (found.searched if each.searches else found.degree) >= CUBE:
            verdict = f"{found.degree} repetitions in a row take the same character"
            yield bad(each.site, "pattern", verdict, Confidence.MEDIUM)
        else:
            yield good(each.site, "pattern", "repetitions do not get in each other's way")


RULE = CheckRule(
    RuleInfo(
        id="regex-backtracking",
        title="Catastrophic backtracking in a regular expression (ReDoS)",
        dimension=Dimension.D9,
        kind="pattern",
        cwe=1333,
        severity=Severity.LOW,
        impact=Impact.LOCAL,
        consequence="A crafted text keeps the process busy for minutes or longer.",
        remedy="Rewrite the pattern so that adjacent repetitions cannot match the same character, or limit the length first.",
    ),
    _check,
    python_file,
    query="regular expressions that the code spells out",
)
