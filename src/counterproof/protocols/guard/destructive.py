"""Recognises destructive or exposing commands in recommended fixes (R7, R27). They are reported, never passed on as advice."""

import re

_DESTRUCTIVE: tuple[tuple[str, str], ...] = (
    (
        "a recursive delete",
        r"\brm\s+(-[a-z-]+\s+)*-[a-z]*r|\brmtree\s*\(|\bRemove-Item\b.{0,80}-Recurse|\bdel\s+/s|\bfind\b.{0,200}-delete",
    ),
    ("dropped data", r"\b(drop\s+(table|database|schema)|truncate\s+table)\b|\bdelete\s+from\s+\w+\s*(;|$)"),
    ("rewritten history", r"\bpush\b.{0,80}(--force\b|-f\b)|\breset\s+--hard\b|\bclean\s+-[a-z]*f|\bfilter-branch\b"),
    (
        "TLS checks switched off",
        r"verify\s*=\s*False|CERT_NONE|_create_unverified_context|rejectUnauthorized\W{1,5}false|--insecure\b|sslVerify\s*=?\s*false",
    ),
    (
        "TLS checks switched off for a program",
        r"\bcurl\b.{0,80}\s-k\b|NODE_TLS_REJECT_UNAUTHORIZED|InsecureSkipVerify",
    ),
    (
        "a download run by a shell",
        r"\b(curl|wget|iwr|Invoke-WebRequest)\b[^\n|]{0,300}\|\s*(sudo\s+)?(ba|z|da|k)?sh\b|\|\s*iex\b",
    ),
    ("rights for everyone", r"\bchmod\s+(-R\s+)?[0-7]?777\b|\bchown\s+-R\b"),
    ("an overwritten disk", r"\bmkfs(\.\w+)?\b|\bdd\s+[^\n]{0,200}\bof=/dev/|>\s*/dev/sd[a-z]"),
    ("a protection switched off", r"\bsetenforce\s+0\b|\bufw\s+disable\b|\biptables\s+-F\b|--no-verify\b|\bcsrf_exempt\b"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _DESTRUCTIVE)


def destructive(text: str) -> str:
    """The kind of destructive action in a text, in words; '' if none."""
    return next((name for name, pattern in _PATTERNS if pattern.search(text)), "")
