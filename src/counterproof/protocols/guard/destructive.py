"""Commands in recommended fixes that destroy or open something (R7, R27). They are named and never passed on as advice."""

import re

_SIGNS = (
    ("a recursive delete", re.compile(r"\brm\s+(?:-\w+\s+){0,4}-\w*[rR]\w*|\brmdir\s+/s|\bshutil\.rmtree\b|\bdel\s+/s", re.I)),
    ("a dropped table", re.compile(r"\b(?:drop|truncate)\s+(?:table|database|schema)\b", re.IGNORECASE)),
    ("a forced push", re.compile(r"\bgit\s+push\s+(?:\S+\s+){0,4}(?:--force\b|-f\b)", re.IGNORECASE)),
    ("a download run by a shell", re.compile(r"\b(?:curl|wget)\b[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b", re.IGNORECASE)),
    ("TLS checks switched off", re.compile(r"\bverify\s*=\s*False\b|InsecureSkipVerify:\s*true|rejectUnauthorized:\s*false")),
    ("rights for everyone", re.compile(r"\bchmod\s+(?:-R\s+)?0?777\b")),
    ("a formatted disk", re.compile(r"\bmkfs\b|\bdd\s+if=\S+\s+of=/dev/", re.IGNORECASE)),
)  # fmt: skip


def destructive(text: str) -> str:
    """What a text would have its reader do, in words; '' if nothing of the kind."""
    return next((name for name, pattern in _SIGNS if pattern.search(text)), "")
