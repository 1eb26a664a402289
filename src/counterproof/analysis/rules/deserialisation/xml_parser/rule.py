"""XML parser that resolves external entities.

## What it finds
lxml's parsers with their defaults or with `resolve_entities=True`, and `xml.dom.pulldom`, applied to files, responses and
arguments. In JavaScript and TypeScript libraries, libxmljs options that turn entities on (`noent`).

## Why it matters
A document can name files and URLs that the program then reads, or entities that expand to gigabytes.

## What is safe
`defusedxml`, `lxml.etree.XMLParser(resolve_entities=False)`, the parsers of `xml.etree` for documents of limited size.

## Limits
The origin of the document is not checked. Newer versions of lxml resolve no external entities by default; the installed
version is not known.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, always, keyword
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument, spreads, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Const, Mapping, Name

_LXML = tuple(f"lxml.{module}.{name}" for module in ("etree", "objectify") for name in ("parse", "fromstring", "XML"))


def _resolves(at: Place) -> bool:
    return not spreads(at.call) if at.value is None else isinstance(at.value, Const) and at.value.value is True


def _is_given(at: Place) -> bool:
    """Return True if a caller passes the document; documents that the function builds itself are skipped."""
    text = argument(at.call, 0, "source")
    return isinstance(text, Name) and at.function is not None and at.outline.local(at.function, text.id) is None


def _has_no_parser(at: Place) -> bool:
    return argument(at.call, 1, "parser") is None


RULE = CheckRule(
    title="XML parser resolves external entities (XXE)",
    kind="xml",
    cwe=611,
    severity=Severity.LOW,
    consequence="A crafted document can read local files, reach internal addresses or exhaust memory.",
    remedy="Use defusedxml, or a parser with resolve_entities=False.",
    check=Matching(
        Calls(
            names("code", "xml-parser"),
            keyword("resolve_entities"),
            bad=Bad(_resolves, "entities are resolved", Confidence.MEDIUM),
            good="entities are not resolved",
            optional=True,
        ),
        Calls(_LXML, only=lambda at: _has_no_parser(at) and _is_given(at)),
        Calls(("xml.dom.pulldom.parse", "xml.dom.pulldom.parseString"), only=_has_no_parser),
        bad=Bad(always, "the default parser resolves entities", Confidence.MEDIUM),
        item="parser",
    ),
    query="XML parsers and their options",
)


def _check_script(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "libxmljs" in project.text(path) else None
    for site in outline.of(Mapping) if outline is not None else ():
        asked = [value for key, value in site.node.entries if key is not None and text_of(key) == "noent"]
        if any(isinstance(value, Const) and value.value is True for value in asked):
            yield bad(site, "parser", "entities are resolved", Confidence.MEDIUM)
        elif asked:
            yield good(site, "parser", "entities are not resolved")


SCRIPTS = RULE.in_scripts(
    CheckRule,
    remedy="Leave noent out.",
    check=_check_script,
    applies=script_file,
    query="options of XML parsers",
)
