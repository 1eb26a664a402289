"""Whether JavaScript or TypeScript code checks the caller: by its code if available, else by its name.

Code takes precedence over its name: a `requireLogin` that rejects no one is unknown, not a guard. External code with a name that
promises a check is a guard; a well-known name with another purpose is ignored; everything else could be a guard and makes the
result unknown. Not handled here: the order of guards.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from tree_sitter import Node

from counterproof.analysis.endpoints.understanding import NOT_UNDERSTOOD, Asked
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, unknown
from counterproof.analysis.polyglot import guard_words as vocab
from counterproof.analysis.polyglot.chains import chain_at, is_call
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.nodes import inside, line_of
from counterproof.analysis.polyglot.script_guards import asked_by_package, asked_by_script, check_in
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.program.words import words
from counterproof.model.location import at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardKind, WrittenGuard

Follow = Callable[[Source, Node], Place | None]
"""How a language finds the project function that a call refers to."""

MAX_WRITTEN = 160
MAX_FOLLOWED = 2
MAX_CALLS = 40
MAX_CONDITIONS = 60


def words_of(source: Source, node: Node | None, apart: tuple[Node, ...] = ()) -> frozenset[str]:
    """The words of all names, short strings and numbers inside a node, except those in `apart`."""
    if node is None:
        return frozenset()
    found: set[str] = set()
    for each in inside(node):
        if each.type in vocab.LEAVES and each.end_byte - each.start_byte <= 80 and not _stands_in(each, apart):
            text = source.text(each)
            found.update(words(text))
            found.add("".join(words(text)))
    return frozenset(found)


def promises(name: str) -> bool:
    """Return True if a name promises a check of the caller."""
    return bool(set(words(name)) & vocab.GUARD) and not is_optional(name)


def is_gate(name: str) -> bool:
    """Return True if a handler's name says that it only admits callers: `isAuthorized`, `requireLogin`, `denyAll`."""
    found = set(words(name.rpartition(".")[2]))
    return bool(found & vocab.GATES) and bool(found & (vocab.STRONG | {"all", "user", "signed"})) and not found & vocab.OPEN


def is_optional(name: str) -> bool:
    """Return True if a name says that authentication is optional."""
    return bool(set(words(name)) & vocab.OPEN)


def is_neutral(name: str) -> bool:
    """Return True if a name promises something other than a check of the caller."""
    found = set(words(name)) | {"".join(words(name))}
    return bool(found & vocab.NEUTRAL)


def as_written(source: Source, node: Node, asked: Asked | None = None, partly: bool = False) -> WrittenGuard:
    """A guard with its text, and its interpretation."""
    text = " ".join(source.text(node, MAX_WRITTEN).split())
    told = asked or NOT_UNDERSTOOD
    return WrittenGuard(at(source.path, line_of(node)), text, told.asks, told.right, partly)


def by_name(source: Source, node: Node, name: str) -> Verdict:
    """The verdict on external code by its name, or by its library file."""
    verdict = _by_name(source, node, name)
    asked = asked_by_package(node, name)
    if verdict is OPEN and asked.asks is Asks.NOT_UNDERSTOOD:
        return OPEN
    if asked.asks is Asks.NOT_UNDERSTOOD and not promises(name):
        return replace(verdict, written=())  # middleware of a package that is not known as a guard
    return replace(verdict, written=(as_written(source, node, asked),))


def _by_name(source: Source, node: Node, name: str) -> Verdict:
    line = line_of(node)
    if is_optional(name) or set(words(name)) & vocab.NEVER:
        return OPEN
    if set(words(name)) & vocab.STRONG:
        return present(source.path, line, name)
    if is_neutral(name) and not promises(name):
        return OPEN
    return unknown(source.path, line, f"{name or 'an expression'} could not be read and may refuse callers", name)


def by_code(source: Source, node: Node, name: str, place: Place, follow: Follow | None = None) -> Verdict:
    """The verdict on a project's wrapper, from its code around handlers."""
    verdict = _by_code(source, node, name, place, follow)
    asked = asked_by_script(place, follow, node)
    if verdict is OPEN and asked.asks is not Asks.ADDRESS:
        return OPEN
    written = as_written(source, node, asked, partly=verdict.guard is Guard.UNKNOWN and asked.asks in KNOWS_CALLER)
    if verdict.by is not None and asked.asks is Asks.ROLE and asked.right and _arguments(node):
        verdict = replace(verdict, by=replace(verdict.by, symbol=f"{verdict.by.symbol}({asked.right})"))
    return replace(verdict, written=(written,)) if verdict.guard is Guard.UNKNOWN else verdict.understood(written)


def _arguments(node: Node) -> bool:
    given = node.child_by_field_name("arguments")
    return given is not None and bool(given.named_children)


def _by_code(source: Source, node: Node, name: str, place: Place, follow: Follow | None) -> Verdict:
    line = line_of(node)
    if is_optional(name):
        return OPEN
    found = refusal(place, around=True, follow=follow)
    defined = at(place.source.path, place.function.line)
    called = name or place.function.qualified
    if found is Guard.PRESENT:
        if _is_tuned(source, node):
            return unknown(source.path, line, f"{name} is told to let some callers through", name, defined)
        return present(source.path, line, called, f"{called} refuses callers ({defined})", defined=defined)
    if found is Guard.UNKNOWN:
        return unknown(source.path, line, f"{called} refuses some callers only ({defined})", called, defined)
    if set(words(name)) & vocab.STRONG:
        if words_of(place.source, place.function.node) & vocab.DELEGATES:
            note = f"{name} hands over to a library that refuses callers ({defined})"
            return present(source.path, line, name, note, defined=defined)
        return unknown(source.path, line, f"{name} promises a check that was not found in it", name, defined)
    return OPEN


def _is_tuned(source: Source, node: Node) -> bool:
    """Return True for a guard created with `false` or with exceptions, which need not reject."""
    passed = node.child_by_field_name("arguments")
    given = [each.type for each in passed.named_children[:20]] if passed is not None else []
    return source.text(passed).strip("()").strip() == "false" or any(kind in vocab.OPTIONS for kind in given)


def handler_verdict(place: Place) -> Verdict:
    """The verdict on a handler's own code."""
    if refusal(place, around=False) is Guard.PRESENT:
        note = f"{place.function.qualified} refuses unknown callers itself"
        verdict = present(place.source.path, place.function.line, "", note, GuardKind.CHECK)
        test, asked = check_in(place)
        return replace(verdict, written=(as_written(place.source, test, asked, asked.partly),))
    return OPEN


@lru_cache(maxsize=1_024)
def refusal(place: Place, around: bool, follow: Follow | None = None, depth: int = 0) -> Guard:
    """Whether a function rejects callers, itself or in a project function that it calls.

    `around` handlers, any 401, 403 or redirect to a login is a rejection; a function that checks only credentials that were sent
    lets everyone else through, which is unknown. In a handler it counts only under a condition about the caller, because it may
    also be the response to a wrong password."""
    body = place.function.node.child_by_field_name("body") or place.function.node
    if not around:
        return Guard.PRESENT if _handler_refuses(place.source, body, place.function.name) else Guard.ABSENT
    found = refusal_in(place.source, body)
    if found is Guard.ABSENT and follow is not None and depth < MAX_FOLLOWED:
        return _called_refusal(place, follow, depth)
    return found


def refusal_in(source: Source, body: Node) -> Guard:
    """The same for a block that runs before handlers."""
    if not _turns_away(source, body):
        return Guard.ABSENT
    optional = tuple(each for each in _conditions(body) if _only_looks_when_given(source, each))
    return Guard.PRESENT if not optional or _turns_away(source, body, optional) else Guard.UNKNOWN


def _turns_away(source: Source, node: Node, apart: tuple[Node, ...] = ()) -> bool:
    """Return True if a caller is rejected anywhere in a node, except in those of `apart`."""
    found = words_of(source, node, apart)
    if found & (vocab.REFUSAL | vocab.DEMANDS):
        return True
    if found & vocab.LOGIN and any(is_call(each) and _ends(source, each) for each in inside(node) if not _stands_in(each, apart)):
        return True
    return any(_is_refusal(source, each, around=True) for each in _conditions(node) if not _stands_in(each, apart))


def _stands_in(node: Node, others: tuple[Node, ...]) -> bool:
    return any(each.start_byte <= node.start_byte and node.end_byte <= each.end_byte for each in others)


def _conditions(node: Node) -> Iterator[Node]:
    """The outermost conditions inside a node; each is read with everything below it, so their number is bounded."""
    return islice((each for each in inside(node) if each.type in vocab.CONDITIONS), MAX_CONDITIONS)


def _only_looks_when_given(source: Source, node: Node) -> bool:
    """`if (req.session.user) { if (banned(req.session.user)) … }`: callers without credentials are not checked."""
    if node.type != "if_statement" or node.child_by_field_name("alternative") is not None:
        return False
    test = node.child_by_field_name("condition")
    written = source.text(test)
    negated = any(mark in written.replace("!= null", "").replace("!== null", "") for mark in vocab.NEGATIONS)
    return not negated and bool(words_of(source, test) & vocab.PRESENCE)


def _handler_refuses(source: Source, body: Node, name: str) -> bool:
    found = words_of(source, body)
    if found & vocab.CREDENTIALS or set(words(name)) & vocab.SIGNING_IN:
        return False  # a login is rejected for the input, not for the caller
    if found & vocab.DEMANDS:
        return True
    return any(_is_refusal(source, each, around=False) for each in _conditions(body))


def _called_refusal(place: Place, follow: Follow, depth: int) -> Guard:
    calls = [each for each in inside(place.function.node) if is_call(each)][:MAX_CALLS]
    found = [there for each in calls if (there := follow(place.source, each)) is not None]
    others = [there for there in found if there.function is not place.function]
    answers = [refusal(there, around=True, follow=follow, depth=depth + 1) for there in others]
    return next((each for each in (Guard.PRESENT, Guard.UNKNOWN) if each in answers), Guard.ABSENT)


def _is_refusal(source: Source, node: Node, around: bool) -> bool:
    """A condition about the caller, with a rejection under it."""
    asked = words_of(source, node.child_by_field_name("condition"))
    if not asked & vocab.IDENTITY or asked & vocab.CREDENTIALS:
        return False
    for name in ("consequence", "body", "alternative"):
        arm = node.child_by_field_name(name)
        given = words_of(source, arm)
        if given & vocab.REFUSAL or (given & (vocab.TURNING_AWAY | {"location"}) and given & vocab.LOGIN):
            return True
        if around and arm is not None and _is_negated(source, node) and any(_ends(source, each) for each in inside(arm)):
            return True
    return False


def _is_negated(source: Source, node: Node) -> bool:
    """Return True if the condition tests for a missing user: only then does ending the call mean rejecting anonymous callers."""
    written = source.text(node.child_by_field_name("condition"))
    return any(mark in written for mark in vocab.NEGATIONS)


def _ends(source: Source, node: Node) -> bool:
    """Return True if a node throws, or calls a function that ends the request."""
    if node.type in vocab.THROWS:
        return True
    chain = chain_at(source, node) if is_call(node) else None
    return chain is not None and bool(set(words(chain.links[-1].name)) & vocab.TURNING_AWAY) and not _is_test(node)


def _is_test(node: Node) -> bool:
    """Return True for a call in a condition, such as `isSafeRedirect(url)`."""
    current = node
    while current.parent is not None and current.parent.type in (
        "unary_expression",
        "binary_expression",
        "parenthesized_expression",
    ):
        current = current.parent
    tested = current.parent.child_by_field_name("condition") if current.parent is not None else None
    return (tested is not None and tested.id == current.id) or current.type == "parenthesized_expression"
