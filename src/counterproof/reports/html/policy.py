"""The page's own style and script, and the policy that allows exactly these two.

The policy identifies them by hash. A script, style, image, font, frame, form or request from the reviewed code has no hash and
no allowed source, so the browser blocks it even if an escape were missed. Strings cannot become HTML at run time either:
browsers with trusted types enforce that.
"""

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Final

_STYLES: Final = ("look.css", "findings.css", "facts.css", "print.css")
_SCRIPTS: Final = ("highlight.js", "filters.js", "start.js", "tables.js", "theme.js")

ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' "
    "fill='%23202a52'/%3E%3Cpath d='M4 6h8v4' fill='none' stroke='%23fff' stroke-width='1.8'/%3E%3C/svg%3E"
)
"""The icon is embedded, so that no browser requests one from a server."""


def _read(names: tuple[str, ...]) -> str:
    folder = resources.files("counterproof.reports.html") / "page"
    return "\n".join((folder / name).read_text(encoding="utf-8").strip("\n") for name in names)


@cache
def style() -> str:
    """The whole style sheet."""
    return f"\n{_read(_STYLES)}\n"


@cache
def script() -> str:
    """The whole script, in its own scope."""
    return f'\n(() => {{\n"use strict";\n{_read(_SCRIPTS)}\n}})();\n'


def hash_of(text: str) -> str:
    """The hash of a text in the form that policies use."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def policy() -> str:
    """The Content-Security-Policy."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{hash_of(script())}'",
            f"style-src '{hash_of(style())}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
