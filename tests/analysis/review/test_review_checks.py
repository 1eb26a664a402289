"""Each check on a change that it must claim, and on one like it that it must leave alone."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import claims, told
from counterproof.model.severity import Severity

LIB = "def find(term, limit=1):\n    return term\n\n\nasync def send(name):\n    return name\n"
IMPORTS = "import re\nimport time\n\nfrom lib import find, send\n\n\n"

WRONG = [
    ("call does not fit the signature", "def f():\n    return find()\n", 8),
    ("call does not fit the signature", "def f():\n    return find(1, 2, 3)\n", 8),
    ("call does not fit the signature", "def f():\n    return find(1, most=3)\n", 8),
    ("coroutine is not awaited", "async def f():\n    send(1)\n", 8),
    ("CWE-89 sql-text", 'def f(db, x):\n    db.execute("UPDATE a SET b = \'" + x + "\'")\n', 8),
    ("CWE-89 sql-text", "def f(db, x):\n    q = f'SELECT * FROM a WHERE b = {x}'\n    return db.execute(q)\n", 9),
    ("CWE-78 command-injection", "import os\n\n\ndef f(x):\n    os.system('ls %s' % x)\n", 11),
    ("CWE-78 shell-text", "import os\n\n\ndef _f(x):\n    os.system('ls %s' % x)\n", 11),
]

RIGHT = [
    "def f(db, x: int):\n    return db.execute(f'SELECT * FROM a WHERE b = {x}')\n",
    "def f(db, x):\n    return db.execute('SELECT * FROM a WHERE b = ?' + TAIL, (x,))\n",
    "def f(log, x):\n    log.execute('ran ' + x)\n",
    "def f(*a):\n    return find(*a), find(1), find(1, 2), find(term=1, limit=2)\n",
    "async def f():\n    await send(1)\n    return send(2)\n",
]


@pytest.mark.parametrize(("kind", "code", "line"), WRONG)
def test_what_is_wrong_is_claimed_at_its_line(tmp_path: Path, kind: str, code: str, line: int) -> None:
    found = claims(tmp_path / "a", {"lib.py": LIB}, {"app.py": IMPORTS + code})
    assert told(found) == [(kind, f"app.py:{line}")]
    assert sum(not each.isspace() for each in found[0].why) >= 100


ASKED = (
    "import sqlite3\nfrom flask import Flask, request\nfrom stock import made\n\napp = Flask(__name__)\n\n\n@app.route('/f')\n"
    "def f():\n    db = {}\n    return str(db.execute('SELECT ' + request.args['to']).fetchall())\n"
)


@pytest.mark.rule("R35")
@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("import os\n\n\ndef f(x):\n    os.system('ls %s' % x)\n", Severity.LOW),
        (WRONG[4][1], Severity.LOW),
        (ASKED.format("made()"), Severity.LOW),
        (ASKED.format("sqlite3.connect('x')"), Severity.CRITICAL),
    ],
)
def test_what_rests_on_an_assumption_is_minor(tmp_path: Path, code: str, severity: Severity) -> None:
    """That callers of a package are hostile, or that a receiver is what its method's name says."""
    found = claims(tmp_path / "a", {"lib.py": LIB}, {"app.py": IMPORTS + code})
    assert [each.severity for each in found] == [severity]


@pytest.mark.parametrize("code", RIGHT)
def test_what_is_right_is_left_alone(tmp_path: Path, code: str) -> None:
    assert told(claims(tmp_path / "a", {"lib.py": LIB}, {"app.py": IMPORTS + code})) == []


@pytest.mark.parametrize(("kind", "code", "line"), WRONG[:4])
def test_lines_that_did_not_change_are_not_spoken_of(tmp_path: Path, kind: str, code: str, line: int) -> None:
    before = {"lib.py": LIB, "app.py": IMPORTS + code}
    assert told(claims(tmp_path / "a", before, {"app.py": IMPORTS + code + "\n\nlast = 1\n"})) == []


def test_a_changed_signature_with_unchanged_callers(tmp_path: Path) -> None:
    before = {"lib.py": LIB, "user.py": "from lib import find\n\n\ndef use():\n    return find(1)\n"}
    found = claims(tmp_path / "a", before, {"lib.py": LIB.replace("limit=1", "limit")})
    assert told(found) == [("call does not fit the signature", "lib.py:1")]
    assert "user.py:5" in found[0].title


MOVED = [
    (
        "def f(a, b, c=1):\n    return a\n",
        "def f(a, x=0, b=1, c=1):\n    return a\n",
        "p.py",
        "from lib import f\n\nf(1, 2)\n",
        True,
    ),
    ("def f(a, b):\n    return a\n", "def f(a, b, c=1):\n    return a\n", "p.py", "from lib import f\n\nf(1, 2)\n", False),
    ("def f(a, b):\n    return a\n", "def f(b, a):\n    return a\n", "p.py", "from lib import f\n\nf(a=1, b=2)\n", False),
    (
        "class A {\n  run(a, b) { return a }\n  go() { return this.run(1, 2) }\n}\n",
        "class A {\n  run(b, a) { return a }\n  go() { return this.run(1, 2) }\n}\n",
        "p.js",
        "",
        True,
    ),
    (
        "export function f(a, b) { return a }\n",
        "export function f(b, a) { return a }\n",
        "p.js",
        "import { f as g } from './lib'\ng(1, 2)\n",
        True,
    ),
    (
        "class A {\n  run(a, b, c) { return a }\n  go() { return this.run(1, 2, 3) }\n}\n",
        "class A {\n  run(a, c) { return a }\n  go() { return this.run(1, 3) }\n}\n",
        "p.js",
        "",
        False,
    ),
]


@pytest.mark.parametrize(("old", "new", "path", "caller", "reported"), MOVED)
def test_mismatched_reordered_parameters_report_unchanged_calls(
    tmp_path: Path, old: str, new: str, path: str, caller: str, reported: bool
) -> None:
    lib = f"lib{Path(path).suffix}"
    found = claims(tmp_path / "a", {lib: old, path: caller}, {lib: new})
    assert [each.kind for each in found] == ["call does not fit the signature"] * reported


def test_methods_of_classes_with_bases_are_not_judged(tmp_path: Path) -> None:
    plain = "class A:\n    def m(self, x):\n        return x\n\n    def n(self):\n        return self.m()\n"
    assert told(claims(tmp_path / "a", {}, {"a.py": plain})) == [("call does not fit the signature", "a.py:6")]
    assert told(claims(tmp_path / "b", {}, {"a.py": plain.replace("class A:", "class A(Base):")})) == []


def test_the_audits_analysis_speaks_only_of_lines_under_review(tmp_path: Path) -> None:
    safe = (
        "import sqlite3\n\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
        '@app.route("/")\ndef find():\n    term = request.args["q"]\n'
    )
    old = safe + '    return str(sqlite3.connect("d").execute("select ?", (term,)).fetchall())\n'
    new = safe + '    return str(sqlite3.connect("d").execute("select " + term).fetchall())\n'
    found = [each for each in claims(tmp_path / "a", {"app.py": old}, {"app.py": new}) if each.domain == "injection"]
    assert [(each.kind.split()[0], str(each.at)) for each in found] == [("CWE-89", "app.py:11")]
    again = claims(tmp_path / "b", {"app.py": new}, {"app.py": new + "\n\nlast = 1\n"})
    assert [each for each in again if each.domain == "injection"] == []
