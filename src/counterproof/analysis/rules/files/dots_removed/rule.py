"""Path cleaned by taking out dots.

## What it finds
`..` or `../` that is taken out of a name as a text, once, where the path that comes of it is not looked at again; and dots that
are taken off the beginning only.

## Why it matters
What is left after taking out can be what was taken out: `....//` becomes `../`. Behind the first part nothing was taken out.

## What is safe
The base name, a refusal of names with `..` in them, a check that the resolved path still lies in the folder.

## Limits
Low by nature: what becomes of the name is not followed. Any test of the name or of what is made of it counts as one that helps.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file, script_file, script_outline
from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.outline.open_values import questions_about
from counterproof.analysis.outline.replacements import Replacement, replacements
from counterproof.analysis.outline.traversal import called
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Call, Compare, Const, Loop
from counterproof.analysis.syntax.walk import walk

_DOTS = re.compile(r"\.\.(?:/|\\|$)|\.\.\[[/\\]{1,4}\]|\[\.\][+{*]|\.\{2|\.\+[/\\\[]")
_FOLDER = vocabulary("startswith startsWith relative relative_to is_relative_to commonpath relpath basename")
_TRAILING = re.compile(r"[$]$")


def _check(project: Project, path: str) -> Iterator[Match]:
    scripts = script_file(path)
    text = project.text(path)
    if "." not in text or (scripts and is_packed(text)):
        return
    outline = script_outline(project, path) if scripts else opened(project, path)[1]
    for each in replacements(outline, scripts=scripts):
        if not _takes_dots_out(each):
            continue
        repeated = each.site.function is not None and any(
            isinstance(loop, Loop) and loop.line <= each.site.line <= loop.end and loop.iterable is None
            for loop in walk(*each.site.function.body)
        )
        if repeated or any(_asks_for_dots(question) for question in questions_about(outline, each.site.function, each.of)):
            yield good(each.site, "path", "what is left is looked at")
        else:
            yield bad(each.site, "path", "dots are taken out once, and what is left is not looked at", Confidence.MEDIUM)


def _asks_for_dots(question: Call | Compare) -> bool:
    folder = isinstance(question, Call) and called(question) in _FOLDER
    return folder or any(
        isinstance(each, Const) and isinstance(each.value, str) and ".." in each.value for each in walk(question)
    )


def _takes_dots_out(each: Replacement) -> bool:
    if each.by not in ("", "/", "./"):
        return False
    dots = _DOTS.search(each.plain) if each.pattern else each.what in ("..", "../", "..\\", "/..", "/../", "./..")
    return bool(dots) and not (each.pattern and _TRAILING.search(each.what))


RULE = CheckRule(
    title="Path traversal: dots stripped from a name only once",
    kind="path",
    cwe=22,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="A name such as ....// leads out of the folder although dots are taken out.",
    remedy="Take the base name, or resolve the path and check that it still lies in the intended folder.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="dots that are taken out of paths",
)
