"""Sessions, cookies, client-supplied headers that the program trusts, and templates that print without escaping (A68).

Invariant: each entry is a location in the code, in the code's own words. Not handled here: whether it is safe.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.map.outlines import outlines_of
from counterproof.analysis.map.places import Places
from counterproof.analysis.map.sinks import Reach
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import words
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Compare, Expr, Index, Name
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import at
from counterproof.model.map import Fact

MAX_TEXT = 120
MAX_PER_FILE = 40
_COOKIES = frozenset(
    {"set_cookie", "set_signed_cookie", "set_secure_cookie", "cookie", "setCookie", "clearCookie", "delete_cookie"}
)
_FORWARDED = frozenset({
    "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip", "x-forwarded-port", "forwarded", "http_host", "host",
    "x-original-url", "x-client-ip", "true-client-ip", "http_x_forwarded_for", "http_x_forwarded_proto", "http_x_forwarded_host",
    "remote_addr", "http_referer", "referer", "origin",
})  # fmt: skip
_BELIEVED = {"host": "host", "hostname": "host", "remote_addr": "remote address", "host_url": "host"}
_PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".ejs", ".hbs", ".vue", ".pug", ".mustache", ".twig", ".svelte")
_UNESCAPED = re.compile(
    r"\{\{[^{}]{1,200}\|\s{0,3}safe\b|\{%-?\s{0,3}autoescape\s{1,3}(?:off|false)|<%-[^%]{1,200}%>|\{\{\{[^{}]{1,200}\}\}\}"
    r"|\bv-html\s{0,3}=|\{@html\b|\bdangerouslySetInnerHTML\b|^\s{0,80}!=\s"
)


def sessions_of(places: Places, reach: Reach) -> tuple[Fact, ...]:
    """Every location, by file and line."""
    found: list[Fact] = []
    for outline, _ in outlines_of(places.project, places.codebase):
        seen: set[tuple[str, int]] = set()
        for kind, line in _in_file(outline):
            if (kind, line) not in seen and len(seen) < MAX_PER_FILE:
                seen.add((kind, line))
                function, reached = reach.at(outline.path, line)
                found.append(Fact(kind, at(outline.path, line), _line(places, outline.path, line), function, reached))
    return (*found, *_templates(places))


def headers_of(places: Places, reach: Reach) -> tuple[Fact, ...]:
    """Headers that a client sets and the code reads."""
    found: list[Fact] = []
    for outline, _ in outlines_of(places.project, places.codebase):
        for name, line in dict.fromkeys(_headers(outline)):
            function, reached = reach.at(outline.path, line)
            text = _line(places, outline.path, line)
            found.append(Fact(f"header {name}", at(outline.path, line), text, function, reached))
    return tuple(found)


def _line(places: Places, path: str, line: int) -> str:
    return places.project.line(path, line)[:MAX_TEXT]


def _in_file(outline: Outline) -> Iterator[tuple[str, int]]:
    for site in outline.of(Call):
        name = last_name(site.node.callee)
        if name in _COOKIES and len(site.node.arguments) > 1:
            yield "cookie", site.line
        elif "session" in words(name) and _configures(site.node):
            yield "session setting", site.line
    for site in outline.of(Assign):
        for target in site.node.targets:
            kind = _kept(target)
            if kind:
                yield kind, site.line


def _configures(call: Call) -> bool:
    return any(set(words(each.keyword)) & {"secret", "key", "cookie", "age", "secure"} for each in call.arguments) or any(
        text in ("secret", "cookie", "store") for each in call.arguments for node in walk(each.value) if (text := text_of(node))
    )


def _kept(target: Expr) -> str:
    """`session["user"] = …`, `app.config["SESSION_COOKIE_SECURE"] = …`, `SESSION_COOKIE_SECURE = …`."""
    if isinstance(target, Name):
        return "session setting" if _is_setting(target.id) else ""
    if isinstance(target, Attribute):
        if _is_setting(target.name):
            return "session setting"
        return "session value" if last_name(target.value) == "session" else ""
    if isinstance(target, Index):
        key = text_of(target.key) or ""
        if _is_setting(key):
            return "session setting"
        return "session value" if last_name(target.value) == "session" else ""
    return ""


def _is_setting(name: str) -> bool:
    return name.isupper() and name.startswith(("SESSION_", "CSRF_COOKIE", "REMEMBER_COOKIE", "PERMANENT_SESSION", "JWT_COOKIE"))


def _headers(outline: Outline) -> Iterator[tuple[str, int]]:
    for site in outline.of(Call):
        if last_name(site.node.callee) in ("get", "header", "getHeader", "get_header") and site.node.arguments:
            name = (text_of(site.node.arguments[0].value) or "").lower()
            if name in _FORWARDED:
                yield name, site.line
    for site in outline.of(Compare):
        for node in walk(site.node):
            if isinstance(node, Index) and (text_of(node.key) or "").lower() in _FORWARDED:
                yield (text_of(node.key) or "").lower(), site.line
            if isinstance(node, Attribute) and node.name in _BELIEVED and last_name(node.value) in ("request", "req"):
                yield _BELIEVED[node.name], site.line


def _templates(places: Places) -> Iterator[Fact]:
    for file in places.project.survey.files:
        if file.test or not file.path.lower().endswith(_PAGES):
            continue
        found = 0
        for number, line in enumerate(places.project.text(file.path).split("\n"), 1):
            if found < MAX_PER_FILE and _UNESCAPED.search(line[:2_000]):
                found += 1
                yield Fact("template without escaping", at(file.path, number), line.strip()[:MAX_TEXT])
