"""Data after schema validation: a field described as a string, number or boolean is not an object afterwards.

Invariant: only the schema of a field counts, and only if it can be read; a field that its schema transforms stays untrusted. Not
handled here: names of libraries.
"""

from counterproof.analysis.flow.access import Place, element
from counterproof.analysis.flow.hits import SHELL_QUOTED, Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.patterns import leaves_no_shell_signs, leaves_only_words
from counterproof.analysis.flow.sources import PLAIN_TEXT
from counterproof.analysis.flow.values import NOTHING, Constant, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.model.survey import Language

_OBJECTS = frozenset(f"{each}()" for each in names("schema", "object", Language.JAVASCRIPT))
_PLAIN = frozenset(f"{each}()" for each in names("schema", "plain", Language.JAVASCRIPT))
_NARROWING = vocabulary(
    "optional nullable nullish default min max length email url uuid trim toLowerCase int positive nonnegative regex describe"
)
"""Schema methods that keep or restrict the described values."""
_PARSING = vocabulary("parse parseAsync")
_TRYING = vocabulary("safeParse safeParseAsync")
"""The same, with a result object that says whether validation succeeded and contains the data."""
_SHAPE, _PATTERN = "<shape>", "<pattern>"
_MATCHING = (".regex()", ".pattern()")


def described(path: str, arguments: Arguments) -> dict[str, Value]:
    """The relevant parts of a schema: for an object, the schemas of its fields; for a string, its pattern."""
    held = ((arguments.receiver.fields or {}) if arguments.receiver is not None else {}).get(_PATTERN)
    if path.endswith(_MATCHING) and arguments.positional:
        held = (arguments.positional[0].fields or {}).get("pattern")
    shape = {_SHAPE: arguments.positional[0]} if path in _OBJECTS and arguments.positional else {}
    return shape | ({_PATTERN: held} if held is not None else {})


def parsed(target: Value, method: str, arguments: Arguments, at: Place) -> Value | None:
    """`schema.parse(data)`, or a project function that only does that; None for other calls."""
    schema, data = arguments.receiver, arguments.positional[0] if arguments.positional else None
    if isinstance(target.of, FunctionInfo):
        schema, data = _handed_on(target.of, arguments)
    elif method not in _PARSING | _TRYING:
        return None
    shape = (schema.fields or {}).get(_SHAPE) if schema is not None else None
    if shape is None or data is None or shape.entries is None:
        return None
    found = Value(entries={name: _field(data, name, each, at) for name, each in shape.entries.items()}, origin=data.origin)
    return Value(entries={"data": found}, rest=Value(), origin=data.origin) if method in _TRYING else found


def _field(data: Value, name: Constant, schema: Value, at: Place) -> Value:
    value = element(data, name, at)
    if not _is_plain(schema.path):
        return value
    pattern = (schema.fields or {}).get(_PATTERN, NOTHING).const
    if isinstance(pattern, str) and leaves_only_words(pattern, anchored=False):
        return narrowed_value(value, PLAIN_TEXT, "safe pattern")
    quoted = isinstance(pattern, str) and leaves_no_shell_signs(pattern, anchored=False)
    return narrowed_value(value, PLAIN_TEXT, *((SHELL_QUOTED,) if quoted else ()))


def _is_plain(path: str) -> bool:
    while path not in _PLAIN:
        path, _, method = path.rpartition(".")
        if method.removesuffix("()") not in _NARROWING:
            return False
    return True


def _handed_on(function: FunctionInfo, arguments: Arguments) -> tuple[Value | None, Value | None]:
    """`(data, schema) => schema.parse(data)`: the schema and the data among the arguments."""
    last = function.node.body[-1] if function.node.body else None
    call = last.value if isinstance(last, ir.Return) else None
    if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Attribute) or call.callee.name not in _PARSING:
        return None, None
    schema, data = call.callee.value, call.arguments[0].value if call.arguments else None
    if not isinstance(schema, ir.Name) or not isinstance(data, ir.Name):
        return None, None
    given = dict(zip((each.name for each in function.node.parameters), arguments.positional, strict=False))
    return given.get(schema.id), given.get(data.id)
