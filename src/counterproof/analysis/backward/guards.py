"""What a test that held says about a variable: an allow-list, a number, a checked host, a path inside its folder.

Stricter and simpler than the forward engine: a test counts only for the variable it names (or a copy made right before it),
a prefix check only on a path that was resolved first, and only outcomes that every path passed are given here. Does not
belong here: which of these is enough for which sink.
"""

from counterproof.analysis.backward.derivation import ALWAYS_SAFE, Defence
from counterproof.analysis.backward.subjects import EXTENSION, HOST, INSIDE, RESOLVED, SAME, Subjects
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.hits import RELATIVE
from counterproof.analysis.flow.patterns import leaves_only_words
from counterproof.analysis.libraries import names
from counterproof.analysis.program.definitions import Held, Reaching
from counterproof.analysis.program.file import File, ends
from counterproof.analysis.program.reaching_definitions import at_end, reaching
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at

MAX_RETURNS = 12
MAX_DEPTH = 4
"""Checking functions looked into, one inside the other."""

Labels = frozenset[str]
NONE: Labels = frozenset()
ALWAYS = frozenset(ALWAYS_SAFE)

_NUMBERS = names("sanitiser", "number")
_MATCHING = names("code", "regex-match")
_ROOTED = names("code", "path-is-absolute")
_WORDS = ("isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha", "isidentifier")
_HOST_CHECKS = ("url_has_allowed_host_and_scheme", "is_safe_url", "is_safe_redirect_url")
_BY_RELATION = {SAME: "allow-list", RESOLVED: "allow-list", HOST: "host check", EXTENSION: "extension check"}


class Guards:
    """Reads tests of one program."""

    def __init__(self, program: EnteredProgram) -> None:
        self._program = program
        self._subjects = Subjects(program)

    def defences(self, ground: File, tests: tuple[Held, ...], name: str) -> tuple[Defence, ...]:
        """What these tests establish about a variable, nearest first."""
        found: list[Defence] = []
        for held in tests:
            place = at(ground.path, held.test.line)
            found.extend(Defence(label, place, f"{label} on {name}") for label in sorted(self.labels(ground, held, name)))
        labels = frozenset(each.label for each in found)
        extra = _combined(labels) - labels
        return (*found, *(Defence(label, found[0].at, f"{label} on {name}") for label in sorted(extra)))

    def labels(self, ground: File, held: Held, name: str, depth: int = 0) -> Labels:
        if held.truth is None:
            return self._ran(ground, held.test, name, depth)
        return self._test(ground, held.test, held.truth, name, depth)

    def _test(self, ground: File, test: ir.Expr, truth: bool, name: str, depth: int) -> Labels:
        match test:
            case ir.Not(operand=operand):
                return self._test(ground, operand, not truth, name, depth)
            case ir.Bind(value=value):
                return self._test(ground, value, truth, name, depth)
            case ir.Boolean(operator=operator, operands=operands):
                parts = [self._test(ground, each, truth, name, depth) for each in operands[:16]]
                if (operator == "and") is truth:
                    return NONE.union(*parts)
                return _either(parts) if len(operands) <= 16 else NONE
            case ir.Compare():
                return self._compare(ground, test, truth, name)
            case ir.Call():
                return self._call(ground, test, truth, name, depth)
            case ir.Attribute() if not truth and self._subjects.relation(ground, test, name) == HOST:
                return frozenset({"host check"})
            case ir.Name():
                return self._variable(ground, test, truth, name, depth)
            case _:
                return NONE

    def _variable(self, ground: File, test: ir.Name, truth: bool, name: str, depth: int) -> Labels:
        """`ok = check(x)`, then `if ok`; a match object counts as the question that made it."""
        if test.id == name or depth >= MAX_DEPTH:
            return NONE
        found = reaching(ground, test, test.id)
        if len(found) == 1 and found[0].kind == "value" and found[0].value is not None and not found[0].access:
            return self._test(ground, found[0].value, truth, name, depth + 1)
        return NONE

    def _compare(self, ground: File, test: ir.Compare, truth: bool, name: str) -> Labels:
        if len(test.operators) != 1 or len(test.operands) != 2:
            ordered = all(each in ("<", "<=", ">", ">=") for each in test.operators)
            numeric = ordered and any(self._subjects.relation(ground, each, name) == SAME for each in test.operands)
            return frozenset({"numeric"}) if numeric and truth else NONE
        left, right = test.operands
        operator = next(iter(test.operators))
        if operator in ("in", "not in"):
            return (
                self._member(ground, left, right, name)
                if (operator == "in") is truth
                else self._absent(ground, left, right, name)
            )
        if operator in ("==", "!=") and (operator == "==") is truth:
            return self._equal(ground, left, right, name) | self._equal(ground, right, left, name)
        if operator in ("is", "is not"):
            return NONE
        return NONE

    def _member(self, ground: File, tested: ir.Expr, container: ir.Expr, name: str) -> Labels:
        """`tested in container` held. A text is no list, and a list that holds the variable's own data allows everything."""
        if text_of(container) is not None or any(isinstance(each, ir.Name) and each.id == name for each in walk(container)):
            return NONE
        if not self._fixed(ground, container):
            return NONE
        label = _BY_RELATION.get(self._subjects.relation(ground, tested, name))
        return frozenset({label}) if label else NONE

    def _fixed(self, ground: File, container: ir.Expr, depth: int = 0) -> bool:
        """Whether a collection holds what the program put there: literals, settings, constants; not request data."""
        if depth > MAX_DEPTH:
            return False
        if isinstance(container, ir.Name):
            found = reaching(ground, container, container.id)
            values = [each.value for each in found if each.kind == "value" and each.value is not None]
            return all(each.kind in ("value", "outer") for each in found) and all(
                self._fixed(ground, value, depth + 1) for value in values
            )
        path = [self._subjects.naming.of(ground, each) for each in walk(container) if isinstance(each, ir.Name | ir.Attribute)]
        return not any(each.startswith("web request") for each in path)

    def _absent(self, ground: File, needle: ir.Expr, text: ir.Expr, name: str) -> Labels:
        wanted = text_of(needle)
        if wanted is None or self._subjects.relation(ground, text, name) not in (SAME, RESOLVED):
            return NONE
        return frozenset({f"without {wanted}"})

    def _equal(self, ground: File, tested: ir.Expr, other: ir.Expr, name: str) -> Labels:
        relation = self._subjects.relation(ground, tested, name)
        if relation == INSIDE:
            return frozenset({"prefix check"})
        if not relation or not self._fixed(ground, other):
            return NONE
        if relation == HOST:
            return frozenset({"host check"})
        if isinstance(other, ir.Const) and other.value in (None, ""):
            return NONE
        fixed = isinstance(other, ir.Const) or self._subjects.is_constant(ground, other)
        return frozenset({"fixed choice"}) if relation == SAME and fixed else NONE

    def _call(self, ground: File, call: ir.Call, truth: bool, name: str, depth: int) -> Labels:
        callee = call.callee
        dotted = ground.dotted(callee)
        if truth and dotted == "isinstance" and len(call.arguments) == 2:
            return self._isinstance(ground, call, name)
        if truth and dotted in _MATCHING and len(call.arguments) >= 2:
            return self._pattern(ground, call, dotted == "re.fullmatch", name)
        if truth and dotted == "all" and len(call.arguments) == 1:
            return self._every(ground, call.arguments[0].value, name)
        if truth and dotted.rpartition(".")[2] in _HOST_CHECKS and call.arguments:
            same = self._subjects.relation(ground, call.arguments[0].value, name) == SAME
            return frozenset({"host check"}) if same else NONE
        found = self._into(ground, call, truth, name, depth)
        if found or not isinstance(callee, ir.Attribute):
            return found
        if callee.name == "startswith" and call.arguments and self._subjects.relation(ground, callee.value, name) == SAME:
            slashes = text_of(call.arguments[0].value)
            if slashes in ("/", "//") and truth is (slashes == "/"):
                return frozenset({"starts with /" if truth else "does not start with //"})
        return self._method(ground, call, callee, name) if truth else self._relative(ground, call, callee, name)

    def _relative(self, ground: File, call: ir.Call, callee: ir.Attribute, name: str) -> Labels:
        """`name.startswith("/")`, `os.path.isabs(name)` or `Path(name).is_absolute()` was answered with no."""
        given = [each.value for each in call.arguments]
        asked = given[0] if given and ground.dotted(callee) in _ROOTED else callee.value
        begins = given[0].items if given and isinstance(given[0], ir.Sequence) else given
        slash = callee.name == "startswith" and any(text_of(each) == "/" for each in begins)
        fits = slash or asked is not callee.value or callee.name == "is_absolute"
        return frozenset({RELATIVE}) if fits and self._subjects.relation(ground, asked, name) == SAME else NONE

    def _method(self, ground: File, call: ir.Call, callee: ir.Attribute, name: str) -> Labels:
        relation = self._subjects.relation(ground, callee.value, name)
        if relation in (SAME, RESOLVED) and callee.name in _WORDS:
            return frozenset({"word characters"})
        if callee.name in ("startswith", "is_relative_to") and call.arguments:
            return self._prefix(ground, relation, call.arguments[0].value, callee.name)
        if callee.name == "endswith" and relation == SAME:
            return frozenset({"ending"})
        if callee.name in ("match", "fullmatch") and call.arguments:
            pattern = self._subjects.compiled(ground, callee.value)
            same = self._subjects.relation(ground, call.arguments[0].value, name) == SAME
            safe = pattern is not None and leaves_only_words(pattern, anchored=callee.name == "fullmatch")
            return frozenset({"safe pattern"}) if same and safe else NONE
        return NONE

    def _prefix(self, ground: File, relation: str, prefix: ir.Expr, method: str) -> Labels:
        if relation == RESOLVED and self._fixed(ground, prefix):
            return frozenset({"prefix check"})
        text = text_of(prefix)
        if relation == SAME and method == "startswith" and text is not None:
            _, scheme, rest = text.partition("://")
            if scheme and "/" in rest:
                return frozenset({"host check"})
        return NONE

    def _isinstance(self, ground: File, call: ir.Call, name: str) -> Labels:
        if self._subjects.relation(ground, call.arguments[0].value, name) != SAME:
            return NONE
        kinds = call.arguments[1].value
        listed = kinds.items if isinstance(kinds, ir.Sequence) else (kinds,)
        number = all(isinstance(each, ir.Name) and each.id in ("int", "float", "bool") for each in listed)
        return frozenset({"numeric"}) if number else NONE

    def _pattern(self, ground: File, call: ir.Call, anchored: bool, name: str) -> Labels:
        pattern = self._subjects.text(ground, call.arguments[0].value)
        same = self._subjects.relation(ground, call.arguments[1].value, name) == SAME
        safe = pattern is not None and leaves_only_words(pattern, anchored=anchored)
        return frozenset({"safe pattern"}) if same and safe else NONE

    def _every(self, ground: File, inner: ir.Expr, name: str) -> Labels:
        """`all(c.isalnum() for c in x)`, `all(part in allowed for part in x)`."""
        if not isinstance(inner, ir.Comprehension) or len(inner.generators) != 1:
            return NONE
        generator = inner.generators[0]
        if self._subjects.relation(ground, generator.iterable, name) != SAME:
            return NONE
        asked = inner.element
        if isinstance(asked, ir.Compare) and asked.operators == ("in",) and self._fixed(ground, asked.operands[1]):
            return frozenset({"word characters"})
        fine = isinstance(asked, ir.Call) and isinstance(asked.callee, ir.Attribute) and asked.callee.name in _WORDS
        return frozenset({"word characters"}) if fine else NONE

    def _ran(self, ground: File, test: ir.Expr, name: str, depth: int) -> Labels:
        """A statement with this call ran to its end."""
        if not isinstance(test, ir.Call):
            return NONE
        if ground.dotted(test.callee) in _NUMBERS:
            return frozenset({"numeric"})
        return self._into(ground, test, None, name, depth)

    def _into(self, ground: File, call: ir.Call, truth: bool | None, name: str, depth: int) -> Labels:
        """A function of the project that checks: what holds for its parameter where it answers `truth` or returns at all."""
        if depth >= MAX_DEPTH:
            return NONE
        positions = [i for i, each in enumerate(call.arguments) if isinstance(each.value, ir.Name) and each.value.id == name]
        callees = self._program.callees(ground, call)
        if len(positions) != 1 or len(callees) != 1 or callees[0].broken or call.arguments[positions[0]].keyword:
            return NONE
        callee = callees[0]
        position = positions[0] + (1 if callee.bound else 0)
        if position >= len(callee.function.parameters):
            return NONE
        parameter = callee.function.parameters[position]
        return self._answers(callee.ground, callee.function, parameter, truth, depth + 1)

    def _answers(self, ground: File, function: ir.Function, parameter: ir.Parameter, truth: bool | None, depth: int) -> Labels:
        exits: list[Labels] = []
        for each in self._returns(ground, function):
            value = each.value
            outcome = value.value if isinstance(value, ir.Const) else None if value is None else ...
            if truth is not None and outcome is not ... and bool(outcome) is not truth:
                continue
            labels = self._held(ground, reaching(ground, each, parameter.name), parameter.name, depth)
            if truth is not None and value is not None and not isinstance(value, ir.Const):
                labels |= self._test(ground, value, truth, parameter.name, depth)
            exits.append(_combined(labels))
        if truth is not True and not ends(ground, function.body):
            exits.append(_combined(self._held(ground, at_end(ground, function, parameter.name), parameter.name, depth)))
        return exits[0].intersection(*exits[1:]) if exits else NONE

    def _held(self, ground: File, found: tuple[Reaching, ...], name: str, depth: int) -> Labels:
        """What every way from the parameter to an exit passed; nothing once the parameter was given another value."""
        if len(found) != 1 or found[0].kind != "parameter":
            return NONE
        return NONE.union(*(self.labels(ground, test, name, depth) for test in found[0].tests))

    def _returns(self, ground: File, function: ir.Function) -> list[ir.Return]:
        found = [each for each in walk(*function.body) if isinstance(each, ir.Return)]
        return [each for each in found if ground.function(each) is function][:MAX_RETURNS]


def _combined(labels: Labels) -> Labels:
    """A path that begins with one slash and not with two stays on this site."""
    if {"starts with /", "does not start with //"} <= labels:
        return labels | {"host check"}
    return labels


def _either(parts: list[Labels]) -> Labels:
    """One of several tests held: what all of them establish; where each makes the value harmless, it is, whichever held."""
    common = frozenset(each for each in parts[0] if all(each in part for part in parts))
    return common | {"harmless form"} if all(part & ALWAYS for part in parts) else common
