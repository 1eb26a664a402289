"""What a file refers to: modules it imports and files it includes, mounts or starts, read off its bytes.

Cheap and generous, because every file of a tree comes by here: whatever might be a reference counts as one, and only those that
lead to a file which its look would leave out are looked at again (see `reach`). Does not belong here: where a reference leads.
"""

import re
from enum import StrEnum
from typing import NamedTuple, cast

from counterproof.model.survey import Language

MAX_REFERENCES = 20_000
"""References of one file; beyond that it is no code that anybody wrote."""

_IMPORT = re.compile(rb"import\b")
_BEFORE = (b"", b" ", b"\t", b"\n", b"\r", b"\f", b";", b":", b")", b".", b"\xbf")
_STATEMENT = re.compile(rb"(?:\bfrom\b(?:[^\n#;]|\\\r?\n){1,500}?)?\bimport\b(?:[^\n(\\#;]|\\\r?\n|\([^)]{0,50000}\))+")
_WORDS = re.compile(rb"\.*(?:[\w.]|[^\x00-\x7f])+|\.+")
_STRING = re.compile(rb"""["'`]([\w~@-]{0,80}[./][\w./@~-]{1,200})["'`]""")
_LOADED = re.compile(
    rb"""\b(?:require|require_once|require_relative|include|include_once|import|from|load)\b[\s(]{0,20}(?:__DIR__\s?\.\s?)?["'`]([^"'`\n]{1,300})["'`]"""
)
_NAMED = re.compile(rb"""(?:import_module|__import__|run_module|find_spec|load_module)\s{0,9}\(\s{0,9}["']([\w.]{1,200})["']""")
_RUN = re.compile(
    rb"""(?:run_path|execfile|SourceFileLoader|spec_from_file_location)\s{0,9}\([^"'\n]{0,99}["']([^"'\n]{1,300})["']"""
)
_NOTEBOOK = re.compile(rb"""["']([^"'\n]{1,300}\.ipynb)["']""")
_STARTED = re.compile(rb"[\w./-]+(?::[\w.]+)?")
_STARTERS = re.compile(
    r"procfile|dockerfile[^/]*|[^/]*\.dockerfile|(?:docker-)?compose[^/]*\.ya?ml|(?:serverless|app)\.ya?ml|[^/]*\.service|uwsgi\.ini"
)
_START_SCRIPTS = ("start", "serve", "server", "prod", "production", "start:prod", "start:production")
_ENTRY = re.compile(rb"""["']?([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)["']?""")
_MAX_STARTER = 200_000


class Kind(StrEnum):
    """How a reference is meant."""

    IMPORT = "an import of Python, on a line"
    MODULE = "a dotted name in a text"
    PATH = "a path in a text"
    LOADED = "a path that is loaded as code"


class Reference(NamedTuple):
    """`at` is the byte where an import begins; imports have to be looked at again."""

    kind: Kind
    text: str
    at: int = -1


def references(path: str, data: bytes, language: Language | None) -> tuple[Reference, ...]:
    """Everything that a file may refer to."""
    if language is Language.PYTHON:
        found = [*_imports(data), *_named(data)]
    elif language is not None:
        found = [*_texts(data)]
    else:
        found = _starts(path.rpartition("/")[2].lower(), data) if len(data) <= _MAX_STARTER else []
    return tuple(dict.fromkeys(found[:MAX_REFERENCES]))


def _imports(data: bytes) -> list[Reference]:
    found: list[Reference] = []
    done = 0
    for word in _IMPORT.finditer(data):
        at = word.start()
        if at < done or data[at - 1 : at] not in _BEFORE:
            continue
        match = _STATEMENT.search(data, _beginning(data, at, done))
        if match is None or len(found) > MAX_REFERENCES:
            break
        done = match.end()
        words = [each.decode("utf-8", "replace") for each in _WORDS.findall(match[0].replace(b"\\", b" "))]
        found += _imported(words, match.start())
    return found


def _beginning(data: bytes, at: int, done: int) -> int:
    """Where the line begins that a word stands on, or the one that is continued on it."""
    start = data.rfind(b"\n", done, at) + 1
    while start - 1 > done and data[max(0, start - 3) : start].endswith((b"\\\n", b"\\\r\n")):
        start = data.rfind(b"\n", done, start - 1) + 1
    return max(start, done)


def _imported(words: list[str], at: int) -> list[Reference]:
    names = [word for word in words[1:] if word not in ("import", "as")]
    if not names:
        return []
    if words[0] != "from":
        return [Reference(Kind.IMPORT, name, at) for name in names]
    origin, *members = names
    joint = "" if origin.endswith(".") else "."
    return [Reference(Kind.IMPORT, name, at) for name in (origin, *(f"{origin}{joint}{member}" for member in members))]


def _named(data: bytes) -> list[Reference]:
    """Modules that Python code names in a text, and files that it runs. Any other path in a text is none that Python loads."""
    texts = [*_NAMED.findall(data), *(raw for raw in _STRING.findall(data) if b"/" not in raw and raw[:1] != b".")]
    run = [Reference(Kind.LOADED, raw.decode("utf-8", "replace")) for raw in (*_RUN.findall(data), *_NOTEBOOK.findall(data))]
    return [*(Reference(Kind.MODULE, raw.decode("utf-8", "replace")) for raw in texts), *run]


def _texts(data: bytes) -> list[Reference]:
    found: list[Reference] = []
    found += [Reference(Kind.LOADED, raw.decode("utf-8", "replace")) for raw in _LOADED.findall(data)]
    for raw in _STRING.findall(data):
        text = raw.decode("utf-8", "replace")
        found.append(Reference(Kind.PATH, text))
        if "/" not in text and text[0] != ".":
            found.append(Reference(Kind.MODULE, text))
    return found


def _starts(name: str, data: bytes) -> list[Reference]:
    """What a manifest says is started or offered."""
    if name == "package.json":
        return [Reference(Kind.PATH, word) for text in _manifest_entries(data) for word in text.split()]
    if name in ("pyproject.toml", "setup.cfg"):
        return [Reference(Kind.MODULE, text.decode().partition(":")[0]) for text in _ENTRY.findall(data)]
    if not _STARTERS.fullmatch(name):
        return []
    words = [word.decode().partition(":")[0] for word in _STARTED.findall(data)]
    kinds = (Kind.PATH, Kind.MODULE)
    started = [Reference(kind, word) for word in words for kind in kinds if "." in word or "/" in word]
    return started + [Reference(Kind.LOADED, word) for word in words if word.endswith(".ipynb")]


def _manifest_entries(data: bytes) -> list[str]:
    from counterproof.analysis.syntax.structured import parsed_json  # for packages of scripts alone

    try:
        read: object = parsed_json(data)
    except ValueError:
        return []
    fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    scripts = fields.get("scripts")
    commands = (
        [each for name, each in cast("dict[str, object]", scripts).items() if name in _START_SCRIPTS]
        if isinstance(scripts, dict)
        else []
    )
    return _strings([fields.get("main"), fields.get("module"), fields.get("bin"), fields.get("exports"), commands])


def _strings(value: object, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside: list[object] = []
    if isinstance(value, dict):
        inside = [*cast("dict[str, object]", value).values()]
    elif isinstance(value, list):
        inside = cast("list[object]", value)
    return [text for each in inside for text in _strings(each, depth + 1)] if depth < 8 else []
