"""The references in a file: modules it imports and files it includes, mounts or starts, found in its bytes.

Fast and permissive, because it runs on every file of a tree: anything that might be a reference counts, and only those that lead
to an excluded file are examined further (see `reach`). Not handled here: where a reference leads.
"""

import re
from enum import StrEnum
from typing import NamedTuple, cast

from counterproof.model.survey import Language

MAX_REFERENCES = 20_000
"""References of one file; a file with more is not handwritten code."""

_IMPORT = re.compile(rb"import\b")
_BEFORE = (b"", b" ", b"\t", b"\n", b"\r", b"\f", b";", b":", b")", b".", b"\xbf")
_STATEMENT = re.compile(rb"(?:\bfrom\b(?:[^\n#;]|\\\r?\n){1,500}?)?\bimport\b(?:[^\n(\\#;]|\\\r?\n|\([^)]{0,50000}\))+")
_WORDS = re.compile(rb"\.*(?:[\w.]|[^\x00-\x7f])+|\.+")
_STRING = re.compile(rb"""["'`]([\w~@-]{0,80}[./][\w./@~-]{1,200})(?::[\w.]{1,80})?["'`]""")
_JOINED = re.compile(rb"""["'`][\w./~-]{0,80}["'`](?:\s{0,20}[,+/]\s{0,20}["'`][\w./-]{0,80}["'`]){1,6}""")
"""Parts of a path or name: `join("a", "b.py")`, `here / "a" / "b.py"`, `"a" + "." + "b"`."""
_PIECE = re.compile(rb"""([,+/]?)\s{0,20}["'`]([\w./~-]{0,80})["'`]""")
_LOADED = re.compile(
    rb"""\b(?:require|require_once|require_relative|include|include_once|import|from|load)\b[\s(]{0,20}(?:__DIR__\s?\.\s?)?["'`]([^"'`\n]{1,300})["'`]"""
)
_NAMED = re.compile(rb"""(?:import_module|__import__|run_module|find_spec|load_module)\s{0,9}\(\s{0,9}["']([\w.]{1,200})["']""")
_RELATIVE = re.compile(rb"""import_module\s{0,9}\(\s{0,9}["']\.([\w.]{1,200})["']\s{0,9},[^"'\n]{0,40}["']([\w.]{1,200})["']""")
_EVERY = re.compile(
    rb"""(?:(?:import_module|__import__)\s{0,9}\(\s{0,9}f?["']([\w.]{1,200})\.(?:["']|\{)"""
    rb"""|(?:iter_modules|walk_packages)\s{0,9}\([^"'\n]{0,80}["']([\w./-]{1,200})["']"""
    rb"""|glob\s{0,9}\([^"'\n]{0,80}["']([\w./-]{1,200})/\*{1,2}(?:/\*)?\.py["']"""
    rb"""|\b(?:require|import)\s{0,9}\(\s{0,9}(?:["'`]([\w./-]{1,200})/["'`]\s{0,9}\+|`([\w./-]{1,200})/\$\{))"""
)
"""Code that loads everything in a folder."""
_SEARCHED = re.compile(rb"""\bsys\.path\b[^\n]{0,200}?["']([\w./-]{1,100})["']\s{0,9}[)\]]""")
_QUOTED_COMMAND = rb"""(?<!["'])["'](?!["'])[^"'`\n]{0,80}?"""
_COMMAND_PATTERN = (
    rb"\b(?:python[\d.]*|node|nodejs|ts-node|tsx|bun|ruby|php|gunicorn|uvicorn|hypercorn|nodemon|flask)\s{1,9}"
    rb"(?:-[\w=-]{1,40}\s{1,9}){0,6}([\w./-]{1,200})"
)
_COMMAND, _COMMAND_IN_TEXT = re.compile(_COMMAND_PATTERN), re.compile(_QUOTED_COMMAND + _COMMAND_PATTERN)
"""A command that starts an interpreter or server."""
_FOLDER_OF_IMAGE = re.compile(rb"(?im)^\s*WORKDIR\s+([\w./-]{1,200})")
_RUN = re.compile(
    rb"""(?:run_path|execfile|SourceFileLoader|spec_from_file_location)\s{0,9}\([^"'\n]{0,99}["']([^"'\n]{1,300})["']"""
)
_LOADERS = (
    b"import_module", b"__import__", b"run_module", b"find_spec", b"load_module", b"run_path", b"execfile", b"FileLoader",
    b"spec_from_file_location", b"iter_modules", b"walk_packages",
)  # fmt: skip
"""Words of which code that loads modules by name contains at least one; three short calls are matched separately."""
_CALLED = tuple(re.compile(word + rb"""\s{0,9}\([^"'`\n]{0,80}["'`]""") for word in (b"glob", b"import", b"require"))
_INTERPRETERS = (b"python", b"node", b"tsx", b"bun", b"ruby", b"php", b"unicorn", b"hypercorn", b"uvicorn", b"flask")
_TEST_RUNNER = re.compile(rb"""\bTEST_RUNNER\s{0,9}=\s{0,9}["'][\w.]{1,200}["']""")
"""A setting that names the test runner, which does not run in production."""
_TEXT_RUN = re.compile(
    rb"""\b(?:exec|eval|compile|marshal\.loads?|runInThisContext|runInNewContext|runInContext|Function|Script)\s{0,9}\([^\n"'`]{0,120}["'`]([\w./~@-]{1,200})["'`]"""
)
_TEXT_OPENED = re.compile(
    rb"""\b(?:open|Path|read_text|readFileSync|readFile|get_data|joinpath)\s{0,9}\([^\n"'`]{0,80}["'`]([\w./~@-]{1,200})["'`]"""
)
_RUNNERS = re.compile(
    rb"""(?:^|[^\w.])(?:exec|eval)\s{0,9}\(|marshal\.load|runIn(?:This|New)?Context|new\s+Function\s{0,9}\(|vm\.(?:run|Script)"""
)
"""Code that runs text; a file opened in the same code then counts as code."""
_NOTEBOOK = re.compile(rb"""["']([^"'\n]{1,300}\.ipynb)["']""")
_STARTED = re.compile(rb"[\w./-]+(?::[\w.]+)?")
_STARTERS = re.compile(
    r"procfile|dockerfile[^/]*|[^/]*\.dockerfile|(?:docker-)?compose[^/]*\.ya?ml|(?:serverless|app)\.ya?ml|[^/]*\.service|uwsgi\.ini"
)
_COMMANDS = re.compile(
    r"[^/]*\.(?:ba)?sh|makefile|gnumakefile|justfile|supervisord?\.conf|crontab|nodemon\.json|ecosystem\.config\.[cm]?js"
    r"|setup\.py|tsconfig[^/]*\.json"
)
_CHECKING = re.compile(r"test|lint|check|bench|cover|format|\bci\b")
_LINE_OF_PROSE = re.compile(rb"(?m)^\s*(?:#|//).*$")
_TARGET = re.compile(rb"(?m)^([\w.-]+)\s*:(?!=)")
_ALIASED = re.compile(rb"""["']([\w./@-]{1,200})/\*["']""")
_START_SCRIPTS = ("start", "serve", "server", "prod", "production", "start:prod", "start:production")
_ENTRY = re.compile(rb"""["']?([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)["']?""")
_MAX_STARTER = 200_000


class Kind(StrEnum):
    """The kind of a reference."""

    IMPORT = "an import of Python, on a line"
    MODULE = "a dotted name in a text"
    PATH = "a path in a text"
    LOADED = "a path that is loaded as code"
    OFFERED = "a dotted name that a build script offers to be started"
    RUN = "a file whose text is run as code"
    EVERY = "a folder whose files are loaded, one by one"
    SEARCHED = "a folder in which modules are looked for"


class Reference(NamedTuple):
    """`at` is the byte offset of an import, which has to be verified."""

    kind: Kind
    text: str
    at: int = -1


def references(path: str, data: bytes, language: Language | None) -> tuple[Reference, ...]:
    """All possible references of a file."""
    name = path.rpartition("/")[2].lower()
    if language is Language.PYTHON:
        found = [*_imports(data), *_named(data), *_joined(data), *(_entries(data, Kind.OFFERED) if name == "setup.py" else ())]
    elif language is not None:
        found = [*_texts(data), *_joined(data)]
    else:
        found = _starts(name, data) if len(data) <= _MAX_STARTER else []
    return tuple(dict.fromkeys(found[:MAX_REFERENCES]))


def starts_programs(path: str) -> bool:
    """Return True if a file starts programs, whatever else it does."""
    name = path.rpartition("/")[2].lower()
    return _COMMANDS.fullmatch(name) is not None and _CHECKING.search(name) is None


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
    """The start of the line at `at`, or of the logical line that continues there."""
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
    """Modules named in strings of Python code, and files that it runs. Python loads no other path in a string."""
    texts = _STRING.findall(_TEST_RUNNER.sub(b"", data) if b"TEST_RUNNER" in data else data)
    names = [raw for raw in texts if b"/" not in raw and raw[:1] != b"."]
    paths = [raw for raw in texts if raw.endswith((b".py", b".pyw"))]
    loading = any(word in data for word in _LOADERS)
    relative = [b".".join((package, name)) for name, package in _RELATIVE.findall(data)] if loading else []
    run = _RUN.findall(data) if loading else []
    notebooks = _NOTEBOOK.findall(data) if b".ipynb" in data else []
    commands = any(word in data for word in _INTERPRETERS) and _COMMAND.search(data)
    started = _COMMAND_IN_TEXT.findall(data) if commands else []
    every = _EVERY.findall(data) if loading or any(each.search(data) for each in _CALLED) else []
    return [
        *(_as(Kind.MODULE, raw) for raw in (*(_NAMED.findall(data) if loading else ()), *names, *relative)),
        *(_as(Kind.LOADED, raw) for raw in (*run, *notebooks)),
        *_run_texts(data),
        *(_as(Kind.PATH, raw) for raw in (*paths, *started)),
        *(_as(Kind.EVERY, raw.replace(b".", b"/")) for found in every for raw in found if raw),
        *(_as(Kind.SEARCHED, raw) for raw in (_SEARCHED.findall(data) if b"sys.path" in data else ())),
    ]


def _texts(data: bytes) -> list[Reference]:
    data = data.replace(b"${__dirname}", b".")
    found = [*_run_texts(data), *(_as(Kind.LOADED, raw) for raw in _LOADED.findall(data))]
    for raw in _STRING.findall(data):
        found.append(_as(Kind.PATH, raw))
        if b"/" not in raw and raw[:1] != b".":
            found.append(_as(Kind.MODULE, raw))
    return found + [_as(Kind.EVERY, raw) for each in _EVERY.findall(data) for raw in each if raw]


def _run_texts(data: bytes) -> list[Reference]:
    """Files whose text is run: named at the call, or opened in a file that runs text."""
    if not _RUNNERS.search(data):
        return []
    direct = [_as(Kind.RUN, raw) for raw in _TEXT_RUN.findall(data) if b"." in raw]
    return direct + [_as(Kind.RUN, raw) for raw in _TEXT_OPENED.findall(data) if b"." in raw]


def _joined(data: bytes) -> list[Reference]:
    """Adjacent strings, concatenated or joined as a path."""
    found: list[Reference] = []
    for match in _JOINED.finditer(data):
        text = b""
        for sign, piece in _PIECE.findall(match[0]):
            text = text + piece if sign in (b"+", b"") else text.rstrip(b"/") + b"/" + piece.lstrip(b"/")
        found.append(_as(Kind.PATH if b"/" in text else Kind.MODULE, text))
    return found


def _entries(data: bytes, kind: Kind = Kind.MODULE) -> list[Reference]:
    return [_as(kind, text.partition(b":")[0]) for text in _ENTRY.findall(data)]


def _as(kind: Kind, raw: bytes) -> Reference:
    return Reference(kind, raw.decode("utf-8", "replace"))


def _starts(name: str, data: bytes) -> list[Reference]:
    """Programs that a manifest starts or exports."""
    if name == "package.json":
        fields = _manifest(data)
        texts = _manifest_entries(fields)
        paths = [Reference(Kind.PATH, word) for text in texts for word in text.split()]
        paths += [_as(Kind.LOADED, word) for text in texts for word in _COMMAND.findall(text.encode("utf-8", "replace"))]
        return paths + [Reference(Kind.EVERY, text) for text in _strings(fields.get("workspaces"))]
    if name in ("pyproject.toml", "setup.cfg"):
        return _entries(data)
    kinds = (Kind.PATH, Kind.MODULE)
    if name.startswith("tsconfig"):
        return [_as(Kind.EVERY, raw) for raw in _ALIASED.findall(data)]
    if _COMMANDS.fullmatch(name) and not _CHECKING.search(name):
        text = _LINE_OF_PROSE.sub(b"", data)
        parts = _targets(text) if name.endswith("file") else [text]
        return [_as(kind, word) for part in parts for word in _COMMAND.findall(part) for kind in kinds]
    if not _STARTERS.fullmatch(name):
        return []
    words = [word.decode().partition(":")[0] for word in _STARTED.findall(data)]
    words += [f"{folder.decode()}/{word}" for folder in _FOLDER_OF_IMAGE.findall(data)[:9] for word in words]
    words += [word.rpartition(".")[0] for word in words if "/" in word]
    started = [Reference(kind, word) for word in words for kind in kinds if "." in word or "/" in word]
    return started + [Reference(Kind.LOADED, word) for word in words if word.endswith(".ipynb")]


def _targets(data: bytes) -> list[bytes]:
    """The commands of a Makefile's targets, except checks."""
    _, *parts = _TARGET.split(data)
    return [done for name, done in zip(parts[::2], parts[1::2], strict=True) if not _CHECKING.search(name.decode())]


def _manifest(data: bytes) -> dict[str, object]:
    from counterproof.analysis.syntax.structured import parsed_json  # only for JavaScript packages

    try:
        read: object = parsed_json(data)
    except ValueError:
        return {}
    return cast("dict[str, object]", read) if isinstance(read, dict) else {}


def _manifest_entries(fields: dict[str, object]) -> list[str]:
    scripts = fields.get("scripts")
    commands = (
        [each for name, each in cast("dict[str, object]", scripts).items() if name in _START_SCRIPTS]
        if isinstance(scripts, dict)
        else []
    )
    return _strings([*(fields.get(name) for name in ("main", "module", "bin", "exports", "imports")), commands])


def _strings(value: object, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside: list[object] = []
    if isinstance(value, dict):
        inside = [*cast("dict[str, object]", value).values()]
    elif isinstance(value, list):
        inside = cast("list[object]", value)
    return [text for each in inside for text in _strings(each, depth + 1)] if depth < 8 else []
