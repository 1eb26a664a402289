"""Quadratic regular expression search in library code.

## What it finds
In libraries: a pattern that takes time quadratic in the length of the text (`\\s+$`, `a+b` anywhere), applied to a parameter,
a field or an entry of a mapping in a function that does not check the length.

## Why it matters
A text of some hundred thousand characters blocks the process for minutes.

## What is safe
A limit on the length of the text; a pattern anchored to the start of the text, or one that starts with a character its
repetition cannot match; `trim` and similar functions.

## Limits
Reported as hardening advice: short texts do no harm, and the origin of the text is not followed. Slower patterns have rules
of their own; patterns built at run time are not checked.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.patterns import ambiguity
from counterproof.analysis.program.open_values import OpenValues, mentioned
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN
from counterproof.analysis.program.traversal import called, children, positional
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Compare, Const, Expr, Function, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk

SQUARE, CUBE = 2, 3
_OF_TEXTS = frozenset({"match", "search", "replace", "split", "matchAll", "replaceAll"})
"""String methods that take a pattern."""
_OF_PATTERNS = {"match": 0, "exec": 0, "test": 0, "search": 0, "findall": 0, "finditer": 0, "split": 0, "sub": 1, "subn": 1}
"""Pattern methods that take a text, with the position of that argument."""
_OF_MODULE = {"match": 1, "search": 1, "findall": 1, "finditer": 1, "split": 1, "sub": 2, "subn": 2}
_NUMBERS = PLAIN - vocabulary("line code version date time")
"""Name words that suggest numbers. The removed ones are often strings."""
_LIMITS = vocabulary("max maximum limit bound")
_GROUP_NAME = re.compile(r"\(\?<(?=[A-Za-z_])")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    script = script_file(path)
    for site in outline.of(Call):
        if site.function is None:
            continue
        for pattern, text in _applied(outline, site, script):
            found = OpenValues(outline, site, _NUMBERS).raw(text) if _is_slow(pattern, called(site.node), script) else ""
            if found and not _is_measured(site.function, text):
                match = bad(site, "pattern", f"{found} is searched from each of its characters", Confidence.MEDIUM)
                yield replace(match, line=pattern.line, end_line=pattern.end, function=_around(site, pattern))
                break


def _around(site: Site[Call], pattern: Const) -> str:
    """The function that contains the pattern."""
    function = site.function
    return site.scope if function is not None and function.line <= pattern.line <= function.end else ""


def _applied(outline: Outline, site: Site[Call], script: bool) -> Iterator[tuple[Const, Expr]]:
    """Literal patterns, with the texts they are applied to."""
    callee = site.node.callee
    if not isinstance(callee, Attribute):
        return
    name, receiver = callee.name, callee.value
    if name in _OF_MODULE and outline.dotted(receiver) == "re":
        yield from _pair(_spelled(outline, positional(site.node, 0)), positional(site.node, _OF_MODULE[name]))
        return
    if script and name in _OF_TEXTS:
        yield from _pair(_compiled(outline, positional(site.node, 0)), receiver)
    if name in _OF_PATTERNS:
        yield from _pair(_compiled(outline, receiver), positional(site.node, _OF_PATTERNS[name]))


def _pair(pattern: Const | None, text: Expr | None) -> Iterator[tuple[Const, Expr]]:
    if pattern is not None and text is not None:
        yield pattern, text


def _spelled(outline: Outline, value: Expr | None) -> Const | None:
    return value if isinstance(value, Const) and isinstance(value.value, str) else _compiled(outline, value)


def _compiled(outline: Outline, value: Expr | None) -> Const | None:
    """`/…/`, `re.compile("…")`: inline, in a variable, or in a field that is assigned once."""
    if isinstance(value, Name | Attribute):
        settings = [each.node for each in outline.settings_of(last_name(value)) if isinstance(each.node, Assign)]
        value = settings[0].value if len(settings) == 1 else None
    spelled = positional(value, 0) if isinstance(value, Call) and called(value) in ("compile", "RegExp") else None
    return spelled if isinstance(spelled, Const) and isinstance(spelled.value, str) else None


def _is_slow(pattern: Const, use: str, script: bool) -> bool:
    found = ambiguity(_GROUP_NAME.sub("(?P<", str(pattern.value)))
    if found.exponential or found.degree >= (SQUARE if script else CUBE):
        return False  # reported at the definition
    return (found.searched if script or use != "match" else found.degree) >= SQUARE


def _is_measured(function: Function, text: Expr) -> bool:
    """Return True if the length of the text, or of a text that contains it, is compared with a number or a limit."""
    names = set(mentioned(text))
    compares = (node for node in walk(*function.body) if isinstance(node, Compare) and any(map(_is_limit, node.operands)))
    compared = (part for node in compares for part in walk(node))
    measured = (each for each in compared if (isinstance(each, Attribute) and each.name == "length") or _is_length(each))
    return any(names & set(mentioned(*children(each))) for each in measured)


def _is_limit(value: Expr) -> bool:
    number = isinstance(value, Const) and isinstance(value.value, int) and value.value > 1
    return number or last_name(value).isupper() or bool(set(words(last_name(value))) & _LIMITS)


def _is_length(node: Node) -> bool:
    return isinstance(node, Call) and called(node) == "len"


RULE = CheckRule(
    title="Slow search with a regular expression (ReDoS)",
    kind="pattern",
    cwe=1333,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="A long crafted text blocks the process.",
    remedy="Limit the input length, or rewrite the pattern so that it cannot start inside its own repetition.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="texts that patterns are applied to",
)
