"""Single calls in JavaScript and TypeScript for rules: with their options, as far as the engine knows them.

Invariant: a call is checked once per location, in its last state; an unknown option is neither present nor missing. Not handled
here: which options are safe; rules define that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.values import UNSET, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.ruleset import CallRule, Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.severity import Confidence
from counterproof.model.survey import Language

UNKNOWN = Value()
"""An arbitrary value."""

MAX_LINKS = 12
MAX_FUNCTIONS = 12
"""Limit on the functions passed to one call, including those they call."""

MAX_SCANNED = 20_000
"""Nodes of one function that are searched for names."""


@dataclass(slots=True, eq=False)
class SeenCall:
    """One call with its surrounding code."""

    frame: Frame
    node: ir.Call
    name: str
    """The resolved name of the callee, '' if unknown."""
    method: str
    arguments: Arguments
    watch: "Watch"

    def at(self, position: int) -> Value | None:
        """An argument; None if it is certainly missing."""
        found = self.arguments.at(position)
        return UNKNOWN if found is None and self.arguments.spread is not None else found

    def text(self, position: int) -> str | None:
        """An argument that is a known string."""
        found = self.at(position)
        return found.const if found is not None and isinstance(found.const, str) else None

    def option(self, position: int, *names: str) -> Value | None:
        """`{a: {b: value}}` by its names; None if the option is certainly missing, `UNKNOWN` if that is undecided."""
        value = self.at(position)
        for name in names:
            if value is None:
                return None
            value = _entry(value, name)
        return value

    def expression(self, position: int) -> ir.Expr | None:
        """An argument's expression, here or where the variable was assigned."""
        plain = [each.value for each in self.node.arguments if not each.spread]
        return self.frame.written(plain[position]) if position < len(plain) else None

    def route(self) -> str:
        """The path of a registered route: `app.post("/x", …)` and `app.route("/x").post(…)`."""
        return self.text(0) or routed(self.node) or ""

    def functions(self) -> list[ir.Function]:
        """Functions that the arguments name, through lists and wrappers, and those that they call."""
        given = [inner for each in self.arguments.positional for inner in (each, *(each.items or ()))]
        waiting = [each.of for each in given] + _named(self.frame, tuple(each.value for each in self.node.arguments))
        found: list[FunctionInfo] = []
        engine = self.frame.engine
        while waiting and len(found) < MAX_FUNCTIONS:
            info = waiting.pop(0)
            if isinstance(info, FunctionInfo) and info not in found:
                found.append(info)
                waiting += _named(Frame(engine, info.module, info, engine.closure(info)), info.node.body)
        return [each.node for each in found]

    def packages(self) -> frozenset[str]:
        """Every package that the program imports."""
        return self.watch.packages

    def around(self) -> frozenset[str]:
        """Name words of the result's destination: variables, keys, calls, and the function that returns it."""
        function = self.frame.function.node if self.frame.function else None
        outline = self.frame.engine.outline(self.frame.path)
        purpose = Purpose(outline, Site(self.node, function, None))
        scope = frozenset(words(function.name)) if function and not function.name.startswith("<") else frozenset[str]()
        shown = frozenset(words(function.qualified.rpartition(".")[2])) if function else frozenset[str]()
        return purpose.around() | scope | shown | self._compared()

    def _compared(self) -> frozenset[str]:
        """Name words of the value that the result is compared with inline."""
        found: set[str] = set()
        for node in self.nearby():
            if isinstance(node, ir.Compare) and any(each is self.node for each in walk(node)):
                found |= words_in(*(each for each in node.operands if not any(inner is self.node for inner in walk(each))))
        return frozenset(found)

    def body(self) -> tuple[ir.Statement, ...]:
        """The body of the enclosing function, or of the whole file."""
        return self.frame.function.node.body if self.frame.function else self.frame.module.body

    def nearby(self) -> Iterable[ir.Node]:
        """All nodes of the enclosing function, bounded."""
        return (node for node, _ in zip(walk(*self.body()), range(MAX_SCANNED), strict=False))

    def good(self, item: str, verdict: str) -> Match:
        return Match(self.node.line, self.node.end, item, verdict, finding=False, function=self.frame.qualified)

    def bad(self, item: str, verdict: str, confidence: Confidence = Confidence.HIGH, secret: str = "") -> Match:
        return Match(self.node.line, self.node.end, item, verdict, True, confidence, self.frame.qualified, "", secret)


def _named(frame: Frame, nodes: tuple[ir.Node, ...]) -> list[FunctionInfo | ClassInfo | None]:
    """The definitions of the names in a piece of code."""
    names = {node.id: None for node, _ in zip(walk(*nodes), range(MAX_SCANNED), strict=False) if isinstance(node, ir.Name)}
    return [frame.lookup(each).of for each in names]


def routed(call: ir.Call) -> str | None:
    """The path in `router.route("/x").get(…).post(…)`."""
    current: ir.Expr = call
    for _ in range(MAX_LINKS):
        if not isinstance(current, ir.Call) or not isinstance(current.callee, ir.Attribute):
            return None
        first = current.arguments[0].value if current.arguments else None
        if current.callee.name == "route" and isinstance(first, ir.Const) and isinstance(first.value, str):
            return first.value
        current = current.callee.value
    return None


def _entry(value: Value, name: str) -> Value | None:
    for known in (value.entries, value.fields):
        if known is not None and name in known:
            return known[name]
    closed = value.entries is not None and value.rest is None and not value.taints
    return None if closed or value.const is None else UNKNOWN


def is_true(value: Value | None) -> bool | None:
    """Whether an option is enabled; None if unknown."""
    if value is None:
        return False
    return bool(value.const) if value.const is not UNSET else True if value.entries is not None else None


class Watch:
    """The rules that check calls, and their results."""

    def __init__(self, rules: tuple[CallRule, ...], modules: Iterable[ir.Module]) -> None:
        self.rules = rules
        self.said: dict[tuple[str, str, int, int], Match] = {}
        self._modules = tuple(modules)
        self._exact: dict[str, list[CallRule]] = {}
        self._methods: dict[str, list[CallRule]] = {}
        for rule in rules:
            for name in rule.calls:
                table, key = (self._methods, name[2:]) if name.startswith("*.") else (self._exact, name)
                table.setdefault(key, []).append(rule)

    @cached_property
    def packages(self) -> frozenset[str]:
        return frozenset(_package(name) for module in self._modules for name in module.imports.values())

    def modules_near(self, path: str) -> Iterable[ir.Module]:
        """The files of a folder and its subfolders."""
        folder = path.rpartition("/")[0]
        return (each for each in self._modules if not folder or each.path.startswith(f"{folder}/"))

    def see(self, frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> None:
        found = self._exact.get(target.path, ()) if target.path else ()
        if not found and method and target.of is None:
            found = self._methods.get(method, ())
        for rule in found:
            match = rule.check(SeenCall(frame, node, target.path, method, arguments, self))
            if match is not None:
                self.said[rule.id, frame.path, match.line, id(node)] = match


def _package(name: str) -> str:
    """The package of `@scope/name.member` or `name/inner.member`."""
    if name.startswith("/"):
        return ""  # a file of the project
    scope, slash, rest = name.partition("/") if name.startswith("@") else ("", "", name)
    return f"{scope}{slash}{rest.partition('/')[0].partition('.')[0]}"


SESSION_MIDDLEWARE = names("session", "cookie-middleware", Language.JAVASCRIPT)
"""Packages that store the session of an Express, Koa or Fastify application in a cookie."""
COOKIE_CALLS = (*SESSION_MIDDLEWARE, "http.ServerResponse().cookie", "fastify.FastifyReply().setCookie")
SECRETS = vocabulary("session sess sid token jwt auth access refresh remember login credential secret")


def cookie_flag(seen: SeenCall, flag: str, secrets: frozenset[str] = SECRETS, *, by_default: bool = False) -> Match | None:
    """Whether a cookie whose name suggests a secret has the flag. `by_default`: session middleware sets the flag by default."""
    if seen.name in SESSION_MIDDLEWARE:
        nested = seen.option(0, "cookie", flag)
        given = nested if nested is not None else seen.option(0, flag)
        if given is None and by_default:
            return seen.good("session cookie", f"{flag} is not touched")
        if is_true(given) is False:
            return seen.bad("session cookie", f"{flag} is switched off" if by_default else f"set without {flag}")
        return seen.good("session cookie", f"{flag} is on or computed")
    name = seen.text(0) or ""
    if is_true(seen.option(2, flag)) is not False:
        return seen.good(f"cookie {name}".strip(), f"{flag} is on or computed")
    if not mentions(frozenset(words(name)), secrets) or seen.text(1) == "":
        return seen.good(f"cookie {name}".strip(), "its name or value holds nothing secret")
    return seen.bad(f"cookie {name}", f"set without {flag}")
