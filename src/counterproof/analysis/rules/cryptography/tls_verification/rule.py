"""Connections that do not check who answers.

## What it finds
`verify=False` in requests and httpx, `ssl=False` and `verify_ssl=False` in aiohttp, `ssl.wrap_socket` without `cert_reqs`,
unverified SSL contexts, `CERT_NONE`, `check_hostname = False`, curl options that switch it off, SSH clients that accept any host
key, and commands that are told the same (`curl --insecure`, `ssh -o StrictHostKeyChecking=no`). In scripts: `rejectUnauthorized:
false` and `strictSSL: false` in the options of a request or an agent.

## Why it matters
Without the check anyone on the path can answer in the server's place, read what is sent and change what comes back.

## What is safe
The defaults, a path to a certificate bundle, and code that switches the check off only where the caller asked for it. In scripts
a certificate authority of one's own in `ca`.

## Limits
Environment variables that switch verification off are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import switch
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Conditional, Expr, If, Mapping, Name, Node
from counterproof.analysis.syntax.walk import walk

MAX_COMMAND = 400
_FLAGS = ("verify", "verify_ssl", "check_hostname", "ssl_verify", "verify_certs")
_METHODS = (
    "get", "post", "put", "patch", "delete", "head", "options", "request", "send", "Client", "AsyncClient", "stream",
    "Session", "TCPConnector", "Elasticsearch", "ws_connect", "client",
)  # fmt: skip
_CURL = ("SSL_VERIFYPEER", "SSL_VERIFYHOST", "PROXY_SSL_VERIFYPEER", "DOH_SSL_VERIFYPEER")
_DOWNLOADERS = {"yt_dlp", "youtube_dl"}
_COMMANDS = (
    ("StrictHostKeyChecking=no", "any host key is accepted"),
    ("curl --insecure", "certificates are not checked"),
    ("curl -k ", "certificates are not checked"),
    ("wget --no-check-certificate", "certificates are not checked"),
)
"""What a command line says, and what follows from it."""
_RUNNING = vocabulary("popen system run spawn call output cmd command exec execute shell")
_COMMAND = vocabulary("command cmd commandline")
_ANY_KEY = names("cryptography", "any-host-key")
_TRANSPORTS = ("mounts", "transport")
"""Arguments of clients by which something else makes the connections, and settles what is checked."""
_UNVERIFIED = ("ssl._create_unverified_context", "ssl._create_stdlib_context")
_ASKED = vocabulary("insecure verify verified unverified validate check")
"""Words of options by which a caller asks for connections without a check."""


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        yield from _call(codebase, outline, site)
    for options in outline.of(Mapping) if _roots(outline) & _DOWNLOADERS else ():
        for key, value in options.node.entries:
            if text_of(key) == "nocheckcertificate":
                off = switch(codebase, outline, value, options.function).on is True
                where = Site(value, options.function, options.owner)
                yield bad(where, "nocheckcertificate", "certificates are not checked") if off else good(where, "option", "off")
    bare = set(_unchecked(outline))
    for assigned in outline.of(Assign):
        names = [each.id for each in assigned.node.targets if isinstance(each, Name)]
        if assigned.node.value is not None and any(set(words(each)) & _COMMAND for each in names):
            yield from _command(assigned, assigned.node.value)
        for target in assigned.node.targets:
            told = (
                isinstance(target, Attribute) and target.name == "check_hostname" and _receiver(outline, assigned, target) in bare
            )
            if isinstance(target, Attribute) and assigned.node.value is not None and not told:
                yield from _attribute(codebase, outline, assigned, target.name, assigned.node.value)


def _unchecked(outline: Outline) -> Iterator[tuple[str, int]]:
    """Contexts that check no certificate: that they compare no name either is the same fault."""
    for site in outline.of(Assign):
        for target in site.node.targets:
            none = site.node.value is not None and outline.dotted(site.node.value) == "ssl.CERT_NONE"
            if none and isinstance(target, Attribute) and target.name == "verify_mode":
                yield _receiver(outline, site, target)


def _receiver(outline: Outline, site: Site[Assign], target: Attribute) -> tuple[str, int]:
    return outline.dotted(target.value), id(site.function)


def _call(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[Match]:
    dotted = outline.dotted(site.node.callee)
    last = dotted.rpartition(".")[2] or (site.node.callee.name if isinstance(site.node.callee, Attribute) else "")
    if dotted in _UNVERIFIED:
        asked = good(site, dotted, "off only where the caller asked for it")
        yield asked if _is_asked_for(site) else bad(site, dotted, "certificates are not checked")
    elif dotted.endswith(_ANY_KEY) or (last == "set_missing_host_key_policy" and _policy(outline, site).endswith(_ANY_KEY)):
        yield bad(site, dotted or last, "any host key is accepted")
    elif dotted == "ssl.wrap_socket" and _is_module(outline, site) and keyword(site.node, "server_side") is None:
        yield _judged_call(site, keyword(site.node, "cert_reqs") is None)
    elif dotted == "ssl.create_default_context":
        yield good(site, dotted, "certificates are checked")
    elif last == "setopt":
        yield from _curl(codebase, outline, site)
    elif set(words(last)) & _RUNNING:
        yield from _command(site, *site.node.arguments)
    for flag in (*_FLAGS, "ssl"):
        value = keyword(site.node, flag) if last in _METHODS else None
        if value is not None and (flag != "ssl" or "aiohttp" in _roots(outline)):
            off = switch(codebase, outline, value, site.function)
            wrong = off.on is False and off.certain and not any(keyword(site.node, each) for each in _TRANSPORTS)
            yield (
                bad(site, flag, "certificates are not checked")
                if wrong
                else good(site, flag, "certificates are checked, or configurable")
            )


def _is_module(outline: Outline, site: Site[Call]) -> bool:
    """Whether `ssl` is the module here, and not a context that the function was given under that name."""
    given = site.function.parameters if site.function is not None else ()
    return "ssl" in outline.module.imports and all(each.name != "ssl" for each in given)


def _is_asked_for(site: Site[Call] | Site[Assign]) -> bool:
    return any(words_in(test) & _ASKED for test in site.tests)


def _policy(outline: Outline, site: Site[Call]) -> str:
    """The class that is given as it is; one that is made there is a call of its own."""
    given = argument(site.node, 0, "policy")
    return outline.dotted(given) if isinstance(given, Name | Attribute) else ""


def _judged_call(site: Site[Call], off: bool) -> Match:
    return bad(site, "certificate", "not checked") if off else good(site, "certificate", "as the caller says")


def _command(site: Site[Call] | Site[Assign], *parts: Node) -> Iterator[Match]:
    """A command line, or a part of one, that says not to check."""
    texts = [text for node in walk(*parts) if (text := text_of(node)) is not None and len(text) <= MAX_COMMAND]
    said = next(((part, verdict) for part, verdict in _COMMANDS if any(part in text for text in texts)), None)
    if said is not None:
        yield bad(site, said[0].strip(), said[1], Confidence.MEDIUM)


def _curl(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[Match]:
    """`curl.setopt(pycurl.SSL_VERIFYPEER, 0)`. A value that is worked out at run time is configurable."""
    option, value = argument(site.node, 0, "option"), argument(site.node, 1, "value")
    name = outline.dotted(option).rpartition(".")[2]
    if name not in _CURL or value is None:
        return
    found = switch(codebase, outline, value, site.function)
    off = found.on is False and found.certain
    wrong = off and not _is_asked_for(site)
    yield bad(site, name, "certificates are not checked") if wrong else good(site, name, "on, or configurable")


def _roots(outline: Outline) -> set[str]:
    return {name.partition(".")[0] for name in outline.module.imports.values()}


def _attribute(codebase: Codebase, outline: Outline, site: Site[Assign], name: str, value: Expr) -> Iterator[Match]:
    dotted = outline.dotted(value)
    if name == "_create_default_https_context" and dotted == "ssl._create_unverified_context":
        yield bad(site, name, "certificates are not checked anywhere")
    elif name in ("verify_mode", "cert_reqs"):
        yield _judged(site, name, dotted == "ssl.CERT_NONE" or _text(value) == "CERT_NONE")
    elif name in ("verify", "check_hostname") and isinstance(value, Name | Attribute) is False:
        found = switch(codebase, outline, value, site.function)
        if found.on is not None:
            yield _judged(site, name, found.on is False and found.certain)


def _text(value: Expr) -> object:
    return getattr(value, "value", None)


def _judged(site: Site[Assign], name: str, off: bool) -> Match:
    if off and _is_asked_for(site):
        return good(site, name, "off only where the caller asked for it")
    return bad(site, name, "certificates are not checked") if off else good(site, name, "certificates are checked")


RULE = CheckRule(
    title="TLS certificate validation disabled",
    kind="tls",
    cwe=295,
    severity=Severity.MEDIUM,
    consequence="Anyone on the network path can read and change the connection.",
    remedy="Leave verification on; pass your own CA bundle where one is needed.",
    check=_check,
    query="certificate and host key checks",
    in_tests=True,
)


_CLIENTS = names("code", "tls-client", Language.JAVASCRIPT)
_PLACES = ((), ("agentOptions",), ("ssl",), ("tls",), ("connect",), ("https",), ("tlsOptions",))


def _tests_around(seen: SeenCall) -> Iterator[Expr]:
    """Tests of the branches that a call stands in, and what variables hold that are tested."""
    for node in seen.nearby():
        for branch in node.branches if isinstance(node, If) else ():
            if branch.body and branch.body[0].line <= seen.node.line <= branch.body[-1].end:
                yield from _written(seen, branch.test)
        if isinstance(node, Conditional) and any(each is seen.node for each in walk(node.then)):
            yield from _written(seen, node.test)


def _written(seen: SeenCall, test: Expr) -> Iterator[Expr]:
    named = {each.id for each in walk(test) if isinstance(each, Name)}
    for node in seen.nearby():
        if isinstance(node, Assign) and node.value and any(isinstance(each, Name) and each.id in named for each in node.targets):
            yield node.value
    yield test


def _check_script(seen: SeenCall) -> Match | None:
    for position in (0, 1, 2):
        for place in _PLACES:
            for name in ("rejectUnauthorized", "strictSSL"):
                given = seen.option(position, *place, name)
                if given is not None and given.const is False:
                    asked = any(words_in(test) & _ASKED for test in _tests_around(seen))
                    return seen.good(seen.name, "off on request") if asked else seen.bad(seen.name, f"{name} is false")
    return seen.good(seen.name, "certificates are checked") if seen.name in ("https.Agent", "tls.connect") else None


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Leave verification on; pass your certificate authority as ca.",
    calls=_CLIENTS,
    check=_check_script,
    query="options of encrypted connections",
)
