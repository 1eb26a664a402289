"""Writes the application of `tasks.toml` down in the words of one of `dialects.toml`.

Invariant: the handlers do the same in every dialect; only what frameworks say differently is different.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

HERE = Path(__file__).parent
TASKS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "tasks.toml").read_text("utf-8"))
DIALECTS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "dialects.toml").read_text("utf-8"))
WORD = re.compile(r"<(form|header|cookie|body|user|answer|deny|loose_cookie|tight_cookie|open_origin)(?: ([^<>]*))?>")
SHARED = """
import hashlib
import json
import logging
import os
import random
import secrets
import sqlite3
import traceback
import jwt
from werkzeug.security import check_password_hash, generate_password_hash
logger = logging.getLogger(__name__)
FIELDS = ("name", "phone")

def db():
    store = sqlite3.connect("x.db")
    store.row_factory = sqlite3.Row
    return store

class User:
    def __init__(self, number, name="", role=""):
        self.number = number
        self.name = name
        self.role = role
"""


@dataclass(frozen=True)
class Application:
    """The source, and for each task the first and the last line of its handler."""

    text: str
    spans: dict[str, tuple[int, int]]

    def task_at(self, line: int) -> str:
        return next((name for name, (first, last) in self.spans.items() if first <= line <= last), "")


def dialect(name: str) -> dict[str, Any]:
    own = DIALECTS[name]
    if "like" not in own:
        return own
    base = dialect(own["like"])
    return {**base, "lost": {}, "new": {}, **own, "say": {**base["say"], **own.get("say", {})}}


def application(name: str) -> Application:
    spoken = dialect(name)
    lines = [*SHARED.splitlines(), *spoken["head"].splitlines(), *spoken.get("before", "").splitlines()]
    spans: dict[str, tuple[int, int]] = {}
    routes: list[str] = []
    for task in TASKS:
        values = _values(spoken, task)
        handler = _handler(spoken, task, values)
        spans[task] = (len(lines) + 1, len(lines) + len(handler))
        lines += [*handler, ""]
        routes += [Template(spoken["route"]).substitute(values)] if "route" in spoken else []
    foot = spoken.get("foot", "$routes").replace("$routes", "\n".join(routes))
    return Application("\n".join([*lines, *foot.splitlines()]) + "\n", spans)


def _values(spoken: dict[str, Any], task: str) -> dict[str, str]:
    method, path = TASKS[task]["route"].split()
    key = path.partition("{")[2].partition("}")[0]
    place = Template(spoken["place"]).substitute(key=key)
    named = {"name": task, "Class": "".join(each.title() for each in task.split("_")), "key": key}
    base = Template(spoken.get("bases", {}).get(TASKS[task].get("guard", ""), "")).substitute(named)
    return {**named, "method": method.lower(), "METHOD": method, "path": path.replace(f"{{{key}}}", place), "base": base}


def _handler(spoken: dict[str, Any], task: str, values: dict[str, str]) -> list[str]:
    guard = spoken["guard"].get(TASKS[task].get("guard", ""), "")
    values = {**values, "params": ", ".join(_parameters(spoken, task, values))}
    lines: list[str] = []
    for line in spoken["handler"].strip("\n").splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        if line.strip() == "$body":
            lines += [indent + each for each in _body(spoken, task, values)]
        elif line.strip() == "$guard":
            lines += [indent + guard] if guard else []
        else:
            lines.append(Template(line).substitute(values))
    return lines


def _needs(task: str, values: dict[str, str]) -> list[str]:
    """What a handler needs besides its body, by the names of `opening` and `params`."""
    body = TASKS[task]["body"]
    said = [word for word in ("form", "body", "user") if f"<{word}" in body]
    return [*(["key"] if values["key"] else []), *said, TASKS[task].get("guard", "")]


def _parameters(spoken: dict[str, Any], task: str, values: dict[str, str]) -> list[str]:
    fields = dict.fromkeys(match[2] for match in WORD.finditer(TASKS[task]["body"]) if match[1] == "form")
    wanted = ["always", *_needs(task, values)]
    found: list[str] = []
    for name, text in spoken["params"].items():
        if name in wanted:
            each = fields if name == "form" else ("",)
            found += [Template(text).substitute(values, field=field) for field in each]
    return found


def _body(spoken: dict[str, Any], task: str, values: dict[str, str]) -> list[str]:
    opening = spoken.get("opening", {})
    needed = [opening[name] for name in _needs(task, values) if name in opening]
    lines = [line for text in needed for line in Template(text).substitute(values).strip("\n").splitlines()]
    for line in TASKS[task]["body"].strip("\n").splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        said = WORD.sub(lambda match: spoken["say"][match[1]].replace("$1", match[2] or "").strip("\n"), line.strip())
        lines += [indent + each for each in said.splitlines()]
    return lines
