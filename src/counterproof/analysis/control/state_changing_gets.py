"""GET handlers that write data, so that a plain link can trigger the change (CWE-352).

Invariant: reported only if the handler authenticates by a cookie or not at all, its name, route or parameters say that it changes
data, and it never checks the method. Not handled here: POST handlers without a token.
"""

from collections.abc import Iterator

from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.messages import STATE_CHANGING_GET, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Function, If, Name, Node
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryKind, Guard
from counterproof.model.severity import Confidence

_COOKIE_FRAMEWORKS = names("framework", "cookie-session")
_VERBS = vocabulary(
    "delete remove destroy purge update edit change set disable enable reset rename cancel transfer revoke drop "
    "approve toggle switch grant publish accept reject ban promote demote assign archive"
)
_EXEMPT = vocabulary(
    "login logout signin signout authenticate callback oauth verify confirm activate unsubscribe health language locale theme"
)
_HEADERS = vocabulary("bearer jwt authorization apikey")
_REST = names("framework", "json-resource")
_METHOD_TESTS = ("is_submitted", "validate_on_submit", "is_post", "require_post", "require_method")
_HARMLESS = vocabulary("cookie header headers context cache content status message locale timezone title state attribute item")


def state_changing_gets(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen or not _is_candidate(each, operations):
            continue
        seen.add(id(each.function))
        if _tests_method(program, each) or _knows_by_header(each) or _asks_for_header(program, each):
            continue
        change = _change(each)
        if change is not None:
            place, what = change
            why = f"A GET request leads to {what} at {place}, so a link or an image on another page is enough."
            here = at(each.ground.path, each.function.line)
            confidence = Confidence.HIGH if each.entry.guard is Guard.PRESENT else Confidence.MEDIUM
            yield finding(quotes, STATE_CHANGING_GET, here, each.entry, why, each.function.qualified, confidence)


def _is_candidate(operation: Operation, operations: tuple[Operation, ...]) -> bool:
    entry = operation.entry
    methods = {
        method
        for each in operations
        if each.function is operation.function
        for method in each.entry.method.replace(" ", "").split(",")
    }
    answers_get = bool(methods & {"GET", "ANY"})
    return (
        entry.kind is EntryKind.HTTP
        and entry.framework in _COOKIE_FRAMEWORKS
        and answers_get
        and not operation.words & _EXEMPT
        and not _is_api(operation)
    )


def _is_api(operation: Operation) -> bool:
    """REST framework views, which require a token or have their own protection."""
    outline = operation.ground
    owner = operation.ground.owner(operation.function)
    names = [outline.dotted(_callee(each.value)) for each in operation.function.decorators]
    names += [outline.dotted(_callee(each)) for each in owner.bases] if owner else []
    return any(name.rpartition(".")[2] in ("api_view", "action") or name.startswith(_REST) for name in names)


def _callee(value: Node) -> Name | Attribute | None:
    value = value.callee if isinstance(value, Call) else value
    return value if isinstance(value, Name | Attribute) else None


def _tests_method(program: EnteredProgram, operation: Operation) -> bool:
    """Return True if the handler, or a function it calls, checks the request method or whether a form was submitted."""
    owner = operation.ground.owner(operation.function)
    decorated = (*operation.function.decorators, *(owner.decorators if owner else ()))
    if words_in(*decorated) & {"post", "csrf", "allow"}:
        return True
    for _, function in closure(program, operation.ground, operation.function)[0]:
        for node in walk(*function.body):
            if isinstance(node, Attribute) and node.name in ("method", "is_submitted", "validate_on_submit"):
                return True
            if isinstance(node, Call) and called(node) in _METHOD_TESTS:
                return True
            if isinstance(node, Name) and "csrf" in words(node.id):
                return True
            if isinstance(node, Attribute) and node.name in ("POST", "form", "forms", "files", "FILES", "get_json", "json"):
                return True  # GET requests cannot carry this
    return False


def _asks_for_header(program: EnteredProgram, operation: Operation) -> bool:
    """Return True if a project's decorator reads a request header: links and images on other pages cannot send one."""
    for each in operation.function.decorators:
        found = program.codebase.meaning(operation.ground, _callee(each.value) or each.value)
        for node in walk(*found.node.body) if found is not None and isinstance(found.node, Function) else ():
            if (isinstance(node, Attribute) and node.name == "headers") or (text_of(node) or "").startswith("HTTP_"):
                return True
    return False


def _knows_by_header(operation: Operation) -> bool:
    spoken = words_in(*operation.function.body, *operation.function.decorators)
    return bool(spoken & _HEADERS) or bool(asked_words(operation.entry.guarded_by) & _HEADERS)


def _change(operation: Operation) -> tuple[Location, str] | None:
    """The first change announced by the handler: a write behind a telling name, or a call with such a name and request data."""
    telling = operation.words & _VERBS or ("complete" in operation.words and set(operation.entry.path) & set("<{("))
    for write in operation.effects.writes:
        if telling and not write.what.startswith("insert"):
            return write.at, write.what
    sent = {each.name for each in operation.function.parameters if each.name not in ("self", "request")}
    dispatches = _dispatches(operation.function, sent)
    for node in walk(*operation.function.body):
        if not isinstance(node, Call):
            continue
        name = called(node) or _handed_over(node)
        spoken = set(words(name))
        if spoken & _VERBS and not spoken & _HARMLESS and (dispatches or telling) and _uses(node, sent):
            return at(operation.ground.path, node.line), f"{name}()"
    return None


def _dispatches(function: Function, sent: set[str]) -> bool:
    """Return True if a request parameter selects the action: `if action == "delete"`, `if kwargs.get("keepdays")`."""
    for node in walk(*function.body):
        if isinstance(node, If):
            for branch in node.branches:
                test = branch.test
                asked = isinstance(test, Call) and called(test) == "get" and _uses(test, sent, receiver=True)
                compared = isinstance(test, Compare) and any(text_of(each) for each in test.operands) and _uses(test, sent)
                if asked or compared:
                    return True
    return False


def _uses(node: Node, names: set[str], *, receiver: bool = False) -> bool:
    parts = [node] if receiver or not isinstance(node, Call) else [each.value for each in node.arguments]
    return any(isinstance(each, Name) and each.id in names for each in walk(*parts))


def _handed_over(call: Call) -> str:
    """`schedule(repo.delete, path)`: a method passed on to be called."""
    for each in call.arguments:
        if isinstance(each.value, Attribute) and set(words(each.value.name)) & _VERBS:
            return each.value.name
    return ""
