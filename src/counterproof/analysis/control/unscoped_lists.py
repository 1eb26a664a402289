"""Lists of owned objects that show everybody's, where other handlers ask for the caller's own (CWE-639).

Always holds: at least two other places look the same model up together with the caller, so that the application itself says whose
the objects are. Does not belong here: single objects chosen by an id.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.access import lacks_admin_role
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import model_of
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import MISSING_OWNER, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.owned_tables import is_owned, owned_stores
from counterproof.analysis.control.ownership import asks_whose, is_published
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.outline.queries import called
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Confidence

MIN_SCOPED = 2
_SCOPED = ("get", "filter", "get_object_or_404", "get_list_or_404", "filter_by")


def unscoped_lists(quotes: Quotes, program: Program, operations: tuple[Operation, ...]) -> Iterator[Finding]:
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


def _scoped(program: Program, operation: Operation) -> Iterator[str]:
    """Models that a handler looks up together with the caller."""
    for node in walk(*operation.function.body):
        if not isinstance(node, Call) or called(node) not in _SCOPED:
            continue
        if caller_mentions(operation.ground.outline, *(each.value for each in node.arguments)):
            model = _model(program, operation.ground, node)
            if model:
                yield model


def _everything(program: Program, operation: Operation) -> Iterator[tuple[Call, str]]:
    """`Model.objects.all()`."""
    for node in walk(*operation.function.body):
        if isinstance(node, Call) and called(node) == "all" and not node.arguments:
            model = _model(program, operation.ground, node)
            if model:
                yield node, model


def _model(program: Program, ground: Ground, call: Call) -> str:
    """The class of the project that a query is about, by its receiver or its first argument."""
    roots = [call.callee.value] if isinstance(call.callee, Attribute) else []
    roots += [each.value for each in call.arguments[:1] if not each.keyword and isinstance(each.value, Name)]
    for root in roots:
        names = [node for node in walk(root) if isinstance(node, Name)]
        kinds = [program.codebase.meaning(ground.outline, each) for each in names]
        if any(found is not None and isinstance(found.node, Class) for found in kinds):
            return model_of(program, ground, root)
    return ""
