"""Objects that belong to somebody, changed or handed out for anyone who sends their id.

## What it finds
A handler without any guard, in an application that knows its callers, that looks an owned object up by an id from the request
and changes what is stored, or shows something private by its name: a file, an invoice, an order, a message; and one that makes
such an object for whoever calls.

## Why it matters
Whoever counts the id up edits, deletes or reads what belongs to others, without even an account.

## What is safe
A login together with a lookup that names the caller, or a comparison of the owner with the caller. Ids that cannot be guessed,
such as a token or a UUID, and requests that are signed are not reported.

## Limits
Objects count as owned when their model or table names an owner or refers to people, directly or through the object that they
are part of. Guards in front of the application are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.control.access import OPEN_BY_NATURE, missing_logins, open_among_guarded, open_destruction
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import Lookup, lookups, model_of
from counterproof.analysis.control.messages import ANONYMOUS_ACCESS, finding
from counterproof.analysis.control.operations import READ, Operation
from counterproof.analysis.control.owned_tables import PEOPLE, is_owned, owned_stores
from counterproof.analysis.control.ownership import asks_whose, carries_secret, is_published, is_settled
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Class
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_UNGUESSABLE = vocabulary("uuid guid token code slug key hash secret signature nonce digest")
_PRIVATE = vocabulary(
    "file document attachment invoice order payment receipt message mail conversation record prescription salary payslip "
    "contract card statement transaction"
)
"""Things that nobody publishes."""
_MACHINES = vocabulary("webhook webhooks hook callback ipn notify notification notifications ping")


_STEPS = vocabulary("token session log event history visit view click attempt request message subscription notification cart")
"""What is kept of people who are not known yet."""


def anonymous_access(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Objects of somebody's that anyone can reach or make: no login, an id from the request, and nobody asks (CWE-862).

    Always holds: the application knows its callers somewhere, the object has an owner, and the id can be guessed.
    """
    if not _knows_callers(operations):
        return
    owned = owned_stores(program)
    named = {
        (each.location.path, each.function)
        for each in (
            *missing_logins(quotes, operations),
            *open_among_guarded(quotes, program, operations),
            *open_destruction(quotes, operations),
        )
    }
    for each in _distinct(operations):
        if each.entry.guard is not Guard.ABSENT or each.words & (OPEN_BY_NATURE | _MACHINES):
            continue
        if (each.ground.path, each.function.qualified) in named or each.proves_itself or carries_secret(each):
            continue
        lookup = next((found for found in lookups(program, each) if _anybodys(program, each, found, owned)), None)
        if lookup is not None:
            why = f"Nothing asks who is calling, and the {lookup.store} is chosen by the request alone."
            yield finding(
                quotes, ANONYMOUS_ACCESS, at(each.ground.path, lookup.call.line), each.entry, why, each.function.qualified
            )
        elif made := next(_made(program, each, owned), None):
            call, model = made
            why = f"Nothing asks who is calling, and it makes a {model}, which belongs to somebody."
            place = at(each.ground.path, call.line)
            yield finding(quotes, ANONYMOUS_ACCESS, place, each.entry, why, each.function.qualified, Confidence.MEDIUM)


def _made(program: EnteredProgram, operation: Operation, owned: frozenset[str]) -> Iterator[tuple[Call, str]]:
    """Calls that make an owned object that is stored: `Order(…)`, `Order.objects.create(…)`, a form of its model."""
    spoken = caller_mentions(operation.ground, *operation.function.body)
    if spoken or operation.crud == READ or not operation.changes:
        return
    for node in walk(*operation.function.body):
        if isinstance(node, Call) and operation.ground.function(node) is operation.function:
            model = _model_made(program, operation.ground, node)
            if model and is_owned(model, owned) and not is_published(model) and not set(words(model)) & (PEOPLE | _STEPS):
                yield node, model


def _model_made(program: EnteredProgram, ground: File, call: Call) -> str:
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name == "create":
        return model_of(program, ground, callee.value)
    found = program.codebase.meaning(ground, callee)
    if found is None or not isinstance(found.node, Class) or not call.arguments:
        return ""
    foreign = {name.rpartition(".")[2] for name in program.codebase.ancestry(found).foreign}
    if foreign & {"Model", "Base", "SQLModel", "Document"}:
        return found.node.name
    meta = found.outline.classes.get(f"{found.node.qualified}.Meta") if "ModelForm" in foreign else None
    model = found.outline.attributes(meta).get("model") if meta is not None else None
    return model_of(program, program.file(found.outline.path), model) if model is not None else ""


def _knows_callers(operations: tuple[Operation, ...]) -> bool:
    """Whether this application tells callers apart anywhere: without logins there is nothing that is missing."""
    return any(each.entry.guard is Guard.PRESENT or caller_mentions(each.ground, *each.function.body) for each in operations)


def _distinct(operations: tuple[Operation, ...]) -> list[Operation]:
    return list({id(each.function): each for each in reversed(operations)}.values())[::-1]


def _anybodys(program: EnteredProgram, operation: Operation, lookup: Lookup, owned: frozenset[str]) -> bool:
    if is_settled(lookup) or not is_owned(lookup.store, owned) or words_in(*lookup.given) & _UNGUESSABLE:
        return False
    if not operation.changes and not {each.removesuffix("s") for each in words(lookup.store)} & _PRIVATE:
        return False
    keys = {word for each in lookup.call.arguments for word in words(each.keyword)}
    if keys & _UNGUESSABLE or "<uuid:" in operation.entry.path:
        return False
    return not asks_whose(program, operation, lookup.call)


RULE = ControlRule(
    title="Object access without authentication",
    kind="ownership",
    guard="a login",
    cwe=862,
    severity=Severity.HIGH,
    consequence="Anyone changes or reads what belongs to others by changing the id.",
    remedy="Require a login, and look the object up by the caller's id as well.",
    check=lambda site: anonymous_access(site.quotes, site.program, site.operations),
    rank=2,
)
