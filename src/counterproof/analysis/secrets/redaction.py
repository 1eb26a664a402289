"""Secrets replaced by stable marks before anything leaves: evidence, flows, titles, prompts, logs.

Always: the same secret gives the same mark (`‹secret:` and eight digits of its hash), so a reader can see that two places
share one; lines keep their number, and redacting twice changes nothing. Values that a program fills in at run time stay as
they are. When in doubt a literal behind a secret's name is hidden: a hidden placeholder costs little.
"""

import hashlib
import re

from counterproof.analysis.secrets.formats import key_body, token_hits, url_passwords
from counterproof.analysis.secrets.naming import secret_kind
from counterproof.analysis.secrets.values import is_template, looks_random

_MARK = re.compile(r"‹secret:[0-9a-f]{8}›")
_QUOTED = re.compile(
    r"(?<![A-Za-z0-9_‹])([A-Za-z_][A-Za-z0-9_-]{0,80})[\"']?\]?[ \t]{0,20}"
    r"(?::[ \t]{0,5}(?:str|bytes|string|String)[ \t]{0,5}=|===?|!==?|=>|:=|[:=])"
    r"[ \t]{0,20}[brfuBRFU]{0,2}(?:\"([^\"\n]{1,4000})\"|'([^'\n]{1,4000})'|`([^`\n]{1,4000})`)"
)
_BARE = re.compile(
    r"(?<![A-Za-z0-9_‹])([A-Za-z_][A-Za-z0-9_.-]{0,80})[ \t]{0,20}[:=][ \t]{0,20}([^\s\"'`,;(){}\[\]<>‹›#]{6,4000})(?![(\[.])"
)
_ELEMENT = re.compile(r"<([A-Za-z_][A-Za-z0-9_.-]{0,80})>([^<>\n]{1,4000})</")
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*;?")
_MAX_LINE = 100_000
_MAX_QUOTE = 400

Span = tuple[int, int]


def mark(secret: str) -> str:
    """The stand-in for a secret."""
    return f"‹secret:{hashlib.sha256(secret.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}›"


def redact(text: str) -> str:
    """The text with every recognisable secret replaced, line by line."""
    return "\n".join(_redact_line(line) for line in text.split("\n"))


def quote(line: str, secret: str = "") -> str:
    """A line as evidence: redacted, and cut before the secret where only its context told that it is one.

    "" when the line is nothing but the secret. Always one line of bounded length: form feeds and their like count as blanks.
    """
    return " ".join(_without(redact(line.strip()), secret).split())[:_MAX_QUOTE]


def _without(shown: str, secret: str) -> str:
    if not secret or secret not in _MARK.sub("", shown):
        return shown
    before, _, after = shown.partition(secret)
    return before.rstrip(" \t\"'`(,=:<>") or ("" if secret in after else after.lstrip(" \t\"'`),;]}"))


def _redact_line(line: str) -> str:
    if len(line) > _MAX_LINE:
        head = line[:_MAX_LINE]
        return _redact_line(head) + mark(line[_MAX_LINE:])
    body = key_body(line)
    spans = [body] if body else _spans(line)
    shown: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if start < position or _MARK.search(line, start, end) or not line[start:end].strip():
            continue
        shown += [line[position:start], mark(line[start:end])]
        position = end
    return "".join(shown) + line[position:]


def _spans(line: str) -> list[Span]:
    spans = [
        (hit.start, hit.end) for hit in (*token_hits(line), *url_passwords(line)) if not is_template(line[hit.start : hit.end])
    ]
    for found in _QUOTED.finditer(line):
        group = found.lastindex or 2
        if secret_kind(found[1]) and not is_template(found[group]):
            spans.append(found.span(group))
    if "</" in line:
        spans += [found.span(2) for found in _ELEMENT.finditer(line) if secret_kind(found[1]) and not is_template(found[2])]
    spans += [found.span(2) for found in _BARE.finditer(line) if secret_kind(found[1]) and _is_bare_secret(found[2])]
    return spans


def _is_bare_secret(value: str) -> bool:
    """Without quotes a value may as well be code; only what no variable is called counts."""
    if is_template(value):
        return False
    if _CODE.fullmatch(value) and not looks_random(value):
        return value.isalnum() and any(character.isdigit() for character in value)
    return not value.isdigit() or len(value) >= 8
