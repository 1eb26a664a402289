"""The check of `regex-backtracking`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from counterproof.analysis.config.checks import bad, good, opened, script_outline
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.patterns import ambiguity
from counterproof.analysis.patterns.pattern_texts import Spelled, spelled
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Name
from counterproof.model.fact import MAX_SYMBOL, Fact, Operation
from counterproof.model.location import Location

CUBE = 3
_WORKSHOP = frozenset(("script", "scripts", "tools", "dev", "ci", ".ci", ".github", "docs", "setup.py"))
"""Folders with scripts that only the project's own developers run; attackers cannot send them text."""


def check(project: Project, path: str) -> Iterator[Match]:
    if path.partition("/")[0].lower() in _WORKSHOP:
        return
    codebase, outline = opened(project, path)
    for each in spelled(codebase, outline):
        found = ambiguity(each.pattern, each.flags)
        if found.exponential:
            verdict = "a failing text can be cut up in exponentially many ways"
            yield _where_written(each, bad(each.site, "pattern", verdict, Confidence.MEDIUM))
        elif (found.searched if each.searches else found.degree) >= CUBE:
            verdict = f"{found.degree} repetitions in a row take the same character"
            yield bad(each.site, "pattern", verdict, Confidence.MEDIUM)
        else:
            yield good(each.site, "pattern", "repetitions do not overlap")


def _where_written(spelled: Spelled, match: Match) -> Match:
    """Move the match to the slow piece, where a pattern is concatenated from several constants of the module."""
    faulty = (line for piece, line in spelled.pieces if ambiguity(piece, spelled.flags).exponential)
    line = next(faulty, match.line)
    return replace(match, line=line, end_line=max(line, match.end_line) if line == match.line else line)


MAX_USES = 20
"""Limit on the reported uses of one pattern."""
_GROUP_NAME = re.compile(r"\(\?<(?=[A-Za-z_])")


def check_script(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)) or not is_loaded(project, path):
        return
    outline = script_outline(project, path)
    for site in outline.of(Call):
        pattern = text_of(positional(site.node, 0)) if _makes_pattern(site.node) else None
        if pattern is None:
            continue
        flags = text_of(positional(site.node, 1)) or ""
        found = ambiguity(_GROUP_NAME.sub("(?P<", pattern), re.IGNORECASE if "i" in flags else 0)
        if found.exponential:
            yield _told(outline, site, "a failing text can be cut up in exponentially many ways")
        elif found.degree > 1:
            yield _told(outline, site, f"{found.degree} repetitions in a row take the same character")
        else:
            yield good(site, "pattern", "repetitions do not overlap")


def _told(outline: Outline, site: Site[Call], verdict: str) -> Match:
    return replace(bad(site, "pattern", verdict, Confidence.MEDIUM), used=_uses(outline, site))


def _uses(outline: Outline, pattern: Site[Call]) -> tuple[Fact, ...]:
    """Method calls on the variable that holds a pattern, and calls that receive it as an argument."""
    held = [each for each in outline.of(Assign) if each.node.value is pattern.node]
    names = {target.id for each in held for target in each.node.targets if isinstance(target, Name)}
    uses = (
        Fact(Location(outline.path, site.line, site.end), Operation.READ, part.id[:MAX_SYMBOL])
        for site in (outline.of(Call) if names else ())
        for part in (_receiver(site.node), *(each.value for each in site.node.arguments))
        if isinstance(part, Name) and part.id in names and pattern.function in (None, site.function)
    )
    return tuple(islice(dict.fromkeys(uses), MAX_USES))


def _receiver(call: Call) -> Expr | None:
    return call.callee.value if isinstance(call.callee, Attribute) else None


def _makes_pattern(call: Call) -> bool:
    """`/…/`, `new RegExp("…")`."""
    callee = call.callee
    if isinstance(callee, Name):
        return callee.id == "RegExp"
    made = callee.value if isinstance(callee, Attribute) and callee.name == "compile" else None
    return isinstance(made, Name) and made.id == "<re>"
