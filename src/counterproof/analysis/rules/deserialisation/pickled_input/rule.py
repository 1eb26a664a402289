"""Objects rebuilt from an encoded or received text.

## What it finds
`pickle.loads` and its like of something that was just decoded from base64 or received from a socket, in a function that checks
no signature. With Low, in code that others install: whatever a function was given, or a field or an entry holds; and a function
that reads data and takes the class of an object from the module and by the name that the data says.

## Why it matters
Objects are encoded to travel: in addresses, cookies, messages. Whoever can send one of their own runs code while it is rebuilt.

## What is safe
JSON, texts whose signature is checked before they are rebuilt, and what the same function has taken apart itself.

## Limits
Any word about signatures in the function counts as a check. Files and values of databases are not judged, but where a package
rebuilds what it is given.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.config.open_sinks import installed_outline, open_sinks
from counterproof.analysis.libraries import sinks
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import called, calls_in, positional
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Attribute, Await, Call, Expr, Function, Name, With
from counterproof.analysis.syntax.walk import walk

_REBUILDING = tuple(each.call for each in sinks("deserialisation") if each.call.endswith(".loads"))
_ARRIVING = (
    "b64decode",
    "urlsafe_b64decode",
    "standard_b64decode",
    "b32decode",
    "decodebytes",
    "decodestring",
    "recv",
    "recvfrom",
)
_READING = frozenset({"read", "readline", "getvalue", "get", "decode", "pop", "lpop", "rpop", "encode", "tobytes"})
_IMPORTING = ("importlib.import_module", "__import__")
_LOADING = vocabulary("load loads hook decode decoder deserialize deserialise unpack unserialize restore rebuild from")
"""Words of functions that make objects of data."""
_SIGNED = vocabulary("hmac signature sig signed signer unsign verify digest compare lscmp decrypt fernet authkey")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    signed: dict[str, bool] = {}
    for site in outline.of(Call):
        given = positional(site.node, 0)
        if outline.dotted(site.node.callee) not in _REBUILDING or given is None or site.function is None:
            continue
        if not _arrives(outline, site, given) or handles_route(site.function):
            continue
        if site.scope not in signed:
            signed[site.scope] = any(set(words(name)) & _SIGNED for name in names_in(*site.function.body))
        if not signed[site.scope]:
            yield bad(site, "rebuilt object", "the text was decoded or received right before", Confidence.MEDIUM)
    yield from _given(project, path, signed)


def _given(project: Project, path: str, signed: dict[str, bool]) -> Iterator[Match]:
    """What a package rebuilds because it was given it: messages of a queue, files of a cache, models."""
    outline = installed_outline(project, path)
    if outline is None:
        return
    yield from _named(outline)
    for site, given in open_sinks(outline, "deserialisation", Language.PYTHON):
        function = site.function
        if function is None or _arrives(outline, site, given) or is_asked_about(outline, site, given):
            continue
        own = signed.get(site.scope, False) or any(called(each) in ("dumps", "dump") for each in calls_in(*function.body))
        held = not own and (OpenValues(outline, site).raw(given) or _opened_from(outline, site, given))
        if held:
            yield bad(site, "rebuilt object", f"made of {held} as it is", Confidence.MEDIUM, severity=Severity.LOW)


def _named(outline: Outline) -> Iterator[Match]:
    """`getattr(import_module(data["module"]), data["class"])`: data says what is made of it."""
    for site in outline.of(Call):
        owner, name = positional(site.node, 0), positional(site.node, 1)
        if outline.dotted(site.node.callee) != "getattr" or owner is None or name is None or not _reads_data(site.function):
            continue
        if isinstance(owner, Name) and (assigned := outline.local(site.function, owner.id)) is not None:
            owner = assigned.value
        module = positional(owner, 0) if isinstance(owner, Call) and outline.dotted(owner.callee) in _IMPORTING else None
        values = OpenValues(outline, site)
        if module is None or is_asked_about(outline, site, module, name):
            continue
        if (found := values.raw(module)) and values.raw(name):
            yield bad(site, "rebuilt object", f"its class is what {found} names", Confidence.MEDIUM, severity=Severity.LOW)


def _reads_data(function: Function | None) -> bool:
    return function is not None and bool(set(words(function.name)) & _LOADING)


def _opened_from(outline: Outline, site: Site[Call], given: Expr) -> str:
    """`with open(path, "rb") as file: pickle.load(file)`, `pickle.loads(await reader.read())`: the file, or the reader."""
    inner = given.value if isinstance(given, Await) else given
    if isinstance(inner, Call) and called(inner) in _READING and isinstance(inner.callee, Attribute):
        return OpenValues(outline, site).raw(inner.callee.value)
    if isinstance(inner, Name) and site.function is not None:
        opened_as = (
            item.value
            for each in walk(*site.function.body)
            if isinstance(each, With)
            for item in each.items
            if isinstance(item.target, Name) and item.target.id == inner.id
        )
        values = OpenValues(outline, site)
        calls = (each for each in opened_as if isinstance(each, Call))
        return next((name for call in calls for each in call.arguments if (name := values.raw(each.value))), "")
    return ""


def _arrives(outline: Outline, site: Site[Call], given: Expr) -> bool:
    return any(called(call) in _ARRIVING for call in calls_in(outline.behind(site.function, given)))


RULE = CheckRule(
    title="Insecure deserialization of received text",
    kind="objects",
    cwe=502,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    impact=Impact.FULL,
    consequence="Whoever can send such a text can run code.",
    remedy="Send JSON, or sign the text and check the signature before it is rebuilt.",
    check=_check,
    query="calls that rebuild objects from texts",
)
