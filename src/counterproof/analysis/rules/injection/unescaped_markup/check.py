"""The check of `unescaped-markup`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.program.interpolation import HOLE, Interpolation, interpolated
from counterproof.analysis.program.markup import MARKUP_WORDS, TAG, TEXT_WORDS, raw_in
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import calls_in, keyword, positional, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.rules.injection.unescaped_markup.script_markup import check_script as check_script
from counterproof.analysis.ruleset import Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Const, Expr, Function, Name, Return
from counterproof.analysis.syntax.walk import last_name, walk

_TURNING = ("s2b", "b", "bytes_", "to_bytes", "force_bytes", "smart_bytes", "ensure_binary", "utf8")
_Place = Site[Call] | Site[Assign] | Site[Augment] | Site[Return]
_DECLARING = ("mark_safe", "Markup", "SafeString", "SafeText", "SafeUnicode")
_HANDING_ON = vocabulary("append write writeln println finish")
"""Words of functions that send text, including the program's own functions."""
_PAGE = re.compile(r"<(?:html|body)\b", re.IGNORECASE)
"""A whole page, served whatever the module imports."""
_WHOLE = re.compile(r"<(?:html|body|table)\b|<!doctype html", re.IGNORECASE)
"""The start of a document that is saved or sent as a file."""
_ATTRIBUTE = re.compile(r"\b(?:class|href|src|style|title|id|rowspan|colspan|value|name|data-[a-z-]{1,30})=[\"']?\x00")
_RENDERING = names("template", "markdown")
_CLEANING = vocabulary("bleach clean cleaned sanitize sanitise sanitizer nh3 escape escaped strip_tags linkify purify")
_QUOTED = re.compile(r"\b(?:href|src|alt|title|value|placeholder|content|action|label)=[\"'][^\"'<>]{0,60}\x00$")
"""A value inside an attribute, up to the insertion point."""
_ATTRIBUTES = vocabulary("html markup attrs attributes css style class cls classes static media")
_ESCAPING = ("escape", "html_escape", "htmlescape", "escape_html", "xhtml_escape", "conditional_escape", "quoteattr")
_OTHER_ESCAPES = names("receiver", "other-escape")
"""Receivers whose escape functions are not for HTML."""
_CHATS = (*names("entry", "chat"), *names("entry", "chat-command"))
_SPOKEN = TEXT_WORDS | vocabulary("filename pagename user query keyword author error nickname hostname")
"""Last name words of values that are plain text and contain markup only by mistake."""
_SERVING = names("framework", "page-module")


def check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    declared: set[int] = set()
    for site in outline.of(Call):
        callee = outline.dotted(site.node.callee).rpartition(".")[2]
        given = positional(site.node, 0) if callee in _DECLARING else None
        if given is not None:
            declared.add(id(given))
            found = _declared(outline, site, given)
            if found:
                yield bad(site, "markup", f"marked safe with {found} unescaped", Confidence.MEDIUM)
    pages: dict[int, bool] = {}
    serves, escapes, written = _serves(outline), _escapes_somewhere(outline), _documents(outline)
    for site, value in _texts(outline):
        built = interpolated(value) if id(value) not in declared and not handles_route(site.function) else None
        if built is None:
            continue
        shown = serves or _is_page(site)
        found = ""
        if (TAG if shown else _PAGE).search(built.text) or _writes_page(site, pages):
            found = raw_in(outline, site, built)
        elif escapes and TAG.search(built.text):
            found = _plain(outline, site, built)
        found = found or _beside_escaped(outline, site, built)
        filed = not found and TAG.search(built.text) and any(first <= site.line <= last for first, last in written)
        found = raw_in(outline, site, built) if filed else found
        if found:
            match = bad(
                site, "markup", f"built with {found} unescaped", Confidence.MEDIUM, severity=Severity.LOW if filed else None
            )
            yield replace(match, line=_line_of(built, found, site.line))


def _documents(outline: Outline) -> list[tuple[int, int]]:
    """The line ranges of classes, and of functions outside them, that write a whole page or table."""
    begun = [each.line for each in outline.texts if isinstance(each.value, str) and _WHOLE.search(each.value)]
    alone = (each for each in outline.functions.values() if not each.owner and not each.within)
    spans = [(each.line, each.end) for each in (*outline.classes.values(), *alone)] if begun else []
    return [span for span in spans if any(span[0] <= line <= span[1] for line in begun)]


def _declared(outline: Outline, site: Site[Call], given: Expr) -> str:
    built = interpolated(given)
    if built is not None:
        shaped = TAG.search(built.text) or _ATTRIBUTE.search(built.text)
        return (raw_in(outline, site, built) if shaped else "") or _beside_escaped(outline, site, built)
    if _is_json(outline, site, given):
        return "JSON"
    if _is_markdown(outline, site, given):
        return "rendered Markdown"
    if isinstance(given, Call) and isinstance(given.callee, Attribute) and given.callee.name == "join" and given.arguments:
        return RawValues(outline, site, MARKUP_WORDS, TEXT_WORDS).raw(given)
    return ""


def _is_json(outline: Outline, site: Site[Call], given: Expr) -> bool:
    """`json.dumps(data)`, inline or in a variable: it does not escape `<`. The program's own encoder may."""
    given = outline.behind(site.function, given)
    if not isinstance(given, Call) or outline.dotted(given.callee) != "json.dumps" or keyword(given, "cls") is not None:
        return False
    data = positional(given, 0)
    return data is not None and any(isinstance(each, Name | Call) for each in walk(data))


def _is_markdown(outline: Outline, site: Site[Call], given: Expr) -> bool:
    """`markdown.markdown(text)`, inline or in a variable: Markdown keeps HTML. Any sanitizer call counts."""
    given = outline.behind(site.function, given)
    if not isinstance(given, Call) or outline.dotted(given.callee) not in _RENDERING or site.function is None:
        return False
    text = positional(given, 0)
    careful = any(each.keyword in ("safe_mode", "escape") for each in given.arguments)
    return isinstance(text, Name | Attribute) and not careful and not words_in(*site.function.body) & _CLEANING


def _is_page(site: _Place) -> bool:
    """A response declared as HTML."""
    node = site.node
    return isinstance(node, Call) and any((text_of(each.value) or "").startswith("text/html") for each in node.arguments)


def _writes_page(site: _Place, pages: dict[int, bool]) -> bool:
    """`out.write(text)` in a function that declares HTML output, so any text is markup. Each function is read once."""
    node, function = site.node, site.function
    if not isinstance(node, Call) or not isinstance(node.callee, Attribute) or node.callee.name != "write" or function is None:
        return False
    if id(function) not in pages:
        texts = (each.value for each in walk(*function.body) if isinstance(each, Const))
        pages[id(function)] = any(isinstance(each, str) and each.startswith("text/html") for each in texts)
    return pages[id(function)]


def _escapes_somewhere(outline: Outline) -> bool:
    """Return True if the module escapes for HTML anywhere, and so builds pages."""
    names = (outline.dotted(site.node.callee) for site in outline.of(Call))
    return any(name.rpartition(".")[2] in _ESCAPING and not name.startswith(_OTHER_ESCAPES) for name in names)


def _line_of(built: Interpolation, name: str, first: int) -> int:
    """The line of a multi-line text where the value is inserted."""
    for value in built.values:
        if last_name(value) == name:
            return max(value.line, first)
    return first


def _plain(outline: Outline, site: _Place, built: Interpolation) -> str:
    """The first raw value whose name suggests plain text, in a module whose other values may already be markup."""
    escaping = RawValues(outline, site, MARKUP_WORDS, TEXT_WORDS)
    names = (name for name in map(escaping.raw, built.values) if name)
    return next((name for name in names if words(name)[-1:] and words(name)[-1] in _SPOKEN), "")


def _beside_escaped(outline: Outline, site: _Place, built: Interpolation) -> str:
    """A value inserted unescaped into an attribute by a function that escapes others: markup is never escaped, and attributes
    never contain markup."""
    if site.function is None or HOLE not in built.text or "<" not in built.text or not _escapes(site.function):
        return ""
    values = RawValues(outline, site, PLAIN | _ATTRIBUTES)
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        start = hole + 1
        if hole >= 0 and _QUOTED.search(built.text[max(0, hole - 90) : hole + 1]) and (name := values.raw(value)):
            return name
    return ""


def _escapes(function: Function) -> bool:
    names = (each.callee for each in calls_in(*function.body))
    spoken = (each.name if isinstance(each, Attribute) else each.id for each in names if isinstance(each, Attribute | Name))
    return any("escape" in words(each) for each in spoken)


def _serves(outline: Outline) -> bool:
    """Return True if a file responds to browsers. Tags in a bot's messages are for a chat, which runs no scripts."""
    if any(name.partition(".")[0] in _CHATS for name in outline.module.imports.values()):
        return False
    return any(name == each or name.startswith(f"{each}.") for name in outline.module.imports.values() for each in _SERVING)


def _texts(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    """Texts that are stored, returned or passed on, each once, outermost first."""
    yield from outline.values(Return, Assign, Augment)
    for call in outline.of(Call):
        name = outline.dotted(call.node.callee).rpartition(".")[2] or last_name(call.node.callee)
        if set(words(name)) & _HANDING_ON or name.endswith("Response"):
            for argument in call.node.arguments[:1]:
                yield call, _in_bytes(argument.value)


def _in_bytes(value: Expr) -> Expr:
    """`s2b(text)`, `to_bytes(text)`, `text.encode()`: return the text."""
    if not isinstance(value, Call):
        return value
    callee = value.callee
    if isinstance(callee, Attribute) and callee.name == "encode":
        return callee.value
    turned = isinstance(callee, Name) and callee.id in _TURNING and len(value.arguments) == 1
    return value.arguments[0].value if turned else value
