"""What templates and components of JavaScript programs print without escaping: EJS, Pug, Handlebars, Mustache, Nunjucks, Swig,
React, Vue, Svelte.

Invariant: texts are searched by patterns of bounded length, line by line, with the lines below a value that is begun; what is
inside loops is traced to the list that is walked. Not handled here: where the data comes from.
"""

import re
from dataclasses import dataclass

EJS = (".ejs",)
PUG = (".pug", ".jade")
BRACES = (".hbs", ".handlebars", ".mustache", ".hjs")
FILTERS = (".njk", ".nunjucks", ".swig", ".twig", ".liquid")
SUFFIXES = (*EJS, *PUG, *BRACES, *FILTERS)
COMPONENTS = (".jsx", ".tsx", ".vue", ".svelte", ".js")
"""Pages that are put together in the browser; many projects keep JSX in plain scripts."""
MAX_LINES = 20_000
MAX_LINE = 2_000
MAX_PRINTS = 500

_EJS = re.compile(r"<%-\s{0,20}(.{1,300}?)\s{0,20}[-_]?%>")
_PUG = re.compile(r"!\{\s{0,20}([^}]{1,300}?)\s{0,20}\}")
_PUG_LINE = re.compile(r"^\s{0,200}[\w.#-]{0,100}(?:\([^)]{0,500}\))?!=\s{0,20}(.{1,300})$")
_BRACES = re.compile(r"\{\{\{\s{0,20}([^}]{1,300}?)\s{0,20}\}\}\}|\{\{&\s{0,20}([^}]{1,300}?)\s{0,20}\}\}")
_FILTERS = re.compile(r"\{\{-?\s{0,20}([^}|]{1,300}?)\s{0,20}\|\s{0,20}(?:safe|raw)\b")
_COMPONENTS = re.compile(
    r"dangerouslySetInnerHTML=\{\{\s{0,60}__html:\s{0,20}((?:[^{}]|\{[^{}]{0,80}\}){1,300}?)\s{0,60},?\s{0,60}\}\}"
    r"|\bv-html=\"([^\"]{1,300})\"|\{@html\s{1,20}([^}]{1,300}?)\s{0,20}\}"
)
_BEGUN = "dangerouslySetInnerHTML={{"
"""What formatters leave at the end of a line, with the value below it."""
MAX_BELOW = 5
_SHAPED = re.compile(r"^_?(?:truncate|trim|String|unescape)\(\s{0,20}")
"""Calls that leave the markup in a text."""
_NAME = r"[A-Za-z_$][\w$]{0,80}"
_CHAIN = re.compile(rf"{_NAME}(?:\??\.{_NAME}|\[\s{{0,4}}['\"]{_NAME}['\"]\s{{0,4}}\]){{0,8}}")
_LOOPS = (
    re.compile(rf"({_NAME}(?:\.{_NAME}){{0,6}})\.(?:forEach|map)\(\s{{0,4}}(?:async\s{{1,4}})?(?:function\s{{0,4}})?\(?\s{{0,4}}({_NAME})"),
    re.compile(rf"\beach\s{{1,8}}(?P<item>{_NAME})(?:\s{{0,4}},\s{{0,4}}{_NAME})?\s{{1,8}}in\s{{1,8}}(?P<list>{_NAME}(?:\.{_NAME}){{0,6}})"),
    re.compile(rf"\bfor\s{{0,4}}\(\s{{0,4}}(?:var|let|const)?\s{{0,4}}(?P<item>{_NAME})\s{{1,4}}(?:of|in)\s{{1,4}}(?P<list>{_NAME}(?:\.{_NAME}){{0,6}})"),
    re.compile(rf"\{{%-?\s{{0,8}}for\s{{1,8}}(?P<item>{_NAME})\s{{1,8}}in\s{{1,8}}(?P<list>{_NAME}(?:\.{_NAME}){{0,6}})"),
)  # fmt: skip
_PARTS = ("include", "partial", "yield", "block", "super", "contentFor", "layout")
_BODIES = frozenset({"body", "content", "contents"})
"""What layouts print: the page that was rendered inside them."""
_WRAPPING = frozenset({"JSON", "encodeURIComponent", "escape", "sanitize", "sanitizeHtml", "DOMPurify", "marked", "escapeHtml"})


@dataclass(frozen=True, slots=True)
class Raw:
    """One value printed as it is. `chain` are the names that lead to it from the variables of the page."""

    line: int
    expression: str
    chain: tuple[str, ...]


def is_template(path: str) -> bool:
    return path.endswith(SUFFIXES)


def prints_pages(path: str) -> bool:
    """Templates, and components of a page."""
    return path.endswith((*SUFFIXES, *COMPONENTS))


def raw_outputs(path: str, text: str) -> tuple[Raw, ...]:
    """Values that a template prints without escaping, other than its own parts."""
    patterns = _patterns(path)
    found: list[Raw] = []
    lists: dict[str, tuple[str, ...]] = {}
    lines = text.split("\n")[:MAX_LINES] if not path.endswith(".js") or _BEGUN in text else []
    for number, line in enumerate(lines, 1):
        code = line.partition(" //")[0].rstrip()
        shown = " ".join((code, *lines[number : number + MAX_BELOW]) if code.endswith(_BEGUN) else (line,))[:MAX_LINE]
        _note_loops(shown, lists)
        for pattern in patterns:
            for match in pattern.finditer(shown):
                expression = next(group for group in match.groups() if group is not None)
                raw = _raw(number, expression.strip(), lists)
                if raw is not None and len(found) < MAX_PRINTS:
                    found.append(raw)
    return tuple(found)


def _patterns(path: str) -> tuple[re.Pattern[str], ...]:
    if path.endswith(COMPONENTS):
        return (_COMPONENTS,)
    if path.endswith(EJS):
        return (_EJS,)
    if path.endswith(PUG):
        return (_PUG, _PUG_LINE)
    return (_BRACES,) if path.endswith(BRACES) else (_FILTERS,)


def _note_loops(line: str, lists: dict[str, tuple[str, ...]]) -> None:
    for pattern in _LOOPS:
        for match in pattern.finditer(line):
            named = match.groupdict()
            item, walked = (named["item"], named["list"]) if named else (match.group(2), match.group(1))
            lists[item] = (*_names(walked, lists), "[]")


def _names(chain: str, lists: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    first, *rest = re.findall(_NAME, chain)
    return (*lists.get(first, (first,)), *rest)


def _raw(line: int, expression: str, lists: dict[str, tuple[str, ...]]) -> Raw | None:
    expression = _SHAPED.sub("", expression)
    if expression.startswith((*_PARTS, '"', "'", "#", "/", ">", "@")) and not expression.startswith("this."):
        return None
    match = _CHAIN.search(expression)
    if match is None or match.group(0) in _BODIES:
        return None
    chain = _names(match.group(0), lists)
    called = expression[match.end() : match.end() + 1] == "("
    if chain[0] in _WRAPPING or (called and len(chain) == 1):
        return None
    return Raw(line, expression[:120], tuple(each for each in chain if each != "this")[:8])
