"""XML with external entities parsed from untrusted data.

## What it finds
Request data given to an XML parser that resolves entities: lxml with its defaults or `resolve_entities=True`, `xml.sax` with
external general entities switched on, `xml.dom.pulldom` and similar.

## Why it matters
A document can name files and addresses that the server then reads: local files leak, inner services are reached.

## What is safe
`defusedxml`, `lxml.etree.XMLParser(resolve_entities=False)`, the parsers of `xml.etree` (they load no external entities).

## Limits
Options set on a parser after it was made are followed only within one function.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_RESOLVES = (("1/parser.resolve_entities", "!False|internal"),)
_EXTERNAL = (("1/parser.feature_external_ges", "True"),)

RULE = FlowRule(
    RuleInfo(
        id="xxe",
        title="Untrusted XML parsed with external entities",
        dimension=Dimension.D4,
        kind="xml",
        cwe=611,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can make the server read local files or reach inner services and return what it finds.",
        remedy="Parse with defusedxml, or with a parser that has entity resolution and network access switched off.",
    ),
    sinks=(
        *(
            Sink(f"lxml.etree.{name}", (0, "source", "text"), when=_RESOLVES)
            for name in ("parse", "fromstring", "XML", "fromstringlist", "iterparse")
        ),
        *(Sink(f"lxml.objectify.{name}", (0,), when=_RESOLVES) for name in ("parse", "fromstring", "XML")),
        *(
            Sink(f"xml.dom.{module}.{name}", (0,), when=_EXTERNAL)
            for module in ("minidom", "pulldom")
            for name in ("parse", "parseString")
        ),
        Sink(
            "*.parse",
            (0, "source"),
            when=(("<receiver>.feature_external_ges", "True"),),
            receiver_from=("xml.sax.",),
            only_certain=True,
        ),
        Sink("xmltodict.parse", (0, "xml_input"), when=(("disable_entities", "False"),)),
    ),
    poc='<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
)
