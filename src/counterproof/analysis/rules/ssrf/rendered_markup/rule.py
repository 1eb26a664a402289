"""Sender-supplied markup that the server renders to a PDF or an image.

## What it finds
Text from a request that becomes HTML for pdfkit, imgkit, WeasyPrint or xhtml2pdf without being escaped.

## Why it matters
The renderer loads the URLs in the markup: internal services, cloud metadata, files of the server. The responses appear on the
rendered page.

## What is safe
A template that escapes the values, `html.escape`, a sanitizer such as bleach, and a renderer configured to load nothing
(`disable-local-file-access`, a `url_fetcher` of your own).

## Limits
A proxy that blocks the renderer's requests is not seen.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    title="Server-side request forgery (SSRF) through rendered markup",
    kind="request",
    cwe=918,
    severity=Severity.HIGH,
    consequence="The sender can reach internal services and files through the renderer.",
    remedy="Escape or sanitize the sender's text, and keep the renderer from loading URLs.",
    sink="document-rendering",
    safe=("html",),
    poc='<iframe src="http://169.254.169.254/latest/meta-data/"></iframe>',
    openly=True,
)
