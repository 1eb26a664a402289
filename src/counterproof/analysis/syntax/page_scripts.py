"""Scripts that stand in pages: everything of a page but its JavaScript is blanked out, so that lines and columns stay.

Invariant: the result has as many lines as the page; placeholders of a template language become a number, because what they
print is the server's business. Not handled here: what the scripts do.
"""

import re

SUFFIXES = (".html", ".htm", ".xhtml", ".jinja", ".jinja2", ".j2", ".ejs", ".hbs", ".handlebars", ".njk", ".mustache", ".twig")
MAX_PAGE = 400_000
_SCRIPT = re.compile(r"<script\b([^>]{0,500})>(.*?)</script\s{0,9}>", re.IGNORECASE | re.DOTALL)
_ELSEWHERE = re.compile(r"\bsrc\s{0,9}=", re.IGNORECASE)
_TYPE = re.compile(r"\btype\s{0,9}=\s{0,9}[\"']?([\w./+-]{0,80})", re.IGNORECASE)
_TYPES = frozenset({"", "text/javascript", "application/javascript", "module", "text/ecmascript", "text/babel", "text/jsx"})
_PRINTED = re.compile(r"\{\{.{0,500}?\}\}|<%.{0,500}?%>", re.DOTALL)
_STATED = re.compile(r"\{%.{0,500}?%\}|\{#.{0,500}?#\}", re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")


def has_pages(path: str) -> bool:
    return path.endswith(SUFFIXES)


def script_of(page: str) -> str:
    """The page's own scripts at their places, all else blank; '' where it has none."""
    if len(page) > MAX_PAGE or "<script" not in page.lower():
        return ""
    parts: list[str] = []
    end = 0
    for found in _SCRIPT.finditer(page):
        kind = _TYPE.search(found.group(1))
        if _ELSEWHERE.search(found.group(1)) or (kind and kind.group(1).lower() not in _TYPES) or not found.group(2).strip():
            continue
        parts.append(_blank(page[end : found.start(2)]))
        parts.append(_STATED.sub(lambda each: _blank(each.group()), _PRINTED.sub(_number, found.group(2))))
        end = found.end(2)
    return "".join(parts) + _blank(page[end:]) if parts else ""


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


def _number(found: re.Match[str]) -> str:
    return "0" + _blank(found.group()[1:])
