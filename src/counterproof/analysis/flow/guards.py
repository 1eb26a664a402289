"""What a test tells about the data it tests, on the path where it held and on the path where it did not.

Always holds: a guard counts only on paths that passed it, and only for the value that was tested (and names for the very
same value). Does not belong here: deciding which guard is enough for which sink; rules name those.
"""

from collections.abc import Callable

from counterproof.analysis.flow.asking import keep_answer, question
from counterproof.analysis.flow.checking import checks_address
from counterproof.analysis.flow.frame import Env, Frame, joined_env, with_taints
from counterproof.analysis.flow.hits import PLAIN_TEXT
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.kept_tests import kept_test
from counterproof.analysis.flow.patterns import leaves_only_words, stays_on_site
from counterproof.analysis.flow.promising import told
from counterproof.analysis.flow.sources import doubtful, is_request_name
from counterproof.analysis.flow.storing import is_place, put
from counterproof.analysis.flow.values import Param, Source, Taint, Value, gathered, literal
from counterproof.analysis.flow.words import words
from counterproof.analysis.syntax import ir

_SAME_TEXT = words("lower upper strip casefold lstrip rstrip")
_WORD_QUESTIONS = words("isdigit isdecimal isnumeric isalnum isalpha isidentifier")
_HOST_PARTS = frozenset({"netloc", "hostname", "host"})
_HOST_CHECKS = ("url_has_allowed_host_and_scheme", "is_safe_url", "is_safe_redirect_url")
_QUOTES = ("'", '"')
_OF_REQUEST = frozenset({".request", ".req", ".args", ".kwargs", ".data", ".path_args", ".path_kwargs", ".headers", ".params"})
"""Accesses by which an object gives what a sender chose."""
_SENT = words("form body query params args kwargs event message payload data environ scope")
"""Parameters that hold what a sender chose, whatever is asked of them."""
_ONE_SLASH = frozenset({"not //", "without //"})
_MAX_ALTERNATIVES = 8


def narrow(frame: Frame, test: ir.Expr, truth: bool) -> None:
    """Record in the current path's variables that `test` came out as `truth`."""
    if isinstance(test, ir.Not):
        narrow(frame, test.operand, not truth)
    elif isinstance(test, ir.Boolean):
        _boolean(frame, test, truth)
    elif isinstance(test, ir.Compare):
        if len(test.operators) == 1:
            _compare(frame, test.operators[0], test.operands[0], test.operands[1], truth)
    elif isinstance(test, ir.Call):
        _call(frame, test, truth)
    elif isinstance(test, ir.Bind):
        narrow(frame, test.value, truth)
    elif isinstance(test, ir.Name):
        if (kept := kept_test(frame, test)) is not None:
            narrow(frame, kept, truth)
    elif isinstance(test, ir.Attribute) and test.name in _HOST_PARTS and not truth:
        mark_origins(frame, frame.value(test).taints, "host check")  # an address without a host stays on this site


def _boolean(frame: Frame, test: ir.Boolean, truth: bool) -> None:
    if (test.operator == "and") is truth:
        for operand in test.operands:
            narrow(frame, operand, truth)
        return
    before = frame.env
    paths: Env | None = None
    for operand in test.operands[:_MAX_ALTERNATIVES]:
        frame.env = dict(before)
        narrow(frame, operand, truth)
        paths = frame.env if paths is None else joined_env(paths, frame.env)
    if paths is not None and len(test.operands) <= _MAX_ALTERNATIVES:
        frame.env = paths
    else:
        frame.env = before


def _place(expr: ir.Expr) -> ir.Expr | None:
    """The variable, or the question to the request, behind an expression that only changes case or trims."""
    while isinstance(expr, ir.Call) and not question(expr):
        callee = expr.callee
        if isinstance(callee, ir.Attribute) and callee.name in _SAME_TEXT:
            expr = callee.value
        elif isinstance(callee, ir.Name) and callee.id == "str" and len(expr.arguments) == 1:
            expr = expr.arguments[0].value
        else:
            return None
    return expr if _is_kept(expr) else None


def _is_kept(expr: ir.Expr) -> bool:
    """Whether what a test tells about it can be kept."""
    return is_place(expr) or bool(question(expr))


def _compare(frame: Frame, operator: str, left: ir.Expr, right: ir.Expr, truth: bool) -> None:
    if operator in ("in", "not in"):
        member = (operator == "in") is truth
        if member:
            _listed(frame, left, right)
        else:
            _absent(frame, frame.value(left).const, right)
    elif operator in ("==", "!=") and (operator == "==") is truth:
        _equal(frame, left, right)
        _equal(frame, right, left)


def _absent(frame: Frame, needle: object, text: ir.Expr) -> None:
    """`"x" in text` was answered with no."""
    if not isinstance(needle, str):
        return
    place = _place(text)
    if place is not None:
        mark(frame, place, f"without {needle}")
    elif isinstance(text, ir.Index) and isinstance(text.key, ir.Slice) and is_place(text.value):
        inside = f"no {needle} inside"
        passed = [taint.passed for taint in frame.value(text.value).taints]
        quoted = needle in _QUOTES and all(f"starts with {needle}" in each for each in passed)
        mark(frame, text.value, "quoted literal" if quoted else inside)


def _listed(frame: Frame, tested: ir.Expr, container: ir.Expr) -> None:
    allowed = frame.value(container)
    if isinstance(container, ir.Attribute) and container.name == "parents" and not doubtful(frame.value(tested)):
        _inside(frame, frame.value(container.value))
    if allowed.known or _chosen_outside(frame, allowed):
        return
    place = _place(tested)
    if _asks_host(tested):
        mark_origins(frame, frame.value(tested).taints, "host check")
    if place is not None and (frame.engine.scripts or not _asks_host(tested)):  # a parameter may be called host there
        mark(frame, place, "allow-list")


def _chosen_outside(frame: Frame, allowed: Value) -> bool:
    """Whether a sender may choose what is allowed. What an object keeps is the program's own, unless it keeps the request."""
    taints = tuple(
        each for each in gathered(allowed) if not (isinstance(each.origin, Param) and _is_kept_by_object(frame, each.origin))
    )
    return doubtful(Value(taints=taints))


def _is_kept_by_object(frame: Frame, origin: Param) -> bool:
    if origin.function < 0 or not origin.access or not origin.access[0].startswith("."):
        return False
    function = frame.engine.index.functions[origin.function]
    if origin.position == 0 and function.owner is not None and not function.is_static:
        return origin.access[0] not in _OF_REQUEST
    name = function.node.parameters[origin.position].name
    return not is_request_name(name) and name not in _SENT and origin.access[0] not in _OF_REQUEST - {".data"}


def _equal(frame: Frame, tested: ir.Expr, other: ir.Expr) -> None:
    value = frame.value(other)
    if _is_common_path(tested):
        if not doubtful(value) or _callers_folder(value, gathered(frame.value(tested))):
            mark_origins(frame, gathered(frame.value(tested)), "prefix check")
        return
    if doubtful(value):
        return
    if _asks_host(tested):
        mark_origins(frame, frame.value(tested).taints, "host check")
    elif value.known and _is_kept(tested):
        if frame.value(tested).taints and question(tested):
            keep_answer(frame, tested, literal(value.const))  # pyright: ignore[reportArgumentType]
        elif frame.value(tested).taints:
            put(frame, tested, literal(value.const))  # pyright: ignore[reportArgumentType]
    elif (place := _place(tested)) is not None:
        mark(frame, place, "fixed choice")


def _callers_folder(folder: Value, tested: tuple[Taint, ...]) -> bool:
    """`inside(path, root)`: the folder is another parameter than what is tested, and nothing that a request brings."""
    named = {_root(taint.origin) for taint in gathered(folder)}
    only = all(isinstance(taint.origin, Param) for taint in gathered(folder))
    return only and bool({_root(taint.origin) for taint in tested} - named)


def _asks_host(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Attribute) and expr.name in _HOST_PARTS


def _is_common_path(expr: ir.Expr) -> bool:
    return (
        isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute) and expr.callee.name in ("commonpath", "commonprefix")
    )


def _call(frame: Frame, test: ir.Call, truth: bool) -> None:
    callee = test.callee
    if isinstance(callee, ir.Attribute):
        handler = _METHODS.get(callee.name)
        if handler and truth:
            handler(frame, callee, test)
        elif callee.name == "startswith":
            _starts_otherwise(frame, callee, test)
    elif isinstance(callee, ir.Name) and truth and callee.id in _FUNCTIONS:
        _FUNCTIONS[callee.id](frame, test)
    if truth and called_name(test) in _HOST_CHECKS and test.arguments:
        mark_address(frame, test.arguments[0].value)
    _predicate(frame, test, truth)


def _words(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    place = _place(callee.value)
    if place is not None:
        mark(frame, place, "word characters")


def _startswith(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    place = _place(callee.value)
    if not test.arguments or place is None:
        return
    prefix = frame.value(test.arguments[0].value)
    if doubtful(prefix) and not _callers_folder(prefix, frame.value(place).taints):
        return
    if prefix.const in (*_QUOTES, "/"):
        mark(frame, place, f"starts with {prefix.const}")
        _stays(frame, place)
        return
    if isinstance(prefix.const, str) and "://" in prefix.const and prefix.const.rstrip("/").count("/") >= 2:
        rest = prefix.const.split("://", 1)[1]
        if "/" in rest:
            mark(frame, place, "host check")
        return
    _inside(frame, frame.value(place))


def _inside(frame: Frame, path: Value) -> None:
    """The path lies in a folder; that counts once it is normalised."""
    if path.taints and all("normalised" in taint.passed for taint in path.taints):
        mark_origins(frame, path.taints, "prefix check")


def _starts_otherwise(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """`not x.startswith("//")`."""
    place = _place(callee.value)
    prefix = frame.value(test.arguments[0].value) if test.arguments else None
    texts = [prefix.const, *(each.const for each in prefix.items or ())] if prefix is not None else []
    if place is not None and "//" in texts:
        mark(frame, place, "not //")
        _stays(frame, place)


def _stays(frame: Frame, place: ir.Expr) -> None:
    """One slash at the beginning and not two: a path of this very site."""
    passed = [taint.passed for taint in frame.value(place).taints]
    if passed and all("starts with /" in each and not each.isdisjoint(_ONE_SLASH) for each in passed):
        mark(frame, place, "host check")


def _relative(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    mark_origins(frame, frame.value(callee.value).taints, "prefix check")


def _matches(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """`re.fullmatch(pattern, x)` and `compiled.fullmatch(x)`."""
    owner = frame.value(callee.value)
    values = [each.value for each in test.arguments if not each.spread]
    compiled = (owner.fields or {}).get("pattern")
    if compiled is None and owner.path == "re" and values:
        compiled = frame.value(values[0])
        values = values[1:]
    if compiled is None or not isinstance(compiled.const, str) or not values:
        return
    place = _place(values[0])
    if place is not None and leaves_only_words(compiled.const, anchored=callee.name == "fullmatch"):
        mark(frame, place, "safe pattern")
    elif place is not None and stays_on_site(compiled.const, from_start=callee.name != "search"):
        mark(frame, place, "host check")


def _isinstance(frame: Frame, test: ir.Call) -> None:
    values = [each.value for each in test.arguments]
    if len(values) == 2 and is_place(values[0]):
        kinds = values[1].items if isinstance(values[1], ir.Sequence) else (values[1],)
        if kinds and all(isinstance(each, ir.Name) and each.id in ("int", "float", "bool", "complex") for each in kinds):
            mark(frame, values[0], "numeric")
        elif kinds and all(isinstance(each, ir.Name) and each.id in ("str", "bytes") for each in kinds):
            mark(frame, values[0], PLAIN_TEXT)


def _all(frame: Frame, test: ir.Call) -> None:
    """`all(c.isalnum() for c in x)`, `all(c in allowed for c in x)`."""
    inner = test.arguments[0].value if len(test.arguments) == 1 else None
    if not isinstance(inner, ir.Comprehension) or len(inner.generators) != 1:
        return
    generator = inner.generators[0]
    asked = inner.element
    fine = isinstance(asked, ir.Call) and isinstance(asked.callee, ir.Attribute) and asked.callee.name in _WORD_QUESTIONS
    if isinstance(asked, ir.Compare) and asked.operators == ("in",):
        fine = not doubtful(frame.value(asked.operands[1]))
    if fine and is_place(generator.iterable):
        mark(frame, generator.iterable, "word characters")


def _any(frame: Frame, test: ir.Call) -> None:
    """`any(is_inside(x, each) for each in folders)`: the test held for one of them."""
    inner = test.arguments[0].value if len(test.arguments) == 1 else None
    if isinstance(inner, ir.Comprehension) and len(inner.generators) == 1:
        narrow(frame, inner.element, True)


_FUNCTIONS: dict[str, Callable[[Frame, ir.Call], None]] = {"isinstance": _isinstance, "all": _all, "any": _any}
_METHODS: dict[str, Callable[[Frame, ir.Attribute, ir.Call], None]] = {
    **dict.fromkeys(_WORD_QUESTIONS, _words),
    "startswith": _startswith,
    "is_relative_to": _relative,
    "fullmatch": _matches,
    "match": _matches,
    "search": _matches,
}


def _predicate(frame: Frame, test: ir.Call, truth: bool) -> None:
    """A check that lives in a function of the project: what holds for its argument where it answers `truth`."""
    places = [each.value for each in test.arguments if _is_kept(each.value) and not each.spread]
    if not places or not any(frame.value(each).taints for each in places):
        return
    target = frame.value(test.callee)
    if isinstance(target.of, FunctionInfo):
        if truth and checks_address(target.of):
            for place in places:
                mark_address(frame, place)
        frame.engine.predicate(frame, target.of, target.bound, test, truth)
    elif labels := told(called_name(test), truth):
        promised(frame, test, labels)


def promised(frame: Frame, call: ir.Call, labels: frozenset[str]) -> None:
    """What a function says by its name of its arguments counts where there is no code of it to read."""
    target = frame.value(call.callee)
    if target.of is None and not target.taints and not frame.engine.index.methods_named(called_name(call)):
        for place in (each.value for each in call.arguments if not each.spread):
            for label in sorted(labels):
                mark_origins(frame, frame.value(place).taints, label)


def called_name(call: ir.Call) -> str:
    callee = call.callee
    return callee.name if isinstance(callee, ir.Attribute) else callee.id if isinstance(callee, ir.Name) else ""


def mark_address(frame: Frame, address: ir.Expr) -> None:
    """The host of an address was looked at."""
    value = frame.value(address)
    mark_origins(frame, value.taints, "host check")
    if question(address):
        keep_answer(frame, address, narrowed_value(value, "host check"))


def mark(frame: Frame, place: ir.Expr, label: str) -> None:
    """The value at this place, and every variable that holds the very same value, has passed `label`."""
    value = frame.value(place)
    taints = gathered(value)
    if not taints:
        return
    marked = with_taints(value, tuple(taint._replace(passed=taint.passed | {label}) for taint in value.taints))
    for name, other in frame.env.items():
        if other is value:
            frame.env[name] = marked
    keep_answer(frame, place, marked) if question(place) else put(frame, place, marked)


def mark_origins(frame: Frame, taints: tuple[Taint, ...], label: str) -> None:
    """Everything that comes from these origins has passed `label`: for checks made on a part of the value."""
    roots = {_root(taint.origin) for taint in taints}
    if not roots:
        return
    for name, value in frame.env.items():
        if any(_root(taint.origin) in roots for taint in value.taints):
            frame.env[name] = with_taints(
                value,
                tuple(
                    taint._replace(passed=taint.passed | {label}) if _root(taint.origin) in roots else taint
                    for taint in value.taints
                ),
            )


def _root(origin: Source | Param) -> tuple[object, ...]:
    if isinstance(origin, Source):
        return origin.path, origin.line, origin.name
    return origin.function, origin.position


def narrowed_value(value: Value, label: str) -> Value:
    return with_taints(value, tuple(taint._replace(passed=taint.passed | {label}) for taint in value.taints))
