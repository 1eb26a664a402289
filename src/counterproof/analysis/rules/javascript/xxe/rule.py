"""XML that may name files of the server, in JavaScript and TypeScript.

## What it finds
Request data parsed by `libxmljs` with `noent`, which puts the contents of entities into the document.

## Why it matters
An entity can stand for a file of the server or an internal address; the answer then shows it.

## What is safe
Parsers without entities (`fast-xml-parser`, `xml2js`); `libxmljs` with its defaults.

## Limits
Other parsers are taken to be safe by default.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-xxe",
        title="XML external entity injection (XXE)",
        dimension=Dimension.D4,
        kind="xml",
        cwe=611,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can read files of the server and reach internal addresses.",
        remedy="Parse without entities: leave noent out.",
    ),
    sinks=sinks("xml", Language.JAVASCRIPT),
    poc='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
