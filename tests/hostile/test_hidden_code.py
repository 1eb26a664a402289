"""X21: what reviewed code reaches is reviewed, whatever it is called; reached but unread code is reported, with exit code 3.

A seeded handful of the generator's trees runs here; `benchmarks/hiding.py` runs them all.
"""

import random
from pathlib import Path

import pytest

from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.model.survey import FileRole, Language
from hostile.hidden_code import PYTHON_FLAW, Hidden, cases, notebooks
from hostile.quick_audit import audited, plant
from hostile.reached_code import reached
from toolbox.tooling import a_project

COMMAND_INJECTION = 78
EVERY = tuple(cases())
REACHED = tuple(reached())
FEW = [*random.Random(21).sample(EVERY, 8), *random.Random(21).sample(REACHED, 2)]
SURVEYED = (*EVERY[::9], *REACHED)


@pytest.mark.rule("X21")
@pytest.mark.parametrize("hidden", FEW, ids=[each.name for each in FEW])
def test_a_hidden_flaw_is_found_or_the_audit_is_incomplete(tmp_path: Path, home: Path, hidden: Hidden) -> None:
    seen = audited(plant(tmp_path / "code", hidden.files))
    told = seen.code == 3 and any(hidden.flaw in banner for banner in seen.report["banners"])
    assert (hidden.flaw, COMMAND_INJECTION) in seen.flaws or told


@pytest.mark.rule("X21")
@pytest.mark.parametrize("hidden", SURVEYED, ids=[each.name for each in SURVEYED])
def test_the_survey_reads_it_as_runtime_or_lists_it_as_unread(tmp_path: Path, hidden: Hidden) -> None:
    found = survey(plant(tmp_path / "code", hidden.files))
    (file,) = [each for each in found.files if each.path == hidden.flaw] or [None]
    unread = {each.path for each in found.unread if not each.accepted}
    assert (file is not None and file.language and file.role is FileRole.RUNTIME) or hidden.flaw in unread


@pytest.mark.rule("X21")
@pytest.mark.parametrize("hidden", tuple(notebooks()), ids=[each.name for each in notebooks()])
def test_a_notebook_that_something_runs_is_code(tmp_path: Path, hidden: Hidden) -> None:
    project = a_project(plant(tmp_path / "code", hidden.files))
    assert project.files[hidden.flaw].role is FileRole.RUNTIME
    read = "ping" in {each.name for each in project.module(hidden.flaw).functions}
    assert read is not (hidden.flaw in project.unread)
    assert read is ("line by line" in hidden.name)


@pytest.mark.rule("X21")
def test_a_notebook_is_code_whether_or_not_something_runs_it(tmp_path: Path) -> None:
    (hidden, *_) = notebooks()
    found = survey(plant(tmp_path / "code", {**hidden.files, "main.py": b"x = 1\n"}))
    assert {each.path: each.language for each in found.files}[hidden.flaw] is Language.PYTHON


@pytest.mark.rule("X21")
@pytest.mark.parametrize(
    "files",
    [
        {"main.py": "# python vendor/plain.py shows how\nx = 'vendor'\n"},
        {"main.py": '"""Runs like `python vendor/plain.py`."""\nEXCLUDED = ["vendor", "node_modules"]\n'},
        {"main.py": "x = 1\n", "run_tests.sh": "python vendor/plain.py\n"},
        {"main.py": "x = 1\n", "Makefile": "test:\n\tpython vendor/plain.py\n"},
    ],
    ids=["a comment", "a docstring", "a script that runs tests", "a target that tests"],
)
def test_what_is_only_talked_of_or_tested_stays_out(tmp_path: Path, files: dict[str, str]) -> None:
    given = {"vendor/plain.py": PYTHON_FLAW.encode(), **{path: text.encode() for path, text in files.items()}}
    found = survey(plant(tmp_path / "code", given))
    assert "vendor/plain.py" not in {each.path for each in found.files} | {each.path for each in found.unread}


OUT_OF_REACH = {"main.py": b"import big\n", "big.py": b"x = 1\n" * 400_000}


@pytest.mark.rule("X21")
def test_nothing_is_covered_while_something_reachable_is_unread(tmp_path: Path, home: Path) -> None:
    seen = audited(plant(tmp_path / "code", OUT_OF_REACH))
    assert seen.code == 3
    assert any("big.py, which main.py reaches: too large" in banner for banner in seen.report["banners"])
    assert {row["status"] for row in seen.report["coverage"]} & {"✅"} == set()


@pytest.mark.rule("X21")
def test_what_the_user_accepts_unread_is_on_record(tmp_path: Path, home: Path) -> None:
    seen = audited(plant(tmp_path / "code", OUT_OF_REACH), accept_unread=("big.py",))
    assert not any("Not read" in banner for banner in seen.report["banners"])
    assert seen.receipt["accepted_unread"]["globs"] == ["big.py"]
    assert [each.partition(",")[0] for each in seen.receipt["accepted_unread"]["files"]] == ["big.py"]


A_TEST = {"tests/a.py": b"y = 1\n"}
HARMLESS = {
    "only the tests are run by it": {"settings.py": b"TEST_RUNNER = 'tests.a.Runner'\n"},
    "only tests import it": {"app.py": b"x = 1\n", "tests/test_b.py": b"from tests import a\n"},
    "a docstring speaks of it": {"app.py": b'"""\nfrom tests.a import y\n"""\n'},
    "a comment speaks of it": {"app.py": b"x = 1  # from tests.a import y\n"},
    "the build names it": {"app.py": b"x = 1\n", "setup.py": b'f(suite="tests.a")\n'},
    "a script for tests names it": {"app.py": b"x = 1\n", "package.json": b'{"scripts": {"test": "node ./tests/a.py"}}'},
}


@pytest.mark.rule("X21")
@pytest.mark.parametrize("files", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_test_that_nothing_running_reaches_stays_a_test(tmp_path: Path, files: dict[str, bytes]) -> None:
    found = survey(plant(tmp_path / "code", {**A_TEST, **files}))
    (file,) = [each for each in found.files if each.path == "tests/a.py"]
    assert (file.role, file.reached_from) == (FileRole.TEST, "")
    assert found.unread == ()


@pytest.mark.rule("X21")
def test_what_the_user_excludes_stays_out(tmp_path: Path) -> None:
    root = plant(tmp_path / "code", {"app.py": b"from lib.plain import x\n", "lib/plain.py": b"x = 1\n"})
    found = survey(root, SurveyOptions(exclude=("lib/",)))
    assert ([each.path for each in found.files], found.unread) == (["app.py"], ())


@pytest.mark.rule("X21")
def test_examples_of_a_package_that_it_imports_itself_are_no_examples(tmp_path: Path, home: Path) -> None:
    main = b"from flask import Flask\nfrom examples.plain import bp\n\napp = Flask(__name__)\napp.register_blueprint(bp)\n"
    files = {"pyproject.toml": b'[project]\nname = "x"\n', "x/main.py": main + b"# much code\nx = 1\n" * 40}
    seen = audited(plant(tmp_path / "code", {**files, "examples/plain.py": PYTHON_FLAW.encode()}))
    assert ("examples/plain.py", COMMAND_INJECTION) in seen.flaws


PICTURES = {
    "logo.gif": b"GIF89a\x40\x01\xf0\x00\xf7" + bytes(range(256)) * 4,
    "logo.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4,
    "logo.jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 4,
    "font.woff2": b"wOF2\x00\x01\x00\x00" + bytes(range(256)) * 4,
    "large.webp": b"RIFF\x00\x10\x20\x00WEBPVP8 " + bytes(range(256)) * 10_000,
}


@pytest.mark.rule("X21")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_a_script_imports_is_no_unread_code(tmp_path: Path, name: str) -> None:
    script = f'import logo from "./{name}";\nexport default () => logo;\n'.encode()
    assert survey(plant(tmp_path / "code", {"app.js": script, name: PICTURES[name]})).unread == ()


POLYGLOTS = {
    "a comment behind the width": b"GIF89a/*\x00\x01\xf7\x00*/=1;require('child_process').exec(process.argv[2])//\x00\xff",
    "a text behind the name": b"GIF89a='\x00\xff\xfe';require('child_process').exec(process.argv[2])//",
    "a first line for a shell": b"#!\x00\xff\nrequire('child_process').exec(process.argv[2])//",
}


@pytest.mark.rule("X21")
@pytest.mark.parametrize("data", POLYGLOTS.values(), ids=POLYGLOTS.keys())
def test_a_picture_that_is_also_a_script_is_unread_code(tmp_path: Path, data: bytes) -> None:
    found = survey(plant(tmp_path / "code", {"app.js": b'require("./logo.gif");\n', "logo.gif": data}))
    read = [each.path for each in found.files if each.path == "logo.gif" and each.language]
    assert read or [each.path for each in found.unread] == ["logo.gif"]
