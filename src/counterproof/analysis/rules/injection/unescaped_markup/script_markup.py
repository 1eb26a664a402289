"""Markup that JavaScript and TypeScript build or set."""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, script_outline
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.program.interpolation import Interpolation, interpolated
from counterproof.analysis.program.markup import MARKUP_WORDS, TAG
from counterproof.analysis.program.open_values import OpenValues, is_checked
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Bind, Call, Expr, Mapping, Name, Return
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.severity import Confidence

_Place = Site[Call] | Site[Assign] | Site[Bind] | Site[Return] | Site[Mapping]
_FIELDS = frozenset({"innerHTML", "outerHTML", "srcdoc"})
_SETTERS = {"html": 0, "insertAdjacentHTML": 1, "setHTMLUnsafe": 0, "createContextualFragment": 0}
"""Methods that take markup, with the position of that argument."""
_WRITERS = vocabulary("write writeln")
"""Document methods that take markup."""
_ADDERS = vocabulary("append prepend after before replaceWith wrap wrapInner")
"""Methods that take markup in jQuery, and text or elements elsewhere."""
_QUERIES = vocabulary("$ jQuery")
_READERS = {"getAttribute": 1, "attr": 1, "data": 1, "val": 0, "text": 0}
"""Methods that return an element's text, with the number of arguments of that form."""
_STORES = {
    "getItem": vocabulary("localStorage sessionStorage"),
    "getData": vocabulary("clipboardData dataTransfer"),
}
"""Methods that return stored or copied text, with their receivers."""
_TRANSLATED = vocabulary(
    "i18n l10n intl translations translation translate strings locale locales lang language labels texts messages"
)
"""Name words of the program's own texts."""
_MAKERS = frozenset({"map", "flatMap", "reduce"})
_SAME = frozenset({"split", "join", "trim", "toString", "replace", "replaceAll", "concat", "strip"})
_MADE = PLAIN | vocabulary(
    """html markup tag tags attrs attributes css style styles rendered widget template children color colour indent svg footer
    header head media static script locale lang language cls classes class icon"""
)
"""Name words of values that are already markup, or that only the program sets. `address` may end one in an attribute."""
_SET = MARKUP_WORDS - vocabulary("body content header footer link page pages href src url")
"""The same for values set directly: a name such as `content` does not imply markup."""
_GIVEN = _SET - vocabulary("html markup")
"""The same in a package, whose callers may not know that the markup they pass is not sanitized."""
_SCRIPT = re.compile(r"<script\b|\bwindow\s{0,5}[.\[]|\bglobalThis\b", re.IGNORECASE)
"""The text of an inline script."""
_OWN_SCRIPT = re.compile(r"^[\s(]{0,5}(?:window|globalThis)\s{0,5}[.\[]")
"""A script that starts with a global that all scripts of the page share."""
_JSON = re.compile(r"(?:^|[.:])\w{0,20}JSON\.stringify$")
_PAGE = re.compile(r"__html|<script\b|dangerouslySetInnerHTML", re.IGNORECASE)
"""Text in files that put scripts into pages."""
_REPLACED = 2
"""Position of the text among the arguments of `sub`."""
MAX_ARGUMENTS = 4
"""Arguments of a call that are examined."""


def check_script(project: Project, path: str) -> Iterator[Match]:
    """Yield one match per function: its first place represents the others."""
    found: dict[str | int, Match] = {}
    for each in sorted(_found(project, path), key=lambda each: each.line):
        key = each.function or each.line
        first = found.setdefault(key, each)
        if first is not each:
            found[key] = replace(first, also=(*first.also, each.line))
    yield from found.values()


def _found(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)) or not is_loaded(project, path):
        return
    outline = script_outline(project, path)
    harmless = _GIVEN if project.scripts().installable(path) is not None else _SET
    scripted = bool(_PAGE.search(project.text(path)))
    for site, value in _texts(outline):
        built = interpolated(value)
        if built is not None and TAG.search(built.text) and (found := _raw_in(outline, site, built)):
            yield bad(site, "markup", f"built with {found} unescaped", Confidence.MEDIUM)
        elif (
            built is not None
            and (_SCRIPT if scripted else _OWN_SCRIPT).search(built.text)
            and (found := _as_json(outline, site, built))
        ):
            yield bad(
                site, "script", f"{found} is inserted into a script as JSON, which may contain its end tag", Confidence.MEDIUM
            )
    for site, value in _set(outline):
        built = interpolated(value)
        found = _PageValues(outline, site, harmless).raw(value) if built is None or not TAG.search(built.text) else ""
        if found and not is_checked(outline, site, value):
            yield bad(site, "markup", f"{found} is set as markup unescaped", Confidence.MEDIUM)


def _raw_in(outline: Outline, site: _Place, built: Interpolation) -> str:
    values = _PageValues(outline, site, _MADE)
    named = ((each, name) for each in built.values if (name := values.raw(each)))
    return next((name for each, name in named if not is_checked(outline, site, each)), "")


def _as_json(outline: Outline, site: _Place, built: Interpolation) -> str:
    """`window.data = ${JSON.stringify(data)}`: the data."""
    values = _PageValues(outline, site, PLAIN)
    made = (_made(outline, site, each) for each in built.values)
    given = (each for each in made if isinstance(each, Call) and _is_json(outline, each.callee))
    return next((name for each in given for argument in each.arguments[:1] if (name := values.raw(argument.value))), "")


def _is_json(outline: Outline, callee: Expr) -> bool:
    """`JSON.stringify`, and functions of the same name from any module."""
    spelled = f"{last_name(callee.value)}.{callee.name}" if isinstance(callee, Attribute) else ""
    return bool(_JSON.search(outline.dotted(callee)) or _JSON.search(spelled))


def _made(outline: Outline, site: _Place, value: Expr) -> Expr:
    """The value assigned to a variable."""
    assigned = outline.visible(site.function, value.id) if isinstance(value, Name) else None
    return assigned.value if assigned is not None and assigned.value is not None else value


class _PageValues(OpenValues):
    """Open values plus the text content of page elements, without the program's own translations."""

    def raw(self, expr: Expr, hops: int = 0) -> str:
        if isinstance(expr, Call) and isinstance(expr.callee, Attribute):
            read = _read(expr, expr.callee)
            if read is not None:
                return "" if self._harmless(read) else read or "value"
            if expr.callee.name == "sub" and len(expr.arguments) > _REPLACED:
                return self.raw(expr.arguments[_REPLACED].value, hops + 1)
            if expr.callee.name in _MAKERS and expr.arguments:
                return ""  # the function it receives is examined separately
        if isinstance(expr, Attribute) and expr.name in _FIELDS:
            return ""  # already markup in the page
        if isinstance(expr, Attribute) and isinstance(expr.value, Name) and self._is_exception(expr.value.id, expr.line):
            return ""  # the browser's own error message of a failed request
        return super().raw(expr, hops)

    def _held(self, value: Expr) -> bool:
        return not set(words(last_name(value))) & _TRANSLATED and super()._held(value)


def _read(call: Call, callee: Attribute) -> str | None:
    """The source a call reads from: an element, the clipboard or browser storage, by name; None for other calls."""
    stores = _STORES.get(callee.name)
    if stores:
        return "" if last_name(callee.value) in stores else None
    given = [text_of(each.value) for each in call.arguments]
    return "".join(filter(None, given)) if _READERS.get(callee.name) == len(given) and None not in given else None


def _set(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    """`element.innerHTML = text`, `$("#status").html(text)`, `h("p", { innerHTML: text })`."""
    for assigned in outline.of(Assign):
        markup = any(isinstance(each, Attribute) and each.name in _FIELDS for each in assigned.node.targets)
        if markup and assigned.node.value is not None:
            yield assigned, _joined(assigned.node.value)
    for added in outline.of(Bind):
        if last_name(added.node.target) in _FIELDS:
            yield added, _joined(added.node.value)
    for held in outline.of(Mapping):
        for key, value in held.node.entries:
            name = text_of(key) if key is not None else None
            if name in _FIELDS or (name == "__html" and isinstance(value, Name)):  # fields in it are covered by another rule
                yield held, _joined(value)
    for call in outline.of(Call):
        yield from ((call, _joined(each)) for each in _markup_of(call.node))


def _markup_of(call: Call) -> Iterator[Expr]:
    """The arguments that a call interprets as markup."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return
    given = [each.value for each in call.arguments]
    if callee.name in _SETTERS:
        yield from given[_SETTERS[callee.name] :][:1]
    elif callee.name in _WRITERS and last_name(callee.value) == "document":
        yield from given[:MAX_ARGUMENTS]
    elif callee.name in _ADDERS and _is_query(callee.value):
        yield from (each for each in given[:MAX_ARGUMENTS] if interpolated(each) is not None)


def _is_query(value: Expr) -> bool:
    """`$("#list").find("li")`: a jQuery selection."""
    while isinstance(value, Call) and isinstance(value.callee, Attribute):
        value = value.callee.value
    return isinstance(value, Call) and last_name(value.callee) in _QUERIES


def _joined(value: Expr) -> Expr:
    """`text.split("\\n").join("<br>")`: return the text."""
    while isinstance(value, Call) and isinstance(value.callee, Attribute):
        if value.callee.name in _SAME:
            value = value.callee.value
        elif value.callee.name == "sub" and len(value.arguments) > _REPLACED:  # `text.replace(/…/g, …)`
            value = value.arguments[_REPLACED].value
        else:
            break
    return value


def _texts(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    yield from outline.values(Return, Assign, Bind)
    for call in outline.of(Call):
        yield from ((call, each.value) for each in call.node.arguments[:MAX_ARGUMENTS])
