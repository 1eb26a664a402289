"""Reviews look at few files without seeing less: what is left unparsed could not have changed what is claimed."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, project_of, told, write
from counterproof.analysis import families
from counterproof.analysis.project import Followed
from counterproof.analysis.recon import entry_points_of, reconnoitre
from counterproof.analysis.review import nearby
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python import lower, top_imports
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"


@pytest.mark.parametrize(
    "text",
    [
        "import a.b, c as d\nfrom . import e\nfrom ..f import (g,\n  h as i)\nfrom j import *\n",
        "from __future__ import annotations\nif x:\n    import a\ntry:\n    import b\nexcept ImportError:\n    pass\nimport c\n",
        "import a\ndef f(:\n    import b\nimport c\n",
        "@\nimport a\nclass A(\nfrom b import c\n",
        "\ufeffimport a\x00b\n",
        "",
    ],
)
def test_imports_alone_are_those_of_the_whole_module(text: str) -> None:
    whole = tuple(each for each in lower("p/q/r.py", text).body if isinstance(each, ir.Import))
    assert repr(top_imports("p/q/r.py", text)) == repr(whole)


def test_a_part_is_judged_as_it_is_within_the_whole() -> None:
    project, again = project_of(SHOP), project_of(SHOP)
    entries = entry_points_of(project)
    assert entries == reconnoitre(again).entry_points
    whole = families.examine(again, entries, tuple(Dimension), Language.PYTHON).examination.findings
    for path in sorted({each.location.path for each in whole}):
        part = families.examine(project, entries, tuple(Dimension), Language.PYTHON, frozenset({path})).examination.findings
        assert [each for each in part if each.location.path == path] == [each for each in whole if each.location.path == path]


AROUND = {
    "shop/__init__.py": "",
    "shop/pages.py": (
        "from flask import Flask, request\nfrom shop.rows import find\napp = Flask(__name__)\n\n\n"
        "@app.route('/')\ndef page():\n    return find(request.args['q'])\n"
    ),
    "shop/rows.py": "import sqlite3\n\n\ndef find(word):\n    return sqlite3.connect('x').execute('SELECT ' + word)\n",
    "tools/pages.py": "def other():\n    return 1\n",
    "tools/other.py": "from tools.pages import other\nother()\n",
    "tools/apart.py": "def apart():\n    return 2\n",
}


@pytest.mark.parametrize("path", ["shop/pages.py", "shop/rows.py"])
def test_of_a_large_tree_what_surrounds_whole_files_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    write(tmp_path, AROUND)
    found: list[list[tuple[str, str]]] = []
    for size in (nearby.LARGE, 3):
        monkeypatch.setattr(nearby, "LARGE", size)
        project = project_of(tmp_path)
        view = View(project, resolve(project, Wanted((path,), None)).scope)
        found.append(told(claims_of(view, ("injection",), documents=False)))
    followed = nearby.ground(view)
    assert found[0] == found[1] != []
    assert set(followed.files) - {"shop/__init__.py"} == {"shop/pages.py", "shop/rows.py"}
    assert view.limitations == [
        f"data flow was followed in {len(followed.files)} of 6 source files: those around what is under review"
    ]


def test_files_left_out_of_a_review_are_no_gaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`shop.far` exists, three imports from what is under review."""
    rows = f"from shop import rare\nfrom shop.rare import never\n{AROUND['shop/rows.py']}"
    rare = "from shop.far import other\n\n\ndef never():\n    return other()\n"
    write(tmp_path, {**AROUND, "shop/rows.py": rows, "shop/rare.py": rare, "shop/far.py": "def other():\n    return 1\n"})
    monkeypatch.setattr(nearby, "LARGE", 3)
    project = project_of(tmp_path)
    view = View(project, resolve(project, Wanted(("shop/__init__.py", "shop/pages.py"), None)).scope)
    claims_of(view, ("injection",), documents=False)
    assert "shop/rare.py" in nearby.ground(view).files
    assert "shop/far.py" not in nearby.ground(view).files
    assert project.unread == {}


def test_what_is_only_imported_is_followed_where_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sink two imports away is reached from the change; the rest of that file is not run for itself."""
    deep = "import sqlite3\n\n\ndef ask(text):\n    return sqlite3.connect('x').execute(text)\n\n\ndef alone():\n    return 1\n"
    rows = "from shop.deep import ask\n\n\ndef find(word):\n    return ask('SELECT ' + word)\n"
    write(tmp_path, {**AROUND, "shop/deep.py": deep, "shop/rows.py": rows})
    monkeypatch.setattr(nearby, "LARGE", 3)
    project = project_of(tmp_path)
    view = View(project, resolve(project, Wanted(("shop/pages.py",), None)).scope)
    assert [kind for kind, _ in told(claims_of(view, ("injection",), documents=False))] == ["CWE-89 sql-injection"]
    around = nearby.ground(view)
    assert "shop/deep.py" in around.files
    assert around.followed == Followed(frozenset({("shop/pages.py", 7)}), frozenset())


def test_data_comes_into_a_change_through_functions_that_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`page` names `find`, which changed, and is followed for itself; `about` beside it and `count` beside the change are not."""
    monkeypatch.setattr(nearby, "LARGE", 3)
    about = "\n\n@app.route('/about')\ndef about():\n    return 'a shop'\n"
    count = "\n\ndef count(rows):\n    return len(rows)\n"
    before = AROUND | {"shop/pages.py": AROUND["shop/pages.py"] + about, "shop/rows.py": AROUND["shop/rows.py"] + count}
    safe = before["shop/rows.py"].replace("'SELECT ' + word", "'SELECT ?', (word,)")
    folder = changed(tmp_path, before | {"shop/rows.py": safe}, {"shop/rows.py": before["shop/rows.py"]})
    project = project_of(folder)
    view = View(project, resolve(project, Wanted()).scope)
    assert told(claims_of(view, ("injection",), documents=False)) == [("CWE-89 sql-injection", "shop/rows.py:5")]
    assert nearby.ground(view).followed == Followed(frozenset({("shop/rows.py", 4)}), frozenset({("shop/pages.py", 7)}))


@pytest.mark.parametrize("statement", ["self.word = word", "WORD = 'x'"])
def test_who_reads_what_a_change_sets_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str) -> None:
    monkeypatch.setattr(nearby, "LARGE", 1)
    rows = "WORD = 'a'\n\n\nclass Rows:\n    def __init__(self, word):\n        self.word = 'a'\n"
    after = rows.replace("self.word = 'a'" if "self" in statement else "WORD = 'a'", statement)
    use = (
        "from shop import rows\n\n\ndef use(each):\n    return each.word, rows.WORD\n\n\ndef rest(each):\n    return each.other\n"
    )
    folder = changed(tmp_path, {"shop/__init__.py": "", "shop/rows.py": rows, "shop/use.py": use}, {"shop/rows.py": after})
    project = project_of(folder)
    followed = nearby.ground(View(project, resolve(project, Wanted()).scope)).followed
    assert followed is not None
    assert ("shop/use.py", 4) in followed.leading
    assert ("shop/use.py", 8) not in followed.leading


DEEP = (
    "import sqlite3\n\n\ndef one(word):\n    return two(word)\n\n\ndef two(word):\n    return three(word)\n\n\n"
    "def three(word):\n    return sqlite3.connect('x').execute('SELECT ' + word)\n"
)


@pytest.mark.parametrize(("caller", "seen"), [("shop/pages.py", True), ("shop/rows.py", False)])
def test_only_what_the_change_calls_is_followed_as_deep_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caller: str, seen: bool
) -> None:
    """Three calls below the handler: reported if the handler is under review, open if it only calls reviewed code."""
    pages = AROUND["shop/pages.py"].replace("    return find(", "    one(request.args['q'])\n    return find(")
    write(tmp_path, {**AROUND, "shop/deep.py": DEEP, "shop/pages.py": f"from shop.deep import one\n{pages}"})
    monkeypatch.setattr(nearby, "LARGE", 3)
    project = project_of(tmp_path)
    ground = nearby.ground(View(project, resolve(project, Wanted((caller,), None)).scope))
    found = families.examine(ground, entry_points_of(ground), (Dimension.D1,), Language.PYTHON).examination.findings
    assert ("shop/deep.py" in {each.location.path for each in found}) is seen
    assert "shop/deep.py" in ground.files


@pytest.mark.parametrize("statement", ["from shop import {}", "import shop.{}"])
def test_a_common_word_leads_to_the_change_where_its_file_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    """`get` of a dictionary is not the `get` that changed; beyond fifteen uses of a word they are not resolved individually."""
    others = f"{statement.format('rows')}\n\n\n" + "".join(
        f"def use{number}(d):\n    return d.get('a')\n\n\n" for number in range(20)
    )
    files = {"shop/__init__.py": "", "shop/rows.py": "from shop import other\n\n\ndef get(word):\n    return 1\n"}
    monkeypatch.setattr(nearby, "LARGE", 1)
    leading: list[int] = []
    for imported in ("rows", "stock"):
        folder = tmp_path / imported
        here = others.replace(statement.format("rows"), statement.format(imported))
        tree = files | {"shop/other.py": here, "shop/stock.py": ""}
        project = project_of(changed(folder, tree, {"shop/rows.py": files["shop/rows.py"].replace("1", "2")}))
        followed = nearby.ground(View(project, resolve(project, Wanted()).scope)).followed
        assert followed is not None
        leading.append(len(followed.leading))
    assert leading == [20, 0]


def test_what_a_change_imports_is_read_two_imports_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {
        "src/change.ts": "import { third } from './parts';\nimport './started';\n\nexport function buy(a) {\n  return a;\n}\n",
        "src/parts/index.ts": "export { third } from './third';\nexport * from './rest';\n",
        "src/parts/third.ts": "import { deep } from './deep';\nexport function third() {\n  return deep;\n}\n",
        "src/parts/rest.ts": "export const rest = 5;\n",
        "src/parts/deep.ts": "export const deep = 6;\n",
        "src/started.ts": "console.log('started');\n",
        "src/apart.ts": "export const apart = 7;\n",
    }
    monkeypatch.setattr(nearby, "LARGE", 1)
    edit = {"src/change.ts": tree["src/change.ts"].replace("return a", "return a.trim()")}
    project = project_of(changed(tmp_path, tree, edit))
    ground = nearby.ground(View(project, resolve(project, Wanted()).scope))
    assert set(tree) - set(ground.files) == {"src/parts/deep.ts", "src/apart.ts"}


def test_what_was_there_before_is_known_where_the_change_moved_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older side is followed through its own functions, wherever they stood."""
    monkeypatch.setattr(nearby, "LARGE", 3)
    moved = AROUND["shop/rows.py"].replace("def find", "LIMIT = 5\n\n\ndef find").replace("word)\n", "word)  # all of them\n")
    pages = AROUND["shop/pages.py"].replace("app = ", "LIMIT = 5\napp = ")
    project = project_of(changed(tmp_path, AROUND, {"shop/rows.py": moved, "shop/pages.py": pages}))
    found = resolve(project, Wanted())
    view = View(project, found.scope, found.before)
    assert told(claims_of(view, ("injection",), documents=False)) == []
    assert any("there before the change" in each for each in view.limitations)
