"""The requirement of a JavaScript guard, read from the conditions that decide whether a request continues (A68).

Invariant: only conditions with an exit count; project functions that a condition calls are read too. Not handled here: whether a
route is guarded, and guards of packages.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tree_sitter import Node

from counterproof.analysis.endpoints.caller_words import asked_of_names, role_named
from counterproof.analysis.endpoints.known_guards import asked_by_library
from counterproof.analysis.endpoints.understanding import NOT_UNDERSTOOD, Asked, strongest_asked, weakest_asked
from counterproof.analysis.polyglot.corpus import Place
from counterproof.analysis.polyglot.nodes import inside
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.recon import KNOWS_CALLER, Asks
from counterproof.model.survey import Language

Follow = Callable[[Source, Node], Place | None]

MAX_DEPTH = 2
MAX_TESTS = 40
MAX_RIGHT = 80
_FUNCTIONS = ("function_declaration", "function_expression", "arrow_function", "method_definition", "function")
_NAMES = ("identifier", "property_identifier", "shorthand_property_identifier")
_ENDING = ("throw_statement", "return_statement")
_ANSWERS = ("binary_expression", "call_expression", "unary_expression", "member_expression")
_TEXTS = ("string", "template_string")
_GOES_ON = ("next", "done", "super")
_REFUSED = vocabulary("forbidden unauthorized denied redirect unauthenticated reject abort deny fail")
_STATUS = re.compile(r"\b(?:401|403|UNAUTHORIZED|FORBIDDEN)\b")
_OTHER_STATUS = re.compile(r"\b(?:400|404|409|422|500)\b")
_OWN = re.compile(
    r"\w\.\w{0,20}id\s{0,4}[!=]==?\s{0,4}req\w{0,10}\.user\??\.id\b|req\w{0,10}\.user\??\.id\s{0,4}[!=]==?\s{0,4}[a-z]\w*[.(]",
    re.IGNORECASE,
)
"""A field of an object compared with the caller's own."""
_HANDS_ERROR_ON = re.compile(r"\b(?:next|done|cb|callback)\(\s{0,20}[^)\s]")
_LOGGED = vocabulary("logger console log")


def asked_by_script(place: Place, follow: Follow | None, given: Node | None = None) -> Asked:
    """The requirement of a project function; `given` is the call with its arguments."""
    found = _function(place, follow, 0, set())
    arguments = given.child_by_field_name("arguments") if given is not None else None
    if found.asks is not Asks.ROLE or arguments is None:
        return found
    if not arguments.named_children and place.function.parameters and not found.right:
        return Asked(Asks.IDENTITY)  # `auth()` of `auth(...rights)`: without a right it asks for a login
    return replace(found, right=_texts_of(arguments) or found.right)


def asked_of_mark(source: Source, node: Node) -> Asked:
    """The requirement in metadata such as `@Roles("admin")` or `@Guarded({ permission: Permission.Edit })`."""
    arguments = node.child_by_field_name("arguments")
    right = ", ".join(
        source.text(each, MAX_RIGHT).strip("'\"`")
        for each in (inside(arguments) if arguments is not None else ())
        if each.type in (*_TEXTS, "member_expression")
    )
    asks = asked_of_names(_names(source, node, MAX_DEPTH))
    return Asked(asks, right[:MAX_RIGHT]) if right and asks is Asks.ROLE else NOT_UNDERSTOOD


def asked_by_package(node: Node, name: str) -> Asked:
    """The requirement of a package's guard, by its imported name; `name of package` if they differ."""
    called, _, package = name.partition(" of ")
    last = called.rpartition(".")[2]
    for each in (called, package, f"{package}.{last}"):
        asks = asked_by_library(each, Language.JAVASCRIPT)
        if asks is not None:
            return Asked(asks, _texts_of(node.child_by_field_name("arguments")) if asks is Asks.ROLE else "")
    return NOT_UNDERSTOOD


def _texts_of(arguments: Node | None) -> str:
    found: list[str] = []
    given = (each for each in arguments.named_children if each.type != "object") if arguments is not None else ()
    for each in (node for one in given for node in inside(one)):
        text = (each.text or b"").decode("utf-8", "replace")
        if each.type in _TEXTS:
            found.append(text.strip("'\"`"))
        elif each.type == "member_expression":
            found.append(text)
    return ", ".join(dict.fromkeys(found))[:MAX_RIGHT]


def check_in(place: Place) -> tuple[Node, Asked]:
    """The strongest test of the caller in a handler, and its requirement."""
    decisions = _decisions(place.source, place.function.node)
    tests = [test for test, goes_on in decisions if test.type != "statement_block" and not goes_on]
    found = [(test, _test(place.source, test, None, 0, set())) for test in tests]
    best = strongest_asked([asked for _, asked in found])
    return next(((test, asked) for test, asked in found if asked is best), (place.function.node, NOT_UNDERSTOOD))


def _function(place: Place, follow: Follow | None, depth: int, seen: set[int]) -> Asked:
    if place.function.node.id in seen:
        return Asked(Asks.NOTHING)
    seen.add(place.function.node.id)
    demanded: list[Asked] = []
    ways: list[Asked] = []
    for test, goes_on in _decisions(place.source, place.function.node):
        asked = _test(place.source, test, follow, depth, seen)
        (ways if goes_on else demanded).append(asked)
    if len(ways) == 1 or not any(each.asks in KNOWS_CALLER for each in demanded):
        demanded += [weakest_asked(ways)] if ways else []
    found = strongest_asked(demanded)
    if found.asks is Asks.NOTHING and follow is not None and depth < MAX_DEPTH:
        found = strongest_asked([found, *_handed_on(place, follow, depth, seen)])
    return found if found.asks is not Asks.NOTHING else NOT_UNDERSTOOD


def _handed_on(place: Place, follow: Follow, depth: int, seen: set[int]) -> Iterator[Asked]:
    calls = (each for each in inside(place.function.node) if each.type == "call_expression")
    for call, _ in zip(calls, range(MAX_TESTS), strict=False):
        there = follow(place.source, call)
        if there is not None:
            inner = _function(there, follow, depth + 1, seen)
            yield inner if inner.asks is not Asks.NOT_UNDERSTOOD else Asked(Asks.NOTHING)


def _decisions(source: Source, function: Node) -> Iterator[tuple[Node, bool]]:
    """Conditions with an exit, and whether that exit only lets a request continue."""
    count = 0
    for node in inside(function):
        if count > MAX_TESTS:
            return
        if node.type == "if_statement":
            taken, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
            condition = node.child_by_field_name("condition")
            if condition is not None and (_refuses(source, taken) or _refuses(source, other) or _goes_on(source, taken)):
                count += 1
                yield condition, not (_refuses(source, taken) or _refuses(source, other))
                yield from ((each, False) for each in _around(function, node) if _refuses(source, taken))
        elif node.type == "try_statement" and _refuses(source, node.child_by_field_name("handler")):
            body = node.child_by_field_name("body")
            if body is not None:
                count += 1
                yield body, False
        elif _returns_answer(function, node):
            value = node.named_children[0]
            if value.type != "call_expression" or _predicate(source, value):
                yield value, False


def _returns_answer(function: Node, node: Node) -> bool:
    """A `return` of the function itself with the result of a test."""
    if node.type != "return_statement" or not node.named_children or node.named_children[0].type not in _ANSWERS:
        return False
    return node.parent is not None and node.parent.parent is not None and node.parent.parent.id == function.id


def _predicate(source: Source, value: Node) -> bool:
    called = source.text(value.child_by_field_name("function"), 60).rpartition(".")[2]
    return called in ("some", "every", "includes", "has", "Boolean")


def _around(function: Node, node: Node) -> Iterator[Node]:
    """`verify(token, key, (error) => { if (error) … })`: the call whose result is tested."""
    current = node.parent
    while current is not None and current.id != function.id:
        if current.type == "arguments" and current.parent is not None:
            callee = current.parent.child_by_field_name("function")
            if callee is not None:
                yield callee
            yield from (each for each in current.named_children if each.type not in _FUNCTIONS)
            return
        current = current.parent


def _refuses(source: Source, arm: Node | None) -> bool:
    if arm is None:
        return False
    for node in inside(arm):
        if node.type == "throw_statement":
            return True
        if node.type in _ENDING or node.type == "call_expression":
            text = source.text(node, 160)
            callee = source.text(node.child_by_field_name("function"), 80)
            if set(words(callee)) & _LOGGED:
                continue
            if _STATUS.search(text) or (_HANDS_ERROR_ON.match(text) and not _OTHER_STATUS.search(text)):
                return True
            spoken = set(words(callee or text))
            if spoken & _REFUSED or source.text(node, 40).replace(" ", "") in ("returnfalse;", "returnfalse"):
                return True
    return False


def _goes_on(source: Source, arm: Node | None) -> bool:
    if arm is None:
        return False
    for node in inside(arm):
        if node.type == "call_expression" and source.text(node.child_by_field_name("function"), 40) in _GOES_ON:
            return True
        if node.type == "return_statement" and source.text(node, 40).replace(" ", "").startswith("returntrue"):
            return True
    return False


def _test(source: Source, test: Node, follow: Follow | None, depth: int, seen: set[int]) -> Asked:
    names = list(_names(source, test, 0))
    asks = asked_of_names(names)
    right = _compared(source, test) if asks is Asks.ROLE else ""
    owned = asks in (Asks.ROLE, Asks.IDENTITY) and _OWN.search(source.text(test)) is not None
    found = [Asked(Asks.OWNER if owned and asks is Asks.IDENTITY else asks, right, partly=owned and asks is Asks.ROLE)]
    for call in (each for each in inside(test) if each.type == "call_expression"):
        there = follow(source, call) if follow is not None and depth < MAX_DEPTH else None
        if there is not None:
            inner = _function(there, follow, depth + 1, seen)
            found += [inner] if inner.asks in (*KNOWS_CALLER, Asks.ADDRESS) else []
    return strongest_asked(found)


def _names(source: Source, node: Node, hops: int) -> Iterator[str]:
    for each in inside(node):
        if each.type in _NAMES:
            name = source.text(each, 60)
            yield name
            value = source.value_of(name, each.start_byte) if each.type == "identifier" and hops < MAX_DEPTH else None
            if value is not None and value.end_byte - value.start_byte < 400 and value.type not in _FUNCTIONS:
                yield from _names(source, value, hops + 1)
        elif each.type == "string" and each.parent is not None and each.parent.type in ("arguments", "subscript_expression"):
            yield source.text(each, 60).strip("'\"`")


def _compared(source: Source, test: Node) -> str:
    """`user.role !== 'admin'`, `user.isAdmin`."""
    texts = [
        source.text(each, MAX_RIGHT).strip("'\"`")
        for each in inside(test)
        if each.type == "string" and each.parent is not None and each.parent.type in ("binary_expression", "arguments", "array")
    ]
    names = (source.text(each, 60) for each in inside(test) if each.type in _NAMES)
    return ", ".join(dict.fromkeys(texts))[:MAX_RIGHT] or role_named(names)
