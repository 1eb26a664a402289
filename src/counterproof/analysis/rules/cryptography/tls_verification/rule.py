"""TLS connections without certificate validation.

## What it finds
`verify=False` in requests and httpx, `ssl=False` and `verify_ssl=False` in aiohttp, `ssl.wrap_socket` without `cert_reqs`,
unverified SSL contexts, `CERT_NONE`, `check_hostname = False`, curl options that disable verification, SSH clients that
accept any host key, and commands with the same effect (`curl --insecure`, `ssh -o StrictHostKeyChecking=no`). In JavaScript:
`rejectUnauthorized: false` and `strictSSL: false` in the options of a request or an agent.

## Why it matters
Without validation anyone on the network path can impersonate the server, read the traffic and change the responses.

## What is safe
The defaults, a path to a certificate bundle, and code that disables verification only at the caller's request. In JavaScript
a private certificate authority in `ca`.

## Limits
Environment variables that disable verification are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.config.patterns import Bad, Calls, Fields, Matching, Settings
from counterproof.analysis.config.places import Place, always, argument, keyword, off, on
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.traversal import keyword as keyword_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Conditional, Expr, If, Name
from counterproof.analysis.syntax.walk import last_name, walk

MAX_COMMAND = 400
_METHODS = vocabulary(
    """*.get *.post *.put *.patch *.delete *.head *.options *.request *.send *.Client *.AsyncClient *.stream *.Session
    *.TCPConnector *.Elasticsearch *.ws_connect *.client"""
)
_CURL = ("SSL_VERIFYPEER", "SSL_VERIFYHOST", "PROXY_SSL_VERIFYPEER", "DOH_SSL_VERIFYPEER")
_COMMANDS = {
    "StrictHostKeyChecking=no": "any host key is accepted",
    "curl --insecure": "certificates are not checked",
    "curl -k ": "certificates are not checked",
    "wget --no-check-certificate": "certificates are not checked",
}
"""Insecure command-line options, with their effect."""
_RUNNING = vocabulary("popen system run spawn call output cmd command exec execute shell")
_COMMAND = vocabulary("command cmd commandline")
_ANY_KEY = names("cryptography", "any-host-key")
_TRANSPORTS = ("mounts", "transport")
"""Client arguments that replace the transport, which then controls certificate validation."""
_ASKED = vocabulary("insecure verify verified unverified validate check")
"""Words of options by which a caller requests unverified connections."""
_UNCHECKED = "certificates are not checked"


def _is_asked_for(at: Place) -> bool:
    return any(words_in(test) & _ASKED for test in at.site.tests)


def _is_off(at: Place) -> bool:
    return off(at) and not _is_asked_for(at)


def _roots(at: Place) -> set[str]:
    return {name.partition(".")[0] for name in at.outline.module.imports.values()}


def _is_module(at: Place) -> bool:
    """Return True if `ssl` is the module here, not a parameter of that name."""
    given = at.function.parameters if at.function is not None else ()
    return "ssl" in at.outline.module.imports and all(each.name != "ssl" for each in given)


def _is_bare(at: Place) -> bool:
    return all(keyword_of(at.call, each) is None for each in ("server_side", "cert_reqs"))


def _accepts_none(at: Place) -> bool:
    return not _is_asked_for(at) and (at.dotted() == "ssl.CERT_NONE" or text_of(at.value) == "CERT_NONE")


def _is_switched(at: Place) -> bool:
    """A boolean value, or a context that validates certificates: disabled host-name checking is then the same fault."""
    fields = [to for to in at.site.node.targets if isinstance(to, Attribute) and to.name == at.name]
    bare = (
        at.dotted(target.value)
        for site in at.outline.of(Assign)
        for target in site.node.targets
        if isinstance(target, Attribute) and target.name == "verify_mode" and site.function is at.function
        if site.node.value is not None and at.dotted(site.node.value) == "ssl.CERT_NONE"
    )
    told = at.name == "check_hostname" and at.dotted(fields[0].value) in set(bare)
    return not told and not isinstance(at.value, Name | Attribute) and at.switch().on is not None


def _commands(project: Project, path: str) -> Iterator[Match]:
    """Command lines, or parts of them, that disable verification."""
    _, outline = opened(project, path)
    if not any(part in str(each.value) for each in outline.texts for part in _COMMANDS):
        return
    runs = [site for site in outline.of(Call) if set(words(called(site.node))) & _RUNNING]
    kept = [site for site in outline.of(Assign) if any(set(words(last_name(to))) & _COMMAND for to in site.node.targets)]
    for site in (*runs, *kept):
        yield from _command(site)


def _command(site: Site[Call] | Site[Assign]) -> Iterator[Match]:
    parts = site.node.arguments if isinstance(site.node, Call) else (site.node.value,) if site.node.value is not None else ()
    texts = [text for node in walk(*parts) if (text := text_of(node)) is not None and len(text) <= MAX_COMMAND]
    said = next((part for part in _COMMANDS if any(part in text for text in texts)), "")
    if said:
        yield bad(site, said.strip(), _COMMANDS[said], Confidence.MEDIUM)


RULE = CheckRule(
    title="TLS certificate validation disabled",
    kind="tls",
    cwe=295,
    severity=Severity.MEDIUM,
    consequence="Anyone on the network path can read and change the connection.",
    remedy="Leave verification on; pass your own CA bundle where one is needed.",
    check=Matching(
        Calls(
            ("ssl._create_unverified_context", "ssl._create_stdlib_context"),
            bad=Bad(lambda at: not _is_asked_for(at), _UNCHECKED),
        ),
        Calls(_ANY_KEY, bad=Bad(always, "any host key is accepted"), item="host key"),
        Calls(
            ("*.set_missing_host_key_policy",),
            argument(0, "policy"),
            bad=Bad(lambda at: at.dotted() in _ANY_KEY, "any host key is accepted"),
            item="host key",
        ),
        Calls(("ssl.wrap_socket",), only=_is_module, bad=Bad(_is_bare, _UNCHECKED), item="certificate"),
        Calls(("ssl.create_default_context",)),
        Calls(
            ("*.setopt",),
            argument(1, "value"),
            lambda at: at.dotted(at.call.arguments[0].value).rpartition(".")[2] in _CURL if at.call.arguments else False,
            item="curl option",
        ),
        *(
            Calls(
                tuple(_METHODS),
                keyword(flag),
                lambda at, flag=flag: flag != "ssl" or "aiohttp" in _roots(at),
                bad=Bad(lambda at: off(at) and not any(keyword_of(at.call, each) for each in _TRANSPORTS), _UNCHECKED),
                item=flag,
            )
            for flag in ("verify", "verify_ssl", "check_hostname", "ssl_verify", "verify_certs", "ssl")
        ),
        Settings(("nocheckcertificate",), only=lambda at: bool(_roots(at) & {"yt_dlp", "youtube_dl"}), bad=Bad(on, _UNCHECKED)),
        Fields(("verify_mode", "cert_reqs"), bad=Bad(_accepts_none, _UNCHECKED)),
        Fields(("verify", "check_hostname"), only=_is_switched),
        Fields(
            ("_create_default_https_context",),
            only=lambda at: at.dotted() == "ssl._create_unverified_context",
            bad=Bad(always, "certificates are not checked anywhere"),
        ),
        bad=Bad(_is_off, _UNCHECKED),
        good="checked, configurable, or off only where the caller asked for it",
        also=_commands,
    ),
    query="certificate and host key checks",
    in_tests=True,
)


_CLIENTS = names("code", "tls-client", Language.JAVASCRIPT)
_PLACES = ((), ("agentOptions",), ("ssl",), ("tls",), ("connect",), ("https",), ("tlsOptions",))


def _tests_around(seen: SeenCall) -> Iterator[Expr]:
    """Conditions of the branches around a call, and the values of variables in those conditions."""
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
