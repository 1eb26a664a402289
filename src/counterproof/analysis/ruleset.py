"""Rules as data: what a rule is, and how the rules of the package are found.

A rule is a file `rules/<family>/<rule>/rule.py`, whose docstring is the rule's documentation page and which defines `RULE`.
Its cases are in `tests/rules/<family>/<rule>/`: code annotated on exact lines with `expect: <rule id>` and `ok: <rule id>`.
Adding a rule adds those two and edits nothing. A rule that holds in JavaScript and TypeScript too also defines `SCRIPTS`,
which says of itself what `RULE` says but for what is done about it there; its id is that of `RULE` behind `javascript-`.

Six kinds of rule. A `FlowRule` says which calls are sinks and what makes a value harmless; the flow engine does the rest.
A `CheckRule` is made of patterns (`config/patterns.py`), or is a function over one file that yields matches and the core items it
judged; a `CallRule` judges single calls of JavaScript with their arguments as the flow engine knows them. A `ControlRule`
compares what the endpoints of an application ask and do; a `SupplyRule` judges one manifest, lock, workflow or container file; a
`SecretRule` says what a secret of one kind means, wherever the search for secrets meets it. Every finding carries the id of one
of them.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from types import ModuleType
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
"""Headings that every rule's docstring must have, in this order, as Markdown `## ` lines."""

Shown = Any
"""What a family of analysers shows its rules, and what it takes from them: a call, a site, supplies and concerns. The families
stand above this module, so the types are theirs to name."""


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
"""What the rules of a folder are about."""
SCRIPT = "javascript-"
"""What the ids of rules about JavaScript and TypeScript begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """What every rule says of itself. `kind` is its sub-category inside the dimension ("sql", "shell", "cookie").

    A rule says its id and its dimension only where they do not follow from its folder.
    """

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
    """It is wrong by absence or habit and not by one place: told once a project root, apart from the findings (A56)."""
    guard: str = ""
    """What an entry point of this kind needs and was looked for, for rules about something that is missing: whether it is left
    out on purpose, or stands elsewhere, is open then."""
    shape: Shape = Shape.STORED_VALUE
    """What a hit of a check has to show: that a value is there and used, or, for FLOW, a sink that nobody was seen to reach."""
    guesses: tuple[Guess, ...] = ()
    """What every hit of the rule rests on that was not seen."""
    poc: str = ""
    """A payload that shows the weakness."""

    def in_scripts(self, form: type[_Kind], /, **changes: Any) -> _Kind:
        """A rule of this form for JavaScript and TypeScript, which says of itself what this one says, but for the changes."""
        said = {each.name: getattr(self, each.name) for each in fields(RuleInfo)}
        return form(**(said | changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRule(RuleInfo):
    """Untrusted data must not reach these sinks unless it passed one of these sanitisers.

    A sanitiser is the dotted name of a call ("shlex.quote"), a method of any receiver ("*.escape_string"), or something that
    the engine sees a test establish: "prefix check", "host check", "without ..". `handler_returns` names frameworks whose
    handlers' return value is a sink too. `local_users` says whether data from the command line is worth reporting: it is not
    where the user could do the same without the program.
    """

    sink: str = ""
    """The kind of the sinks, in the words of the libraries."""
    safe: tuple[str, ...] = ()
    """Kinds of the libraries' sanitisers that count, beside those for this kind of sink."""
    sanitisers: tuple[str, ...] = ()
    """Others that count. A rule that was loaded has the libraries' among them, and their sinks."""
    sinks: tuple[Sink, ...] = ()
    handler_returns: tuple[str, ...] = ()
    local_users: bool = False
    stored: bool = False
    """Data that one request stores and another one reads back counts too."""
    callers: bool = False
    """What the caller of a published function passes counts too: nobody expects the function to do that with it."""
    openly: bool = False
    """The same, where callers may well expect it: what the function does with it is in the open, so that it is worth a remark."""
    models: bool = False
    """What a language model answers counts too: whoever writes a text that it reads steers it."""
    documents: bool = False
    """What a document, an archive, a mail or another server's answer says counts too."""

    def in_scripts(self, form: type[_Kind], /, **changes: Any) -> _Kind:
        return RuleInfo.in_scripts(self, form, **({"sink": self.sink, "safe": self.safe} | changes))

    @property
    def languages(self) -> tuple[Language, ...]:
        """Languages whose code has these sinks."""
        return (Language.JAVASCRIPT, Language.TYPESCRIPT) if self.id.startswith(SCRIPT) else (Language.PYTHON,)


@dataclass(frozen=True, slots=True)
class Match:
    """A hit of a check rule. `item` names the core item; `finding` is False when the value was judged and is fine.

    `secret` is a literal on these lines that evidence must not show. `severity` is set where this hit weighs less, or more, than
    the rule's others; `also` are lines of the same file that this hit speaks for, `used` is where the value is used, if
    elsewhere.
    """

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
    """`check(project, path)` looks at one file. `applies` says by path alone whether the file is worth opening: where
    nothing is said, one of Python."""

    check: "Callable[[Project, str], Iterable[Match]]"
    applies: Callable[[str], bool] = lambda path: path.endswith(".py")
    query: str
    in_tests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRule(RuleInfo):
    """`check(seen)` judges one call of JavaScript or TypeScript; None says that the call is no core item of the rule.

    `calls` are names as in a `Sink`: dotted as imports resolve them, or "*.name" for a method of something unknown.
    """

    calls: tuple[str, ...]
    check: "Callable[[Shown], Match | None]"
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRule(RuleInfo):
    """`check(site)` looks at all endpoints of the application together. Of one place and weakness the first rule's finding
    stays, in the order of `rank` and then of the ids."""

    check: "Callable[[Shown], Iterable[Finding]]"
    rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyRule(RuleInfo):
    """`check(supplies)` judges one file that says what is fetched from elsewhere. `once`: several files that do so are one habit
    of the project with one remedy, and are told as one finding that names them all (A39)."""

    check: "Callable[[Shown], Iterable[Shown]]"
    once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRule(RuleInfo):
    """What a secret of this kind in the source means."""

    secret: Shown
    """A `secrets.naming.Kind`."""


Rule = FlowRule | CheckRule | CallRule | ControlRule | SupplyRule | SecretRule


@dataclass(frozen=True, slots=True)
class LoadedRule:
    """A rule with its documentation and the folder it came from."""

    rule: Rule
    documentation: str
    module: str


def _rule_modules() -> Iterator[tuple[str, str]]:
    """Family and folder of every `rules/<family>/<rule>/rule.py`; the folders need no `__init__`, so that a rule really is one
    file here."""
    for root in importlib.import_module(_PACKAGE).__path__:
        yield from ((found.parts[-3], found.parts[-2]) for found in sorted(Path(root).glob("*/*/rule.py")))


def _rules_of(module: ModuleType, family: str, folder: str) -> Iterator[Rule]:
    """The rules of one folder, with the id and the dimension that follow from it where they say none of their own."""
    identity = module.RULE.id or (SCRIPT if family == "javascript" else "") + folder.replace("_", "-")
    yield _placed(module.RULE, identity, family)
    if hasattr(module, "SCRIPTS"):
        own = module.SCRIPTS.id
        yield _placed(module.SCRIPTS, own if own != module.RULE.id else SCRIPT + identity, family)


def _placed(rule: Rule, identity: str, family: str) -> Rule:
    placed = replace(rule, id=identity, dimension=rule.dimension or _DIMENSIONS[family])
    return _equipped(placed) if isinstance(placed, FlowRule) else placed


def _equipped(rule: FlowRule) -> FlowRule:
    """With the sinks and sanitisers that libraries bring."""
    language = rule.languages[0]
    kinds = (kind for kind in (rule.sink, *rule.safe) if kind in KINDS["sanitiser"])
    named = (name for kind in kinds for name in names("sanitiser", kind, language))
    return replace(rule, sinks=sinks(rule.sink, language), sanitisers=(*named, *rule.sanitisers))


@cache
def load_rules() -> tuple[LoadedRule, ...]:
    """Every rule of the package, by id."""
    loaded = [
        LoadedRule(rule, (module.__doc__ or "").strip(), module.__name__)
        for family, folder in _rule_modules()
        for module in [importlib.import_module(f"{_PACKAGE}.{family}.{folder}.rule")]
        for rule in _rules_of(module, family, folder)
    ]
    return tuple(sorted(loaded, key=lambda each: each.rule.id))


def rule_info(identity: str) -> RuleInfo:
    """What the rule with this id says of itself. An unknown id is a defect of the caller."""
    return next(loaded.rule for loaded in load_rules() if loaded.rule.id == identity)
