"""XML parser that resolves entities.

## What it finds
lxml's parsers with their defaults or with `resolve_entities=True`, and `xml.dom.pulldom`, on files, answers
and what callers pass. In JavaScript and TypeScript, in code that others install, options of libxmljs that switch entities on
(`noent`).

## Why it matters
A document names files and addresses that the program then reads, or entities that grow to gigabytes.

## What is safe
`defusedxml`, `lxml.etree.XMLParser(resolve_entities=False)`, the parsers of `xml.etree` for trusted sizes.

## Limits
Where the document comes from in the end is not judged. Newer versions of lxml resolve no external entities by default; which
version is installed is not known.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, spreads, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Call, Const, Expr, Mapping, Name

_LXML = tuple(f"lxml.{module}.{name}" for module in ("etree", "objectify") for name in ("parse", "fromstring", "XML"))
_MAKING = names("code", "xml-parser")
_EVENTS = ("xml.dom.pulldom.parse", "xml.dom.pulldom.parseString")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        if dotted in _MAKING:
            resolving = keyword(site.node, "resolve_entities")
            loose = resolving is None if not spreads(site.node) else False
            loose = loose or (isinstance(resolving, Const) and resolving.value is True)
            verdict = "entities are resolved" if loose else "entities stay as they are"
            yield bad(site, "parser", verdict, Confidence.MEDIUM) if loose else good(site, "parser", verdict)
        elif argument(site.node, 1, "parser") is not None:
            continue
        elif dotted in _LXML and _brought(outline, site, argument(site.node, 0, "source")):
            yield bad(site, "parser", "lxml's default parser resolves entities", Confidence.MEDIUM)
        elif dotted in _EVENTS:
            yield bad(site, "parser", "entities are resolved", Confidence.MEDIUM)


def _brought(outline: Outline, site: Site[Call], text: Expr | None) -> bool:
    """Whether a caller passes the document; what the function makes itself is its own."""
    if not isinstance(text, Name) or site.function is None:
        return False
    return outline.local(site.function, text.id) is None


RULE = CheckRule(
    title="XML parser resolves external entities (XXE)",
    kind="xml",
    cwe=611,
    severity=Severity.LOW,
    consequence="A crafted document can read local files, reach internal addresses or exhaust memory.",
    remedy="Use defusedxml, or a parser with resolve_entities=False.",
    check=_check,
    query="XML parsers and their options",
)


def _check_script(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "libxmljs" in project.text(path) else None
    for site in outline.of(Mapping) if outline is not None else ():
        asked = [value for key, value in site.node.entries if key is not None and text_of(key) == "noent"]
        if any(isinstance(value, Const) and value.value is True for value in asked):
            yield bad(site, "parser", "entities are resolved", Confidence.MEDIUM)
        elif asked:
            yield good(site, "parser", "entities stay as they are")


SCRIPTS = RULE.in_scripts(
    CheckRule,
    remedy="Leave noent out.",
    check=_check_script,
    applies=script_file,
    query="options of XML parsers",
)
