"""XPath expression built from untrusted data.

## What it finds
Request data in the text of an XPath query over an XML document.

## Why it matters
The sender can select other parts of the document than intended, for example someone else's record.

## What is safe
Variables of the XPath engine (`tree.xpath("//user[@id=$id]", id=value)`), numbers, values from a fixed list, and values checked
to hold no quote.

## Limits
`find` and `findall` are reported only on parsed XML documents.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_XML = ("lxml.", "xml.", "defusedxml.", "elementpath.")

RULE = FlowRule(
    RuleInfo(
        id="xpath-injection",
        title="XPath expression built from untrusted data",
        dimension=Dimension.D1,
        kind="xpath",
        cwe=643,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can read parts of the XML document that were not meant for them.",
        remedy="Pass values as XPath variables instead of putting them into the expression.",
    ),
    sinks=(
        Sink("*.xpath", (0, "_path", "path"), receiver_from=_XML),
        Sink("lxml.etree.XPath", (0, "path")),
        Sink("lxml.etree.ETXPath", (0, "path")),
        *(
            Sink(f"*.{name}", (0, "path", "match"), receiver_from=_XML, only_certain=True)
            for name in ("find", "findall", "findtext", "iterfind")
        ),
        Sink("elementpath.select", (1, "path")),
        Sink("elementpath.iter_select", (1, "path")),
        Sink("elementpath.Selector", (0, "path")),
    ),
    sanitisers=("without '", "replaced '"),
    poc="' or '1'='1",
)
