"""A request that shows the weakness, put together from route, method and parameter name.

Always holds: the payload only demonstrates; it destroys nothing. Where the way in is not known there is no proof but a
reason. Does not belong here: sending anything.
"""

import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from counterproof.analysis.flow.sources import MODEL
from counterproof.analysis.flow.values import Source
from counterproof.model.recon import EntryKind, EntryPoint

BASE = "http://localhost:8000"
_WITH_BODY = ("POST", "PUT", "PATCH")
_GRAPHQL = "/graphql#"
"""How the fields of a GraphQL schema are told apart among entry points."""


def proof(source: Source, payload: str, entry: EntryPoint | None, lines: Iterable[str] = ()) -> tuple[str, str]:
    """(proof, reason for having none): exactly one of them is not empty. `lines` is the code along the flow, which shows the
    field of a body that is taken from a parameter."""
    if source.channel == "argv":
        return "", "the data comes from the command line or standard input of whoever starts the program"
    if source.channel == MODEL:
        return "", "what a model answers to a given text differs from model to model"
    if not payload:
        return "", "the rule has no single payload that shows the weakness"
    if entry is None:
        return "", f"no entry point was found that leads to {source.path}:{source.line}"
    if entry.kind is not EntryKind.HTTP:
        return "", f"the data arrives through {entry.kind.value} {entry.path or entry.name}, not through a web request"
    if entry.path.startswith(_GRAPHQL):
        return _asked(source, payload, entry), ""
    return _curl(_arrival(source, entry, lines), payload, entry), ""


def _arrival(source: Source, entry: EntryPoint, lines: Iterable[str]) -> Source:
    """`convert(body)` with `body.file` further on is a field of a JSON body, unless the route's path has the parameter."""
    in_path = re.search(rf"[<{{:](?:\w+:)?{re.escape(source.parameter)}\b", entry.path)
    if source.channel != "path" or in_path or not source.parameter or entry.method.upper() not in _WITH_BODY:
        return source
    name = re.escape(source.parameter)
    field = re.compile(rf"(?<![\w.]){name}(?:\??\.(\w+)\b(?!\s*\()|\[\s*[\"'](\w+)[\"']\s*\]|\.get\(\s*[\"'](\w+)[\"'])")
    found = next((match for line in lines if (match := field.search(line))), None)
    return source._replace(channel="json", parameter=next(filter(None, found.groups()))) if found else source


def _asked(source: Source, payload: str, entry: EntryPoint) -> str:
    """A query of GraphQL; which fields of the answer there are is for its schema to say."""
    kind = "mutation" if entry.method == "MUTATION" else "query"
    name = source.parameter if source.parameter.isidentifier() and source.parameter not in ("args", "arguments") else "argument"
    query = f"{kind} {{ {entry.path.removeprefix(_GRAPHQL)}({name}: {json.dumps(payload)}) }}"
    body = json.dumps({"query": query})
    return f"curl -X POST -H 'Content-Type: application/json' -d {_quoted(body)} {_quoted(BASE + '/graphql')}"


def _quoted(text: str) -> str:
    """A single shell word."""
    return "'" + text.replace("'", "'\\''") + "'"


def _url(entry: EntryPoint, source: Source, payload: str) -> str:
    path = entry.path if entry.path.startswith("/") else f"/{entry.path}"
    if source.channel != "path" or not source.parameter:
        return BASE + path
    for opening, closing in (("<", ">"), ("{", "}")):
        start = path.find(opening)
        while start >= 0:
            end = path.find(closing, start)
            if end < 0:
                break
            if source.parameter in path[start + 1 : end].split(":"):
                return BASE + path[:start] + quote(payload, safe="") + path[end + 1 :]
            start = path.find(opening, end)
    return f"{BASE}{path}?{quote(source.parameter)}={quote(payload, safe='')}"


def _curl(source: Source, payload: str, entry: EntryPoint) -> str:
    name = source.parameter or "x"
    method = entry.method.upper() if entry.method.isalpha() else "GET"
    flags = [] if method in ("GET", "ANY") else ["-X", method]
    url = _url(entry, source, payload)
    encoded = f"{quote(name)}={quote(payload, safe='')}"
    if source.channel == "query":
        url = f"{url}?{encoded}"
    else:
        flags += _carried(source.channel, name, payload, encoded)
    return " ".join(["curl", *flags, _quoted(url)])


def _carried(channel: str, name: str, payload: str, encoded: str) -> list[str]:
    """How curl sends data through this channel."""
    ways = {
        "form": ["--data-urlencode", _quoted(f"{name}={payload}")],
        "cookie": ["--cookie", _quoted(encoded)],
        "header": ["-H", _quoted(f"{name}: {payload}")],
        "json": ["-H", "'Content-Type: application/json'", "-d", _quoted(json.dumps({name: payload}))],
        "file": ["-F", _quoted(f"{name}=@sample.txt;filename={payload}")],
        "body": ["--data-binary", _quoted(payload)],
    }
    return ways.get(channel, [])
