"""Passwords sent over unencrypted connections.

## What it finds
A login over FTP, Telnet, POP3, IMAP or SMTP on a connection that is never switched to TLS in the same function or class.

## Why it matters
Anyone on the network path reads the password and whatever comes after it.

## What is safe
`FTP_TLS`, `SMTP_SSL`, `IMAP4_SSL`, `POP3_SSL`, SSH, or `starttls` before the login. A server on the local machine.

## Limits
A connection opened in one function and used for the login in another is not followed.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, always
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.traversal import argument, called, keyword, text_of
from counterproof.analysis.ruleset import CheckRule, Confidence, Guess, Severity
from counterproof.analysis.syntax.ir import Call

_LOGINS = {
    "ftplib.FTP": {"login"},
    "smtplib.SMTP": {"login"},
    "imaplib.IMAP4": {"login", "authenticate"},
    "poplib.POP3": {"pass_", "apop"},
}
"""Constructors of plain connections, with the methods that send a password over them."""


def _logs_in(at: Place) -> bool:
    near = {called(each.node) for each in at.outline.of(Call) if _surroundings(each) == _surroundings(at.site)}
    given = at.name == "ftplib.FTP" and (keyword(at.call, "passwd") or len(at.call.arguments) > 2)
    return bool(given or near & _LOGINS[at.name]) and not near & {"starttls", "stls", "prot_p"}


def _surroundings(site: Site[Call]) -> str:
    """The class around a method, else the function: other methods use a connection that the constructor opens."""
    return site.function.owner if site.function and site.function.owner else site.scope


def _goes_elsewhere(at: Place) -> bool:
    return text_of(argument(at.call, 0, "host")) not in ("localhost", "127.0.0.1", "::1")


RULE = CheckRule(
    title="Password sent without encryption",
    kind="tls",
    cwe=319,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Anyone on the network path reads the password and the data.",
    remedy="Use the TLS variant of the protocol, or switch the connection to TLS before the login.",
    check=Matching(
        Calls(("telnetlib.Telnet",), bad=Bad(always, "not encrypted", Confidence.MEDIUM)),
        Calls(tuple(_LOGINS), only=_goes_elsewhere, bad=Bad(_logs_in, "sent without encryption", Confidence.MEDIUM)),
        good="none here, or over TLS",
        item="login",
    ),
    query="logins over plain connections",
)
