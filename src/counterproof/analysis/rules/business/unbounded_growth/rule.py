"""Data unpacked or gathered without a limit.

## What it finds
In code that others install: compressed data that a function was given and unpacks at once, and the body of a request that is
gathered piece by piece, where the function knows no limit.

## Why it matters
A few kilobytes unpack to gigabytes, and a request goes on for as long as its sender likes. The process runs out of memory, and
nobody else is served.

## What is safe
A limit for what is unpacked (`max_length`, `maxOutputLength`); unpacking piece by piece and counting; a comparison of what was
gathered so far.

## Limits
Low by nature: where the data comes from is not followed, and a server in front of the program may have a limit of its own. Any
name in the function that speaks of a limit counts as one.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.program.open_values import OpenValues
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Bind, Call, Compare, Concat, Function, Name
from counterproof.analysis.syntax.walk import last_name, walk

_LIMIT = re.compile(r"limit|bound|remaining|quota|max(?!_?w?bits)(?:imum)?_?[a-z]", re.IGNORECASE)
"""Names that speak of a limit; the largest window of an unpacker is none."""
_SENDERS = vocabulary("req request incoming")
"""Words of names of what outsiders send."""
_LISTENING = vocabulary("on addListener")
_ADDING = vocabulary("push append concat")
_ORDERED = frozenset({"<", ">", "<=", ">="})


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    language = Language.JAVASCRIPT if script_file(path) else Language.PYTHON
    for site, given in open_sinks(outline, "decompression", language):
        found = OpenValues(outline, site).raw(given)
        if found and _is_limited(outline, site):
            yield good(site, "size", "the function speaks of a limit")
        elif found:
            yield bad(site, "size", f"{found} is unpacked however much it becomes", Confidence.MEDIUM)
    for site in outline.of(Call):
        gathering = _gathering(outline, site)
        if gathering is not None and (_compares(gathering) or _is_limited(outline, site)):
            yield good(site, "size", "what was gathered is compared with a limit")
        elif gathering is not None:
            yield bad(site, "size", "what is sent is gathered however long it is", Confidence.MEDIUM)


def _is_limited(outline: Outline, site: Site[Call]) -> bool:
    function = site.function
    while function is not None and function.name.startswith("<"):
        function = outline.functions.get(function.within)
    return function is not None and any(map(_LIMIT.search, names_in(*function.body)))


def _gathering(outline: Outline, site: Site[Call]) -> Function | None:
    """`request.on("data", (chunk) => { body += chunk })`: the function that keeps every piece."""
    callee, handler = site.node.callee, positional(site.node, 1)
    if called(site.node) not in _LISTENING or text_of(positional(site.node, 0)) != "data" or not isinstance(handler, Name):
        return None
    name = last_name(callee.value) if isinstance(callee, Attribute) else ""
    within = site.function.qualified if site.function is not None else ""
    function = next((each for each in outline.functions.values() if each.name == handler.id and each.within == within), None)
    return function if function is not None and set(words(name)) & _SENDERS and _keeps(function) else None


def _keeps(function: Function) -> bool:
    """Whether a piece is added to what the function around this one holds."""
    given = {each.name for each in function.parameters}
    for node in walk(*function.body):
        if isinstance(node, Call) and called(node) in _ADDING:
            added = {each.id for argument in node.arguments for each in walk(argument) if isinstance(each, Name)}
        elif isinstance(node, Augment) or (isinstance(node, Bind | Assign) and isinstance(node.value, Concat)):
            added = {each.id for each in walk(node) if isinstance(each, Name)}
        else:
            continue
        if added & given:
            return True
    return False


def _compares(function: Function) -> bool:
    return any(isinstance(node, Compare) and _ORDERED & set(node.operators) for node in walk(*function.body))


RULE = CheckRule(
    title="Resource exhaustion: data unpacked or gathered without a limit",
    kind="extent",
    cwe=770,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    impact=Impact.LOCAL,
    consequence="A small message that becomes large fills the memory of the process.",
    remedy="Set a limit for what is unpacked or gathered, and refuse what goes beyond it.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="data that is unpacked or gathered",
)
