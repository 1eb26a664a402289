"""Endpoints without the login that their neighbours ask for.

## What it finds
A handler that changes stored data, or whose name speaks of administration, exports or secrets, and that asks for no login, in a
file where at least two handlers, and at least half of them, do; and whatever it does, the only handler of a file without a login
where five or more have one. In an application that asks for a login anywhere, also a handler
whose name speaks of administration, and one that reads what belongs to people while all others that read it are guarded. And a
handler that hands a token to whoever names an account. Also a login decorator that stands above the route:
the route was given the function before, so that nobody is asked.
In JavaScript and TypeScript, where handlers have files of their own, routes under the same first part of the address are
compared.

## Why it matters
Whoever knows or guesses the address can call it without being known to the application.

## What is safe
A login decorator, a dependency, a base class or a check inside the handler; endpoints that are open by nature, such as the login
itself or a health check.

## Limits
Guards in front of the application, in a proxy for example, are not seen. Where nobody is guarded nothing can be compared.
"""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.control.access import missing_logins, open_among_guarded, passed_by
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.messages import MISSING_LOGIN, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import called
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Severity
from counterproof.analysis.syntax.ir import Call, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_ENCODERS = names("token", "sign")
_MAKING = vocabulary("create generate issue make encode build sign new")
_OTHER_TOKENS = vocabulary("csrf xsrf reset upload download invite invitation confirmation unsubscribe refresh guest anonymous")
_PROOF = vocabulary(
    "verify verified authenticate check otp code secret signature decode oauth google github saml ldap state refresh assertion "
    "pin credential credentials register signup enroll enrol invite confirm"
)
MAX_FUNCTIONS = 8


def free_tokens(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Tokens handed to whoever names an account: a login without a password (CWE-306).

    Always holds: the handler is open, makes a token of the kind that logs somebody in, is told by the request whose, and
    nothing that it runs speaks of a password or of any other proof.
    """
    seen: set[int] = set()
    for each in operations:
        if each.entry.guard is not Guard.ABSENT or id(each.function) in seen:
            continue
        seen.add(id(each.function))
        if _names_somebody(each) and _makes_token(each) and not _asks_for_proof(program, each):
            why = "It hands a token to whoever names an account; no password or other proof is asked for."
            place = at(each.ground.path, each.function.line)
            yield finding(quotes, MISSING_LOGIN, place, each.entry, why, each.function.qualified, Confidence.MEDIUM)


def _names_somebody(operation: Operation) -> bool:
    """`/token/<username>`: the address itself says for whom."""
    names = [each.name for each in operation.function.parameters]
    placed = [name for name in names if f"<{name}>" in operation.entry.path or f":{name}>" in operation.entry.path]
    placed += [name for name in names if f"{{{name}" in operation.entry.path]
    used = {node.id for node in walk(*operation.function.body) if isinstance(node, Name)}
    return any(name in used for name in placed)


def _makes_token(operation: Operation) -> bool:
    for node in walk(*operation.function.body):
        if isinstance(node, Call):
            spoken = set(words(called(node)))
            if operation.ground.dotted(node.callee) in _ENCODERS:
                return True
            if (
                spoken & {"token", "jwt"}
                and spoken & _MAKING
                and not spoken & _OTHER_TOKENS
                and spoken & {"access", "jwt", "auth"}
            ):
                return True
    return False


def _asks_for_proof(program: EnteredProgram, operation: Operation) -> bool:
    if operation.words & (_PROOF | _OTHER_TOKENS):
        return True
    reached = closure(program, operation.ground, operation.function)[0][:MAX_FUNCTIONS]
    bodies = [statement for _, function in reached for statement in function.body]
    if mentions(words_in(*operation.function.parameters, *bodies), PASSWORDS):
        return True
    own = [called(node) for node in walk(*operation.function.body) if isinstance(node, Call)]
    return any(set(words(each)) & _PROOF for each in own)


RULE = ControlRule(
    title="Missing authentication",
    kind="login",
    guard="a login",
    cwe=306,
    severity=Severity.HIGH,
    consequence="Anyone can call it, without being known to the application.",
    remedy="Protect it the way its neighbouring endpoints are protected.",
    check=lambda site: (
        *passed_by(site.quotes, site.program, site.operations),
        *missing_logins(site.quotes, site.operations),
        *open_among_guarded(site.quotes, site.program, site.operations),
        *free_tokens(site.quotes, site.program, site.operations),
    ),
    rank=1,
)
