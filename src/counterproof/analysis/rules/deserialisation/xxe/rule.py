"""XML with external entities parsed from untrusted data.

## What it finds
Request data passed to an XML parser that resolves entities: lxml with its defaults or `resolve_entities=True`, `xml.sax` with
external general entities turned on, `xml.dom.pulldom` and similar. In JavaScript and TypeScript `libxmljs` with `noent`.

## Why it matters
A document can name files and URLs that the server then reads: local files leak and internal services are reached.

## What is safe
`defusedxml`, `lxml.etree.XMLParser(resolve_entities=False)`, the parsers of `xml.etree` (they load no external entities). In
JavaScript `libxmljs` with its defaults, `fast-xml-parser`, `xml2js`.

## Limits
Options set on a parser after its creation are followed only within one function. Other JavaScript parsers are assumed to be
safe by default.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    title="XML external entity injection (XXE)",
    kind="xml",
    cwe=611,
    severity=Severity.HIGH,
    consequence="The sender can make the server read local files or reach internal services and return what it finds.",
    remedy="Parse with defusedxml, or with a parser that has entity resolution and network access turned off.",
    sink="xml",
    poc='<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    openly=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    remedy="Parse without entities: leave noent out.",
    openly=True,
)
