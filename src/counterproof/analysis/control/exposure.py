"""Secrets and personal data in responses: fields such as a password or a card number in a handler's return value (CWE-200).

Invariant: the value is a field of an object or row, not of the request, and its mapping is returned or sent as a response. Not
handled here: error messages and logs.
"""

from collections.abc import Iterator
from itertools import pairwise

from counterproof.analysis.control.answers import shown
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.responses import ANSWERS, filled_with
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.secrets.secret_names import secret_kind
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_SECRET = vocabulary("password passwd pwd passphrase ssn cvv cvc ccn pin passcode")
_PAIRS = (("credit", "card"), ("card", "number"), ("cc", "num"), ("cc", "number"), ("social", "security"), ("mfa", "secret"),
          ("otp", "secret"), ("password", "hash"))  # fmt: skip
_CODES = vocabulary("pin otp totp passcode")
_OPENING = vocabulary("decrypt decrypted decipher decode unseal b64decode reveal")
_CHANCE = vocabulary("random secrets randint choice choices randbelow token")
_MESSAGES = vocabulary("validator form serializer serialiser schema request response dto payload command")
"""Name words of classes whose objects contain submitted data, for validation or transfer."""
_ABOUT = vocabulary(
    "reset changed expires policy strength error errors required valid field form url min max length masked last4"
)


def exposed_fields(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    seen: set[int] = set()
    told: set[int] = set()
    for operation in operations:
        for ground, function in closure(program, operation.ground, operation.function)[0]:
            if id(function) in seen:
                continue
            seen.add(id(function))
            name, node = _first(ground, function)
            if node is not None:
                why = f"{name} of a stored object is part of the answer."
                place = at(ground.path, node.line)
                yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, function.qualified, Confidence.MEDIUM)
        if id(operation.function) not in told:
            told.add(id(operation.function))
            for why, line in _told(operation):
                place = at(operation.ground.path, line)
                yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, operation.function.qualified, Confidence.MEDIUM)


def _told(operation: Operation) -> Iterator[tuple[str, int]]:
    """Server data, and stored fields inside a text, in the handler's own response; one of each kind."""
    outline = operation.ground
    kinds: set[str] = set()
    for node in shown(outline, operation.function):
        kind, why = _kind(outline, node)
        if kind and kind not in kinds:
            kinds.add(kind)
            yield why, node.line
        if isinstance(node, ir.Mapping) and "code" not in kinds and (code := _made_code(operation, node)):
            kinds.add("code")
            yield f"{code}, which was made to be sent to its owner alone, is part of the answer.", node.line
        if isinstance(node, ir.Format | ir.Concat) and "field" not in kinds and (field := _written_field(operation, node)):
            kinds.add("field")
            yield f"{field} of a stored object is written into the answer.", node.line


def _written_field(operation: Operation, text: ir.Format | ir.Concat) -> str:
    """The secret field of a stored object that a text contains."""
    for part in text.parts:
        name = _field(part)
        if name and is_sensitive(name) and _is_stored(operation.ground, operation.function, part):
            return name
    return ""


def _made_code(operation: Operation, mapping: ir.Mapping) -> str:
    """A variable in a mapping with a random PIN or one-time password that the function generated."""
    for key, value in mapping.entries:
        if isinstance(value, ir.Name) and set(words(text_of(key) or "")) & _CODES and set(words(value.id)) & _CODES:
            assigned = operation.ground.local(operation.function, value.id)
            if assigned is not None and assigned.value is not None and words_in(assigned.value) & _CHANCE:
                return value.id
    return ""


def _kind(outline: Outline, node: ir.Expr) -> tuple[str, str]:
    if isinstance(node, ir.Name | ir.Attribute) and outline.dotted(node) == "os.environ":
        return "environment", "The whole environment of the server, with the secrets in it, is part of the answer."
    name = _field(node)
    if name == "secret_key":
        return "setting", "secret_key, with which the server signs, is part of the answer."
    if name and name.isupper() and secret_kind(name) is not None and not is_about(name):
        return "setting", f"{name}, a secret of the server, is part of the answer."
    return "", ""


def _field(node: ir.Expr) -> str:
    """The name of a setting or field: `Config.SECRET_KEY`, `row["password"]`."""
    if isinstance(node, ir.Attribute):
        return node.name
    return (text_of(node.key) or "") if isinstance(node, ir.Index) else ""


def is_about(name: str) -> bool:
    return bool(set(words(name)) & _ABOUT)


def _first(ground: File, function: ir.Function) -> tuple[str, ir.Node | None]:
    for node in walk(*function.body):
        if isinstance(node, ir.Mapping):
            for key, value in node.entries:
                name = text_of(key) or ""
                if is_sensitive(name) and _is_stored(ground, function, value) and _is_answer(ground, function, node):
                    return name, node
    return "", None


def is_sensitive(name: str) -> bool:
    spoken = words(name)
    if set(spoken) & _ABOUT:
        return False
    return bool(set(spoken) & _SECRET) or any(pair in _PAIRS for pair in pairwise(spoken))


def _is_stored(ground: File, function: ir.Function, value: ir.Expr) -> bool:
    """`user.password`, `row["password"]`: a field, of something that is not the request."""
    if (
        isinstance(value, ir.Call)
        and isinstance(value.callee, ir.Name)
        and value.callee.id == "str"
        and len(value.arguments) == 1
    ):
        value = value.arguments[0].value
    if isinstance(value, ir.Name):
        value = _opened(ground, function, value)
    if isinstance(value, ir.Attribute):
        owner: ir.Expr = value.value
    elif isinstance(value, ir.Index):
        owner = value.value
    else:
        return False
    if not isinstance(owner, ir.Name) or words_in(owner) & {"request", "form", "args", "settings", "config", "os"}:
        return False
    if owner.id == "self" and set(words(function.owner)) & _MESSAGES:
        return False
    return "data" not in words(owner.id) or _is_looked_up(ground, function, owner.id)


def _opened(ground: File, function: ir.Function, name: ir.Name) -> ir.Expr:
    """`plain = decrypt(row["password"])`: the field assigned to a variable, unchanged or decrypted."""
    made = ground.local(function, name.id)
    value = made.value if made is not None and made.value is not None else name
    if isinstance(value, ir.Call) and len(value.arguments) == 1 and words_in(value.callee) & _OPENING:
        value = value.arguments[0].value
    return value if is_sensitive(_field(value)) else name


def _is_looked_up(ground: File, function: ir.Function, name: str) -> bool:
    """`data = Card.objects.get(…)`, `for data in Card.objects.all()`: an object, whatever its variable's name."""
    made = ground.local(function, name)
    given = [made.value] if made is not None and made.value is not None else []
    loops = [node for node in walk(*function.body) if isinstance(node, ir.Loop) and _is_named(node.target, name)]
    given += [node.iterable for node in loops if node.iterable is not None]
    return any(isinstance(node, ir.Attribute) and node.name in ("objects", "query") for node in walk(*given))


def _is_named(target: ir.Expr | None, name: str) -> bool:
    return isinstance(target, ir.Name) and target.id == name


def _is_answer(ground: File, function: ir.Function, mapping: ir.Mapping) -> bool:
    """Return True if a mapping is returned or sent as a response, directly, in a list, or through one variable."""
    for child, parent in ground.above(mapping):
        if isinstance(parent, ir.Return):
            return not isinstance(child, ir.Call) or _answers(child)
        if isinstance(parent, ir.Call) and isinstance(child, ir.Argument):
            return _answers(parent) or _is_gathered(function, parent)
        if any(each is child for each in filled_with(parent)):
            return True
        if isinstance(parent, ir.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ir.Name):
            return _goes_out(function, parent.targets[0].id)
        if parent is function:
            return False
    return False


def _is_gathered(function: ir.Function, call: ir.Call) -> bool:
    """`rows.append({…})` where the list is returned."""
    callee = call.callee
    if not isinstance(callee, ir.Attribute) or callee.name != "append" or not isinstance(callee.value, ir.Name):
        return False
    return _goes_out(function, callee.value.id)


def _answers(call: ir.Call) -> bool:
    callee = call.callee
    name = last_name(callee)
    return name in ANSWERS


def _goes_out(function: ir.Function, name: str) -> bool:
    for node in walk(*function.body):
        given: list[ir.Expr] = []
        if isinstance(node, ir.Return) and node.value is not None:
            given = list(node.value.items[:1]) if isinstance(node.value, ir.Sequence) else [node.value]
        elif isinstance(node, ir.Call) and _answers(node):
            given = [each.value for each in node.arguments]
        given += filled_with(node)
        given += [value for each in given if isinstance(each, ir.Mapping) for _, value in each.entries]
        if any(isinstance(each, ir.Name) and each.id == name for each in given):
            return True
    return False
