"""TLS validation: conditions on the code around a switch."""

from collections.abc import Iterator

from counterproof.analysis.config.places import Place
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Conditional, Expr, If, Name
from counterproof.analysis.syntax.walk import walk

_ASKED = vocabulary("insecure verify verified unverified validate check")
"""Words of options by which a caller requests unverified connections."""
_PLACES = ((), ("agentOptions",), ("ssl",), ("tls",), ("connect",), ("https",), ("tlsOptions",))


def asked_for(at: Place) -> bool:
    return any(words_in(test) & _ASKED for test in at.site.tests)


def accepts_any_key(at: Place) -> bool:
    policy = argument(at.call, 0, "policy")
    return at.dotted(policy.callee if isinstance(policy, Call) else policy) in names("cryptography", "any-host-key")


def is_module_ssl(at: Place) -> bool:
    """Return True if `ssl` is the module here, not a parameter of that name."""
    given = at.function.parameters if at.function is not None else ()
    return "ssl" in at.outline.module.imports and all(each.name != "ssl" for each in given)


def is_switched(at: Place) -> bool:
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


def check_script(seen: SeenCall) -> Match | None:
    places = (
        (position, *place, name) for position in (0, 1, 2) for place in _PLACES for name in ("rejectUnauthorized", "strictSSL")
    )
    for position, *path in places:
        given = seen.option(position, *path)
        if given is not None and given.const is False:
            asked = any(words_in(test) & _ASKED for test in _tests_around(seen))
            return seen.good(seen.name, "off on request") if asked else seen.bad(seen.name, f"{path[-1]} is false")
    return seen.good(seen.name, "certificates are checked") if seen.name in ("https.Agent", "tls.connect") else None


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
