"""X21 as a generator: every way to hide a file, crossed with every way to reach it.

A small web application imports, requires or starts one further file that runs a command of the sender's choice. `cases` yields
trees; what is hidden in each is known, so a test only asks whether it was found or listed as unread. A way to hide is a function
from a plain name and the file's text to the path and the bytes that are written.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

PYTHON_FLAW = """import os
from flask import Blueprint, request

bp = Blueprint("plain", __name__)


@bp.route("/ping")
def ping():
    os.system("ping " + request.args["host"])
    return "ok"
"""
SERVED_FLAW = PYTHON_FLAW.replace('Blueprint("plain", __name__)', "Flask(__name__)").replace("Blueprint", "Flask")
"""Needs no other file that mounts it."""
SCRIPT_FLAW = """const { exec } = require("child_process");
const express = require("express");
const router = express.Router();
router.get("/ping", (req, res) => {
  exec("ping " + req.query.host, (error, out) => res.json({ out }));
});
module.exports = router;
"""


@dataclass(frozen=True)
class Hidden:
    """One tree: its files by path, the file with the flaw, and links by path."""

    name: str
    flaw: str
    files: dict[str, bytes]
    links: dict[str, str] = field(default_factory=dict[str, str])


Hide = Callable[[str], tuple[str, bytes, dict[str, bytes]]]
"""From the text of the flaw to its path, its bytes, and files beside it."""


def _at(path: str) -> Hide:
    return lambda text: (path, text.encode(), {})


def _as(path: str, made: Callable[[str], bytes], **beside: bytes) -> Hide:
    return lambda text: (path, made(text), {})


def _after(head: str) -> Callable[[str], bytes]:
    return lambda text: head.encode() + text.encode()


def _nested(text: str) -> bytes:
    return text.replace(
        'os.system("ping " + request.args["host"])', "str(" * 120 + 'os.system("ping " + request.args["host"])' + ")" * 120
    ).encode()


def _in_blocks(text: str) -> bytes:
    opened = "".join(" " * (4 + depth) + "if bp:\n" for depth in range(90))
    return text.replace("    os.system", opened + " " * 94 + "os.system").encode()


def _wide(text: str) -> bytes:
    return text.replace("os.system", "os.\uff53\uff59\uff53\uff54\uff45\uff4d").encode()


def _separated(text: str) -> bytes:
    return text.replace('"ping "', '"\u2028ping\x0c\x0b\x85\u2029 "').encode()


def _with_returns(text: str) -> bytes:
    return b"# a comment\r" + text.encode().replace(b"\n", b"\r")


def _utf7(text: str) -> bytes:
    return b"# coding: utf-7\n" + text.replace("os.system", "+AG8-s.system").encode()


def _escaped(text: str) -> bytes:
    return b"# coding: unicode_escape\n" + text.replace("os.system", "\\x6fs.system").encode()


PYTHON: dict[str, Hide] = {
    **{
        f"named {path}": _at(path)
        for path in (
            "tests/plain.py", "test/plain.py", "plain_test.py", "test_plain.py", "conftest.py", "plain_pb2.py", "spec/plain.py",
            "e2e/plain.py", "unit_tests/plain.py", "vendor/plain.py", "third_party/plain.py", "_vendor/plain.py", "CVS/plain.py",
            "node_modules/plain.py", "site_packages/plain.py", "examples/plain.py", "docs/plain.py",
            "samples/plain.py", "htmlcov/plain.py",
            "testdata/plain.py", "fixtures/plain.py", "migrations/plain.py", "__pypackages__/plain.py",
            "Pods/plain.py", "plain.pyw",
            "benchmarks/plain.py", "demo/plain.py", "settings/test.py", "__mocks__/plain.py", "t/plain.py",
        )
    },
    "beside an empty pyvenv.cfg": lambda text: ("app/plain.py", text.encode(), {"app/pyvenv.cfg": b""}),
    "in a folder that looks installed": lambda text: ("vendored/plain.py", text.encode(), {"vendored/x.dist-info/METADATA": b""}),
    "marked as generated, of 3,000 lines": _as("plain.py", _after("# @generated\n" + "#\n" * 3_100)),
    "after two megabytes of padding": _as("plain.py", _after("#" + " " * 99 + "\n" + ("# " + "x" * 97 + "\n") * 21_000)),
    "after one long comment": _as("plain.py", _after("# " + "x" * 30_000 + "\n")),
    "after one long text": _as("plain.py", _after("PADDING = '" + "x" * 30_000 + "'\n")),
    "with a NUL in a comment": _as("plain.py", _after("# \0\n")),
    "in UTF-16": _as("plain.py", lambda text: text.encode("utf-16")),
    "in UTF-8 with a mark": _as("plain.py", lambda text: text.encode("utf-8-sig")),
    "in Latin-1, declared": _as("plain.py", lambda text: ("# coding: latin-1\n# caf\xe9\n" + text).encode("latin-1")),
    "in EUC-TW, which Python lacks": _as("plain.py", _after("# coding: euc-tw\n")),
    "in UTF-7, declared": _as("plain.py", _utf7),
    "in escapes, declared": _as("plain.py", _escaped),
    "with bytes that are no UTF-8": _as("plain.py", lambda text: b"# caf\xe9\n" + text.encode()),
    "with carriage returns alone": _as("plain.py", _with_returns),
    "with separators that are no newlines": _as("plain.py", _separated),
    "in calls nested 120 deep": _as("plain.py", _nested),
    "in blocks nested 90 deep": _as("plain.py", _in_blocks),
    "in full-width letters": _as("plain.py", _wide),
    "after a broken line": _as("plain.py", _after("def broken(:\n    pass\n\n")),
    "with half a character in the route": _as("plain.py", lambda text: text.replace("/ping", "/ping\\ud800").encode()),
}  # fmt: skip

SCRIPTS: dict[str, Hide] = {
    **{
        f"named {path}": _at(path)
        for path in (
            "plain.min.js", "plain.bundle.js", "plain-min.js", "test/plain.js", "__tests__/plain.js",
            "plain.test.js", "plain.spec.js",
            "vendor/plain.js", "node_modules/plain/index.js", "bower_components/plain.js", "dist/plain.js",
            "static/jquery.js", "plain.es6",
            "plain", "plain.cjs", "plain.jsx", "plain.data", "plain.generated.js", "examples/plain.js",
            ".next/plain.js", "spec/plain.js",
            "CVS/plain.js", "__mocks__/plain.js", "third_party/plain.js", "docs/plain.js", "plain.config.js", "public/plain.js",
        )
    },
    "marked as generated": _as("plain.js", _after("// @generated\n")),
    "packed on one line": _as("static/plain.js", lambda text: (text.replace("\n", " ") + "var a=1;" * 700).encode()),
    "packed on one very long line": _as("static/plain.js", lambda text: (text.replace("\n", " ") + "var a=1;" * 4_000).encode()),
    "after one long comment": _as("plain.js", _after("// " + "x" * 30_000 + "\n")),
    "after two megabytes of padding": _as("plain.js", _after(("// " + "x" * 97 + "\n") * 21_000)),
    "with a NUL in a comment": _as("plain.js", _after("// \0\n")),
    "with bytes that are no UTF-8": _as("plain.js", lambda text: b"// caf\xe9\n" + text.encode()),
    "with the line separator of Unicode after a comment": _as("plain.js", lambda text: ("// hidden\u2028" + text).encode()),
    "with half a character in the route": _as("plain.js", lambda text: text.replace("/ping", "/ping\\ud800").encode()),
    "with carriage returns alone": _as("plain.js", lambda text: b"// a comment\r" + text.encode().replace(b"\n", b"\r")),
    "like a library, by its notice": _as("static/lodash.js", _after("/*! lodash v4.17.21 */\n")),
}  # fmt: skip

PYTHON_WAYS: dict[str, str] = {
    "from import": "from {module} import bp\n",
    "import": "import {module} as reached\n\nbp = reached.bp\n",
    "in a function": "def load():\n    from {module} import bp\n\n    return bp\n\n\nbp = load()\n",
    "in brackets, over lines": "from {module} import (\n    bp,\n)\n",
    "after a semicolon": "x = 1; from {module} import bp\n",
    "over a continued line": "from {module} \\\n    import bp\n",
    "by name": 'import importlib\n\nbp = importlib.import_module("{module}").bp\n',
    "all of it": "from {module} import *\n",
}
SCRIPT_WAYS: dict[str, str] = {
    "require": 'const router = require("{path}");\n',
    "import": 'import router from "{path}";\n',
    "mounted where it is required": "const router = require(`{path}`);\n",
}


def _python(name: str, hide: Hide, way: str) -> Hidden | None:
    path, data, beside = hide(PYTHON_FLAW)
    module = path.rpartition(".")[0].replace("/", ".")
    if way == "by name" and "." not in module:
        module = path.rpartition(".")[0]
    main = (
        "from flask import Flask\n\n"
        + PYTHON_WAYS[way].format(module=module)
        + "\napp = Flask(__name__)\napp.register_blueprint(bp)\n"
    )
    return Hidden(f"{name}, {way}", path, {**beside, path: data, "main.py": main.encode()})


def _script(name: str, hide: Hide, way: str) -> Hidden:
    path, data, beside = hide(SCRIPT_FLAW)
    written = "./" + (path if path.count(".") > 1 or not path.endswith(".js") else path.removesuffix(".js"))
    main = 'const express = require("express");\n' + SCRIPT_WAYS[way].format(path=written)
    main += 'const app = express();\napp.use("/", router);\napp.listen(3000);\n'
    return Hidden(f"{name}, {way}", path, {**beside, path: data, "server.js": main.encode()})


def cases() -> Iterator[Hidden]:
    """Every way to hide with every way to reach."""
    for name, hide in PYTHON.items():
        for way in PYTHON_WAYS:
            found = _python(name, hide, way)
            if found:
                yield found
    for name, hide in SCRIPTS.items():
        for way in SCRIPT_WAYS:
            yield _script(name, hide, way)
    yield from started()
    yield from notebooks()


NOTEBOOK_WAYS = {
    "run by a program": ("main.py", b'import papermill\n\npapermill.execute_notebook("plain.ipynb", "out.ipynb")\n'),
    "opened by a program": ("main.py", b"import nbformat\n\nbook = nbformat.read('plain.ipynb', as_version=4)\n"),
    "started by an image": ("Dockerfile", b"FROM python\nCMD jupyter nbconvert --execute plain.ipynb\n"),
}


def notebooks() -> Iterator[Hidden]:
    """Code in a notebook, saved as people do, and with every line break left out."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": SERVED_FLAW.splitlines(keepends=True)}
    prose = {"cell_type": "markdown", "metadata": {}, "source": ["# import os\n", "More about it."]}
    book = {"cells": [prose, cell], "metadata": {}, "nbformat": 4}
    for way, (path, data) in NOTEBOOK_WAYS.items():
        for form, indent in (("line by line", 1), ("on one line", None)):
            files = {path: data, "plain.ipynb": json.dumps(book, indent=indent).encode(), "own.py": b"x = 1\n"}
            yield Hidden(f"in a notebook {form}, {way}", "plain.ipynb", files)


def started() -> Iterator[Hidden]:
    """What no code imports and a manifest starts, and a program's own first file."""
    listening = SCRIPT_FLAW.replace("module.exports = router;", "const app = express();\napp.use(router);\napp.listen(3000);")
    for name, hide in SCRIPTS.items():
        path, data, beside = hide(listening)
        manifest = f'{{"name": "x", "scripts": {{"start": "node ./{path}"}}, "dependencies": {{"express": "1"}}}}'
        yield Hidden(
            f"{name}, started by package.json",
            path,
            {**beside, path: data, "package.json": manifest.encode(), "a.js": b"var a = 1;\n"},
        )
    for name, hide in PYTHON.items():
        path, data, beside = hide(PYTHON_FLAW)
        if path == "plain.py" and not name.startswith("marked"):
            yield Hidden(f"{name}, by itself", path, {**beside, path: data, "main.py": b"x = 1\n"})
