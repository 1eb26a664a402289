"""Calls on abstract values: project functions through their summaries, known functions through models, others conservatively.

Invariant: arguments are evaluated once, in order; sinks are recorded before the result is computed; data that passes through an
unknown call stays untrusted and its flow is marked as broken. Not handled here: the methods of containers and the tables of known
functions.
"""

from functools import reduce

from counterproof.analysis.flow.access import Place, asked_for, attribute, called, iterated, source
from counterproof.analysis.flow.address_checks import checks_address
from counterproof.analysis.flow.assignments import is_place, put, with_field
from counterproof.analysis.flow.builders import BUILDERS, NAMED_TUPLE, tuple_call
from counterproof.analysis.flow.call_labels import labelled
from counterproof.analysis.flow.callbacks import HANDING, PROMISE, hand_over, promised
from counterproof.analysis.flow.containers import SECTIONED, container_method, sectioned_method
from counterproof.analysis.flow.element_functions import APPLYING, Application, application, applied
from counterproof.analysis.flow.evaluate import mixed
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.handed_on import note_call
from counterproof.analysis.flow.handler_parameters import NUMBERS
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.marks import known_answer, mark, mark_origins, narrowed_value
from counterproof.analysis.flow.models import (
    CHECKED_BY_CALL,
    HARMLESS_IN_SCRIPTS,
    PASSING_IN_SCRIPTS,
    TOKEN_DECODERS,
    is_harmless,
    is_passing,
    is_text_method,
    made_by,
)
from counterproof.analysis.flow.pages.calls import RENDERING, render_call
from counterproof.analysis.flow.positions import CLIENTS, minds_addresses, placed
from counterproof.analysis.flow.schemas import described, parsed
from counterproof.analysis.flow.scripts import hand_over_functions
from counterproof.analysis.flow.sinks import check_call
from counterproof.analysis.flow.sources import DOCUMENTS, METHOD_SOURCES, PLAIN_TEXT, canonical, channel_of, origin_of
from counterproof.analysis.flow.store_reads import STORING, script_store_call, store_call
from counterproof.analysis.flow.stores import write_object
from counterproof.analysis.flow.values import (
    INTERNAL,
    UNSET,
    Source,
    StepKind,
    Taint,
    Trusted,
    Value,
    contents,
    gathered,
    joined,
    united_taints,
    with_taints,
)
from counterproof.analysis.libraries import names
from counterproof.analysis.program.everyday import EVERYDAY, LOOKUPS, NO_RETURN, QUESTIONS
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.flow import Break

MAX_CANDIDATES = 24
"""Project methods of one name tried for a call on an unknown receiver."""

_TEMPLATES = (".get_template()", ".select_template()", ".from_string()", "jinja2.Template()", "jinja2.environment.Template()")
"""Calls that return a template known by its name or source."""

_NUMBERS = frozenset({"int", "float"})
_COMPILED = frozenset({"re.compile()", "RegExp()"})

_TREES = (*names("receiver", "xml"), "bs4.")
"""Packages that build document trees."""


def call(frame: Frame, node: ir.Call) -> Value:
    """The value of a call."""
    callee = node.callee
    at = Place(frame.path, node.line)
    receiver: Value | None = None
    method = ""
    if isinstance(callee, ir.Attribute):
        receiver = frame.value(callee.value)
        method = callee.name
        if method == "get" and (known := known_answer(frame, node, receiver)) is not None:
            return known
        target = attribute(frame.engine, receiver, method, Place(frame.path, callee.line))
    else:
        target = frame.value(callee)
    arguments = _evaluated(frame, node, receiver)
    check_call(frame, node, target, method, arguments)
    applies = method in APPLYING or target.path in APPLYING
    found = application(frame, target, method, arguments, at) if applies else None
    name = method or target.path.rpartition(".")[2]
    if found is not None:
        _start(frame, node, found)
    if frame.engine.scripts:
        note_call(frame, node, target, arguments)
        hand_over_functions(frame, node, target, method, arguments, found.function if found else None)
    elif found is None and name in HANDING:
        handed = hand_over(frame, node, name, arguments)
        if handed is not None:
            return handed
    understood = _understood(frame, node, target, name, arguments, at)
    if understood is None and found is not None:
        understood = applied(frame, found, at, lambda function, given: _apply(frame, node, function, given, at))
    if understood is not None and not isinstance(target.of, FunctionInfo):
        return understood
    answer = _answer(frame, node, target, method, arguments, at)  # also for a project function named like a store's: `db.query`
    return answer if understood is None else understood


def _start(frame: Frame, node: ir.Call, found: Application) -> None:
    """Follow the function's effects on the elements it is applied to."""
    function = found.function
    if isinstance(function.of, FunctionInfo):
        frame.engine.started(function.of, function.bound, Arguments(found.given), (frame, node))
    else:
        check_call(frame, node, function, "", Arguments(found.given))


def _apply(frame: Frame, node: ir.Call, function: Value, given: list[Value], at: Place) -> Value:
    """The function's result for any one element; its sinks are already recorded."""
    if isinstance(function.of, FunctionInfo):
        result = frame.engine.call(function.of, function.bound, Arguments(given))
        return frame.stepped(
            result, StepKind.CALL, node.line, f"through {function.of.node.qualified}", symbol=last_name(node.callee)
        )
    return _answer(frame, node, function, "", Arguments(given), at)


def _answer(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments, at: Place) -> Value:
    """The result of a call, with the safety labels it earns."""
    callee = node.callee
    if isinstance(target.of, FunctionInfo) and checks_address(target.of):
        return narrowed_value(_result(frame, node, target, method, arguments, at), "host check")
    if target.path in NO_RETURN:
        frame.ended = True
    result = _result(frame, node, target, method, arguments, at)
    if (
        frame.engine.scripts
        and isinstance(callee, ir.Attribute)
        and method in _TEXT_ONLY | _TEXT_TESTS
        and is_place(callee.value)
    ):
        mark(frame, callee.value, PLAIN_TEXT)  # the call raises for anything but text
    if not result.taints:
        return result
    joined_path = placed(target.path, method, arguments.receiver, arguments.positional, result) if not arguments.spread else None
    if joined_path is not None and not frame.engine.scripts:
        return joined_path
    return labelled(frame, target, method, arguments, joined_path or result)  # joining normalises a path in JavaScript


def _understood(frame: Frame, node: ir.Call, target: Value, name: str, arguments: Arguments, at: Place) -> Value | None:
    """A rendered page, rows of a query, data parsed by a schema; None for other calls."""
    method = name if arguments.receiver is not None else ""
    page = render_call(frame, node, target, arguments) if name in RENDERING else None
    if page is not None:
        return page
    rows = script_store_call(frame, node, target, method, arguments) if frame.engine.scripts else None
    if rows is None and name in STORING:
        rows = store_call(frame, node, target, method, arguments)
    if rows is not None or not frame.engine.scripts:
        return rows
    return parsed(target, method, arguments, at)


def _result(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments, at: Place) -> Value:
    if isinstance(target.of, FunctionInfo):
        return _called(frame, node, target, target.of, arguments)
    if isinstance(target.of, ClassInfo) and target.path == "class":
        write_object(frame, node, target.of, arguments.keywords, arguments.spread)
        return frame.engine.instance(target.of, arguments, (frame, node))
    if arguments.receiver is not None and isinstance(node.callee, ir.Attribute):
        known = _method_result(frame, node, node.callee.value, arguments.receiver, target, method, arguments, at)
        if known is not None:
            return known
    if method == "_replace" or target.path.startswith(NAMED_TUPLE):
        made = tuple_call(target, method, arguments)
        if made is not None:
            return made
    special = BUILDERS.get(target.path)
    if special and not target.sym:
        value = special(frame, node, arguments, at)
        if value is not None:
            return value
    return _outside(frame, node, target, method, arguments, at)


def _called(frame: Frame, node: ir.Call, target: Value, first: FunctionInfo, arguments: Arguments) -> Value:
    """The result of a project function, or of any function that the receiver may be."""
    others = [each for each in target.alternatives if isinstance(each, FunctionInfo)] if frame.engine.scripts else []
    results = [frame.engine.call(each, target.bound, arguments, (frame, node)) for each in (first, *others)]
    return reduce(joined, results)


def _method_result(
    frame: Frame, node: ir.Call, owner: ir.Expr, receiver: Value, target: Value, method: str, arguments: Arguments, at: Place
) -> Value | None:
    """The result of a method of a known container or of a project class."""
    if receiver.path in SECTIONED:
        sectioned = sectioned_method(frame, owner, receiver, method, arguments)
        if sectioned is not None:
            return sectioned
    known = container_method(frame, owner, receiver, method, arguments, at)
    if known is not None:
        return known
    candidates = _candidates(frame, target, method, arguments)
    if candidates:
        return frame.engine.any_of(candidates, receiver, arguments, (frame, node))
    if method == "setFeature":
        _set_feature(frame, owner, arguments)
    if method == "relative_to" and all("normalised" in taint.passed for taint in receiver.taints):
        mark_origins(frame, receiver.taints, "prefix check")  # it raises for anything outside
    return None


def _candidates(frame: Frame, target: Value, method: str, arguments: Arguments) -> list[FunctionInfo]:
    """Project methods that a call on an unknown receiver may run; empty if the name is too common."""
    receiver = arguments.receiver
    if target.path or receiver is None or receiver.path or method in EVERYDAY or not any(map(gathered, arguments.every())):
        return []
    found = frame.engine.index.methods_named(method)
    return found if len(found) <= MAX_CANDIDATES else []


def _outside(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments, at: Place) -> Value:
    """The result of a call that leaves the project."""
    made = made_by(target.path, method) if frame.engine.scripts else f"{target.path}()" if target.path else ""
    path = canonical(made) if target.path not in CLIENTS or not minds_addresses(arguments) else ""
    if target.path == PROMISE and frame.engine.scripts and (settled := promised(frame, arguments)) is not None:
        return settled
    if (given := _given(path, target, method, arguments, at)) is not None:
        return given
    if target.path and not target.taints and _harmless(frame, target.path):
        _check_arguments(frame, node, target.path)
        return _number(arguments) if frame.engine.scripts and target.path in _NUMBERS else _made(frame, path, arguments)
    if (method in QUESTIONS and not _finds_element(method, arguments)) or (
        target.path in TOKEN_DECODERS and not frame.engine.scripts and _is_verified(node, arguments)
    ):
        return INTERNAL
    if target.path and not target.taints and _passing(frame, target.path):
        result = mixed(arguments.every())
        result.path = path
        return frame.stepped(result, StepKind.CALL, node.line, f"through {target.path}", symbol=last_name(node.callee))
    first = arguments.at(0)
    received = called(frame.engine, target, asked_for(target, method, first.const if first else UNSET), at)
    if arguments.receiver is not None and not received.taints:
        received = with_taints(received, gathered(arguments.receiver)) if not received.sym else received
    result = _with_arguments(frame, node, received, target, method, arguments, path)
    return narrowed_value(result, "numeric") if method in ("get", "getlist") and _converts(node) else result


def _converts(node: ir.Call) -> bool:
    """`request.args.get("page", 1, type=int)`: a non-number is treated as missing."""
    third = [each for each in node.arguments if not each.keyword][2:3]
    named = [each for each in node.arguments if each.keyword == "type"]
    return any(last_name(each.value) in NUMBERS for each in (*third, *named))


def _given(path: str, target: Value, method: str, arguments: Arguments, at: Place) -> Value | None:
    """A value controlled by an outsider. For a document built from data, the data's own origin is more precise."""
    channel = channel_of(path) if path and not target.taints else ""
    if not channel and not any(isinstance(each.origin, Source) for each in target.taints):
        channel = METHOD_SOURCES.get(f"{method}()", "")
    if not channel or (channel in DOCUMENTS and any(gathered(each) for each in arguments.every())):
        return None
    return source(path or f"{method}()", channel, at)


def _finds_element(method: str, arguments: Arguments) -> bool:
    """`tree.find("name")` returns a part of a document, `text.find("x")` a number."""
    return method == "find" and arguments.receiver is not None and arguments.receiver.path.startswith(_TREES)


def _number(arguments: Arguments) -> Value:
    """A number chosen by the sender: harmless in any text, but still their choice of an object."""
    value = mixed(arguments.every())
    return narrowed_value(value, "numeric") if value.taints else value


def _harmless(frame: Frame, path: str) -> bool:
    return is_harmless(path) or (frame.engine.scripts and path in HARMLESS_IN_SCRIPTS)


def _is_verified(node: ir.Call, arguments: Arguments) -> bool:
    """A token decoded with a key and all checks on contains only values that the server wrote."""
    keyed = len(node.arguments) > 1 and all(each.keyword not in ("verify", "options") for each in node.arguments)
    said = [inner.const for value in arguments.every() for inner in (value, *contents(value))]
    return keyed and not any(isinstance(each, str) and each.lower() == "none" for each in said)


def _passing(frame: Frame, path: str) -> bool:
    return is_passing(path) or (frame.engine.scripts and path in PASSING_IN_SCRIPTS)


_TEXT_ONLY = vocabulary(
    "replace replaceAll trim trimStart trimEnd toLowerCase toUpperCase substring substr strip lower split match charAt padStart "
    "padEnd"
)
"""String-only methods that return a string, or a list of strings."""
_TEXT_TESTS = vocabulary("startsWith endsWith startswith endswith localeCompare")
"""String-only methods that return a boolean."""


def _with_arguments(
    frame: Frame, node: ir.Call, received: Value, target: Value, method: str, arguments: Arguments, path: str
) -> Value:
    """The result of an unknown callee with its arguments' data."""
    passed: tuple[Taint, ...] = ()
    if method not in LOOKUPS:
        for value in arguments.every():
            passed = united_taints(passed, gathered(value))
    if received.taints and is_text_method(method):
        broken = None
    elif target.path or (method and not frame.engine.index.methods_named(method)):
        broken = target.open or Break.EXTERNAL_LIBRARY
    else:
        broken = target.open or (Break.CALLBACK if target.sym else Break.DYNAMIC_DISPATCH)
    if broken:
        passed = tuple(taint._replace(broken=taint.broken or broken) for taint in passed)
    result = _made(frame, path, arguments)
    text = method in _TEXT_ONLY
    own = tuple(taint._replace(passed=taint.passed | {PLAIN_TEXT}) for taint in received.taints) if text else received.taints
    result.taints = united_taints(own, passed)
    result.sym = received.sym if not passed else None
    result.origin = received.origin or (Trusted.NONE if received.taints else origin_of(path))
    known = target.path or received.taints or (method and not frame.engine.index.methods_named(method))
    result.open = received.open or (None if known else Break.DYNAMIC_DISPATCH)
    note = f"through {target.path or method or 'a call'}"
    return frame.stepped(result, StepKind.CALL, node.line, note, symbol=last_name(node.callee))


def _made(frame: Frame, path: str, arguments: Arguments) -> Value:
    """The result of an external call, with the literal options it received."""
    fields = {name: value for name, value in arguments.keywords.items() if value.known or name == "autoescape"}
    if frame.engine.scripts:
        fields |= described(path, arguments)
    if path in _COMPILED and arguments.positional:
        fields["pattern"] = (arguments.positional[0].fields or {}).get("pattern", arguments.positional[0])
    told = arguments.positional and (arguments.positional[0].known or path.endswith(_TEMPLATES[:2]))
    if told and path.endswith(_TEMPLATES):
        fields["<name>"] = arguments.positional[0]
        if arguments.receiver is not None:
            fields["<environment>"] = arguments.receiver
    return Value(origin=origin_of(path), path=path, fields=fields or None)


def _check_arguments(frame: Frame, node: ir.Call, path: str) -> None:
    """`int(x)` raises unless x is a number, so x is harmless afterwards."""
    if path in CHECKED_BY_CALL and node.arguments and is_place(node.arguments[0].value):
        mark(frame, node.arguments[0].value, "numeric")


def _set_feature(frame: Frame, owner: ir.Expr, arguments: Arguments) -> None:
    """Set an option on a parser after its creation."""
    name, value = arguments.at(0), arguments.at(1)
    if name is not None and value is not None and name.path and is_place(owner) and arguments.receiver is not None:
        put(frame, owner, with_field(arguments.receiver, name.path.rsplit(".", 1)[-1], value))


def _evaluated(frame: Frame, node: ir.Call, receiver: Value | None) -> Arguments:
    """Evaluate all arguments, in order."""
    result = Arguments(receiver=receiver)
    for argument in node.arguments:
        value = frame.value(argument.value)
        if argument.keyword:
            result.keywords[argument.keyword] = value
        elif argument.spread == "*" and value.items is not None:
            result.positional.extend(value.items)
        elif argument.spread:
            if result.spread is None:
                result.spread_from = len(result.positional)
            _spread(frame, result, argument, value)
        else:
            result.positional.append(value)
    return result


def _spread(frame: Frame, result: Arguments, argument: ir.Argument, value: Value) -> None:
    if argument.spread == "**" and value.entries is not None:
        result.keywords.update({key: each for key, each in value.entries.items() if isinstance(key, str)})
        value = value.rest or Value()
    inner = value if not contents(value) else iterated(value, Place(frame.path, argument.line))
    result.spread = joined(result.spread, inner) if result.spread else inner
