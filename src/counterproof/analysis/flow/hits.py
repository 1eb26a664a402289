"""A sink that code reaches, with the arguments that it is given and what is known of the data in them.

Always holds: a hit keeps every untrusted origin, also those that a guard or sanitiser took the harm from, so that the record can
say why there is no finding; arguments are shown the way that the matcher of sinks asks for them, and a collection passed with a
star may be any of them. Does not belong here: turning hits into findings.
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
"""Parts of a request that are objects as a whole."""

ALWAYS_SAFE = frozenset({"allow-list", "numeric", "word characters", "safe pattern", "fixed choice"})
"""What takes the harm out of a value for every rule."""

SHELL_QUOTED = "quoted for a shell"
"""What data has passed that holds no sign any more that means something to a shell."""

PATTERN_ESCAPED = "escaped for a pattern"
"""What data has passed whose signs mean nothing in a regular expression any more."""

TRUST_BOUNDARY = 501
"""The weakness of believing data: what matters is its truth, not its signs."""

_HARMLESS_TEXT = frozenset({"word characters", "safe pattern"})
"""What makes a text harmless, but not true: no help where the program believes it."""

MARKED_SAFE = "marked safe"
"""What a template was told not to escape."""

SEGMENT = "one part of a path"
"""What a parameter of a route has passed that takes no `/`: it can be `..`, and no more than that."""

LISTED_ENDING = "ending on a list"
"""What a name has passed whose ending is one of those that the program wrote down: the ending itself is such a one."""

NAMED = "name in a folder"
"""What a value has passed that is the last part of a path behind a folder of the program's own."""

FOLDER = "folder of a path"
"""What a value has passed that more parts of a path follow, or that may hold several once it was decoded."""

BEHIND = "behind a folder"
"""What a value has passed that stands behind another part of a path, wherever it ends."""

DECODED = "decoded"
"""What a value has passed that a browser had encoded in an address, and that the program decodes."""

RELATIVE = "not absolute"
"""What a path has passed that does not begin with a slash: it was asked about that, or the slash was taken off."""

APPENDED = "behind other text"
"""What a value has passed that stands behind something else, where it cannot begin a path anew."""

_NO_ASCENT = frozenset({"without ..", "without ../"})
_NOT_ROOTED = frozenset({RELATIVE, APPENDED, SEGMENT})
"""A path leaves its folder by `..` or by a slash in front, with which a join begins anew: only both together keep it there."""

ENDED = "fixed ending"
"""What a value has passed behind which the program writes the ending of a file's name."""

PRINTED, PRINTED_ADDRESS = "printed where escaping is not enough", "printed as an address"
"""What escaped data has passed that a page prints in such a place. Past escaping only who chooses the text from its first sign on
does harm: not what was stored, not what came a way that could not be followed, no address whose host is fixed."""

ON_SITE = frozenset({"fixed host", "host check", OWN_ADDRESS})
"""What an address has passed that begins as the program or the request's own path says, so that it runs no script."""

STATEMENT = "text of a statement"
"""What data has passed that stands in a text which begins like a statement of SQL."""

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
"""Labels that say what data is, not what was done to it."""


def starts_statement(text: str) -> bool:
    """Whether a text begins like a statement of SQL."""
    return text.lstrip()[:12].lower().startswith(_STATEMENTS)


def stopping(rule: FlowRule, passed: frozenset[str]) -> frozenset[str]:
    """What of all that a value has passed takes the harm out of it for this rule."""
    always = ALWAYS_SAFE
    if rule.cwe == TRUST_BOUNDARY:
        always -= _HARMLESS_TEXT
    if CLIENT_NAME in passed:
        passed -= {CONTENT}
    return closed(passed) & always.union(rule.sanitisers)


def closed(passed: frozenset[str]) -> frozenset[str]:
    """What a value has passed, without a refusal of `..` alone where a slash in front leads out as well."""
    return passed if passed & _NOT_ROOTED else passed - _NO_ASCENT


@dataclass(slots=True, eq=False)
class Arguments:
    """`spread` joins what was passed with a star; `spread_from` is the first position that it can fill."""

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
        path = derived[0] if derived else value.path  # a class of the project is what it derives from
        return path.removesuffix("()").rsplit(".", 1)[-1] if path else None

    def is_mapping(self, value: Value) -> bool:
        return value.entries is not None or value.path in _OBJECTS or _is_record(value)

    def items(self, value: Value) -> tuple[Value, ...] | None:
        return value.items if value.items is not None or value.rest is None else ()

    def entry(self, value: Value, name: str) -> Value | None:
        return (value.fields or {}).get(name) or (value.entries or {}).get(name)


def _is_record(value: Value) -> bool:
    """Whether this is a row, or rows, as read from a store: no column of it, and no text that it was put into."""
    return bool(value.taints) and all(is_stored(each) and _is_whole(each) for each in value.taints)


def _is_whole(taint: Taint) -> bool:
    built = any(step.kind is StepKind.BUILD for step in hops(taint.step))
    return not built and isinstance(taint.origin, Source) and not taint.origin.parameter


@dataclass(slots=True, eq=False)
class Hit:
    """One sink at one place, as one function sees it.

    `path`, `line`, `end` and `function` are where the data is handed over for good: the sink itself or, where a function only
    passes its parameter on to the sink, the call of that function. `sink_path` and the like are always the sink's own.
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
    """The data is a parameter of the function just as it was given, so that the function is a sink itself."""
    statement: Param | None = None
    """Where a statement is run that a caller gives: the parameter that holds it."""
    asked: Arguments | None = None
    """The arguments of the call, where what a caller gives decides whether it does harm: a list instead of a text, an option."""
    waiting: bool = False
    """It counts only once a caller shows that the receiver is what the sink takes."""
    written: str = ""
    """The name by which the code calls the sink there, whatever its library calls it."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.rule.id, self.path, self.line, self.sink_path, self.sink_line, self.call

    def harmful(self) -> tuple[Taint, ...]:
        """Origins that nothing made harmless for this rule."""
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
        """Whether a path can leave its folder only for the folder above, as `..` does, and the sink takes no folders. Of what
        came a way that could not be followed nothing shows that it became more than that."""
        passed = taint.passed
        if self.sink.question and FOLDER in passed and NAMED not in passed:
            return True  # the program says which file it asks for; that one exists in few folders
        if self.rule.kind != "path" or self.sink.folder or SEGMENT not in passed:
            return False
        return taint.broken is not None or (NAMED in passed and FOLDER not in passed)

    def _counts(self, taint: Taint) -> bool:
        """Whether the sink minds data that came this way."""
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
    """Whether what a page prints escaped does no harm where it stands, for all that is known by now."""
    if not taint.passed & {PRINTED, PRINTED_ADDRESS} or MARKED_SAFE in taint.passed:
        return False
    stored = isinstance(taint.origin, Source) and taint.origin.channel == STORED
    fixed = PRINTED not in taint.passed and bool(taint.passed & ON_SITE)
    return stored or taint.broken is not None or fixed
