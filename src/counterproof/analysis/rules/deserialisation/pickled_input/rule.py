"""Objects rebuilt from an encoded or received text.

## What it finds
`pickle.loads` and its like of something that was just decoded from base64 or received from a socket, in a function that checks
no signature.

## Why it matters
Objects are encoded to travel: in addresses, cookies, messages. Whoever can send one of their own runs code while it is rebuilt.

## What is safe
JSON, and texts whose signature is checked before they are rebuilt.

## Limits
Any word about signatures in the function counts as a check. Files and values of databases are not judged.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened, python_file
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import calls_in, positional
from counterproof.analysis.outline.words import names_in, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_REBUILDING = tuple(f"{module}.loads" for module in ("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal"))
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


def _arrives(outline: Outline, site: Site[Call], given: Expr) -> bool:
    roots = [given]
    if isinstance(given, Name):
        assigned = outline.local(site.function, given.id)
        roots = [assigned.value] if assigned is not None and assigned.value is not None else []
    return any(_called(call) in _ARRIVING for call in calls_in(*roots))


def _called(call: Call) -> str:
    callee = call.callee
    return callee.name if isinstance(callee, Attribute) else callee.id if isinstance(callee, Name) else ""


RULE = CheckRule(
    RuleInfo(
        id="pickled-input",
        title="Insecure deserialization of received text",
        dimension=Dimension.D4,
        kind="objects",
        cwe=502,
        severity=Severity.MEDIUM,
        shape=Shape.FLOW,
        impact=Impact.FULL,
        consequence="Whoever can send such a text can run code.",
        remedy="Send JSON, or sign the text and check the signature before it is rebuilt.",
    ),
    _check,
    python_file,
    query="calls that rebuild objects from texts",
)
