"""Passwords that travel in the address.

## What it finds
Handlers that read a password from the query string: `request.args["password"]`, `request.GET.get("password")`, and parameters of
FastAPI handlers called a password that are plain texts, which FastAPI takes from the address unless it is told otherwise.

## Why it matters
Addresses are kept: in the browser's history, in the logs of every server and proxy on the way, and in the `Referer` that other
sites get to see.

## What is safe
A form or JSON body that is sent by POST: `request.form`, `OAuth2PasswordRequestForm`, a model, `Form(...)` or `Body(...)`.

## Limits
Passwords are known by their names. Tokens in addresses are not looked for: links in letters need them.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.passwords import PASSWORDS
from counterproof.analysis.endpoints import entry_points_in
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.program.words import words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Function, Index, Name, Parameter
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind

_QUERIES = ("args", "GET", "query_params", "query")
_TEXTS = ("str", "SecretStr", "Optional", "Union", "None")
_ABOUT = {"reset", "length", "policy", "strength", "changed", "hint", "error", "required"}


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    seen: set[str] = set()
    for function in outline.module.functions:
        found = next(_passwords_read(function), None)
        if found is not None:
            seen.add(function.qualified)
            yield bad(Site(found[0], function, None), found[1], "read from the address")
    for each in entry_points_in(project, path):
        function = outline.functions.get(each.name) if each.framework == "FastAPI" else None
        if function is None or each.kind is not EntryKind.HTTP or each.name in seen:
            continue
        seen.add(each.name)
        yield from _parameters(outline, function, each.path)


def _passwords_read(function: Function) -> Iterator[tuple[Index | Call, str]]:
    for node in walk(*function.body):
        if isinstance(node, (Index, Call)):
            key = _read(node)
            if key and _is_password(key):
                yield node, key


def _read(node: Index | Call) -> str:
    """The key that is read from a query string; '' for everything else."""
    if isinstance(node, Index):
        return (text_of(node.key) or "") if _is_query(node.value) else ""
    if isinstance(node.callee, Attribute) and node.callee.name in ("get", "getlist") and _is_query(node.callee.value):
        return text_of(positional(node, 0)) or ""
    return ""


def _is_query(value: Expr) -> bool:
    return isinstance(value, Attribute) and value.name in _QUERIES and bool(words_in(value.value) & {"request", "req"})


def _is_password(name: str) -> bool:
    spoken = set(words(name))
    return bool(spoken & PASSWORDS) and not spoken & _ABOUT


def _parameters(outline: Outline, function: Function, path: str) -> Iterator[Match]:
    for each in function.parameters:
        if not _is_password(each.name) or "{" + each.name in path:
            continue
        site = Site(Name(each.line, each.end, each.name), function, None)
        if _is_plain(outline, each):
            yield bad(site, each.name, "taken from the address", Confidence.MEDIUM)
        else:
            yield good(site, each.name, "taken from the body")


def _is_plain(outline: Outline, parameter: Parameter) -> bool:
    """A text without a word on where it comes from; only constants and `Query(…)` leave it in the address."""
    default = parameter.default
    if isinstance(default, Call):
        return outline.dotted(default.callee).rpartition(".")[2] == "Query"
    if default is not None and not isinstance(default, Const):
        return False
    annotation = parameter.annotation
    return annotation is None or outline.dotted(annotation).rpartition(".")[2] in _TEXTS


RULE = CheckRule(
    title="Password in a URL",
    kind="password",
    cwe=598,
    severity=Severity.LOW,
    consequence="Whoever reads a log, a history or a referrer learns the password.",
    remedy="Take the password from the body of a POST request.",
    check=_check,
    query="passwords read from query strings",
)
