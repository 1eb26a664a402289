"""Request to a caller-supplied address.

## What it finds
In libraries and server applications: a request whose host is a parameter, an entry of a mapping or a field that the function
does not check; and a value appended directly to a host name, so that it can extend the host name.

## Why it matters
URLs come from documents, other servers, tool arguments and requests of the package's users. They can name services that only
this machine can reach, and the request carries the program's credentials.

## What is safe
A fixed host followed by a slash; a check of the host, or of the IP addresses it resolves to.

## Limits
Severity is low: the origin of the URL is not followed, and any check of it counts as sufficient. URLs in fields named like
client settings (`base_url`, `endpoint`) are trusted, and so is a complete URL passed to a function whose name says that it
requests it. Request handlers are covered by the rule that follows request data.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline, own_outline
from counterproof.analysis.config.requests_made import is_client, written_address
from counterproof.analysis.config.wrapped_sinks import sinks_and_wrappers
from counterproof.analysis.program.interpolation import HOLE, Interpolation, interpolated
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Call, Expr, Name
from counterproof.analysis.syntax.walk import last_name

_BEHIND_HOST = re.compile(r"[a-z]{2,8}://[\w.-]{1,80}\.[a-z]{2,10}" + HOLE)
"""`https://api.example.com{path}`: the inserted text can extend the host name."""
_SERVER = re.compile(r"\bprocess\.(?:env|cwd)\b|['\"]node:|\bBuffer\.from\b")
"""Text in scripts that run outside a browser; requests from a browser are the visitor's own."""
_HOST_OPEN = re.compile(r"(?:[a-z]{2,8}:)?(?://)?(?:[\w.-]{1,80}\.)?" + HOLE)
_SET = vocabulary(
    """base api endpoint server host hostname origin domain root config settings options port proxy registry mirror backend
    gateway service upstream webhook issuer authority tenant region cluster instance count size limit timeout method verb
    action"""
)
"""Name words of values that a client's settings choose."""
_REQUESTING = vocabulary("get post put patch delete head options request fetch download open urlopen stream send call ping http")
_LINKS = vocabulary(
    "url uri link href src source address image img avatar icon feed callback target location redirect ref path page"
)
"""Name words of URLs that come from data."""


def _check(project: Project, path: str) -> Iterator[Match]:
    served = python_file(path) or _SERVER.search(project.text(path))
    outline = own_outline(project, path) if served else installed_outline(project, path)
    if outline is None:
        return
    language = Language.JAVASCRIPT if script_file(path) else Language.PYTHON
    told: set[str] = set()
    for site, given in sinks_and_wrappers(project, outline, "http-request", language, is_client):
        written = written_address(outline, site, given)
        found = _open_host(outline, site, written) if not _is_asked_for(site, written) else ""
        if not found or site.scope in told:
            continue
        if is_asked_about(outline, site, given):
            yield good(site, "address", "something is asked about it")
        else:
            told.add(site.scope)
            yield bad(site, "address", f"{found} says where the request goes", Confidence.MEDIUM)


def _is_asked_for(site: Site[Call], written: Expr) -> bool:
    """`get(url)`, `download(url)`: a function whose name says that it requests its argument."""
    given = isinstance(written, Name) and site.function is not None
    return given and site.function is not None and bool(set(words(site.function.qualified.rpartition(".")[2])) & _REQUESTING)


def _open_host(outline: Outline, site: Site[Call], address: Expr) -> str:
    built = interpolated(address)
    if built is not None and _BEHIND_HOST.match(built.text):
        return OpenValues(outline, site).raw(built.values[0])
    values = OpenValues(outline, site, _SET)
    if built is not None:
        return _in_host(values, built)
    found = values.raw(address)
    return found if found and set(words(last_name(address) or found)) & _LINKS else ""


def _in_host(values: OpenValues, built: Interpolation) -> str:
    """The first value in the URL that determines its host."""
    whole = _HOST_OPEN.match(built.text) and built.text.startswith((HOLE, "http://" + HOLE, "https://" + HOLE, "//" + HOLE))
    first = values.raw(built.values[0]) if whole else ""
    return first if set(words(first)) & _LINKS else ""


RULE = CheckRule(
    title="Server-side request forgery (SSRF): request to an unchecked address",
    kind="request",
    cwe=918,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="Anyone who chooses the URL can reach services that only this machine can reach.",
    remedy="Take the host from a fixed list, or check the resolved address before the request.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="requests whose host is not fixed",
)
