"""HTML mail built from untrusted data.

## What it finds
Request data in the HTML of a mail without escaping: `html_message` of Django's `send_mail`, `attach_alternative`, `html` of
Flask-Mail, `MIMEText(…, "html")`, `EmailMessage.add_alternative`, SendGrid's `html_content`.

## Why it matters
The sender writes links, forms and pictures into a mail that comes from you: a good way to get passwords from your users.

## What is safe
A template that escapes, `html.escape`, a mail of plain text.

## Limits
Mails that are put together as plain text, header by header, are not read.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="mail-markup",
        title="HTML injection in mail",
        dimension=Dimension.D1,
        kind="mail",
        cwe=79,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="The sender puts links and forms of their own into a mail that your users trust.",
        remedy="Render the mail from a template that escapes, or escape the value with html.escape.",
    ),
    sinks=sinks("mail-body"),
    sanitisers=(
        *names("sanitiser", "html"),
        *names("sanitiser", "url"),
        "without <",
        "replaced <",
    ),
    poc='<a href="https://attacker.example/">Confirm your password</a>',
)
