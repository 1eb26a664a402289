"""Objects looked up by an id from the request without checking their owner.

## What it finds
A handler that requires a login but no role, reads or changes a user's object chosen by an id from the request, and never
refers to the logged-in user on that path; a handler that lists all objects where others list only the user's own. In
JavaScript: an id from the request that leads to such an object behind a login, where no function on the path refers to the
logged-in user.

## Why it matters
By changing the id, a logged-in user reads or changes other users' data.

## What is safe
A lookup that also filters by the logged-in user, a comparison of the owner with the user before the object is used, or a role
check.

## Limits
A table or model counts as owned if a column names an owner, or if it lists people. Row-level security in the database is not
seen. In JavaScript the route, the parameter or the function must name a kind of data that users own; model hooks are not
seen.
"""

from collections.abc import Iterator
from itertools import chain

from counterproof.analysis.control.access import lacks_admin_role
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import model_of
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import MISSING_OWNER, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.owned_tables import is_owned, owned_stores
from counterproof.analysis.control.ownership import asks_whose, is_published, missing_owners
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.traversal import called
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, FlowRule, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint, Guard

MIN_SCOPED = 2
_SCOPED = ("get", "filter", "get_object_or_404", "get_list_or_404", "filter_by")


def unscoped_lists(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Lists of owned objects that show every user's, where other handlers filter by the logged-in user (CWE-639).

    Invariant: at least two other places look up the same model together with the logged-in user, so the application itself shows
    that users own the objects."""
    owned = owned_stores(program)
    handlers = {id(each.function): each for each in reversed(operations)}
    scoped: dict[str, list[EntryPoint]] = {}
    for each in handlers.values():
        for model in _scoped(program, each):
            scoped.setdefault(model, []).append(each.entry)
    for each in reversed(handlers.values()):
        if each.entry.guard is not Guard.PRESENT or role_of(program, each.entry) is Guard.PRESENT:
            continue
        for call, model in _everything(program, each):
            if len(asking := scoped.get(model, [])) < MIN_SCOPED or not is_owned(model, owned) or is_published(model):
                continue
            if not asks_whose(program, each, call) and not lacks_admin_role(program, each):
                why = f"It lists every {model}; {len(asking)} other places ask for the caller's own."
                place = at(each.ground.path, call.line)
                function = each.function.qualified
                yield finding(quotes, MISSING_OWNER, place, each.entry, why, function, Confidence.MEDIUM, peer=asking[0])
                break


def _scoped(program: EnteredProgram, operation: Operation) -> Iterator[str]:
    """Models that a handler looks up together with the logged-in user."""
    for node in walk(*operation.function.body):
        if not isinstance(node, Call) or called(node) not in _SCOPED:
            continue
        if caller_mentions(operation.ground, *(each.value for each in node.arguments)):
            model = _model(program, operation.ground, node)
            if model:
                yield model


def _everything(program: EnteredProgram, operation: Operation) -> Iterator[tuple[Call, str]]:
    """`Model.objects.all()`."""
    for node in walk(*operation.function.body):
        if isinstance(node, Call) and called(node) == "all" and not node.arguments:
            model = _model(program, operation.ground, node)
            if model:
                yield node, model


def _model(program: EnteredProgram, ground: File, call: Call) -> str:
    """The project's class that a query reads, from its receiver or first argument."""
    roots = [call.callee.value] if isinstance(call.callee, Attribute) else []
    roots += [each.value for each in call.arguments[:1] if not each.keyword and isinstance(each.value, Name)]
    for root in roots:
        names = [node for node in walk(root) if isinstance(node, Name)]
        kinds = [program.codebase.meaning(ground, each) for each in names]
        if any(found is not None and isinstance(found.node, Class) for found in kinds):
            return model_of(program, ground, root)
    return ""


RULE = ControlRule(
    title="Insecure direct object reference (IDOR)",
    kind="ownership",
    guard="a question about the owner",
    cwe=639,
    severity=Severity.HIGH,
    consequence="A logged-in user reads or changes other users' data by changing the id.",
    remedy="Filter the lookup by the logged-in user's id as well, or compare the object's owner with that user.",
    check=lambda site: chain(
        missing_owners(site.quotes, site.program, site.operations),
        unscoped_lists(site.quotes, site.program, site.operations),
    ),
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    id="javascript-missing-ownership",
    guard="",
    remedy="Filter the query by the session's user, or compare the owner with that user.",
    sink="object-lookup",
    poc="2",
    private=True,
)
