"""Data decompressed or accumulated without a size limit.

## What it finds
In libraries: compressed data from a parameter that is decompressed in one step, and a request body that is accumulated chunk
by chunk, in a function without a size limit.

## Why it matters
A few kilobytes decompress to gigabytes, and a request can be arbitrarily long. The process runs out of memory, and no other
request is served.

## What is safe
A limit on the decompressed size (`max_length`, `maxOutputLength`); decompressing in chunks and counting bytes; comparing the
accumulated size with a limit.

## Limits
Severity is low: the origin of the data is not followed, and a server in front of the program may enforce a limit. Any name in
the function that suggests a limit counts as one.
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
"""Names that suggest a limit, except the maximum window of a decompressor."""
_SENDERS = vocabulary("req request incoming")
"""Name words for data that clients send."""
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
    """`request.on("data", (chunk) => { body += chunk })`: the function that accumulates the chunks."""
    callee, handler = site.node.callee, positional(site.node, 1)
    if called(site.node) not in _LISTENING or text_of(positional(site.node, 0)) != "data" or not isinstance(handler, Name):
        return None
    name = last_name(callee.value) if isinstance(callee, Attribute) else ""
    within = site.function.qualified if site.function is not None else ""
    function = next((each for each in outline.functions.values() if each.name == handler.id and each.within == within), None)
    return function if function is not None and set(words(name)) & _SENDERS and _keeps(function) else None


def _keeps(function: Function) -> bool:
    """Return True if a chunk is appended to a variable of the enclosing function."""
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
    title="Resource exhaustion: data decompressed or accumulated without a limit",
    kind="extent",
    cwe=770,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    impact=Impact.LOCAL,
    consequence="A small message that expands can exhaust the memory of the process.",
    remedy="Set a size limit for decompressed or accumulated data, and reject anything larger.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="data that is unpacked or gathered",
)
