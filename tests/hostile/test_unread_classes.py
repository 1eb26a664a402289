"""A64: every byte is accounted for. A flaw that hides in one of the classes is found, or named with exit code 3."""

import bz2
import gzip
import io
import json
import os
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.analysis.program.own_imports import gaps_of
from counterproof.analysis.project import Project
from counterproof.analysis.source import archives
from counterproof.analysis.source.survey import SurveyOptions, idle_globs, survey
from counterproof.model.survey import FileRole, Language
from hostile.quick_audit import audited, plant

PLAIN = "import os\n\n\ndef version():\n    return 1\n"
FLAW = (
    "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n"
    "@app.route('/x')\ndef x():\n    os.system(request.args['c'])\n    return 'ok'\n"
)
CSHARP = "using System;\nnamespace Shop {\n" + "class A { void Run(string c) { Process.Start(c); } }\n" * 2_000 + "}\n"


def tree(root: Path, files: dict[str, bytes | str]) -> Path:
    return plant(root, {path: text.encode() if isinstance(text, str) else text for path, text in files.items()})


def unread_in(root: Path) -> dict[str, str]:
    project = Project(root, survey(root))
    return {each.path: each.why for each in (*project.survey.unread, *gaps_of(project)) if not each.accepted}


def packed(names: dict[str, bytes], way: Callable[[bytes], bytes] = gzip.compress) -> bytes:
    """A tar file of these files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, data in names.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return way(made.getvalue())


def zipped(names: dict[str, bytes], way: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", way) as archive:
        for name, data in names.items():
            archive.writestr(name, data)
    return made.getvalue()


COPIES = "FROM python:3.12\nCOPY assets/places.tar.gz /srv/\nCOPY assets/geo.mmdb /srv/\n"
PLACES = {"geo/LICENSE": b"Free.", "geo/places.mmdb": b"\0\1" * 40_000, "geo/names.csv": b"1,2\n"}
TEXTS: dict[str, tuple[dict[str, bytes | str], str]] = {
    "another language": ({"app.js": "x = 1;\ny = 2;\nz = 3;\n", "Shop.cs": CSHARP}, "Shop.cs"),
    "another language by its first line": ({"main.py": PLAIN, "worker": "#!/usr/bin/perl\nsystem($ARGV[0]);\n"}, "worker"),
    "another language by its content": ({"main.py": PLAIN, "run": "#include <stdlib.h>\nint main() { system(x); }\n"}, "run"),
    "a script that the program names": (
        {"main.py": "import subprocess\nsubprocess.run(['bash', 'tools/go.sh'])\n", "tools/go.sh": "eval $1\n"}, "tools/go.sh",
    ),
    "a component": (
        {"main.py": PLAIN, "ui/App.vue": "<template><p v-html='x'/></template>\n<script>\nexport default {}\n</script>\n"},
        "ui/App.vue",
    ),
    "a pointer of LFS": (
        {"main.py": PLAIN, "core.py": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"}, "core.py",
    ),
    "a submodule": ({"main.py": PLAIN, ".gitmodules": '[submodule "c"]\n\tpath = core\n\turl = x\n'}, "core"),
    "an archive that is loaded": (
        {"main.py": "import sys\nsys.path.insert(0, 'lib/core.zip')\nimport core\n", "lib/core.zip": b"PK\x03\x04\x00core.py"},
        "lib/core.zip",
    ),
    "code in an archive": (
        {"Dockerfile": COPIES, "main.py": PLAIN, "assets/places.tar.gz": packed({**PLACES, "geo/run.py": b"x = 1\n"})},
        "assets/places.tar.gz",
    ),
    "a script in an archive": (
        {"Dockerfile": COPIES, "main.py": PLAIN, "assets/places.tar.gz": packed({"run": b"#!/bin/sh\nls\n"}, bz2.compress)},
        "assets/places.tar.gz",
    ),
    "an archive in an archive": (
        {"main.py": "DATA = 'lib/a.zip'\n", "lib/a.zip": zipped({"b.txt": zipped({"c.py": b"x = 1\n"})})}, "lib/a.zip",
    ),
    "an archive that is cut off": (
        {"Dockerfile": COPIES, "main.py": PLAIN, "assets/places.tar.gz": packed({"a.bin": os.urandom(20_000)})[:9_000]},
        "assets/places.tar.gz",
    ),
    "an archive of another packing": (
        {"main.py": "DATA = 'lib/a.zip'\n", "lib/a.zip": zipped({"a.csv": b"1\n"}, zipfile.ZIP_LZMA)}, "lib/a.zip",
    ),
    "bytecode that is imported": (
        {"main.py": "import core\ncore.run()\n", "core.pyc": b"\x6f\x0d\x0d\x0a\x00\x00\x00"}, "core.pyc",
    ),
    "bytecode of a cache folder": (
        {"main.py": "L('core', '__pycache__/core.pyc').load_module()\n", "__pycache__/core.pyc": b"\x6f\x0d\x0d\x0a\x00"},
        "__pycache__",
    ),
    "code that is decoded": ({"main.py": "import base64\nexec(base64.b64decode('cHJpbnQoMSk='))\n"}, "main.py"),
    "code that is decoded into a name": (
        {"app.js": "const text = Buffer.from(part, 'base64').toString();\neval(text);\n"}, "app.js",
    ),
    "code that is one value of a data file": (
        {"main.py": "import json\nexec(json.load(open('rules.json'))['code'])\n", "rules.json": '{"code": "x = 1"}'}, "main.py",
    ),
    "a pickle that is text": (
        {"main.py": "import pickle\npickle.load(open('state.pkl', 'rb'))\n", "state.pkl": "cos\nsystem\n(S'ls'\ntR."},
        "state.pkl",
    ),
    "a template that holds code": ({"main.py": PLAIN, "pages/a.mako": "<%\nimport os\nos.system(c)\n%>\n"}, "pages/a.mako"),
    "an import of its own that is not there": (
        {"shop/__init__.py": "", "shop/main.py": "from shop.core.orders import run\nrun()\n"}, "shop/main.py",
    ),
    "a script's import that is not there": ({"app.js": "const run = require('./lib/run');\nrun();\n"}, "app.js"),
}  # fmt: skip


@pytest.mark.rule("A64", "X21")
@pytest.mark.parametrize(("files", "where"), TEXTS.values(), ids=list(TEXTS))
def test_code_that_nobody_reads_is_named(tmp_path: Path, files: dict[str, bytes | str], where: str) -> None:
    assert where in unread_in(tree(tmp_path / "code", files))


def linked(root: Path) -> str:
    outside = tree(root.parent / "elsewhere", {"core.py": FLAW})
    os.symlink(outside, root / "core")
    return "core"


def closed(root: Path) -> str:
    (root / "core").mkdir()
    (root / "core" / "x.py").write_text(FLAW)
    (root / "core").chmod(0)
    return "core"


def deep(root: Path) -> str:
    folder = root
    for _ in range(256 + 2):
        folder = folder / "d"
    folder.mkdir(parents=True)
    (folder / "x.py").write_text(FLAW)
    return ""


@pytest.mark.rule("A64")
@pytest.mark.parametrize("hide", [linked, closed, deep])
def test_folder_that_cannot_be_gone_into_is_named(tmp_path: Path, hide: Callable[[Path], str]) -> None:
    root = tree(tmp_path / "code", {"main.py": PLAIN})
    if hide is closed and os.geteuid() == 0:
        pytest.skip("root reads every folder")
    where = hide(root)
    assert any(path.startswith(where) for path in unread_in(root))


@pytest.mark.rule("A64")
@pytest.mark.parametrize("name", ["payload.txt", "payload.dat"])
def test_text_that_is_run_is_read_as_code(tmp_path: Path, name: str) -> None:
    main = f"exec(open('{name}').read())\n"
    found = survey(tree(tmp_path / "code", {"main.py": main, name: FLAW}))
    (file,) = [each for each in found.files if each.path == name]
    assert (file.language, file.role) == (Language.PYTHON, FileRole.RUNTIME)


@pytest.mark.rule("A64")
@pytest.mark.parametrize("path", ["orders_pb2.py", "orders.ipynb"])
def test_code_under_a_name_of_generators_or_notebooks_is_read(tmp_path: Path, path: str) -> None:
    lines = [f"{line}\n" for line in FLAW.split("\n")]
    cells = {"cells": [{"cell_type": "code", "source": lines, "metadata": {}}], "metadata": {}, "nbformat": 4}
    text = FLAW if path.endswith(".py") else json.dumps(cells, indent=1)
    (file,) = survey(tree(tmp_path / "code", {path: text})).files
    assert (file.language, file.role, file.loc) == (Language.PYTHON, FileRole.RUNTIME, FLAW.count("\n"))


@pytest.mark.rule("A64")
def test_output_of_protoc_is_left_out(tmp_path: Path) -> None:
    made = "import sys\nfrom google.protobuf import descriptor\nimport other_pb2 as other\nDESCRIPTOR = descriptor.x(b'a')\n"
    found = survey(tree(tmp_path / "code", {"main.py": PLAIN, "orders_pb2.py": made}))
    assert [each.path for each in found.files] == ["main.py"]


@pytest.mark.rule("A64", "X21")
def test_files_of_a_language_without_an_analyst_are_named(tmp_path: Path) -> None:
    page = "<?php\n$c = $_GET['c'];\nsystem('ls ' . $c);\n"
    seen = audited(tree(tmp_path / "code", {"index.php": "<?php\ninclude 'lib/orders.inc';\n", "lib/orders.inc": page}))
    assert seen.code == 3
    assert any("No analyst follows data in PHP: lib/orders.inc, index.php." in each for each in seen.report["banners"])


DATA: dict[str, dict[str, bytes | str]] = {
    "a picture that a setting names": {"main.py": "LOGO = 'static/logo.gif'\n", "static/logo.gif": b"GIF89a\x01\x00\x01\x00/#"},
    "a picture that a script loads": {"app.js": "const logo = require('./logo.gif');\n", "logo.gif": b"GIF89a\x01\x00\x01\x00"},
    "archives and databases of data": {
        "Dockerfile": COPIES,
        "main.py": "DATA = 'assets/rates.zip'\nOTHER = 'assets/plain.csv.gz'\n",
        "assets/places.tar.gz": packed(PLACES),
        "assets/geo.mmdb": b"\0\1" * 90 + b"\xab\xcd\xefMaxMind.com",
        "assets/rates.zip": zipped({"rates.csv": b"1,2\n", "rates/": b""}),
        "assets/plain.csv.gz": gzip.compress(b"1,2\n"),
    },
    "a large archive and a large picture": {
        "Dockerfile": f"{COPIES}COPY assets/wide.png /srv/\n",
        "main.py": PLAIN,
        "assets/places.tar.gz": packed({"geo/places.mmdb": os.urandom(2_100_000)}),
        "assets/wide.png": b"\x89PNG\r\n\x1a\n\0" + bytes(2_100_000),
    },
    "fonts and styles": {"main.py": PLAIN, "a.woff2": b"wOF2\x00\x01", "site.css": "p { color: red }\n"},
    "tests in another language": {"main.py": PLAIN, "tests/Check.cs": CSHARP},
    "a script that only builds": {"main.py": PLAIN, "build.sh": "make all\n"},
    "a link inside the tree": {"main.py": PLAIN},
    "what a build writes": {
        "pyproject.toml": "[tool.setuptools_scm]\nwrite_to = 'shop/_version.py'\n",
        "shop/__init__.py": "from shop._version import version\n",
    },
    "an import that may fail": {"shop/__init__.py": "try:\n    from shop.fast import run\nexcept ImportError:\n    run = None\n"},
    "an import in a comment": {"app.js": "// import { x } from './gone';\nexport const y = 1;\n"},
    "what a build of scripts writes": {
        "server/.gitignore": "dist\n",
        "server/app.js": "import x from './dist/x.js';\n",
        "ui/main.tsx": "import App from './App.jsx';\n",
        "ui/App.tsx": "export default 1;\n",
    },
    "what a generator writes": {
        ".gitignore": "src/prisma/generated\n/shop/build_info.py\n",
        "src/app.ts": "import { User } from './prisma/generated/client.js';\n",
        "shop/__init__.py": "",
        "shop/views.py": "from shop.build_info import stamp\n",
    },
    "code that a program runs from its own text": {
        "main.py": "exec('x = 1')\nVALUE = eval(NAME)\nimport json\njson.load(FILE)\n"
    },
    "a template of a migration": {
        "main.py": PLAIN,
        "alembic/script.py.mako": '"""${message}"""\n${imports if imports else ""}\n',
    },
    "bytecode that Python leaves": {"main.py": PLAIN, "__pycache__/main.cpython-311.pyc": b"\xa7\r\r\n\0"},
    "a build script of another language": {"main.py": PLAIN, "build.gradle.kts": "plugins { java }\n" * 30},
    "an import that leads above the folder": {
        "models/__init__.py": "",
        "views.py": "from ..models.user import find\n",
        "app.js": "const lib = require('../../shared/lib');\n",
    },
    "a folder of modules without an __init__.py": {
        "shop/__init__.py": "",
        "shop/costs/service.py": PLAIN,
        "shop/views.py": "from shop.costs import service\n",
    },
    "a name of the standard library": {
        "net/__init__.py": "",
        "net/http/__init__.py": "",
        "net/a.py": "from http.server import X\n",
    },
}


@pytest.mark.rule("A64")
@pytest.mark.parametrize("files", DATA.values(), ids=list(DATA))
def test_data_and_what_a_user_cannot_act_on_lower_nothing(tmp_path: Path, files: dict[str, bytes | str]) -> None:
    root = tree(tmp_path / "code", files)
    os.symlink("main.py", root / "again.py")
    assert unread_in(root) == {}


@pytest.mark.rule("A64", "X21")
def test_archive_of_code_is_named_and_leaves_the_coverage_of_the_rest(tmp_path: Path, home: Path) -> None:
    files: dict[str, bytes | str] = {"Dockerfile": COPIES, "app.py": FLAW, "assets/places.tar.gz": packed({"run.py": b"x = 1\n"})}
    seen = audited(tree(tmp_path / "code", files))
    (told,) = [each for each in seen.report["banners"] if "places.tar.gz" in each]
    assert told.endswith("which Dockerfile reaches: binary, an archive that may hold code: run.py.")
    assert not any("lowered" in row["reason"] for row in seen.report["coverage"])
    assert {reason["code"] for reason in seen.report["outcome"]["reasons"]} >= {3}


@pytest.mark.rule("A64")
def test_archives_share_one_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = tree(tmp_path / "code", {"Dockerfile": COPIES, "main.py": PLAIN, "assets/places.tar.gz": packed(PLACES)})
    monkeypatch.setattr(archives, "MAX_UNPACKED", 40_000)
    assert list(unread_in(root)) == ["assets/places.tar.gz"]
    monkeypatch.setattr(archives, "MAX_UNPACKED", 400_000)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    assert list(unread_in(root)) == ["assets/places.tar.gz"]


@pytest.mark.rule("A64")
def test_imports_that_leave_the_folder_are_named_once_and_lower_nothing(tmp_path: Path, home: Path) -> None:
    files: dict[str, bytes | str] = {"views.py": f"from ..models.user import find\n{FLAW}", "models/__init__.py": ""}
    root = tree(tmp_path / "code", {**files, "app.js": "const lib = require('../../shared/lib');\n"})
    seen = audited(root)
    (told,) = [each for each in seen.report["limitations"] if "out of the audited folder" in each]
    assert told.startswith("2 imports lead out of the audited folder, the first at views.py:1; ")
    assert not any("lowered" in row["reason"] for row in seen.report["coverage"])


@pytest.mark.rule("A64")
def test_an_import_in_a_template_literal_is_no_import_and_one_in_its_code_is(tmp_path: Path, home: Path) -> None:
    code = "const page = `\nimport lib from '../../shared/lib';\n`;\n"
    seen = audited(tree(tmp_path / "code", {"app.js": code, "views.py": FLAW}))
    assert not any("out of the audited folder" in each for each in seen.report["limitations"])
    code = "const page = `a ${require('../../shared/lib')} b`;\n"
    seen = audited(tree(tmp_path / "other", {"app.js": code, "views.py": FLAW}))
    assert any("1 import leads out of the audited folder" in each for each in seen.report["limitations"])


@pytest.mark.rule("A64", "X21")
def test_unread_language_ends_with_exit_3_unless_it_is_accepted(tmp_path: Path, home: Path) -> None:
    root = tree(tmp_path / "code", {"app.js": "const a = 1;\nconst b = 2;\nmodule.exports = a + b;\n", "Shop.cs": CSHARP})
    seen = audited(root)
    assert seen.code == 3
    assert any("Shop.cs" in each and "lines of C#" in each for each in seen.report["banners"])
    accepted = survey(root, SurveyOptions(accept_unread=("**/*.cs",)))
    assert [(each.path, each.accepted) for each in accepted.unread] == [("Shop.cs", True)]


@pytest.mark.rule("A64")
def test_many_files_of_a_language_are_one_entry_with_their_lines(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {"main.py": PLAIN, **{f"native/part{n}.rs": "fn a() {}\n" * 10 for n in range(12)}}
    assert unread_in(tree(tmp_path / "code", files)) == {
        "native": "in a language that is not analysed, 12 files, 120 lines of Rust; --accept-unread '**/*.rs' accepts this"
    }


@pytest.mark.rule("A64")
def test_accepted_glob_as_it_is_printed_accepts_many_files(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {
        "main.py": PLAIN,
        **{f"pages/src/{n}/Part.vue": "<script></script>\n" * 10 for n in range(12)},
    }
    root = tree(tmp_path / "code", files)
    (entry,) = survey(root, SurveyOptions()).unread
    printed = re.findall(r"--accept-unread '([^']+)'", entry.why)
    assert (entry.path, printed, entry.accepted) == ("pages/src", ["**/*.vue"], False)
    assert [each.accepted for each in survey(root, SurveyOptions(accept_unread=("./**/*.vue",))).unread] == [True]
    part = survey(root, SurveyOptions(accept_unread=("pages/src/1/",))).unread
    assert sorted((each.path, each.accepted) for each in part) == [("pages/src", False), ("pages/src/1/Part.vue", True)]


def test_glob_that_matches_nothing_is_named(tmp_path: Path) -> None:
    root = tree(tmp_path / "code", {"main.py": PLAIN, "lib/a.py": PLAIN, "lib/b.py": PLAIN})
    idle = SurveyOptions(include=("*.py", "lib2/"), exclude=("lib/b.py", "*.tsx"), accept_unread=("./**/*.go", "lib/"))
    assert idle_globs(survey(root, idle)) == (
        "--include 'lib2/' matches no file in scope",
        "--exclude '*.tsx' matches no file in scope",
        "--accept-unread '**/*.go' matches no file in scope",
    )


@pytest.mark.rule("A64")
@pytest.mark.parametrize(
    ("runs", "unread"),
    [
        ("def start(server): ...\n", False),
        ("TASKS = {'start': 1}\n", False),
        ("RUN = './ops/start'\n", True),
        ("RUN = ['sh', 'start']\n", True),
    ],
)
def test_a_script_named_like_a_word_counts_only_where_a_string_may_run_it(tmp_path: Path, runs: str, unread: bool) -> None:
    root = tree(tmp_path / "code", {"main.py": runs, "ops/start": "#!/bin/sh\neval $1\n"})
    assert ("ops/start" in unread_in(root)) == unread


@pytest.mark.rule("A64")
def test_one_glob_accepts_files_of_one_language_under_any_name(tmp_path: Path) -> None:
    shell = "#!/bin/sh\neval $1\n"
    runs = "import subprocess\nsubprocess.run(['bash', 'start'])\nsubprocess.run(['bash', 'stop.sh'])\n"
    files: dict[str, bytes | str] = {"main.py": runs, **{f"bin/{n}/start": shell for n in range(9)}, "bin/stop.sh": shell}
    root = tree(tmp_path / "code", files)
    (entry,) = survey(root, SurveyOptions()).unread
    (printed,) = re.findall(r"--accept-unread '([^']+)'", entry.why)
    assert (entry.path, printed, len(entry.files)) == ("bin", "bin/**", 10)
    assert [each.accepted for each in survey(root, SurveyOptions(accept_unread=(printed,))).unread] == [True]
