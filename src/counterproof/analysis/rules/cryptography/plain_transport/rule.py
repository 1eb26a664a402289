"""Passwords sent over connections that nobody encrypts.

## What it finds
A login over FTP, Telnet, POP3, IMAP or SMTP on a connection that is never switched to TLS in the same function or class.

## Why it matters
Anyone on the network path reads the password and whatever comes after it.

## What is safe
`FTP_TLS`, `SMTP_SSL`, `IMAP4_SSL`, `POP3_SSL`, SSH, or `starttls` before the login. A server on this very machine.

## Limits
A connection that is made in one place and logged in with in another is not followed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call

_LOGINS = {
    "ftplib.FTP": ("login",),
    "smtplib.SMTP": ("login",),
    "imaplib.IMAP4": ("login", "authenticate"),
    "poplib.POP3": ("pass_", "apop"),
}
"""What makes a plain connection, and the methods that send a password over it."""
_ENCRYPTING = ("starttls", "stls", "prot_p")
_HERE = ("localhost", "127.0.0.1", "::1")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    called = _methods(outline)
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        if dotted == "telnetlib.Telnet":
            yield bad(site, "connection", "not encrypted", Confidence.MEDIUM)
        logins = _LOGINS.get(dotted)
        if logins is None or text_of(argument(site.node, 0, "host")) in _HERE:
            continue
        near = called.get(_surroundings(site), set())
        given = dotted == "ftplib.FTP" and (keyword(site.node, "passwd") or len(site.node.arguments) > 2)
        if (given or near & {*logins}) and not near & {*_ENCRYPTING}:
            yield bad(site, "login", "sent without encryption", Confidence.MEDIUM)
        else:
            yield good(site, "login", "none here, or over TLS")


def _surroundings(site: Site[Call]) -> str:
    """The class around a method, else the function: a connection that a constructor makes is used in other methods."""
    return site.function.owner if site.function and site.function.owner else site.scope


def _methods(outline: Outline) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for site in outline.of(Call):
        if isinstance(site.node.callee, Attribute):
            found.setdefault(_surroundings(site), set()).add(site.node.callee.name)
    return found


RULE = CheckRule(
    title="Password sent without encryption",
    kind="tls",
    cwe=319,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Anyone on the network path reads the password and the data.",
    remedy="Use the TLS variant of the protocol, or switch the connection to TLS before the login.",
    check=_check,
    query="logins over plain connections",
)
