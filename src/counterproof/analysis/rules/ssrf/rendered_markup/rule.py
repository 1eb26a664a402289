"""Markup from a sender that the server itself renders, to a PDF or a picture.

## What it finds
Text from a request that becomes HTML for pdfkit, imgkit, WeasyPrint or xhtml2pdf without being escaped.

## Why it matters
The renderer loads what the markup names: inner services, metadata of the cloud, files of the server. The answer comes back on
the page.

## What is safe
A template that escapes the values, `html.escape`, a cleaner such as bleach, and a renderer that may load nothing
(`disable-local-file-access`, a `url_fetcher` of your own).

## Limits
A proxy that lets the renderer reach nothing is not seen.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    title="Server-side request forgery (SSRF) through rendered markup",
    kind="request",
    cwe=918,
    severity=Severity.HIGH,
    consequence="The sender can reach internal services and files through the renderer.",
    remedy="Escape or clean the sender's text, and keep the renderer from loading addresses.",
    sinks=sinks("document-rendering"),
    sanitisers=(*names("sanitiser", "html"),),
    poc='<iframe src="http://169.254.169.254/latest/meta-data/"></iframe>',
    openly=True,
)
