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

from counterproof.analysis.ruleset import MARKUP_ESCAPES, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_SENDING = ("send_mail", "mail_admins", "mail_managers")
_CONTENT = ("set_content", "add_alternative")

RULE = FlowRule(
    RuleInfo(
        id="mail-markup",
        title="HTML mail built from untrusted data",
        dimension=Dimension.D1,
        kind="mail",
        cwe=79,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="The sender puts links and forms of their own into a mail that your users trust.",
        remedy="Render the mail from a template that escapes, or escape the value with html.escape.",
    ),
    sinks=(
        *(Sink(f"django.core.mail.{name}", ("html_message",)) for name in _SENDING),
        Sink("django.core.mail.EmailMultiAlternatives().attach_alternative", (0, "content"), when=(("1/mimetype", "text/html"),)),
        *(Sink(f"{package}.Message", ("html",)) for package in ("flask_mail", "flask_mailman", "fastapi_mail")),
        *(Sink(f"{package}.Message().html=") for package in ("flask_mail", "flask_mailman")),
        *(Sink(f"email.mime.text.{name}", (0, "_text"), when=(("1/_subtype", "html"),)) for name in ("MIMEText",)),
        *(Sink(f"email.message.EmailMessage().{name}", (0,), when=(("subtype", "html"),)) for name in _CONTENT),
        Sink("sendgrid.helpers.mail.Mail", ("html_content",)),
        Sink("sendgrid.helpers.mail.HtmlContent", (0, "content")),
        Sink("sendgrid.helpers.mail.Content", (1, "content"), when=(("0/mime_type", "text/html"),)),
        Sink("resend.Emails.send", ("0.html",)),
    ),
    sanitisers=MARKUP_ESCAPES,
    poc='<a href="https://attacker.example/">Confirm your password</a>',
)
