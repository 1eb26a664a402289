"""Tokens handed to whoever names an account: a login without a password (CWE-306).

Always holds: the handler is open, makes a token of the kind that logs somebody in, is told by the request whose, and nothing
that it runs speaks of a password or of any other proof. Does not belong here: how tokens are signed.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.program import Program
from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.messages import MISSING_LOGIN, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.queries import called
from counterproof.analysis.outline.words import mentions, vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Call, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard
from counterproof.model.severity import Confidence

_ENCODERS = names("token", "sign")
_MAKING = vocabulary("create generate issue make encode build sign new")
_OTHER_TOKENS = vocabulary("csrf xsrf reset upload download invite invitation confirmation unsubscribe refresh guest anonymous")
_PROOF = vocabulary(
    "verify verified authenticate check otp code secret signature decode oauth google github saml ldap state refresh assertion "
    "pin credential credentials register signup enroll enrol invite confirm"
)
MAX_FUNCTIONS = 8


def free_tokens(quotes: Quotes, program: Program, operations: tuple[Operation, ...]) -> Iterator[Finding]:
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
            if operation.ground.outline.dotted(node.callee) in _ENCODERS:
                return True
            if (
                spoken & {"token", "jwt"}
                and spoken & _MAKING
                and not spoken & _OTHER_TOKENS
                and spoken & {"access", "jwt", "auth"}
            ):
                return True
    return False


def _asks_for_proof(program: Program, operation: Operation) -> bool:
    if operation.words & (_PROOF | _OTHER_TOKENS):
        return True
    reached = closure(program, operation.ground, operation.function)[0][:MAX_FUNCTIONS]
    bodies = [statement for _, function in reached for statement in function.body]
    if mentions(words_in(*operation.function.parameters, *bodies), PASSWORDS):
        return True
    own = [called(node) for node in walk(*operation.function.body) if isinstance(node, Call)]
    return any(set(words(each)) & _PROOF for each in own)
