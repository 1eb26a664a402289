"""Narrowing by conditions on the path where they were true and on the path where they were false, also if a variable stores the
result: `inside = is_within(root, path)`, then `if not inside: raise`.

Invariant: a guard counts only on paths that passed it, and only for the tested value (and other names for the same value); a
stored result counts only while the variable still holds it, and only if no variable in the condition was assigned since. Not
handled here: which guard is enough for which sink; rules define that.
"""

from collections.abc import Callable, Iterator

from counterproof.analysis.flow.address_checks import checks_address, checks_pattern
from counterproof.analysis.flow.assignments import is_place
from counterproof.analysis.flow.comparisons import HOST_PARTS, QUOTES, SEEN_FROM, absent, callers_folder, compare, empty, made_of
from counterproof.analysis.flow.element_functions import tested_elements
from counterproof.analysis.flow.frame import Env, Frame, KeptTest, joined_env
from counterproof.analysis.flow.hits import PATTERN_ESCAPED, RELATIVE, SHELL_QUOTED
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import can_be_kept, inside, mark, mark_address, mark_origins, tested_place
from counterproof.analysis.flow.models import WORD_QUESTIONS, told
from counterproof.analysis.flow.patterns import leaves_no_shell_signs, leaves_only_words, refuses_shell_signs, stays_on_site
from counterproof.analysis.flow.sources import PLAIN_TEXT, doubtful
from counterproof.analysis.flow.values import NOTHING, Value, with_taints
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

_WORD_QUESTIONS = vocabulary("isdigit isdecimal isnumeric isalnum isalpha isidentifier")
_HOST_CHECKS = ("url_has_allowed_host_and_scheme", "is_safe_url", "is_safe_redirect_url")
_ONE_SLASH = frozenset({"not //", "without //"})
_WORD_PATTERNS = vocabulary("sha256 sha1 sha512 md5 uuid hex slug identifier alphanumeric digits")
_ROOTED = frozenset(names("code", "path-is-absolute", None))
SEPARATORS = frozenset({"os.sep", "os.path.sep", "path.sep"})
_MAX_ALTERNATIVES = 8
_ABOVE = ("..", "../", "..\\")


def narrow(frame: Frame, test: ir.Expr, truth: bool) -> None:
    """Record in the current path's variables that `test` evaluated to `truth`."""
    if isinstance(test, ir.Not):
        narrow(frame, test.operand, not truth)
    elif isinstance(test, ir.Boolean):
        _boolean(frame, test, truth)
    elif isinstance(test, ir.Compare):
        if len(test.operators) == 1:
            compare(frame, test.operators[0], test.operands[0], test.operands[1], truth)
    elif isinstance(test, ir.Call):
        _call(frame, test, truth)
    elif isinstance(test, ir.Bind | ir.Await):
        narrow(frame, test.value, truth)
    elif isinstance(test, ir.Name):
        _name(frame, test, truth)
    elif isinstance(test, ir.Attribute) and test.name in HOST_PARTS and not truth:
        mark_origins(frame, frame.value(test).taints, "host check")  # a URL without a host stays on this site


def _name(frame: Frame, test: ir.Name, truth: bool) -> None:
    if (kept := kept_test(frame, test)) is not None:
        narrow(frame, kept, truth)
    elif not truth:
        empty(frame, test)


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


def _call(frame: Frame, test: ir.Call, truth: bool) -> None:
    callee = test.callee
    if last_name(test.callee) == "bool" and len(test.arguments) == 1:
        narrow(frame, test.arguments[0].value, truth)
    if isinstance(callee, ir.Attribute):
        handler = (_METHODS if truth else _DENIED).get(callee.name)
        if handler:
            handler(frame, callee, test)
    elif isinstance(callee, ir.Name) and truth and callee.id in _FUNCTIONS:
        _FUNCTIONS[callee.id](frame, test)
    elif isinstance(callee, ir.Name) and callee.id == "any":
        _none(frame, test)
    if not truth and test.arguments and frame.value(callee).path in _ROOTED:
        _is_relative(frame, test.arguments[0].value)
    if truth and last_name(test.callee) in _HOST_CHECKS and test.arguments:
        mark_address(frame, test.arguments[0].value)
    _predicate(frame, test, truth)
    _element_test(frame, test, truth)


def _element_test(frame: Frame, test: ir.Call, truth: bool) -> None:
    """`list.every(f)` and `all(map(f, list))`."""
    tested = tested_elements(test)
    function = frame.value(tested.function) if tested is not None else None
    if function is not None and isinstance(function.of, FunctionInfo):
        frame.engine.predicate(frame, function.of, function.bound, test, truth)


def _words(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    place = tested_place(callee.value)
    if place is not None:
        mark(frame, place, "word characters")


def _startswith(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    place = tested_place(callee.value)
    if not test.arguments:
        return
    prefix, tested = frame.value(test.arguments[0].value), frame.value(callee.value)
    if prefix.const == ".." or (doubtful(prefix) and not callers_folder(prefix, tested.taints)):
        return
    if place is None:  # `realpath(path).startswith(folder)`
        inside(frame, tested if prefix.const not in (*QUOTES, "/") else NOTHING)
        return
    if prefix.const in (*QUOTES, "/"):
        mark(frame, place, f"starts with {prefix.const}")
        _stays(frame, place)
        return
    if isinstance(prefix.const, str) and "://" in prefix.const and prefix.const.rstrip("/").count("/") >= 2:
        rest = prefix.const.split("://", 1)[1]
        if "/" in rest:
            mark(frame, place, "host check")
        return
    inside(frame, tested)


def _starts_otherwise(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """`not x.startswith("//")`; `not relative(folder, x).startswith("..")`, which proves that x is in the folder."""
    place = tested_place(callee.value)
    prefix = frame.value(test.arguments[0].value) if test.arguments else None
    texts = [prefix.const, *(each.const for each in prefix.items or ())] if prefix is not None else []
    asked = frame.value(callee.value)
    if any(each in _ABOVE for each in texts) and asked.path in SEEN_FROM:
        mark_origins(frame, asked.taints, "prefix check")
    if place is not None and "//" in texts:
        mark(frame, place, "not //")
        _stays(frame, place)
    if "/" in texts or (prefix is not None and prefix.path in SEPARATORS):
        _is_relative(frame, callee.value)


def _not_absolute(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """Record that `Path(name).is_absolute()` was False."""
    _is_relative(frame, callee.value)


def _is_relative(frame: Frame, path: ir.Expr) -> None:
    place = tested_place(made_of(path))
    if place is not None:
        mark(frame, place, RELATIVE)


def _stays(frame: Frame, place: ir.Expr) -> None:
    """Exactly one leading slash: a path on this site."""
    passed = [taint.passed for taint in frame.value(place).taints]
    if passed and all("starts with /" in each and not each.isdisjoint(_ONE_SLASH) for each in passed):
        mark(frame, place, "host check")


def _relative(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    mark_origins(frame, frame.value(callee.value).taints, "prefix check")


def _same_file(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """`path.parent.samefile(folder)`: the path is in the folder, even through links."""
    if isinstance(callee.value, ir.Attribute) and callee.value.name == "parent":
        mark_origins(frame, frame.value(callee.value).taints, "prefix check")


def _held_against(frame: Frame, callee: ir.Attribute, test: ir.Call) -> tuple[Value, Value | None, ir.Expr | None]:
    """The receiver of a matching method, the pattern, and the variable it is applied to."""
    owner = frame.value(callee.value)
    values = [each.value for each in test.arguments if not each.spread]
    compiled = (owner.fields or {}).get("pattern")
    if compiled is None and owner.path == "re" and values:
        compiled = frame.value(values[0])
        values = values[1:]
    return owner, compiled, tested_place(values[0]) if values else None


def _finds_nothing(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """Record that `re.search("[;&|`$<>\\n]", x)` found nothing."""
    if callee.name == "match" and not frame.engine.scripts:
        return
    _, compiled, place = _held_against(frame, callee, test)
    if place is not None and compiled is not None and isinstance(compiled.const, str) and refuses_shell_signs(compiled.const):
        mark(frame, place, SHELL_QUOTED)


def _matches(frame: Frame, callee: ir.Attribute, test: ir.Call) -> None:
    """`re.fullmatch(pattern, x)` and `compiled.fullmatch(x)`."""
    owner, compiled, place = _held_against(frame, callee, test)
    if compiled is None or not isinstance(compiled.const, str):
        if place is not None and compiled is None and owner.of is None and not owner.taints and _says_words(owner.path):
            mark(frame, place, "safe pattern")
        return
    if place is not None and leaves_only_words(compiled.const, anchored=callee.name == "fullmatch"):
        mark(frame, place, "safe pattern")
    elif place is not None and leaves_no_shell_signs(compiled.const, anchored=callee.name == "fullmatch"):
        mark(frame, place, SHELL_QUOTED)
    elif place is not None and stays_on_site(compiled.const, from_start=callee.name != "search"):
        mark(frame, place, "host check")


def _says_words(path: str) -> bool:
    """`SHA256_REGEX` of another package: only its name says what it matches."""
    return not _WORD_PATTERNS.isdisjoint(path.rpartition(".")[2].lower().split("_"))


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
    """`any(is_inside(x, each) for each in folders)`: the condition was true for one of them."""
    inner = test.arguments[0].value if len(test.arguments) == 1 else None
    if isinstance(inner, ir.Comprehension) and len(inner.generators) == 1:
        narrow(frame, inner.element, True)


def _none(frame: Frame, test: ir.Call) -> None:
    """Record that `any(part == ".." for part in Path(x).parts)` was False."""
    inner = test.arguments[0].value if len(test.arguments) == 1 else None
    if isinstance(inner, ir.Comprehension) and len(inner.generators) == 1 and isinstance(inner.element, ir.Compare):
        element = inner.element
        if element.operators == ("==",):
            absent(frame, frame.value(element.operands[1]).const, inner.generators[0].iterable)


_FUNCTIONS: dict[str, Callable[[Frame, ir.Call], None]] = {"isinstance": _isinstance, "all": _all, "any": _any}
_METHODS: dict[str, Callable[[Frame, ir.Attribute, ir.Call], None]] = {
    **dict.fromkeys(_WORD_QUESTIONS, _words),
    "startswith": _startswith,
    "is_relative_to": _relative,
    "samefile": _same_file,
    "fullmatch": _matches,
    "match": _matches,
    "search": _matches,
}
_DENIED: dict[str, Callable[[Frame, ir.Attribute, ir.Call], None]] = {
    "startswith": _starts_otherwise,
    "is_absolute": _not_absolute,
    "match": _finds_nothing,
    "search": _finds_nothing,
}


def _predicate(frame: Frame, test: ir.Call, truth: bool) -> None:
    """A check in a project function: narrow its argument to values for which it returns `truth`."""
    given = [each.value for each in test.arguments if not each.spread]
    if not any(frame.value(each).taints for each in given):
        return
    places = [each for each in given if can_be_kept(each)]
    target = frame.value(test.callee)
    if isinstance(target.of, FunctionInfo):
        if truth and checks_address(target.of):
            for place in places:
                mark_address(frame, place)
        for place in places if truth and checks_pattern(target.of) else ():
            mark(frame, place, PATTERN_ESCAPED)
        frame.engine.predicate(frame, target.of, target.bound, test, truth)
    elif truth and places and frame.engine.scripts and target.path in WORD_QUESTIONS:
        mark(frame, places[0], "word characters")
    elif labels := told(last_name(test.callee), truth):
        promised(frame, test, labels)


def promised(frame: Frame, call: ir.Call, labels: frozenset[str]) -> None:
    """Add the labels that a function's name promises for its arguments, if its code is not available."""
    target = frame.value(call.callee)
    if target.of is None and not target.taints and not frame.engine.index.methods_named(last_name(call.callee)):
        for place in (each.value for each in call.arguments if not each.spread):
            for label in sorted(labels):
                mark_origins(frame, frame.value(place).taints, label)


_TESTS = (ir.Call, ir.Compare, ir.Boolean, ir.Not, ir.Await)
MAX_KEPT = 40
MAX_NODES = 60
"""A longer test is not stored."""


def keep_test(frame: Frame, node: ir.Assign, value: Value) -> Value:
    """The value to store for `name = test`; a new object, so that it can be recognised later."""
    tested = node.value
    if not isinstance(tested, _TESTS) or value.known or len(node.targets) != 1 or not isinstance(node.targets[0], ir.Name):
        return value
    if isinstance(tested, ir.Boolean) and any(isinstance(each, ir.Const) for each in tested.operands):
        return value  # `commit || ""` is a default, not a test
    names: dict[str, int] = {}
    tainted = False
    for each, count in zip(_nodes(frame, tested), range(MAX_NODES + 1), strict=False):
        if count == MAX_NODES:
            return value
        if isinstance(each, ir.Name) and each.id in frame.env:
            names[each.id] = frame.writes.get(each.id, 0)
            tainted = tainted or bool(frame.env[each.id].taints)
    if not tainted or len(frame.tests) >= MAX_KEPT:
        return value
    outcome = with_taints(value, value.taints)
    frame.tests[id(outcome)] = KeptTest(outcome, tested, tuple(names.items()))
    return outcome


def _nodes(frame: Frame, tested: ir.Expr) -> Iterator[ir.Node]:
    """The test, and the functions written in it."""
    for each in walk(tested):
        yield each
        made = frame.env.get(each.id) if isinstance(each, ir.Name) else None
        if made is not None and isinstance(made.of, FunctionInfo) and frame.engine.closure(made.of) is frame:
            yield from walk(*made.of.node.body)


def kept_test(frame: Frame, name: ir.Name) -> ir.Expr | None:
    """The test whose result a variable holds, if it would still give the same result."""
    value = frame.env.get(name.id)
    kept = frame.tests.get(id(value)) if value is not None and frame.tests else None
    if kept is None or kept.outcome is not value:
        return None
    return kept.test if all(frame.writes.get(each, 0) == count for each, count in kept.written) else None
