"""What is done to a target: a request to its application or a call of its function, with a place for the input.

Invariant: an action is plain data, so that it can be stored, sent into the sandbox and written as a script; the input stands
where `INPUT` stands, once or more, and nowhere else. Not handled here: which input shows which weakness.
"""

import base64
import json
import re
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, cast
from urllib.parse import quote, urlencode

INPUT: Final = "@INPUT@"
_BOUNDARY: Final = "counterproofboundary"


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `path` is raw, as in the request's first line, but without the query; `files` are (field, name, text),
    `raw_cookies` those that the target set."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    form: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str, str], ...] = ()
    json: str = ""
    body: str = ""
    raw_path: bool = False
    raw_cookies: tuple[tuple[str, str], ...] = ()

    @property
    def target(self) -> str:
        """Path and query as they are sent."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    def sent(self) -> dict[str, Any]:
        """As the harness takes it."""
        headers, body = self._carried()
        own = [f"{name}={in_cookie(value)}" for name, value in self.cookies]
        cookies = "; ".join([*own, *(f"{name}={value}" for name, value in self.raw_cookies if name not in dict(self.cookies))])
        every = (*self.headers, *((("Cookie", cookies),) if cookies else ()), *headers)
        coded = base64.b64encode(body).decode()
        return {"do": "request", "method": self.method, "path": self.target, "headers": every, "body": coded}

    def _carried(self) -> tuple[tuple[tuple[str, str], ...], bytes]:
        if self.files:
            return (("Content-Type", f"multipart/form-data; boundary={_BOUNDARY}"),), self._parts()
        if self.json:
            return (("Content-Type", "application/json"),), self.json.encode()
        if self.form:
            return (("Content-Type", "application/x-www-form-urlencoded"),), urlencode(self.form).encode()
        return (), self.body.encode()

    def _parts(self) -> bytes:
        parts = [f'name="{name}"\r\n\r\n{value}' for name, value in self.form]
        parts += [
            f'name="{field}"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n{text}' for field, name, text in self.files
        ]
        lines = "".join(f"--{_BOUNDARY}\r\nContent-Disposition: form-data; {part}\r\n" for part in parts)
        return f"{lines}--{_BOUNDARY}--\r\n".encode("utf-8", "surrogateescape")


def in_cookie(value: str) -> str:
    """As it is where a cookie can hold it, and percent-encoded elsewhere."""
    return value if re.fullmatch(r"[!#-+\--:<-\[\]-~]*", value) else quote(value, safe="")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function of a package. `make` are the arguments of its class, where it is a method; values are JSON, or
    `{"$callable": ""}` for a function that does nothing. `place` is the file, `function` its qualified name there. For a package
    of JavaScript `function` is how to get to it from the package, and `module` what is loaded."""

    module: str
    function: str
    arguments: tuple[Any, ...] = ()
    make: tuple[tuple[str, Any], ...] = ()

    def sent(self) -> dict[str, Any]:
        return {"do": "call", **asdict(self), "make": dict(self.make)}


Action = Request | Call


def filled(action: Action, value: str) -> Action:
    """The action with the input in its place."""
    if isinstance(action, Call):
        return replace(action, arguments=_put(action.arguments, value), make=_put(action.make, value))
    inner = json.dumps(value)[1:-1]
    placed = value if action.raw_path else quote(value, safe="")
    return replace(
        action,
        path=action.path.replace(INPUT, placed),
        json=action.json.replace(INPUT, inner),
        body=action.body.replace(INPUT, value),
        query=_put(action.query, value),
        headers=_put(action.headers, value.replace("\n", " ").replace("\r", " ")),
        cookies=_put(action.cookies, value),
        form=_put(action.form, value),
        files=_put(action.files, value),
    )


def _put(given: Any, value: str) -> Any:
    """In every text of a value, however deep."""
    if isinstance(given, str):
        return given.replace(INPUT, value)
    if isinstance(given, (list, tuple)):
        made: list[Any] = [_put(each, value) for each in given]  # pyright: ignore[reportUnknownVariableType]
        return tuple(made) if isinstance(given, tuple) else made
    if isinstance(given, dict):
        return {name: _put(each, value) for name, each in given.items()}  # pyright: ignore[reportUnknownVariableType]
    return given


def as_data(action: Action) -> dict[str, Any]:
    """As it is stored."""
    return {"kind": "call" if isinstance(action, Call) else "request", **asdict(action)}


def from_data(data: dict[str, Any]) -> Action:
    """What was stored."""
    fields: dict[str, Any] = {name: _frozen(value) for name, value in data.items() if name != "kind"}
    return Call(**fields) if data["kind"] == "call" else Request(**fields)


def _frozen(value: Any) -> Any:
    """Lists as the tuples that they were."""
    return tuple(_frozen(each) for each in cast("list[Any]", value)) if isinstance(value, list) else value
