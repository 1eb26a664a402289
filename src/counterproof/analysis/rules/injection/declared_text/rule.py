"""Plain text printed in a page without escaping.

## What it finds
`{{ item.title|safe }}` in a page: something that is plain text by its name (a title, a name, a subject, an error, an address for
mail) and is printed as markup; and `"<b>"|add:item.title|add:"</b>"|safe`, which puts it between tags first. In pages of Zope,
the same with `structure`. Inside a script, data that is printed with `safe`: JSON leaves `</script>` as it is.

## Why it matters
Nobody writes markup into a name on purpose, so nothing cleans it. Whoever chooses it puts a script into the page of others.

## What is safe
`{{ item.title }}` with escaping on, a filter that escapes or cleans before `safe`, and `json_script` or `tojson` for scripts.

## Limits
Where the value comes from is not judged. Values that may well be markup by their names (content, body, description, message)
are left to the analysis of data flow.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Name, Node
from counterproof.analysis.syntax.walk import children
from counterproof.analysis.templates.dialects import DJANGO, JINJA
from counterproof.analysis.templates.nodes import Block, Filter, Include, Macro, Macros, Member, Print, Spot, Template
from counterproof.analysis.templates.parser import read
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".djhtml", ".pt", ".zpt")
_PLAIN = vocabulary("title name username nickname subject query keyword filename email error errors author")
_MARKUP = vocabulary("html markup escaped safe rendered json url class template tag")
_ADDED = re.compile(r"['\"]<[^'\"|{}]{1,80}['\"]\|add:([A-Za-z_][\w.]{0,80})(?:\|add:['\"][^'\"|{}]{0,80}['\"])?\|safe\b")
"""`"<b>"|add:order.email|add:"</b>"|safe`."""
_STRUCTURE = re.compile(r"tal:(?:content|replace)=[\"']structure\s{1,4}([A-Za-z_]\w{0,60}(?:/\w{1,60}){1,6})[\"']")
"""`tal:content="structure context/title"`; expressions in Python are not judged."""
_CODE = vocabulary(
    "html markup escaped safe rendered url template tag script js javascript code css nonce csrf i18n translations"
)
"""Words of names of what a script may well be given as it is."""
MAX_LINE = 2_000
_NAMES = (Block, Include, Macro, Macros)
"""Parts that stand elsewhere."""
_SHOWN = (Spot.TEXT, Spot.QUOTED)
_IN_SCRIPTS = (Spot.SCRIPT, Spot.SCRIPT_TEXT)
_SAME_TEXT = frozenset({"upper", "lower", "title", "capitalize", "capfirst", "trim", "truncatechars", "truncate", "default"})


def _is_page(path: str) -> bool:
    return path.endswith(_PAGES)


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if "structure" in text:
        yield from _structures(text)
    if "safe" not in text:
        return
    yield from _added(text)
    template = read(path, text, DJANGO if "{% load" in text or "{% csrf_token" in text else JINJA)
    for printed in _prints(template) if template.markup else ():
        name = _declared(printed.value)
        if name and printed.spot in _SHOWN and _is_plain(name):
            verdict = f"{name} is plain text by its name, and declared to be markup"
            yield Match(printed.line, printed.line, "printed value", verdict, True, Confidence.MEDIUM)
        elif name and printed.spot in _IN_SCRIPTS and not set(words(name)) & _CODE:
            verdict = f"{name} is printed in a script as it is, where </script> in it ends the script"
            yield Match(printed.line, printed.line, "printed value", verdict, True, Confidence.MEDIUM)


def _structures(text: str) -> Iterator[Match]:
    for number, line in enumerate(text.split("\n"), 1):
        for found in _STRUCTURE.finditer(line[:MAX_LINE]):
            parts = found.group(1).split("/")
            name = parts[-2] if parts[-1] == "plain" else parts[-1]
            if parts[-1] == "plain" or _is_plain(name):
                verdict = f"{name} is plain text by its name, and declared to be markup"
                yield Match(number, number, "printed value", verdict, True, Confidence.MEDIUM)


def _added(text: str) -> Iterator[Match]:
    for number, line in enumerate(text.split("\n"), 1):
        found = _ADDED.search(line[:MAX_LINE])
        if found:
            verdict = f"{found.group(1)} is put between tags, and the whole is declared to be markup"
            yield Match(number, number, "printed value", verdict, True, Confidence.MEDIUM)


def _prints(template: Template) -> Iterator[Print]:
    """Every place where a template prints something, each once."""
    bodies = (template.body, *template.blocks.values(), *(each.body for each in template.macros.values()))
    pending = [each for body in bodies for each in body]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Print):
            yield node
        elif not isinstance(node, _NAMES):
            pending += children(node)


def _declared(value: Node) -> str:
    """The name of what is declared safe as it is; '' where anything else was done with it."""
    if not isinstance(value, Filter) or value.name != "safe":
        return ""
    inner: object = value.value
    while isinstance(inner, Filter) and inner.name in _SAME_TEXT:
        inner = inner.value
    return inner.name if isinstance(inner, Member | Attribute) else inner.id if isinstance(inner, Name) else ""


def _is_plain(name: str) -> bool:
    spoken = words(name)
    return bool(spoken) and spoken[-1] in _PLAIN and not set(spoken) & _MARKUP


RULE = CheckRule(
    RuleInfo(
        id="declared-text",
        title="Cross-site scripting (XSS): plain text printed as markup",
        dimension=Dimension.D1,
        kind="html",
        cwe=79,
        severity=Severity.MEDIUM,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="Whoever chooses the text runs a script in the browser of those who see the page.",
        remedy="Drop the safe filter, so that the value is escaped.",
    ),
    _check,
    _is_page,
    query="texts that templates print as markup",
)
