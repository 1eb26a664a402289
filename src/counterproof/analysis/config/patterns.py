"""Rules as data: the places that a rule examines, the value that decides, and when that value is unsafe.

`check=Matching(Calls(…), Settings(…))` builds a rule from patterns. The runner passes the patterns of all rules to one `Walk`,
which visits each kind of node of a file once and looks up the patterns by the name called, set or used.

Invariant: the first condition of a pattern that is true decides; if none is, the place is good. A condition or selector may be
any function of a `Place`, for rules that data alone cannot express. Not handled here: the names of any rule.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.hashes import hash_uses
from counterproof.analysis.config.places import Place, Take, Test, always
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Expr, Index, Mapping
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.severity import Confidence, Severity

_SETTERS = frozenset({
    "send_header", "set_header", "add_header", "append_header", "add", "append", "set", "setdefault",
})  # fmt: skip
"""Methods that set a header from its name and value."""


@dataclass(frozen=True, slots=True)
class Bad:
    """A condition for an unsafe place. In the verdict, `{value}` is the deciding literal and `{name}` the name."""

    test: Test
    verdict: str
    confidence: Confidence = Confidence.HIGH
    severity: Severity | None = None


Item = str | Callable[[Place], str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """`only` decides whether a place with a matching name belongs to the rule. Without `good`, a place that is not unsafe is not
    recorded. Fields that a pattern omits are taken from its `Matching`."""

    names: tuple[str, ...]
    value: Take | None = None
    only: Test = always
    bad: Bad | tuple[Bad, ...] = ()
    good: str = ""
    item: Item = ""

    def match(self, at: Place) -> Match | None:
        if not self.only(at):
            return None
        last = at.name.rpartition(".")[2]
        said = {"name": at.name, "last": last, "upper": last.upper(), "value": at.literal()}
        item = (self.item or "{name}").format_map(said) if isinstance(self.item, str) else self.item(at)
        for each in (self.bad,) if isinstance(self.bad, Bad) else self.bad:
            if each.test(at):
                return bad(at.site, item, each.verdict.format_map(said), each.confidence, severity=each.severity)
        return good(at.site, item, self.good.format_map(said)) if self.good else None


@dataclass(frozen=True, slots=True)
class Calls(Pattern):
    """Calls by resolved name: `hashlib.md5`, `*.set_cookie` for a method of any receiver or a function whose name ends so,
    `Crypto.Cipher.*` for all names of a module, `autoescape=` for any call with that keyword. With `value`, only calls with that
    argument, unless it is `optional`."""

    optional: bool = False

    def match(self, at: Place) -> Match | None:
        value = self.value(at) if self.value is not None else None
        if value is None and self.value is not None and not self.optional:
            return None
        return Pattern.match(self, replace(at, value=value))


class Settings(Pattern):
    """Settings of these names, in any notation."""


class Headers(Pattern):
    """HTTP headers of these lower-case names: passed to a method, set by name, or listed in a mapping."""


class Uses(Pattern):
    """Attributes by last name: `ssl.PROTOCOL_TLSv1` by `PROTOCOL_TLSv1`. A place's name is the resolved one."""


class Fields(Pattern):
    """Assignments to attributes, by last name: `context.check_hostname = value`."""


class Hashes(Pattern):
    """Hash computations in any library, by algorithm."""


class Matching:
    """The check of a rule made of patterns and, where needed, a function. With `once`, only the first finding of each function is
    reported."""

    def __init__(
        self,
        *patterns: Pattern,
        bad: Bad | tuple[Bad, ...] = (),
        good: str = "",
        item: Item = "",
        once: bool = False,
        also: Callable[[Project, str], Iterable[Match]] | None = None,
    ) -> None:
        self.patterns = tuple(
            replace(each, bad=each.bad or bad, good=each.good or good, item=each.item or item) for each in patterns
        )
        self.once = once
        self.also = also

    def __call__(self, project: Project, path: str) -> Iterator[Match]:
        """Run this rule alone."""
        found = Walk({"": self}).matches(project, path, frozenset({""}))[""]
        if isinstance(found, Exception):
            raise found
        return iter(found)


Entry = tuple[str, Pattern]
_Table = dict[str, list[Entry]]
_Set = tuple[Entry, Site[Any], str, Expr | None]
"""An assignment: the pattern that requests it, its location, its name, and its value."""


class Walk:
    """The patterns of several rules, by the names that they match."""

    def __init__(self, rules: dict[str, Matching]) -> None:
        self._rules = rules
        self._exact: _Table = {}
        self._last: _Table = {}
        self._roots: _Table = {}
        self._keywords: _Table = {}
        self._other: dict[type[Pattern], _Table] = {kind: {} for kind in (Settings, Headers, Uses, Fields, Hashes)}
        for rule, matching in rules.items():
            for pattern in matching.patterns:
                for name in pattern.names:
                    self._add(rule, pattern, name)

    def _add(self, rule: str, pattern: Pattern, name: str) -> None:
        table, key = self._other.get(type(pattern)), name
        if table is None and name.startswith("*."):
            table, key = self._last, name[2:]
        elif table is None and name.endswith((".*", "=")):
            table, key = self._keywords if name.endswith("=") else self._roots, name[:-1]
        (self._exact if table is None else table).setdefault(key, []).append((rule, pattern))

    def matches(self, project: Project, path: str, wanted: frozenset[str]) -> dict[str, list[Match] | Exception]:
        """The results of these rules for a file. If a rule fails, its error takes the place of its matches."""
        found: dict[str, list[Match] | Exception] = {rule: [] for rule in wanted}
        try:
            codebase, outline = opened(project, path)
        except Exception as error:
            return dict.fromkeys(wanted, error)
        for (rule, pattern), at in self._places(project, codebase, outline):
            if rule in found:
                _extend(found, rule, lambda pattern=pattern, at=at: (pattern.match(at),))
        for rule in wanted:
            also = self._rules[rule].also
            if also is not None:
                _extend(found, rule, lambda also=also: also(project, path))
        return {rule: _first(each) if self._rules[rule].once and isinstance(each, list) else each for rule, each in found.items()}

    def _places(self, project: Project, codebase: Codebase, outline: Outline) -> Iterator[tuple[Entry, Place]]:
        for site in outline.of(Call):
            for name, entry in self._calls(outline, site):
                yield entry, Place(project, codebase, outline, site, name)
        for site in outline.of(Attribute) if self._other[Uses] else ():
            for entry in self._other[Uses].get(site.node.name, ()):
                yield entry, Place(project, codebase, outline, site, outline.dotted(site.node))
        for name, entries in self._other[Settings].items():
            for setting in settings_of(outline, name):
                for entry in entries:
                    yield entry, Place(project, codebase, outline, setting.site, name, setting.value, setting)
        for entry, site, name, value in (*self._headers(outline), *self._fields(outline), *self._hashes(codebase, outline)):
            yield entry, Place(project, codebase, outline, site, name, value)

    def _calls(self, outline: Outline, site: Site[Call]) -> Iterator[tuple[str, Entry]]:
        dotted = outline.dotted(site.node.callee)
        last = dotted.rpartition(".")[2] or called(site.node)
        for entry in (*self._exact.get(dotted, ()), *self._last.get(last, ())):
            yield dotted or last, entry
        for given in site.node.arguments if self._keywords else ():
            for entry in self._keywords.get(given.keyword, ()):
                yield dotted or last, entry
        end = dotted.find(".")
        while end >= 0:
            for entry in self._roots.get(dotted[: end + 1], ()):
                yield dotted, entry
            end = dotted.find(".", end + 1)

    def _headers(self, outline: Outline) -> Iterator[_Set]:
        table = self._other[Headers]
        for site in outline.of(Call) if table else ():
            name = (text_of(positional(site.node, 0)) or "").lower() if called(site.node) in _SETTERS else ""
            for entry in table.get(name, ()) if name else ():
                yield entry, site, name, positional(site.node, 1)
        for site in outline.of(Assign) if table else ():
            for target in site.node.targets:
                name = (text_of(target.key) or "").lower() if isinstance(target, Index) else ""
                for entry in table.get(name, ()):
                    yield entry, site, name, site.node.value
        for site in outline.of(Mapping) if table else ():
            for key, value in site.node.entries:
                for entry in table.get((text_of(key) or "").lower(), ()):
                    yield entry, site._replace(node=value), (text_of(key) or "").lower(), value

    def _fields(self, outline: Outline) -> Iterator[_Set]:
        table = self._other[Fields]
        for site in outline.of(Assign) if table else ():
            for target in site.node.targets:
                for entry in table.get(target.name, ()) if isinstance(target, Attribute) else ():
                    yield entry, site, last_name(target), site.node.value

    def _hashes(self, codebase: Codebase, outline: Outline) -> Iterator[_Set]:
        table = self._other[Hashes]
        for site, algorithm in hash_uses(codebase, outline) if table else ():
            for entry in table.get(algorithm, ()):
                yield entry, site, algorithm, None


def _extend(found: dict[str, list[Match] | Exception], rule: str, more: Callable[[], Iterable[Match | None]]) -> None:
    """Add matches of a rule; an error affects only this rule."""
    matches = found[rule]
    if isinstance(matches, list):
        try:
            matches += [match for match in more() if match is not None]
        except Exception as error:  # the caller decides how to handle it
            found[rule] = error


def _first(matches: list[Match]) -> list[Match]:
    """Without the findings of a function after its first."""
    found: dict[str, Match] = {}
    for each in sorted(matches, key=lambda each: each.line):
        if each.finding:
            found.setdefault(each.function, each)
    return [each for each in matches if not each.finding or found[each.function] is each]


def walk_of(rules: Iterable[CheckRule]) -> Walk:
    """One walk for all rules made of patterns."""
    return Walk({rule.id: rule.check for rule in rules if isinstance(rule.check, Matching)})
