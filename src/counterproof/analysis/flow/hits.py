"""A sink that code reaches, with its arguments and the known properties of their data.

Invariant: a hit keeps every untrusted origin, including those that a guard or sanitiser made harmless, so that the record can
explain why there is no finding; arguments are looked up the way the sink matcher needs, and a starred collection may be any of
them. Not handled here: turning hits into findings.
"""

from dataclasses import dataclass, field

from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sources import (
    BROWSER_CHANNELS,
    CLIENT_NAME,
    CONTENT,
    DOCUMENTS,
    MODEL,
    OWN_ADDRESS,
    PLAIN_TEXT,
    PREVIOUS_PAGE,
    REQUEST,
    SOME_FIELD,
)
from counterproof.analysis.flow.values import (
    CALLER,
    STORED,
    UNSET,
    Param,
    Source,
    StepKind,
    Taint,
    Trusted,
    Value,
    hops,
    is_stored,
)
from counterproof.analysis.libraries.concepts import Sink
from counterproof.analysis.ruleset import FlowRule
from counterproof.model.flow import Break

_OBJECTS = frozenset(f"{REQUEST}.{part}" for part in ("params", "query", "headers", "cookies"))
"""Parts of a request that are objects."""

ALWAYS_SAFE = frozenset({"allow-list", "numeric", "word characters", "safe pattern", "fixed choice"})
"""Labels that make a value harmless for every rule."""

SHELL_QUOTED = "quoted for a shell"
"""Label of data without characters special to a shell."""

PATTERN_ESCAPED = "escaped for a pattern"
"""Label of data without characters special in a regular expression."""

TRUST_BOUNDARY = 501
"""The CWE for trusting data: its truth matters, not its characters."""

_HARMLESS_TEXT = frozenset({"word characters", "safe pattern"})
"""Labels that make a text harmless but not true, so they do not help where the program trusts it."""

MARKED_SAFE = "marked safe"
"""Label of text that a template was told not to escape."""

SEGMENT = "one part of a path"
"""Label of a route parameter that cannot contain `/`: the worst value is `..`."""

LISTED_ENDING = "ending on a list"
"""Label of a name whose extension is on a literal list: so the extension is one of the listed ones."""

NAMED = "name in a folder"
"""Label of the last part of a path in a folder of the program."""

FOLDER = "folder of a path"
"""Label of a value followed by more path parts, or that may contain several after decoding."""

BEHIND = "behind a folder"
"""Label of a value preceded by another path part, wherever it ends."""

DECODED = "decoded"
"""Label of a value that a browser encoded in a URL and the program decodes."""

RELATIVE = "not absolute"
"""Label of a path without a leading slash: it was checked, or the slash was removed."""

APPENDED = "behind other text"
"""Label of a value preceded by other text, so that it cannot start an absolute path."""

_NO_ASCENT = frozenset({"without ..", "without ../"})
_NOT_ROOTED = frozenset({RELATIVE, APPENDED, SEGMENT})
"""A path leaves its folder by `..` or by a leading slash, which discards the folder in a join: only both checks keep it there."""

ENDED = "fixed ending"
"""Label of a value to which the program appends the file extension."""

PRINTED, PRINTED_ADDRESS = "printed where escaping is not enough", "printed as an address"
"""Labels of escaped data printed in such a position. After escaping only control over the first character is harmful: stored
data, broken flows and URLs with a fixed host are harmless.
"""

ON_SITE = frozenset({"fixed host", "host check", OWN_ADDRESS})
"""Labels of a URL that starts as the program or the request's own path determines, so that it runs no script."""

STATEMENT = "text of a statement"
"""Label of data in a text that starts like an SQL statement."""

_STATEMENTS = ("select ", "insert ", "update ", "delete ", "replace ", "with ", "create ", "drop ", "alter ",
               "pragma ", "union ")  # fmt: skip

NOTES = frozenset(
    {
        STATEMENT,
        SOME_FIELD,
        CONTENT,
        CLIENT_NAME,
        MARKED_SAFE,
        OWN_ADDRESS,
        PLAIN_TEXT,
        PREVIOUS_PAGE,
        SEGMENT,
        NAMED,
        FOLDER,
        BEHIND,
        APPENDED,
        ENDED,
        PRINTED,
        PRINTED_ADDRESS,
    }
)
"""Labels that describe data, not a check or sanitiser."""


def starts_statement(text: str) -> bool:
    """Return True if a text starts like an SQL statement."""
    return text.lstrip()[:12].lower().startswith(_STATEMENTS)


def stopping(rule: FlowRule, passed: frozenset[str]) -> frozenset[str]:
    """The labels that make a value harmless for this rule."""
    always = ALWAYS_SAFE
    if rule.cwe == TRUST_BOUNDARY:
        always -= _HARMLESS_TEXT
    if CLIENT_NAME in passed:
        passed -= {CONTENT}
    return closed(passed) & always.union(rule.sanitisers)


def closed(passed: frozenset[str]) -> frozenset[str]:
    """The labels without a check for `..` alone, if a leading slash could still leave the folder."""
    return passed if passed & _NOT_ROOTED else passed - _NO_ASCENT


@dataclass(slots=True, eq=False)
class Arguments:
    """`spread` joins the starred arguments; `spread_from` is the first position they can fill."""

    positional: list[Value] = field(default_factory=list[Value])
    keywords: dict[str, Value] = field(default_factory=dict[str, Value])
    spread: Value | None = None
    receiver: Value | None = None
    spread_from: int = 0

    def every(self) -> list[Value]:
        return [*self.positional, *self.keywords.values(), *([self.spread] if self.spread else [])]

    def at(self, position: int, keyword: str = "") -> Value | None:
        if keyword and keyword in self.keywords:
            return self.keywords[keyword]
        return self.positional[position] if position < len(self.positional) else None

    def named(self, keyword: str) -> Value | None:
        return self.keywords.get(keyword)

    def starred(self) -> tuple[int, list[Value]]:
        return self.spread_from, [self.spread] if self.spread else []

    def literal(self, value: Value) -> str | None:
        return value.const if isinstance(value.const, str) else None

    def text(self, value: Value) -> str | None:
        if value.const is not UNSET:
            return str(value.const)
        made = value.of
        derived = [base for each in made.lineage() for base in each.external_bases] if isinstance(made, ClassInfo) else []
        path = derived[0] if derived else value.path  # a project class counts as its base class
        return path.removesuffix("()").rsplit(".", 1)[-1] if path else None

    def is_mapping(self, value: Value) -> bool:
        return value.entries is not None or value.path in _OBJECTS or _is_record(value)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        return value.items if value.items is not None or value.rest is None else ()

    def entry(self, value: Value, name: str) -> Value | None:
        return (value.fields or {}).get(name) or (value.entries or {}).get(name)


def _is_record(value: Value) -> bool:
    """Return True for a row, or rows, read from a store: not a column of it, or a text that contains it."""
    return bool(value.taints) and all(is_stored(each) and _is_whole(each) for each in value.taints)


def _is_whole(taint: Taint) -> bool:
    built = any(step.kind is StepKind.BUILD for step in hops(taint.step))
    return not built and isinstance(taint.origin, Source) and not taint.origin.parameter


@dataclass(slots=True, eq=False)
class Hit:
    """One sink at one location, from the view of one function.

    `path`, `line`, `end` and `function` are the location where the data leaves the function: the sink itself or, if a function
    only passes its parameter on to the sink, the call of that function. `sink_path` and similar fields always refer to the sink.
    """

    rule: FlowRule
    sink: Sink
    path: str
    line: int
    end: int
    function: str
    call: str
    taints: tuple[Taint, ...]
    origin: Trusted
    open: Break | None
    certain: bool
    sink_path: str
    sink_line: int
    sink_end: int
    receiver: Param | None = None
    straight: bool = False
    """True if the data is an unchanged parameter, so that the function itself acts as a sink."""
    statement: Param | None = None
    """The parameter that contains the statement, if the caller supplies it."""
    asked: Arguments | None = None
    """The arguments of the call, if a caller's argument decides whether it is harmful: a list instead of a string, an option."""
    waiting: bool = False
    """True if the hit counts only once a caller shows that the receiver is of the sink's type."""
    written: str = ""
    """The sink's name as written in the code, whatever its library name."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.rule.id, self.path, self.line, self.sink_path, self.sink_line, self.call

    def harmful(self) -> tuple[Taint, ...]:
        """Origins that no label makes harmless for this rule."""
        if self.waiting:
            return ()
        besides = {PLAIN_TEXT} if self.sink.text else set[str]()
        return tuple(
            each
            for each in self.taints
            if not stopping(self.rule, each.passed) - besides
            and self._counts(each)
            and not self._stays(each)
            and not _is_settled(each)
        )

    def _stays(self, taint: Taint) -> bool:
        """Return True if a path can reach at most the parent folder, by `..`, and the sink takes no folders. A broken flow does
        not show more than that."""
        passed = taint.passed
        if self.sink.question and FOLDER in passed and NAMED not in passed:
            return True  # the program chooses the file name, which exists in few folders
        if self.rule.kind != "path" or self.sink.folder or SEGMENT not in passed:
            return False
        return taint.broken is not None or (NAMED in passed and FOLDER not in passed)

    def _counts(self, taint: Taint) -> bool:
        """Return True if the sink is affected by this taint's channel."""
        wanted = self.sink.channels
        if not isinstance(taint.origin, Source):
            return True
        if taint.origin.channel == MODEL:
            return self.rule.models
        if taint.origin.channel in DOCUMENTS:
            return self.rule.documents
        if taint.origin.channel == CALLER and self.rule.openly:
            return True
        return taint.origin.channel in wanted or (not wanted and taint.origin.channel not in BROWSER_CHANNELS)

    def sources(self) -> tuple[Taint, ...]:
        return tuple(each for each in self.harmful() if isinstance(each.origin, Source))

    def parameters(self) -> tuple[Taint, ...]:
        return tuple(each for each in self.taints if isinstance(each.origin, Param))


def _is_settled(taint: Taint) -> bool:
    """Return True if the position where a page prints escaped data makes it harmless."""
    if not taint.passed & {PRINTED, PRINTED_ADDRESS} or MARKED_SAFE in taint.passed:
        return False
    stored = isinstance(taint.origin, Source) and taint.origin.channel == STORED
    fixed = PRINTED not in taint.passed and bool(taint.passed & ON_SITE)
    return stored or taint.broken is not None or fixed
