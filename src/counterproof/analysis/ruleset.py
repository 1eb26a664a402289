"""Rules as data: the definition of a rule, and loading the rules of the package.

A rule is a file `rules/<family>/<rule>/rule.toml`, which `rules/rule_files.py` reads, with Python in a `check.py` beside it where
data is not enough. Its cases are in `tests/rules/<family>/<rule>/`: code annotated on exact lines with `expect: <rule id>` and
`ok: <rule id>`. Adding a rule adds those and changes no other file. A rule that also applies to JavaScript and TypeScript has a
table `[scripts]` with the differences; its id is that of the rule prefixed with `javascript-`.

There are six kinds of rule. A `FlowRule` lists sinks and sanitisers; the flow engine does the rest. A `CheckRule` is built from
patterns (`config/patterns.py`), or is a function over one file that yields matches and judged settings; a `CallRule` judges
single JavaScript calls with the arguments known to the flow engine. A `ControlRule` compares the guards and effects of an
application's endpoints; a `SupplyRule` judges one manifest, lock, workflow or container file; a `SecretRule` describes one kind
of secret, wherever the secret search finds it. Every finding carries the id of one of them.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.libraries.concepts import KINDS, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.fact import Fact
from counterproof.model.proof import Guess, Shape
from counterproof.model.severity import Complexity, Confidence, Impact, Severity
from counterproof.model.survey import Language

if TYPE_CHECKING:
    from counterproof.analysis.project import Project
    from counterproof.model.finding import Finding

_PACKAGE = "counterproof.analysis.rules"
SECTIONS = ("What it finds", "Why it matters", "What is safe", "Limits")
"""Headings of every rule's documentation, in this order, as Markdown `## ` lines."""

Shown = Any
"""The input and output types of a family's rules: a call, a site, supplies and concerns. The families are above this module, so
they define the types.
"""


_Kind = TypeVar("_Kind", bound="RuleInfo")
_BY_FOLDER: Any = None
_DIMENSIONS = {
    "authentication": Dimension.D2,
    "authorization": Dimension.D3,
    "business": Dimension.D9,
    "configuration": Dimension.D8,
    "cryptography": Dimension.D7,
    "deserialisation": Dimension.D4,
    "files": Dimension.D5,
    "injection": Dimension.D1,
    "javascript": Dimension.D1,
    "secrets": Dimension.D7,
    "sessions": Dimension.D9,
    "ssrf": Dimension.D6,
    "supply_chain": Dimension.D10,
}
"""The dimension of each folder's rules."""
SCRIPT = "javascript-"
"""Prefix of the ids of JavaScript and TypeScript rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """The description of a rule. `kind` is its sub-category inside the dimension ("sql", "shell", "cookie").

    A rule states its id and dimension only if they do not follow from its folder."""

    title: str
    kind: str
    cwe: int
    severity: Severity
    consequence: str
    remedy: str
    impact: Impact = Impact.PARTIAL
    id: str = ""
    dimension: Dimension = _BY_FOLDER
    complexity: Complexity = Complexity.SINGLE_REQUEST
    posture: bool = False
    """The weakness is a missing protection or a habit, not a single place: reported once per project root, apart from the
    findings (A56)."""
    guard: str = ""
    """For rules about a missing protection: the guard that this kind of entry point needs. Whether it is omitted on purpose, or
    is elsewhere, is left open."""
    shape: Shape = Shape.STORED_VALUE
    """What a match of a check has to prove: that a value exists and is used or, for FLOW, that a sink exists."""
    guesses: tuple[Guess, ...] = ()
    """The unproved assumptions of every match of the rule."""
    poc: str = ""
    """A payload that demonstrates the weakness."""

    def in_scripts(self, form: type[_Kind], /, **changes: Any) -> _Kind:
        """A rule of this form for JavaScript and TypeScript, copied from this rule with the given changes."""
        said = {each.name: getattr(self, each.name) for each in fields(RuleInfo)}
        return form(**(said | changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRule(RuleInfo):
    """Untrusted data must not reach these sinks unless it passed one of these sanitisers.

    A sanitiser is the dotted name of a call ("shlex.quote"), a method of any receiver ("*.escape_string"), or a fact that the
    engine derives from a condition: "prefix check", "host check", "without ..". `handler_returns` names frameworks whose
    handlers' return value is a sink too. `local_users` says whether data from the command line is reported: not if the user could
    do the same without the program."""

    sink: str = ""
    """The kind of the sinks, as in the library files."""
    safe: tuple[str, ...] = ()
    """Kinds of library sanitisers that count in addition to those for this kind of sink."""
    sanitisers: tuple[str, ...] = ()
    """Other sanitisers. Loading a rule adds those of the libraries, and their sinks."""
    sinks: tuple[Sink, ...] = ()
    handler_returns: tuple[str, ...] = ()
    local_users: bool = False
    stored: bool = False
    """Data that one request stores and another reads counts too."""
    callers: bool = False
    """Arguments of a published function's callers count too: callers do not expect this use."""
    openly: bool = False
    """The same for uses that callers may expect: visible in the function's purpose, so worth only a remark."""
    models: bool = False
    """The output of a language model counts too: the author of any text it reads can influence it."""
    documents: bool = False
    """The content of documents, archives, e-mails and other servers' responses counts too."""

    def in_scripts(self, form: type[_Kind], /, **changes: Any) -> _Kind:
        return RuleInfo.in_scripts(self, form, **({"sink": self.sink, "safe": self.safe} | changes))

    @property
    def languages(self) -> tuple[Language, ...]:
        """Languages whose code has these sinks."""
        return (Language.JAVASCRIPT, Language.TYPESCRIPT) if self.id.startswith(SCRIPT) else (Language.PYTHON,)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a check rule. `item` names the security setting; `finding` is False if the value was judged safe.

    `secret` is a literal on these lines that evidence must not show. `severity` is set if this match differs from the rule's
    severity; `also` are lines of the same file that this match represents, `used` is where the value is used, if elsewhere."""

    line: int
    end_line: int
    item: str
    verdict: str
    finding: bool
    confidence: Confidence = Confidence.HIGH
    function: str = ""
    detail: str = ""
    secret: str = ""
    severity: Severity | None = None
    also: tuple[int, ...] = ()
    used: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule(RuleInfo):
    """`check(project, path)` examines one file. `applies` decides by path alone whether to open the file; the default is Python
    files."""

    check: "Callable[[Project, str], Iterable[Match]]"
    applies: Callable[[str], bool] = lambda path: path.endswith(".py")
    query: str
    """What it searches for; several things are separated by semicolons."""
    in_tests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRule(RuleInfo):
    """`check(seen)` judges one JavaScript or TypeScript call; None means that the rule does not apply to the call.

    `calls` are names as in a `Sink`: dotted as imports resolve them, or "*.name" for a method of an unknown receiver."""

    calls: tuple[str, ...]
    check: "Callable[[Shown], Match | None]"
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRule(RuleInfo):
    """`check(site)` examines all endpoints of the application together. Of several findings for one place and weakness, the first
    is kept, in the order of `rank` and then of the ids."""

    check: "Callable[[Shown], Iterable[Finding]]"
    rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyRule(RuleInfo):
    """`check(supplies)` judges one file that lists downloads."""

    check: "Callable[[Shown], Iterable[Shown]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRule(RuleInfo):
    """The description of one kind of secret in the source."""

    secret: Shown
    """A `secrets.naming.Kind`."""


Rule = FlowRule | CheckRule | CallRule | ControlRule | SupplyRule | SecretRule


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule with its documentation and the folder it came from."""

    rule: Rule
    documentation: str
    module: str


def _identified(rules: tuple[Rule, ...], family: str, folder: str) -> Iterator[Rule]:
    """The rules of one folder, with id and dimension derived from it where not stated."""
    first, *scripts = rules
    identity = first.id or (SCRIPT if family == "javascript" else "") + folder.replace("_", "-")
    yield _placed(first, identity, family)
    for rule in scripts:
        yield _placed(rule, rule.id if rule.id != first.id else SCRIPT + identity, family)


def _placed(rule: Rule, identity: str, family: str) -> Rule:
    placed = replace(rule, id=identity, dimension=rule.dimension or _DIMENSIONS[family])
    return _equipped(placed) if isinstance(placed, FlowRule) else placed


def _equipped(rule: FlowRule) -> FlowRule:
    """The rule with the libraries' sinks and sanitisers added."""
    language = rule.languages[0]
    kinds = (kind for kind in (rule.sink, *rule.safe) if kind in KINDS["sanitiser"])
    named = (name for kind in kinds for name in names("sanitiser", kind, language))
    return replace(rule, sinks=sinks(rule.sink, language), sanitisers=(*named, *rule.sanitisers))


@cache
def load_rules() -> tuple[LoadedRule, ...]:
    """Every rule of the package, by id."""
    package = importlib.import_module(_PACKAGE)
    written = importlib.import_module(f"{_PACKAGE}.rule_files").written
    found: list[LoadedRule] = []
    for file in sorted(path for root in package.__path__ for path in Path(root).glob("*/*/rule.toml")):
        family, folder = file.parts[-3:-1]
        module = f"{_PACKAGE}.{family}.{folder}"
        documentation, rules = written(file, module)
        found += [LoadedRule(rule, documentation, f"{module}.rule") for rule in _identified(rules, family, folder)]
    return tuple(sorted(found, key=lambda each: each.rule.id))


def rule_info(identity: str) -> RuleInfo:
    """The description of the rule with this id. An unknown id is a defect of the caller."""
    return next(loaded.rule for loaded in load_rules() if loaded.rule.id == identity)
