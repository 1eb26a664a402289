"""Header line put together from values that may hold line breaks.

## What it finds
A line of a protocol's head (`f"{name}: {value}\\r\\n"`), a command of one (`f"RCPT TO:<{address}>\\r\\n"`, or all its words
joined), a field of an event that a server sends (`f"event: {name}\\n"`) or a cookie (`f"{name}={value}; Path=/"`) into which a
function puts what it was given, or what it runs through in what it was given, while nothing in the function looks for line
breaks or checks the values. In scripts: in code that others install.

## Why it matters
A value with a line break in it begins the next header, or ends the head: answers are split, requests are smuggled, mails get
other recipients.

## What is safe
Refusing values with `\\r` or `\\n`, removing both, a pattern that the whole value must match, and functions of libraries that set
headers.

## Limits
Where the value comes from in the end is not judged. Any check in the function that speaks of line breaks, or that is called a
check, counts for all its values; a check in the caller is not seen.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.interpolation import HOLE, Interpolation, interpolated
from counterproof.analysis.outline.open_values import OpenValues
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.traversal import calls_in
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity, Shape
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Augment,
    Call,
    Concat,
    Const,
    Expr,
    Format,
    Function,
    Name,
    Return,
)
from counterproof.analysis.syntax.walk import last_name, walk

_Place = Site[Call] | Site[Assign] | Site[Augment] | Site[Return]
_LINE = re.compile(r"(?:\x00|[A-Za-z][\w-]{1,40}): ?\x00\r\n")
_COMMAND = re.compile(r"[A-Z]{3,12}(?: [A-Z]{2,10})?[ :<]{1,3}\x00[^\x00]{0,200}\r\n$")
_WORDS = re.compile(r"\x00(?: \x00)*\r\n$")
"""A command that is given word by word."""
_EVENT = re.compile(r"(?:^|\n)(?:event|id|data): ?\x00\r?\n")
_EVENTS = vocabulary("sse event events eventsource eventstream")
_STREAM = "text/event-stream"
_COOKIE = re.compile(r"(?:\x00|[\w-]{1,40})=\x00(?:; ?(?:path|domain|max-age|expires|httponly|secure|samesite)\b|$)", re.I)
_IN_COOKIES = ("Set-Cookie", "set-cookie")
_CHECKING = vocabulary(
    """valid validate validated validator check checked clean cleaned sanitize sanitise sanitized safe escape quote match
    fullmatch search splitlines urlencode b64encode digest repr normalize normalise"""
)
_HANDING_ON = ("append", "write", "send", "sendall", "push", "end")
_BREAKS = ("\n", "\r", "\n\r", b"\n", b"\r")
_SPELLED_BREAK = re.compile(r"\\[rnsx]|\\u00")
"""A line break, or a kind of sign that it is, in a pattern."""
_FIXED = PLAIN | vocabulary("boundary host hostname key token nonce accept protocol range reason")
"""Words of names of what programs make themselves."""


def _check(project: Project, path: str) -> Iterator[Match]:
    yield from _judged(opened(project, path)[1])


def _check_script(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    yield from _judged(outline) if outline is not None else ()


def _judged(outline: Outline) -> Iterator[Match]:
    checked: dict[int, bool] = {}
    for site, text in _lines(outline):
        if site.function is None:
            continue
        if id(site.function) not in checked:
            checked[id(site.function)] = _checks(site.function)
        found = "" if checked[id(site.function)] else _raw(outline, site, text)
        if found:
            yield bad(site, "header line", f"made with {found} in it, which may hold a line break", Confidence.MEDIUM)
        else:
            yield good(site, "header line", "checked, fixed, or made of what the program sets")


def _lines(outline: Outline) -> Iterator[tuple[_Place, Interpolation]]:
    """Lines of headers that are kept, returned or handed on, encoded or not; each once."""
    for place, value in _values(outline):
        built = interpolated(_decoded(value))
        if built is not None and (_is_line(built) or _is_cookie(place, built) or _is_event(outline, place, built)):
            yield place, built


def _is_line(built: Interpolation) -> bool:
    """A header, or a command with what it is about; one that is handed over as a whole is its caller's."""
    joined = len(built.values) > 1 or (isinstance(built.values[0], Call) and last_name(built.values[0].callee) == "join")
    return bool(_LINE.search(built.text) or _COMMAND.match(built.text) or (_WORDS.match(built.text) and joined))


def _is_event(outline: Outline, place: _Place, built: Interpolation) -> bool:
    """`f"event: {name}\\n"` where events are sent, by a name or by the type of the answer."""
    if not _EVENT.search(built.text):
        return False
    return bool(set(words(place.scope)) & _EVENTS) or any(each.value == _STREAM for each in outline.texts)


def _is_cookie(place: _Place, built: Interpolation) -> bool:
    """`f"{name}={value}"` in a function that sets cookies."""
    if place.function is None or not _COOKIE.match(built.text):
        return False
    return any(isinstance(node, Const) and node.value in _IN_COOKIES for node in walk(*place.function.body))


def _values(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    for site in outline.of(Assign):
        if site.node.value is not None:
            yield site, site.node.value
    for added in outline.of(Augment):
        yield added, added.node.value
    for returned in outline.of(Return):
        if returned.node.value is not None:
            yield returned, returned.node.value
    for call in outline.of(Call):
        if isinstance(call.node.callee, Attribute) and call.node.callee.name in _HANDING_ON:
            for argument in call.node.arguments[:1]:
                yield call, argument.value


def _decoded(value: Expr) -> Expr:
    """`(…).encode("latin-1")`: what is encoded."""
    if isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name == "encode":
        return value.callee.value
    return value


def _raw(outline: Outline, site: _Place, built: Interpolation) -> str:
    """The first value of a header that was given or stands in something that was."""
    values = OpenValues(outline, site, _FIXED)
    given = _looped(outline, site.function) if site.function is not None else frozenset[str]()
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        start = hole + 1
        if hole < 0 or not _is_value(built.text, hole):
            continue
        name = value.id if isinstance(value, Name) and value.id in given else values.raw(value)
        if name and not set(words(name)) & _FIXED:
            return name
    return ""


def _is_value(text: str, hole: int) -> bool:
    """Whether a place in a line is that of a value: behind a colon up to the end, in a command, or in a cookie."""
    if _COMMAND.match(text) or _WORDS.match(text) or (_COOKIE.match(text) and not _LINE.search(text)):
        return True
    return text.startswith(("\r\n", "\n"), hole + 1) and text[:hole].endswith((": ", ":"))


def _looped(outline: Outline, function: Function) -> frozenset[str]:
    """Variables of loops in a function that is given headers to run through."""
    handed = any("headers" in words(each.name) or "header" in words(each.name) for each in function.parameters)
    return frozenset(outline.looped(function)) if handed else frozenset()


def _checks(function: Function) -> bool:
    """Whether anything in the function speaks of line breaks by themselves, or is called a check."""
    nodes = list(walk(*function.body))
    built = {id(part) for node in nodes if isinstance(node, Format | Concat) for part in node.parts}
    texts = [node.value for node in nodes if isinstance(node, Const) and id(node) not in built]
    if any(each in _BREAKS or (isinstance(each, str) and _SPELLED_BREAK.search(each)) for each in texts):
        return True
    names = (each.callee for each in calls_in(*function.body))
    spoken = (each.name if isinstance(each, Attribute) else each.id for each in names if isinstance(each, Attribute | Name))
    return any(set(words(each)) & _CHECKING for each in spoken)


RULE = CheckRule(
    title="Header injection through line breaks (CRLF)",
    kind="header",
    cwe=93,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    impact=Impact.LOCAL,
    consequence="Whoever chooses the value can add headers of their own, or a second response.",
    remedy="Reject values that contain a carriage return or line feed before building the line.",
    check=_check,
    query="header lines that are put together",
)

SCRIPTS = RULE.in_scripts(
    CheckRule,
    check=_check_script,
    applies=script_file,
    query="header lines that are put together",
)
