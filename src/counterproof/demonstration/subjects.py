"""Determines what to run for a finding: the requests or calls in its proof, and the application that handles them.

Invariant: only data that the engine itself wrote or checked is used: the finding's request, its proof, the entry points.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from counterproof.analysis.ruleset import rule_info
from counterproof.demonstration import scripts
from counterproof.demonstration.accounts import ways_of
from counterproof.demonstration.actions import INPUT, Action, Call, Request
from counterproof.demonstration.course import Subject
from counterproof.demonstration.packages import Fetched
from counterproof.demonstration.targets import Interpreter, calls_of, candidates, makers, node_for, python_for
from counterproof.demonstration.templates import OPEN_RULES, OTHERS_RULES, templates_for
from counterproof.model.fact import Operation
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.proof import Part
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.report import ReportedFinding
from counterproof.model.survey import Language, Survey

_PLACE: Final = re.compile(r"<(?:\w+:)?(\w+)>|\{(\w+)(?::[^}]*)?\}|:(\w+)")
MAX_ACTIONS: Final = 4
MAX_PEERS: Final = 6
NODE: Final = ("node_target.js",)
PYTHON: Final = ("python_target.py", "python_web.py", "python_request.py", "python_session.py")


@dataclass(frozen=True, slots=True)
class Setting:
    """The user's settings for running the target."""

    root: Path
    survey: Survey
    entries: tuple[EntryPoint, ...]
    python: Path | None = None
    node: Path | None = None
    prepare: tuple[str, ...] = ()
    fetched: Fetched | None = None
    dead: dict[str, str] = field(default_factory=dict[str, str])
    """Why a target did not start, so that it is not waited for again."""


def has_effect(row: ReportedFinding) -> bool:
    """True if the engine can observe an effect for this kind of finding."""
    return bool(templates_for(row.finding.rule, _language(row.finding)))


def subject_of(row: ReportedFinding, setting: Setting, before: Action | None = None) -> Subject:
    """The subject for a finding; `before` is the action that demonstrated it, whose payload replaced the engine's own in the
    report. Raises `NoSandbox` without an interpreter."""
    finding = row.finding
    language = _language(finding)
    templates = templates_for(finding.rule, language)
    requests = (before,) if isinstance(before, Request) else tuple(_requests(finding, setting.entries))[:MAX_ACTIONS]
    if language == Language.JAVASCRIPT.value:
        node = node_for(setting.root, setting.node, setting.fetched and setting.fetched.node)
        return _scripts(finding, setting, requests, node)
    interpreter = python_for(setting.root, setting.python, setting.fetched and setting.fetched.python)
    if finding.rule in (*OPEN_RULES, *OTHERS_RULES):
        return _entry(finding, setting, interpreter)
    if requests:
        start = _start(setting, finding.flow.source.location.path if finding.flow else finding.location.path)
        ways = ways_of(setting.entries)
        return Subject(setting.root, interpreter, PYTHON, start, requests, templates, prepare=setting.prepare, ways=ways)
    calls = tuple(_calls(finding, setting))[:MAX_ACTIONS]
    start = {"do": "load", "module": calls[0].module if calls else ""}
    return Subject(setting.root, interpreter, PYTHON, start, calls, templates, prepare=setting.prepare)


def _language(finding: Finding) -> str:
    is_python = finding.location.path.endswith((".py", ".html", ".jinja", ".j2"))
    return (Language.PYTHON if is_python else Language.JAVASCRIPT).value


def _start(setting: Setting, near: str) -> dict[str, Any]:
    found = candidates(setting.root, setting.survey, near)
    return {"do": "start", "candidates": found, "makers": makers(setting.root, setting.survey)}


def _entry(finding: Finding, setting: Setting, interpreter: Interpreter) -> Subject:
    """The entry point that requires too little, and others of the application that require more: first those that the proof
    names."""
    places = {part: [link.fact.at for link in finding.proof.links if link.part is part] for part in Part} if finding.proof else {}
    own = [each for each in setting.entries if any(_same(each, at) for at in places.get(Part.ENTRY, []))]
    compared = [each for each in setting.entries if any(_same(each, at) for at in places.get(Part.PEER, [])) and each not in own]
    guarded = [each for each in setting.entries if each.guard is Guard.PRESENT and each not in (*compared, *own)]
    about_rows = finding.rule in OTHERS_RULES
    start, ways = _start(setting, finding.location.path), ways_of(setting.entries)
    templates = templates_for(finding.rule, Language.PYTHON.value)
    actions, peers = (tuple(_plain(each, about_rows) for each in some) for some in (own[:1], (*compared, *guarded)[:MAX_PEERS]))
    subject = Subject(setting.root, interpreter, PYTHON, start, actions, templates, prepare=setting.prepare)
    return replace(subject, peers=peers, ways=ways)


def _same(entry: EntryPoint, at: Location) -> bool:
    return entry.kind is EntryKind.HTTP and entry.handler.path == at.path and entry.handler.start <= at.start <= entry.handler.end


def _plain(entry: EntryPoint, with_input: bool = False) -> Request:
    """A request without parameters, except for those in the path: the input, or a number."""
    method = entry.method.upper() if entry.method.isalpha() and entry.method.upper() != "ANY" else "GET"
    path = entry.path if entry.path.startswith("/") else f"/{entry.path}"
    return Request(method, _PLACE.sub(INPUT, path) if with_input else _numbered(path, ""))


def _calls(finding: Finding, setting: Setting) -> Iterator[Call]:
    """Calls of the function whose parameter is the entry in the proof."""
    for link in finding.proof.links if finding.proof else ():
        if link.part is Part.ENTRY and link.fact.operation is Operation.PARAMETER:
            yield from calls_of(setting.root, link.fact.at.path, link.fact.at.start, link.fact.symbol)


def _requests(finding: Finding, entries: tuple[EntryPoint, ...]) -> Iterator[Request]:
    """The request that the engine wrote for the finding, with the input in place of its payload."""
    if not finding.poc.startswith("curl "):
        return
    payload = rule_info(finding.rule).poc
    request = parsed(finding.poc, payload)
    if request is None:
        return
    yield request
    if request.files:  # a file's content may be what counts, or its name
        yield replace(request, files=tuple((field, "sample.txt", INPUT) for field, _, _ in request.files))
    if request.query and request.method == "ANY":
        yield replace(request, method="POST", query=(), form=request.query)


def parsed(command: str, payload: str) -> Request | None:
    """Parse a curl command written by the engine; None if it does not contain the payload."""
    try:
        words = shlex.split(command)[1:]
    except ValueError:
        return None
    request, method = Request("GET", "/"), ""
    given = iter(words)
    for word in given:
        if word == "-X":
            method = next(given)
        elif word in _READ:
            request = _READ[word](request, next(given))
        else:
            parts = urlsplit(word)
            query = tuple(parse_qsl(parts.query, keep_blank_values=True))
            request = replace(request, path=_numbered(parts.path, payload), query=query)
    return _with_place(replace(request, method=method or request.method), payload)


def _form(request: Request, text: str) -> Request:
    name, _, value = text.partition("=")
    return replace(request, form=(*request.form, (name, value)), method="POST")


def _cookie(request: Request, text: str) -> Request:
    name, _, value = text.partition("=")
    return replace(request, cookies=(*request.cookies, (unquote(name), unquote(value))))


def _header(request: Request, text: str) -> Request:
    name, _, value = text.partition(": ")
    return request if name == "Content-Type" else replace(request, headers=(*request.headers, (name, value)))


def _file(request: Request, text: str) -> Request:
    field, _, name = text.partition("=@sample.txt;filename=")
    return replace(request, files=((field, name, "sample"),), method="POST")


_READ: Final[dict[str, Callable[[Request, str], Request]]] = {
    "--data-urlencode": _form,
    "--cookie": _cookie,
    "-H": _header,
    "-d": lambda request, text: replace(request, json=text, method="POST"),
    "-F": _file,
    "--data-binary": lambda request, text: replace(request, body=text, method="POST"),
}
"""The parser for each option of the command."""


def _numbered(path: str, payload: str) -> str:
    """The path with a value for every parameter except the input's."""
    unquoted = unquote(path)
    if payload and payload in unquoted:
        path = unquoted.replace(payload, INPUT)
    return _PLACE.sub("1", path)


def _with_place(request: Request, payload: str) -> Request | None:
    def put(text: str) -> str:
        return text.replace(payload, INPUT) if payload else text

    def put_pairs(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((name, put(value)) for name, value in pairs)

    escaped = json.dumps(payload)[1:-1]
    placed = replace(
        request,
        query=put_pairs(request.query),
        headers=put_pairs(request.headers),
        cookies=put_pairs(request.cookies),
        form=put_pairs(request.form),
        files=tuple((field, put(name), text) for field, name, text in request.files),
        json=request.json.replace(escaped, INPUT),
        body=put(request.body),
    )
    return placed if INPUT in repr(placed) else None


def _scripts(finding: Finding, setting: Setting, requests: tuple[Request, ...], interpreter: Interpreter) -> Subject:
    """Start and call a server if there is one; otherwise call the functions of the package."""
    templates = templates_for(finding.rule, Language.JAVASCRIPT.value)
    if requests or scripts.is_request(finding):
        start = scripts.starts(setting.root, finding)
        actions = (*requests, *scripts.requests())
        return Subject(setting.root, interpreter, NODE, start, actions, templates, 0, setting.prepare)
    start = scripts.load(setting.root, finding)
    discover = partial(scripts.calls_of, parameter=start["parameter"], modules=tuple(start["modules"]))
    return Subject(setting.root, interpreter, NODE, start, (), templates, 0, setting.prepare, discover=discover)
