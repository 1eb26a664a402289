"""A review is about the change. Earlier defects are counted separately, even if they are reworded."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import ALL, changed, claims, git, project_of, told, write
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.model.review.scope import PriorReview

HEAD = "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n\n\n"
PAGE = HEAD + (
    "@app.route('/')\ndef page():\n    name = request.args['name']\n    os.system('echo ' + name)\n    return 'done'\n"
)
SCRIPT = (
    "const { exec } = require('child_process');\nconst express = require('express');\nconst app = express();\n"
    "app.get('/', (req, res) => {\n  const name = req.query.name;\n  exec('echo ' + name);\n  res.end();\n});\n"
)
HELPER = "import os\n\n\ndef run(word):\n    os.system('echo ' + word)\n"
CALLER = HEAD + "from helper import run\n\n\n@app.route('/')\ndef page():\n    run('all')\n    return 'done'\n"

STANDING = {
    "reworded": ("a.py", PAGE, PAGE.replace("'echo ' + name", "f'echo {name}'")),
    "formatted": ("a.py", PAGE, PAGE.replace("os.system('echo ' + name)", "os.system(\n        'echo ' + name\n    )")),
    "other names": ("a.py", PAGE, PAGE.replace("    name =", "    label =").replace("+ name", "+ label")),
    "function renamed": ("a.py", PAGE, PAGE.replace("def page()", "def show()").replace("'echo ' + name", "'echo  ' + name")),
    "order changed": (
        "a.py",
        PAGE,
        PAGE.replace("    os.system('echo ' + name)\n", "    text = 'echo ' + name\n    os.system(text)\n"),
    ),
    "script reworded": ("a.js", SCRIPT, SCRIPT.replace("'echo ' + name", "`echo ${name}`")),
}
NEW = {
    "written anew": ("a.py", HEAD, PAGE, "a.py:9"),
    "a second one beside it": (
        "a.py",
        PAGE,
        PAGE.replace("    return", "    os.system('ls ' + name)\n    return"),
        "a.py:10",
    ),
    "data from outside now": ("a.py", PAGE.replace("request.args['name']", "'Ann'"), PAGE, "a.py:8"),
    "guard lost": ("a.py", PAGE.replace("+ name", "+ shlex.quote(name)").replace("os\n", "os, shlex\n", 1), PAGE, "a.py:9"),
    "script written anew": ("a.js", SCRIPT.replace("exec('echo ' + name);", ""), SCRIPT, "a.js:6"),
}


def _injections(found: list[tuple[str, str]]) -> list[str]:
    return [place for kind, place in found if kind.startswith("CWE-78 ")]


@pytest.mark.parametrize("name", STANDING)
def test_a_flaw_that_the_change_only_words_otherwise_is_not_the_changes(tmp_path: Path, name: str) -> None:
    path, before, after = STANDING[name]
    assert _injections(told(claims(tmp_path / "new", {}, {path: after})))
    assert not _injections(told(claims(tmp_path / "standing", {path: before}, {path: after})))


@pytest.mark.parametrize("name", NEW)
def test_a_flaw_that_the_change_brings_is_said(tmp_path: Path, name: str) -> None:
    path, before, after, place = NEW[name]
    assert _injections(told(claims(tmp_path, {path: before}, {path: after}))) == [place]


def test_a_flaw_that_the_change_makes_reachable_is_said_though_its_line_is_untouched(tmp_path: Path) -> None:
    after = CALLER.replace("run('all')", "run(request.args['q'])")
    found = told(claims(tmp_path, {"helper.py": HELPER, "a.py": CALLER}, {"a.py": after}))
    assert _injections(found) == ["a.py:11"]


@pytest.mark.parametrize("after", [PAGE, PAGE.replace("def page", "def other")])
def test_a_file_that_only_has_another_name_brings_nothing(tmp_path: Path, after: str) -> None:
    root = changed(tmp_path, {"old.py": PAGE}, {"new.py": after})
    git(root, "rm", "-qf", "old.py")
    project = project_of(root)
    done = resolve(project, Wanted())
    view = View(project, done.scope, done.before)
    assert not _injections(told(claims_of(view, ALL, documents=False)))
    assert [each for each in view.limitations if each.startswith("there before the change")] == [
        "there before the change, on lines that it touches: CWE-78 command-injection at new.py:9"
    ]


def test_a_copy_is_a_second_flaw(tmp_path: Path) -> None:
    assert _injections(told(claims(tmp_path, {"old.py": PAGE}, {"new.py": PAGE}))) == ["new.py:9"]


def test_every_check_is_compared_with_the_older_version(tmp_path: Path) -> None:
    dropped = "async def f():\n    g(1)\n\n\nasync def g(x):\n    return x\n"
    found = claims(tmp_path / "new", {}, {"a.py": dropped})
    assert "coroutine is not awaited" in [each.kind for each in found]
    again = dropped.replace("g(1)", "g(2)")
    assert "coroutine is not awaited" not in [each.kind for each in claims(tmp_path / "old", {"a.py": dropped}, {"a.py": again})]


def test_lines_of_an_earlier_review_are_still_reported_in_a_delta(tmp_path: Path) -> None:
    """Compared with that review's findings, unchanged defects must not appear resolved."""
    root = changed(tmp_path, {"a.py": PAGE}, {})
    write(root, {"a.py": PAGE.replace("'echo ' + name", "f'echo {name}'")})
    project = project_of(root)
    commit = git(root, "rev-parse", "HEAD")
    prior = PriorReview("r", commit, "", ())
    done = resolve(project, Wanted(prior=prior))
    assert _injections(told(claims_of(View(project, done.scope, done.before), ALL, documents=False))) == ["a.py:9"]
