"""XPath expression built from untrusted data.

## What it finds
Request data in the text of an XPath query over an XML document.

## Why it matters
The sender can select other parts of the document than intended, for example someone else's record.

## What is safe
Variables of the XPath engine (`tree.xpath("//user[@id=$id]", id=value)`), numbers, values from a fixed list, and values
checked to contain no quotes.

## Limits
`find` and `findall` are reported only on parsed XML documents.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="xpath-injection",
    title="XPath injection",
    kind="xpath",
    cwe=643,
    severity=Severity.HIGH,
    consequence="The sender can read parts of the XML document that are not meant for them.",
    remedy="Pass values as XPath variables instead of concatenating them into the expression.",
    sink="xpath",
    sanitisers=("without '", "replaced '"),
    poc="' or '1'='1",
    openly=True,
)
